import JSONText
import MicroHTTP

/// Finds the route of a request; a value that does not change once it is made.
///
/// A literal segment goes before a parameter: `POST /commands/validate` is a route of its own, while
/// `GET /commands/validate` is the command of that name.
struct Router: Sendable {
  let routes: [Route]
  private var nodes: [Node] = [Node()]

  private struct Node: Sendable {
    var literals: [(segment: String, node: Int)] = []
    var parameter: Int?
    var routes: [(method: Method, route: Int)] = []
  }

  init(_ routes: [Route]) {
    self.routes = routes
    for (index, route) in routes.enumerated() { insert(route, at: index) }
  }

  /// What a search came to.
  enum Match {
    case route(Route, index: Int, parameters: [String])
    /// The path has other methods only: these.
    case otherMethods([Method])
    case nothing
  }

  /// The route for a method and a path.
  func match(_ method: Method, _ segments: [String]) -> Match {
    var places: [(node: Int, parameters: [String])] = []
    collect(segments[...], from: 0, [], into: &places)
    for place in places {
      if let found = nodes[place.node].routes.first(where: { $0.method == method }) {
        return .route(routes[found.route], index: found.route, parameters: place.parameters)
      }
    }
    let methods = places.flatMap { nodes[$0.node].routes.map(\.method) }
    return methods.isEmpty ? .nothing : .otherMethods(methods)
  }

  private func collect(
    _ segments: ArraySlice<String>, from node: Int, _ parameters: [String],
    into places: inout [(node: Int, parameters: [String])]
  ) {
    guard let segment = segments.first else {
      if !nodes[node].routes.isEmpty { places.append((node, parameters)) }
      return
    }
    let rest = segments.dropFirst()
    if let next = nodes[node].literals.first(where: { $0.segment.hasSameBytes(as: segment) }) {
      collect(rest, from: next.node, parameters, into: &places)
    }
    if let next = nodes[node].parameter, !segment.utf8.isEmpty {
      collect(rest, from: next, parameters + [segment], into: &places)
    }
  }

  private mutating func insert(_ route: Route, at index: Int) {
    var node = 0
    for segment in route.path.segments { node = child(of: node, segment) }
    nodes[node].routes.append((route.method, index))
    if route.method == .get { nodes[node].routes.append((.head, index)) }
  }

  private mutating func child(of node: Int, _ segment: PathTemplate.Segment) -> Int {
    switch segment {
    case .literal(let text):
      if let known = nodes[node].literals.first(where: { $0.segment.hasSameBytes(as: text) }) {
        return known.node
      }
      nodes[node].literals.append((text, nodes.count))
    case .parameter:
      if let known = nodes[node].parameter { return known }
      nodes[node].parameter = nodes.count
    }
    nodes.append(Node())
    return nodes.count - 1
  }
}
