import CEmbeddedFiles
import JSONText
import MicroHTTP

/// Writes the description of the service (OpenAPI 3.1), generated from its routes.
struct OpenAPIWriter {
  /// The routes that answers link to.
  let routes: [Route]
  /// True if any route needs a token.
  let asksForTokens: Bool
  let files = OpenAPIFiles()
  var json = JSONWriter()

  init(routes: [Route], asksForTokens: Bool) {
    self.routes = routes
    self.asksForTokens = asksForTokens
  }

  /// Returns the document of these routes, with the required access of each if tokens are required.
  static func document(of sections: [RouteSection], asksForTokens: Bool) -> [UInt8] {
    var writer = OpenAPIWriter(routes: sections.flatMap(\.routes), asksForTokens: asksForTokens)
    writer.write(sections)
    return writer.json.bytes
  }

  private mutating func write(_ sections: [RouteSection]) {
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

  /// Writes the components that the routes refer to.
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

  mutating func reference(to name: String, in section: String) {
    json.beginObject()
    json.member("$ref", "#/components/\(section)/\(name)")
    json.endObject()
  }
}

/// The parts of the OpenAPI document that are JSON files, since they cannot be derived from routes and types.
package struct OpenAPIFiles {
  /// The document without the parts derived from routes: `openapi`, `info`, `tags`, and of `components` the
  /// header fields, their parameters and the security schemes.
  let document: JSONObject
  let pathParameters: JSONObject
  /// The query parameters by the key of their ``QueryParameter``.
  let queryParameters: JSONObject
  /// The messages that the engine sends.
  let messages: JSON
  /// The schemas by name, each followed by its parts.
  let schemas: [JSONObject.Member]
  /// The example answers by the id of the operation, or by that and the name of the body's example.
  ///
  /// They are the answers of a service with the tests' sample data to the example requests, in order; a test
  /// checks that.
  let answers: JSONObject

  /// The names of the members that answers, and what they contain, can have.
  package static let memberNames: Set<String> = {
    var names: Set<String> = []
    var open = OpenAPIFiles().schemas.map(\.value)
    while let schema = open.popLast() {
      switch schema {
      case .object(let object):
        if case .object(let properties)? = object["properties"] {
          names.formUnion(properties.members.map(\.name))
        }
        open += object.members.map(\.value)
      case .array(let elements): open += elements
      case .null, .bool, .int, .double, .string: break
      }
    }
    return names
  }()

  init() {
    let files = EmbeddedFile.all
    func file(_ name: String) -> EmbeddedFile {
      guard let file = files.first(where: { $0.path == "OpenAPI/\(name).json" }) else {
        preconditionFailure("There is no \(name).json.")
      }
      return file
    }
    func members(under folder: String) -> [JSONObject.Member] {
      files.filter { $0.path.hasPrefix("OpenAPI/\(folder)/") }.flatMap(\.object.members)
    }
    document = file("document").object
    let parameters = file("parameters").object
    pathParameters = parameters.object("path")
    queryParameters = parameters.object("query")
    messages = file("messages").json
    schemas = members(under: "schemas")
    guard let answers = JSONObject(members(under: "examples")) else {
      preconditionFailure("An operation has two examples of its answer.")
    }
    self.answers = answers
  }
}

extension JSONObject {
  /// Returns the object of this name, which must exist.
  func object(_ name: String) -> JSONObject {
    guard case .object(let object)? = self[name] else { preconditionFailure("no \(name)") }
    return object
  }
}

/// A link from an answer to an operation on the new resource.
struct OpenAPILink {
  /// The id of the linked operation.
  let operation: String
  /// The path parameters of the operation, each with the expression for its value.
  let parameters: [(name: String, value: String)]
}

extension Route {
  /// Returns the links from an answer that creates a resource to all questions about it; none for other
  /// answers.
  func links(from answer: Route.Answer, to routes: [Route]) -> [OpenAPILink] {
    guard answer.status == .created else { return [] }
    var parameters = path.parameters.map { (name: $0, value: "$request.path.\($0)") }
    if let name = answer.newName { parameters.append((name, "$response.body#/\(name)")) }
    return routes.filter { route in
      parameters.allSatisfy { parameter in route.path.parameters.contains(parameter.name) }
    }.map { OpenAPILink(operation: $0.id, parameters: parameters) }
  }
}

extension OpenAPIWriter {
  /// Writes the links of an answer by the ids of their operations, if there are any.
  mutating func links(_ links: [OpenAPILink]) {
    guard !links.isEmpty else { return }
    json.member("links")
    json.beginObject()
    for link in links {
      json.member(link.operation)
      json.beginObject()
      json.member("operationId", link.operation)
      json.member("parameters")
      json.beginObject()
      for parameter in link.parameters { json.member(parameter.name, parameter.value) }
      json.endObject()
      json.endObject()
    }
    json.endObject()
  }
}

/// A text file embedded in the program; the sources are in `Sources/CEmbeddedFiles`.
struct EmbeddedFile {
  /// The path in that folder.
  let path: String
  let text: String

  /// All files in the order of the table in `CEmbeddedFiles.c`.
  static var all: [EmbeddedFile] {
    var files: [EmbeddedFile] = []
    while let path = unsafe embeddedPath(files.count), let text = unsafe embeddedText(files.count) {
      files.append(unsafe EmbeddedFile(path: String(cString: path), text: String(cString: text)))
    }
    return files
  }

  var json: JSON {
    do throws(JSONFault) {
      return try JSON(parsing: text)
    } catch {
      preconditionFailure("\(path) is not JSON: \(error)")
    }
  }

  var object: JSONObject {
    guard case .object(let object) = json else { preconditionFailure("\(path) has no members.") }
    return object
  }
}
