import JSONText
import MicroHTTP

/// The description of the service (OpenAPI 3.1), assembled from its routes.
struct OpenAPIDocument {
  /// The document as JSON text.
  let bytes: [UInt8]

  /// The document of these routes; each says whether it needs a token, if any does.
  init(_ sections: [RouteSection], asksForTokens: Bool) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("openapi", "3.1.0")
    writer.member("info")
    writer.value(encoded: Array(Self.info.utf8))
    writer.tags()
    writer.paths(sections, asksForTokens: asksForTokens)
    writer.components()
    writer.engineMessages()
    writer.endObject()
    bytes = writer.bytes
  }

  private static let info = #"""
    {
      "title": "menud",
      "version": "1",
      "summary": "The responder chain as a service.",
      "description": "Every GET is also answered to HEAD, and OPTIONS lists the methods of a path. Every answer has an `X-Request-Id`, which is the request's own when that has one. Members and query parameters that are not described are refused. What fails changes nothing. The messages that the engine sends by itself, and what their handlers may answer, are in `x-messages`."
    }
    """#
}

extension JSONWriter {
  /// Writes what the routes are about.
  fileprivate mutating func tags() {
    member("tags")
    beginArray()
    for tag in RouteTag.allCases {
      beginObject()
      member("name", tag.rawValue)
      member("description", tag.summary)
      endObject()
    }
    endArray()
  }

  /// Writes the paths in the order of their first routes, each with its methods.
  fileprivate mutating func paths(_ sections: [RouteSection], asksForTokens: Bool) {
    let routes = sections.flatMap(\.routes)
    let tagged = sections.flatMap { section in section.routes.map { (section.tag, $0) } }
    member("paths")
    beginObject()
    var written: Set<String> = []
    for route in routes where written.insert(route.path.text).inserted {
      member(route.path.text)
      beginObject()
      for (tag, sibling) in tagged where sibling.path.text == route.path.text {
        member(sibling.method.rawValue.lowercased())
        value(of: sibling, tag, asksForTokens: asksForTokens, linkingTo: routes)
      }
      endObject()
    }
    endObject()
  }

  private mutating func value(
    of route: Route, _ tag: RouteTag, asksForTokens: Bool, linkingTo routes: [Route]
  ) {
    let operation = route.operation
    beginObject()
    member("operationId", operation.id)
    member("tags", [.string(tag.rawValue)])
    member("summary", operation.summary)
    parameters(of: route)
    security(of: route, asksForTokens)
    if let body = operation.body { member(body) }
    member("responses")
    beginObject()
    let example = AnswerExamples.all[operation.id]
    let named = (operation.body?.named ?? []).compactMap { body in
      AnswerExamples.all[operation.id(ofExample: body.name)].map { (body.name, $0) }
    }
    for answer in operation.answers {
      let links = route.links(from: answer, to: routes)
      member(answer, answer.schema == nil ? nil : answer.example ?? example, named, links)
    }
    for (status, types) in route.problems { member(status, types) }
    endObject()
    endObject()
  }

  private mutating func member(_ body: Operation.Body) {
    member("requestBody")
    beginObject()
    member("required", body.isRequired)
    member("content")
    beginObject()
    for content in body.contents {
      member(content.type)
      media(content.schema, content.example, body.named)
    }
    endObject()
    endObject()
  }

  private mutating func member(
    _ answer: Operation.Answer, _ example: String?, _ named: [(name: String, example: String)],
    _ links: [OpenAPILink]
  ) {
    member(String(answer.status.rawValue))
    beginObject()
    member("description", answer.summary)
    if !answer.headers.isEmpty {
      member("headers")
      beginObject()
      for header in answer.headers {
        member(header)
        reference("headers", header)
      }
      endObject()
    }
    if let schema = answer.schema {
      member("content")
      beginObject()
      member(answer.type)
      media(schema, example, named)
      endObject()
    }
    member(links)
    endObject()
  }

  /// Writes a schema with its example, or with all of them when they have names.
  private mutating func media(
    _ schema: String, _ example: String?, _ named: [(name: String, example: String)]
  ) {
    beginObject()
    member("schema")
    reference("schemas", schema)
    if !named.isEmpty {
      member("examples")
      beginObject()
      for (name, example) in named {
        member(name)
        beginObject()
        member("value")
        value(encoded: Array(example.utf8))
        endObject()
      }
      endObject()
    } else if let example {
      member("example")
      value(encoded: Array(example.utf8))
    }
    endObject()
  }

  /// Writes the problems of one status; its description lists them.
  private mutating func member(_ status: Status, _ types: [ProblemType]) {
    member(String(status.rawValue))
    beginObject()
    member(
      "description", types.map { "`\($0.uri)`: \($0.title)." }.joined(separator: " "))
    member("content")
    beginObject()
    member("application/problem+json")
    beginObject()
    member("schema")
    reference("schemas", "Problem")
    if let type = types.first {
      member("example")
      value(encoded: Problem(type, "\(type.title).").response.body)
    }
    endObject()
    endObject()
    endObject()
  }

  mutating func reference(_ section: String, _ name: String) {
    beginObject()
    member("$ref", "#/components/\(section)/\(name)")
    endObject()
  }
}
