import JSONText
import MicroHTTP

/// A link to an operation on something that an answer says is new.
struct OpenAPILink {
  /// The operation that asks.
  let operation: String
  /// Its path's parameters, each with the expression for its value.
  let parameters: [(name: String, value: String)]
}

extension Route {
  /// The links from an answer that something is new to all that can be asked of it; none otherwise.
  func links(from answer: RouteDescription.Answer, to routes: [Route]) -> [OpenAPILink] {
    guard answer.status == .created else { return [] }
    var parameters = path.parameters.map { (name: $0, value: "$request.path.\($0)") }
    if let name = answer.newName { parameters.append((name, "$response.body#/\(name)")) }
    return routes.filter { route in
      parameters.allSatisfy { parameter in route.path.parameters.contains(parameter.name) }
    }.map { OpenAPILink(operation: $0.description.id, parameters: parameters) }
  }
}

extension OpenAPIWriter {
  /// Writes the links of an answer by the names of their operations, if there are any.
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
