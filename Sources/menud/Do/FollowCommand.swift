import ArgumentParser
import JSONText
import MenuEngine

/// Shows changes as they happen (E4).
struct FollowCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Show changes as they happen.",
    discussion: """
      Without commands, the changes of the session and who made them, which needs the right 'read'; with \
      commands, their items. It ends when the session is closed. When the connection breaks it resumes \
      without a gap; it fails if the server is not reached for --timeout. With --json each event is a \
      line: its id, event and data.
      """)

  @Argument(
    help: "The commands whose items are followed.", completion: .custom(DoCompletion.commandNames))
  var commands: [String] = []

  @Option(help: "End after this many events.") var count: Int?

  @OptionGroup var platform: PlatformOption

  @OptionGroup var place: SessionOptions

  func validate() throws {
    guard count ?? 1 > 0 else { throw ValidationError("'--count' is at least 1.") }
    if let name = commands.first(where: { ItemName($0).key != nil }) {
      throw ValidationError("'\(name)' is an item of a menu; only commands are followed.")
    }
  }

  func perform() throws(DoFailure) {
    let (client, session) = try place.opened()
    let commands = commands.joined(separator: ",")
    var request = DoRequest.get(
      "sessions", session, "events",
      query: commands.isEmpty ? [("document", "true")] : [("commands", commands)])
    request.fields = [("Accept", "text/event-stream")]
    var feed = EventFeed(client: client, request: request)
    var rest = count ?? .max
    while rest > 0, let event = try feed.next() {
      if event.name == "reset" { try DoFailure.checkCommands(of: event.json) }
      show(event)
      rest -= 1
      guard event.name == "closed" else { continue }
      switch event.json.text("reason") {
      // Another process takes over, or this one restarts.
      case "draining": feed.disconnect()
      case "tokenRevoked": throw DoFailure(.noAccess, "The token does not hold any more.")
      default: return
      }
    }
  }

  private func show(_ event: EventLines.Event) {
    guard !server.json else { return DoOutput.printLine(event.line) }
    let told = event.json
    let revision = told.int("revision").map { "\($0)" } ?? ""
    let actors = told.list("actors").map { actor in
      "\(actor.text("label") ?? "?") (\(actor.text("kind") ?? "?"))"
    }
    let word = event.name == "change" ? "" : event.name
    let head = [revision, actors.joined(separator: ", "), word, told.text("reason") ?? ""]
      .filter { !$0.isEmpty }.joined(separator: "  ").plainText()
    let items = told.list("items").map { item in
      ItemTable.cells(item, on: platform.platform).filter { !$0.isEmpty }
        .joined(separator: "  ").plainText()
    }
    let lines = ChangeLines.lines(of: told.list("changes")) + items
    Posix.print(([head] + lines.map { "    " + $0 }).joined(separator: "\n"))
  }
}
