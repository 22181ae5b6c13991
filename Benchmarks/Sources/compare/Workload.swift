/// What is asked of menud: the one place that knows its application and its wire format.
enum Workload {
  /// Declares the menu of one hundred commands, each handled by one responder with one rule.
  static let configuration = "Benchmarks/hundred-commands/menud.json"

  /// The commands of that menu, in order.
  static let commands = (0..<100).map { "command\($0):" }

  /// The session whose state keeps changing, and the one that stays as it was opened.
  static let (changing, still) = ("changing", "still")

  /// Opens the sessions and gives what is compared, in the order of the report.
  static func comparisons(on menud: ServerProcess) throws -> [Comparison] {
    for session in [changing, still] {
      try menud.expect(201, for: .post("/sessions", #"{"id":"\#(session)"}"#))
    }
    let menu = Request.get("/sessions/\(still)/menu")
    let tag = try menud.expect(200, for: menu).entityTag

    let patches = [1, 2].map(patch(rating:))
    let validation = validate(nil, in: changing)
    return [
      Comparison("GET /health", .get("/health")),
      Comparison("validate 100 commands", validate(nil, in: still)),
      Comparison("validate 10 of 100", validate(Array(commands.prefix(10)), in: still)),
      Comparison(
        "validate 100 after a state change",
        requests: patches.flatMap { [$0, validation] }, preparation: patches, connections: 1),
      Comparison("GET menu, not modified", menu.adding("If-None-Match", tag)),
    ]
  }

  private static func validate(_ commands: [String]?, in session: String) -> Request {
    let named = commands.map { ",\"commands\":\($0)" } ?? ""
    return .post("/commands/validate", #"{"session":"\#(session)"\#(named)}"#)
  }

  private static func patch(rating: Int) -> Request {
    Request(
      method: "PATCH", path: "/sessions/\(changing)/state",
      headers: [("Content-Type", "application/merge-patch+json")],
      body: #"{"rating":\#(rating)}"#)
  }
}
