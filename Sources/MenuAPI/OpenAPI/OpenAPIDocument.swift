import JSONText
import MicroHTTP

/// The description of the service (OpenAPI 3.1), assembled from its routes.
struct OpenAPIDocument {
  /// The document as JSON text.
  let bytes: [UInt8]

  /// The document of these routes; each says whether it needs a token, if any does.
  init(_ sections: [RouteSection], asksForTokens: Bool) {
    var writer = OpenAPIWriter(routes: sections.flatMap(\.routes), asksForTokens: asksForTokens)
    writer.write(sections)
    bytes = writer.json.bytes
  }
}

/// Writes the document of some routes.
struct OpenAPIWriter {
  /// The routes that answers link to.
  let routes: [Route]
  /// True if any route needs a token.
  let asksForTokens: Bool
  let files = OpenAPIFiles()
  var json = JSONWriter()

  /// A writer that has written nothing yet.
  init(routes: [Route], asksForTokens: Bool) {
    self.routes = routes
    self.asksForTokens = asksForTokens
  }

  mutating func write(_ sections: [RouteSection]) {
    json.beginObject()
    for part in files.document.members where part.name != "components" {
      json.member(part.name, part.value)
    }
    paths(sections)
    components()
    json.member("x-messages", files.messages)
    json.endObject()
  }

  /// Writes the paths in the order of their first routes, each with its methods.
  private mutating func paths(_ sections: [RouteSection]) {
    let tagged = sections.flatMap { section in section.routes.map { (section.tag, $0) } }
    json.member("paths")
    json.beginObject()
    var written: Set<String> = []
    for route in routes where written.insert(route.path.text).inserted {
      json.member(route.path.text)
      json.beginObject()
      for (tag, sibling) in tagged where sibling.path.text == route.path.text {
        json.member(sibling.method.rawValue.lowercased())
        value(sibling, under: tag)
      }
      json.endObject()
    }
    json.endObject()
  }

  /// Writes what the routes refer to.
  private mutating func components() {
    json.member("components")
    json.beginObject()
    json.member("schemas")
    json.beginObject()
    for (name, schema) in Schemas.named(in: files) { json.member(name, schema) }
    json.endObject()
    for part in files.document.object("components").members { json.member(part.name, part.value) }
    json.endObject()
  }

  /// Writes a reference to a component.
  mutating func reference(to name: String, in section: String) {
    json.beginObject()
    json.member("$ref", "#/components/\(section)/\(name)")
    json.endObject()
  }
}
