import JSONText
import MicroHTTP

/// An immutable table that finds the route of a request.
///
/// A literal segment takes precedence over a parameter: `POST /commands/validate` is a route of its own, while
/// `GET /commands/validate` is the command of that name. In the place of a number, a literal has its own
/// methods only.
struct Router: Sendable {
  let routes: [Route]
  private var nodes: [Node] = [Node()]

  private struct Node: Sendable {
    /// The lengths come first, since most segments differ in length.
    var literals: [(count: Int, segment: String, node: Int)] = []
    var parameter: Int?
    /// True if the parameter is a number.
    var takesNumber = false
    /// The routes that end here, with the ordinals of their methods.
    var routes: [(method: Int, route: Int)] = []
  }

  init(_ routes: [Route]) {
    self.routes = routes
    for (index, route) in routes.enumerated() { insert(route, at: index) }
  }

  /// The result of a search.
  enum Match {
    case route(index: Int, parameters: [String])
    /// The path has these methods only.
    case otherMethods([Method])
    case nothing
  }

  /// Returns the route for a method and a path.
  func match(_ method: Method, _ segments: [String]) -> Match {
    var search = RouteSearch(segments: segments, method: method.ordinal)
    if let found = route(for: &search, from: 0, depth: 0) {
      return .route(index: found, parameters: search.parameters)
    }
    if search.otherMethods.isEmpty { return .nothing }
    return .otherMethods(Method.allCases.filter { search.otherMethods.contains($0.ordinal) })
  }

  private struct RouteSearch {
    let segments: [String]
    let method: Int
    /// The values of parameters on the path so far.
    var parameters: [String] = []
    /// The methods of routes that match the path only.
    var otherMethods: [Int] = []
  }

  /// Returns the route for the segments from a depth on, if there is one.
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

extension Service {
  /// All routes, in the order of the OpenAPI document.
  package static let routes: [Route] = sections.flatMap(\.routes)

  /// All routes by subject. The examples of the document can be sent in this order.
  static let sections = [
    RouteSection(tag: .operations, HealthRoutes.all),
    RouteSection(tag: .commands, CommandRoutes.all),
    RouteSection(tag: .menus, MenuRoutes.all),
    RouteSection(tag: .sessions, SessionListRoute.all + SessionRoutes.all),
    RouteSection(tag: .responders, ResponderRoutes.all + HandlerRoutes.all),
    RouteSection(tag: .sessions, HistoryRoute.all),
    RouteSection(tag: .forwarding, RegistrationRoutes.all),
    RouteSection(tag: .sessions, FocusRoutes.all + StateRoutes.all + MutationRoutes.all),
    RouteSection(tag: .events, EventRoutes.all),
    RouteSection(tag: .questions, QuestionRoutes.all + TargetRoute.all),
    RouteSection(
      tag: .commands,
      ValidationRoute.all + SearchRoute.all + FormRoute.all + PerformRoute.all),
    RouteSection(tag: .rules, RuleRoutes.all),
    RouteSection(
      tag: .keys,
      KeyRoutes.all + SessionKeysRoute.all + KeyConflictRoute.all + KeyCommandRoutes.all),
    RouteSection(tag: .lateResponders, LateResponderRoutes.all),
    RouteSection(tag: .questions, ChainRoutes.all),
    RouteSection(tag: .classes, ClassRoutes.all),
    RouteSection(tag: .storyboards, ProtocolRoutes.all + StoryboardRoutes.all + SegueRoutes.all),
    RouteSection(tag: .messages, MessageRoutes.all),
    RouteSection(tag: .storyboards, SegueRoutes.unwinding),
    RouteSection(tag: .undo, UndoRoutes.all),
    RouteSection(tag: .agents, AgentRoutes.all),
    RouteSection(tag: .deliveries, DeliveryRoutes.all),
    RouteSection(tag: .tokens, TokenRoutes.all + WorkerTokenRoutes.all),
    RouteSection(tag: .keys, KeymapRoutes.all),
    RouteSection(tag: .sessions, LocaleRoutes.all),
  ]
}

/// The routes of one subject.
struct RouteSection: Sendable {
  let tag: RouteTag
  let routes: [Route]

  init(tag: RouteTag, _ routes: [Route]) {
    self.tag = tag
    self.routes = routes
  }
}

/// A subject of the OpenAPI document; generated clients have a module for each.
enum RouteTag: String {
  case operations
  case commands
  case menus
  case sessions
  case responders
  case forwarding
  case events
  case questions
  case rules
  case keys
  case lateResponders
  case classes
  case storyboards
  case messages
  case undo
  case agents
  case deliveries
  case tokens
}

/// A path with parameters: `/sessions/{session}/responders/{responder}`.
package struct PathTemplate: Sendable, ExpressibleByStringLiteral {
  /// The template as in the OpenAPI document.
  package let text: String
  let segments: [Segment]

  /// A part between slashes.
  enum Segment: Sendable {
    case literal(String)
    case parameter(String)

    /// True if it is a parameter for a number, which a literal never is.
    var isNumber: Bool {
      switch self {
      case .literal: false
      case .parameter(let name): name == "delivery"
      }
    }
  }

  /// Reads a template.
  package init(stringLiteral text: String) {
    self.text = text
    segments = text.utf8.dropFirst().split(separator: UInt8(ascii: "/")).map { piece in
      let segment = String(Substring(piece))
      return segment.utf8.first == UInt8(ascii: "{")
        ? .parameter(String(segment.dropFirst().dropLast())) : .literal(segment)
    }
  }

  /// The names of the parameters, in order.
  package var parameters: [String] {
    segments.compactMap { segment in
      switch segment {
      case .literal: nil
      case .parameter(let name): name
      }
    }
  }
}
