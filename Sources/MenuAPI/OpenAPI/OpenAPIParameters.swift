import JSONText
import MicroHTTP

extension JSONWriter {
  /// Writes what a route reads from path, query and header fields.
  mutating func parameters(of route: Route) {
    let operation = route.operation
    member("parameters")
    beginArray()
    for name in route.path.parameters {
      let usual = PathParameter(rawValue: name)
      parameter(
        name, in: "path", usual?.summary ?? "", schema: usual?.schema ?? "{}",
        example: operation.parameters[name] ?? usual?.example)
    }
    for query in route.query {
      parameter(query.name, in: "query", query.summary, schema: query.schema)
    }
    if !route.isQuestion {
      reference("parameters", "IfMatch")
      reference("parameters", "IdempotencyKey")
      if route.method == .put || route.path.text == "/sessions" {
        reference("parameters", "IfNoneMatchAny")
      }
    } else if route.method == .post {
      reference("parameters", "IdempotencyKeyOfQuestion")
    }
    if operation.answers.contains(where: { $0.status == .notModified }) {
      reference("parameters", "IfNoneMatch")
    }
    endArray()
  }

  /// Writes one parameter.
  mutating func parameter(
    _ name: String, in place: String, _ summary: String, schema: String, example: String? = nil
  ) {
    beginObject()
    member("name", name)
    member("in", place)
    member("description", summary)
    if place == "path" { member("required", true) }
    member("schema")
    value(encoded: Array(schema.utf8))
    if let example { member("example", example) }
    endObject()
  }
}

/// A name in a path.
enum PathParameter: String, CaseIterable {
  case session
  case command
  case menu
  case responder
  case lateResponder
  case selector
  case token
  case `protocol`
  case storyboard
  case identifier

  var summary: String {
    switch self {
    case .session: "The id of an open session."
    case .command: "The id of a command."
    case .menu: "The identifier of a menu; `root` holds all others."
    case .responder: "The id of a responder."
    case .lateResponder: "The id of a responder that is, or is to be, a late one."
    case .selector: "A selector, percent-encoded or as it is."
    case .token: "The token of a registration."
    case .protocol: "The name of a protocol of delegates."
    case .storyboard: "The name of a storyboard."
    case .identifier: "The identifier of a segue."
    }
  }

  var example: String {
    switch self {
    case .session: "demo"
    case .command: "copy:"
    case .menu: "edit"
    case .responder: "photoGrid"
    case .lateResponder: "gridProxy"
    case .selector: "duplicate:"
    case .token: "1"
    case .protocol: "ZoomDelegate"
    case .storyboard: "Main"
    case .identifier: "ShowZoom"
    }
  }

  /// The schema as JSON text.
  var schema: String {
    switch self {
    case .session, .command, .menu, .responder, .lateResponder, .protocol, .storyboard,
      .identifier:
      ##"{"$ref":"#/components/schemas/Identifier"}"##
    case .selector: ##"{"$ref":"#/components/schemas/Selector"}"##
    case .token: #"{"type":"string","pattern":"^[0-9]{1,18}$"}"#
    }
  }
}
