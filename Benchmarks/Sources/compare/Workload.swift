import Measuring

/// What is asked of menud: the one place that knows its application and its wire format.
enum Workload {
  /// Declares ten menus of ten commands, all handled by the first responder.
  ///
  /// Each menu's rules read a member of the state that the other menus' rules do not.
  static let configuration = "Benchmarks/hundred-commands/menud.json"

  /// The application whose sessions are weighed.
  static let photoApplication = "Config/photo-app"

  /// What a session of the hundred commands is opened with, for the peers that validate too.
  static let session = "Benchmarks/hundred-commands/application/session.json"

  /// The commands of that menu, in order.
  static let commands = (0..<100).map { "command\($0):" }

  /// The session that stays as it was opened, and those whose state keeps changing.
  static let (still, changing) = ("still", "changing-")

  /// The comparison by which requests per second are judged: the question that front ends ask most.
  static let measureOfRates = "validate 100"

  /// Opens the sessions, which every server that validates must have.
  static func openSessions(on server: HTTPServer, connections: Int) throws {
    for session in [still] + (1...connections).map({ changing + "\($0)" }) {
      try server.expect(201, for: .post("/sessions", #"{"id":"\#(session)"}"#))
    }
  }

  /// What is compared, in the order of the report.
  static func comparisons(on menud: HTTPServer) throws -> [Comparison] {
    let menu = Request.get("/sessions/\(still)/menu")
    let tag = try menud.expect(200, for: menu).entityTag

    let own = changing + Request.connectionPlaceholder
    let patches = [1, 2].map { Request.merge(#"{"group1":{"choice":\#($0)}}"#, into: own) }
    let validation = validate(nil, in: own)
    return [
      Comparison(
        name: "GET /health", requests: [.get("/health")], limit: 1.10,
        peers: [Peer.hummingbird, Peer.node]),
      Comparison(
        name: measureOfRates, requests: [validate(nil, in: still)], limit: 1.15,
        peers: [
          Peer.hummingbird, Peer.node, Peer.fastAPIWithORJSON, Peer.fastAPI, Peer.actionGroup,
        ]),
      Comparison(
        name: "validate 100 after a state change",
        requests: patches.flatMap { [$0, validation] }, preparation: patches, limit: 1.6,
        peers: [Peer.node, Peer.fastAPIWithORJSON]),
      Comparison(
        name: "validate 10 of 100", requests: [validate(Array(commands.prefix(10)), in: still)],
        limit: 1.10),
      Comparison(
        name: "GET menu, not modified", requests: [menu.adding("If-None-Match", tag)], limit: 1.05),
    ]
  }

  private static func validate(_ commands: [String]?, in session: String) -> Request {
    let named = commands.map { ",\"commands\":\($0)" } ?? ""
    return .post("/commands/validate", #"{"session":"\#(session)"\#(named)}"#)
  }
}
