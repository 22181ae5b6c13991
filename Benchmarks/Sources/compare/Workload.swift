import Measuring

/// The requests to menud: the one place that knows its application and its wire format.
enum Workload {
  /// Declares ten menus of ten commands, all handled by the first responder.
  ///
  /// Each menu's rules read a member of the state that the other menus' rules do not.
  static let configuration = "Benchmarks/hundred-commands/menud.json"

  /// The application whose sessions are weighed.
  static let photoApplication = "Config/photo-app"

  /// The file of the session with the hundred commands, for the peers that validate too.
  static let session = "Benchmarks/hundred-commands/application/session.json"

  /// The commands of that menu, in order.
  static let commands = (0..<100).map { "command\($0):" }

  /// The session that stays as it was opened, and those whose state keeps changing.
  static let (still, changing) = ("still", "changing-")

  /// Those with responders of their own: where focus moves, and where commands are performed.
  static let (own, performing) = ("own-", "performing-")

  /// Opens the sessions, which every server that validates must have.
  static func openSessions(on server: HTTPServer, connections: Int) throws {
    for session in [still] + (1...connections).map({ changing + "\($0)" }) {
      try server.expect(201, for: .post("/sessions", #"{"id":"\#(session)"}"#))
    }
    for number in 1...connections {
      let places = OwnSession.places + OwnSession.spots
      try server.expect(201, for: OwnSession.open(own + "\(number)", with: places))
      try server.expect(
        201, for: OwnSession.open(performing + "\(number)", with: OwnSession.places))
    }
  }

  /// Returns all comparisons, in the order of the report.
  static func comparisons(on menud: HTTPServer) throws -> [Comparison] {
    let menu = menu(of: still)
    let tag = try menud.expect(200, for: menu).entityTag
    return [
      Comparison(
        name: "GET /health", requests: [.get("/health")], limit: 1.10,
        peers: [Peer.twoThreads, Peer.hummingbird, Peer.node]),
      Comparison(
        name: "validate 100, nothing changed", requests: [validate(nil, in: still)], limit: 1.15,
        peers: [
          Peer.twoThreads, Peer.hummingbird, Peer.node, Peer.fastAPIWithORJSON, Peer.fastAPI,
          Peer.actionGroup,
        ], leastRates: [Peer.node: 10, Peer.fastAPIWithORJSON: 20, Peer.actionGroup: 30]),
      Comparison(
        name: "validate 10 of 100", requests: [validate(Array(commands.prefix(10)), in: still)],
        limit: 1.10),
      Comparison(
        name: "GET menu, not modified", requests: [menu.adding("If-None-Match", tag)], limit: 1.10),
    ] + changes + moves + beginnings
  }

  /// Those about changes of the state.
  private static var changes: [Comparison] {
    let session = changing + Request.connectionPlaceholder
    let patches = [1, 2].map { Request.merge(#"{"group1":{"choice":\#($0)}}"#, into: session) }
    func after(_ question: Request) -> [Request] { patches.flatMap { [$0, question] } }
    let performances = [21, 22].map {
      let session = performing + Request.connectionPlaceholder
      return Request.post(
        "/commands/perform", #"{"session":"\#(session)","command":"command\#($0):"}"#)
    }
    return [
      Comparison(name: "PATCH of the state", requests: patches, limit: 1.4, peers: workers),
      Comparison(
        name: "validate 100 after a state change", requests: after(validate(nil, in: session)),
        preparation: patches, limit: 1.5, peers: workers, leastRates: [Peer.node: 4]),
      Comparison(
        name: "GET menu after a state change", requests: after(menu(of: session)),
        preparation: patches, peers: workers),
      Comparison(name: "perform a command", requests: performances),
    ]
  }

  /// Those about focus that moves.
  private static var moves: [Comparison] {
    let session = own + Request.connectionPlaceholder
    func comparison(_ name: String, _ places: [String]) -> Comparison {
      let moves = places.map { OwnSession.focus($0, in: session) }
      return Comparison(
        name: "validate 100 after \(name)",
        requests: moves.flatMap { [$0, validate(nil, in: session)] }, preparation: moves, limit: 2,
        peers: workers, leastRates: [Peer.node: 4])
    }
    return [
      comparison("focus moved among eight places", OwnSession.places),
      comparison("focus moved to a new place", [OwnSession.spot(Request.turnPlaceholder)]),
    ]
  }

  /// Those about sessions that were just opened.
  private static var beginnings: [Comparison] {
    let session = "new-\(Request.connectionPlaceholder)-\(Request.uniquePlaceholder)"
    let open = OwnSession.open(session, with: OwnSession.places)
    let delete = Request.delete("/sessions/\(session)")
    return [
      Comparison(
        name: "open a session of its own, and delete it", requests: [open, delete], isOne: true),
      Comparison(
        name: "validate 100, the first time in a session of its own",
        requests: [open, validate(nil, in: session), delete], preparation: [open, delete],
        limit: 2.5, peers: workers),
    ]
  }

  /// The peers that do menud's work, and menud with more threads.
  private static let workers = [Peer.twoThreads, Peer.node, Peer.fastAPIWithORJSON]

  private static func menu(of session: String) -> Request { .get("/sessions/\(session)/menu") }

  private static func validate(_ commands: [String]?, in session: String) -> Request {
    let named = commands.map { ",\"commands\":\($0)" } ?? ""
    return .post("/commands/validate", #"{"session":"\#(session)"\#(named)}"#)
  }
}
