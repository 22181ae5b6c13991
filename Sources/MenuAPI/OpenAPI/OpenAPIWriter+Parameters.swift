import JSONText
import MicroHTTP

extension OpenAPIWriter {
  /// Writes what a route reads from path, query and header fields.
  mutating func parameters(of route: Route) {
    json.member("parameters")
    json.beginArray()
    for name in route.path.parameters {
      var parameter = files.pathParameters.object(name)
      if let example = route.description.parameters[name] {
        parameter["example"] = .string(example)
      }
      json.value(.object(parameter))
    }
    for query in route.query { json.value(.object(files.queryParameters.object(query.key))) }
    for name in Self.fields(of: route) { reference(to: name, in: "parameters") }
    json.endArray()
  }

  /// Returns the names of the header fields that a route reads, among the components.
  private static func fields(of route: Route) -> [String] {
    var names: [String] = []
    if !route.isQuestion {
      names += ["IfMatch", "IdempotencyKey"]
      if route.method == .put || route.path.text == "/sessions" { names.append("IfNoneMatchAny") }
    } else if route.method == .post, route.description.fields.isEmpty {
      names.append("IdempotencyKeyOfQuestion")
    }
    if route.description.heedsWait { names.append("Prefer") }
    if route.description.answers.contains(where: { $0.status == .notModified }) {
      names.append("IfNoneMatch")
    }
    return names + route.description.fields
  }
}
