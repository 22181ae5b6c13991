/// What is asked of menud: the one place that knows its application and its wire format.
enum Workload {
  /// Declares ten menus of ten commands, all handled by the first responder.
  ///
  /// Each menu's rules read a member of the state that the other menus' rules do not.
  static let configuration = "Benchmarks/hundred-commands/menud.json"

  /// The commands of that menu, in order.
  static let commands = (0..<100).map { "command\($0):" }

  /// The session that stays as it was opened, and those whose state keeps changing.
  static let (still, changing) = ("still", "changing-")

  /// Opens the sessions and gives what is compared, in the order of the report.
  static func comparisons(on menud: ServerProcess, connections: Int) throws -> [Comparison] {
    for session in [still] + (1...connections).map({ changing + "\($0)" }) {
      try menud.expect(201, for: .post("/sessions", #"{"id":"\#(session)"}"#))
    }
    let menu = Request.get("/sessions/\(still)/menu")
    let tag = try menud.expect(200, for: menu).entityTag

    let own = changing + Request.connectionPlaceholder
    let patches = [1, 2].map { choose($0, in: own) }
    let validation = validate(nil, in: own)
    return [
      Comparison("GET /health", .get("/health")),
      Comparison("validate 100 commands", validate(nil, in: still)),
      Comparison("validate 10 of 100", validate(Array(commands.prefix(10)), in: still)),
      Comparison(
        "validate 100 after a state change",
        requests: patches.flatMap { [$0, validation] }, preparation: patches),
      Comparison("GET menu, not modified", menu.adding("If-None-Match", tag)),
    ]
  }

  private static func validate(_ commands: [String]?, in session: String) -> Request {
    let named = commands.map { ",\"commands\":\($0)" } ?? ""
    return .post("/commands/validate", #"{"session":"\#(session)"\#(named)}"#)
  }

  /// Moves the check mark of one menu, and touches the rules of its ten commands alone.
  private static func choose(_ command: Int, in session: String) -> Request {
    Request(
      method: "PATCH", path: "/sessions/\(session)/state",
      headers: [("Content-Type", "application/merge-patch+json")],
      body: #"{"group1":{"choice":\#(command)}}"#)
  }
}
