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
  func links(from answer: Operation.Answer, to routes: [Route]) -> [OpenAPILink] {
    guard answer.status == .created else { return [] }
    var parameters = path.parameters.map { (name: $0, value: "$request.path.\($0)") }
    if let name = answer.newName { parameters.append((name, "$response.body#/\(name)")) }
    return routes.filter { route in
      parameters.allSatisfy { parameter in route.path.parameters.contains(parameter.name) }
    }.map { OpenAPILink(operation: $0.operation.id, parameters: parameters) }
  }
}

extension JSONWriter {
  /// Writes the links of an answer by the names of their operations, if there are any.
  mutating func member(_ links: [OpenAPILink]) {
    guard !links.isEmpty else { return }
    member("links")
    beginObject()
    for link in links {
      member(link.operation)
      beginObject()
      member("operationId", link.operation)
      member("parameters")
      beginObject()
      for parameter in link.parameters { member(parameter.name, parameter.value) }
      endObject()
      endObject()
    }
    endObject()
  }
}
