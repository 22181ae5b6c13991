import JSONText
import MicroHTTP

/// Finds the route of a request; a value that does not change once it is made.
///
/// A literal segment goes before a parameter: `POST /commands/validate` is a route of its own, while
/// `GET /commands/validate` is the command of that name. Where a number stands, a literal has its own methods only.
struct Router: Sendable {
  let routes: [Route]
  private var nodes: [Node] = [Node()]

  private struct Node: Sendable {
    /// Their lengths come first, since most segments differ in that.
    var literals: [(count: Int, segment: String, node: Int)] = []
    var parameter: Int?
    /// True if the parameter is a number.
    var takesNumber = false
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
    var search = RouteSearch(segments: segments, method: method.ordinal)
    if let found = route(for: &search, from: 0, depth: 0) {
      return .route(index: found, parameters: search.parameters)
    }
    if search.otherMethods.isEmpty { return .nothing }
    return .otherMethods(Method.allCases.filter { search.otherMethods.contains($0.ordinal) })
  }

  /// The search for the route of one request.
  private struct RouteSearch {
    let segments: [String]
    let method: Int
    /// The segments in the places for names, on the path that was taken so far.
    var parameters: [String] = []
    /// The methods of routes that have the path, and not the method.
    var otherMethods: [Int] = []
  }

  /// Returns the route at the end of the segments from a depth on, if there is one.
  private func route(for search: inout RouteSearch, from node: Int, depth: Int) -> Int? {
    guard depth < search.segments.count else {
      for (method, route) in nodes[node].routes where method == search.method { return route }
      search.otherMethods += nodes[node].routes.map(\.method)
      return nil
    }
    let segment = search.segments[depth]
    if let next = literal(segment, below: node) {
      let found = route(for: &search, from: next, depth: depth + 1)
      if found != nil || nodes[node].takesNumber { return found }
    }
    guard let next = nodes[node].parameter, !segment.utf8.isEmpty else { return nil }
    search.parameters.append(segment)
    if let found = route(for: &search, from: next, depth: depth + 1) { return found }
    search.parameters.removeLast()
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
      nodes[node].takesNumber = segment.isNumber
    }
    nodes.append(Node())
    return nodes.count - 1
  }
}
