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
    /// Their lengths come first, since most segments differ in that.
    var literals: [(count: Int, segment: String, node: Int)] = []
    var parameter: Int?
    /// The routes that end here, with the places of their methods among all.
    var routes: [(method: Int, route: Int)] = []
  }

  init(_ routes: [Route]) {
    self.routes = routes
    for (index, route) in routes.enumerated() { insert(route, at: index) }
  }

  /// The result of a search.
  enum Match {
    case route(index: Int, parameters: [String])
    /// The path has other methods only: these.
    case otherMethods([Method])
    case nothing
  }

  /// The route for a method and a path.
  func match(_ method: Method, _ segments: [String]) -> Match {
    var parameters: [String] = []
    var others: [Int] = []
    let found = search(segments, 0, from: 0, method.ordinal, &parameters, &others)
    if let found { return .route(index: found, parameters: parameters) }
    if others.isEmpty { return .nothing }
    return .otherMethods(Method.allCases.filter { others.contains($0.ordinal) })
  }

  /// The route at the end of the segments from a depth on, with what stands in the places for names;
  /// else the methods of those that end there too.
  private func search(
    _ segments: [String], _ depth: Int, from node: Int, _ method: Int,
    _ parameters: inout [String], _ others: inout [Int]
  ) -> Int? {
    guard depth < segments.count else {
      if let found = nodes[node].routes.first(where: { $0.method == method }) { return found.route }
      others += nodes[node].routes.map(\.method)
      return nil
    }
    if let next = literal(segments[depth], below: node),
      let found = search(segments, depth + 1, from: next, method, &parameters, &others)
    {
      return found
    }
    guard let next = nodes[node].parameter, !segments[depth].utf8.isEmpty else { return nil }
    parameters.append(segments[depth])
    if let found = search(segments, depth + 1, from: next, method, &parameters, &others) {
      return found
    }
    parameters.removeLast()
    return nil
  }

  private func literal(_ segment: String, below node: Int) -> Int? {
    let count = segment.utf8.count
    for literal in nodes[node].literals
    where literal.count == count && literal.segment.hasSameBytes(as: segment) {
      return literal.node
    }
    return nil
  }

  private mutating func insert(_ route: Route, at index: Int) {
    var node = 0
    for segment in route.path.segments { node = child(of: node, segment) }
    nodes[node].routes.append((route.method.ordinal, index))
    if case .get = route.method { nodes[node].routes.append((Method.head.ordinal, index)) }
  }

  private mutating func child(of node: Int, _ segment: PathTemplate.Segment) -> Int {
    switch segment {
    case .literal(let text):
      if let known = literal(text, below: node) { return known }
      nodes[node].literals.append((text.utf8.count, text, nodes.count))
    case .parameter:
      if let known = nodes[node].parameter { return known }
      nodes[node].parameter = nodes.count
    }
    nodes.append(Node())
    return nodes.count - 1
  }
}
