import ArgumentParser
import JSONText

/// Shows the present items.
struct ItemsCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "items", abstract: "Show commands as they are now.",
    discussion: """
      Without commands, all of the main menu. An item from data is named COMMAND/KEY, its key \
      percent-encoded, so that the first column is one word that 'perform' takes.
      """)

  @Argument(help: "The commands.", completion: .custom(DoCompletion.commands))
  var commands: [String] = []

  @Option(help: "The responder at which searches begin.") var from: String?

  @OptionGroup var platform: PlatformOption

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) {
    let (client, session) = try place.opened()
    let menu = DoRequest.get("sessions", session, "menu", query: [("from", from)])
    guard !commands.isEmpty else {
      let answer = try client.answer(to: menu, with: "menu")
      guard !server.json else { return DoOutput.print(answer) }
      let items = ItemTable.items(in: answer.json.member("menu") ?? .null)
      return ItemTable(items, on: platform.platform).print()
    }
    let names = commands.map { ItemName($0) }
    let question = validation(of: names.map(\.command), in: session)
    let answer = try client.answer(to: question, with: "items")
    if server.json {
      if let name = names.first(where: { $0.key != nil }) {
        throw DoFailure(
          .wrong, "'\(name.word)' is an item of a menu; --json has these without names of commands."
        )
      }
      DoOutput.print(answer)
    }
    try DoFailure.checkCommands(of: answer.json)
    guard !server.json else { return }
    // Answers to validations have no keys, and no items from data.
    let shown = ItemTable.items(in: try client.answer(to: menu).json.member("menu") ?? .null)
    var items: [JSON] = []
    for (name, item) in zip(names, answer.json.list("items")) {
      let found = shown.filter(name.names)
      guard !found.isEmpty || name.key == nil else {
        throw DoFailure(.wrong, "No menu has an item '\(name.word)' now.")
      }
      items += found.isEmpty ? [item] : found
    }
    ItemTable(items, on: platform.platform).print()
  }

  private func validation(of commands: [String], in session: String) -> DoRequest {
    var body = JSONObject()
    body["session"] = .string(session)
    body["commands"] = .array(commands.map { .string($0) })
    if let from { body["from"] = .string(from) }
    return .post(["commands", "validate"], body: body)
  }
}

/// Shows a menu as a tree.
struct MenuCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "menu", abstract: "Show a menu as it is now.",
    discussion: "Disabled items say why; hidden ones are left out. NO_COLOR leaves out colours.")

  @Argument(help: "The menu. The default is all of them.", completion: .custom(DoCompletion.menus))
  var menu: String?

  @Option(help: "The kind: main or context.", completion: .list(["main", "context"]))
  var kind: String?

  @Option(help: "The responder at which searches begin.") var from: String?

  @OptionGroup var platform: PlatformOption

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) {
    let (client, session) = try place.opened()
    let answer = try client.answer(
      to: .get(
        "sessions", session, "menu", query: [("menu", menu), ("kind", kind), ("from", from)]),
      with: "menu")
    guard !server.json else { return DoOutput.print(answer) }
    var table = DoTable()
    let root = answer.json.member("menu") ?? .null
    let isNamed = root.text("title")?.isEmpty == false
    add(isNamed ? [root] : root.list("children"), at: 0, to: &table)
    table.print()
  }

  /// Adds rows of menus and items. Menus are as deep as the server permits.
  private func add(_ elements: [JSON], at level: Int, to table: inout DoTable) {
    let indent = String(repeating: "  ", count: level)
    for element in elements {
      let title = element.text("title") ?? ""
      if element.text("command") != nil {
        guard !element.texts("attributes").contains("hidden") else { continue }
        let cells = ItemTable.cells(element, on: platform.platform)
        let isEnabled = element.isTrue("enabled")
        table.rows.append(
          DoTable.Row(
            cells: [indent + mark(of: element) + title, cells[3], isEnabled ? "" : cells[4]],
            isDim: !isEnabled))
      } else if element.texts("options").contains("displayInline") {
        add(element.list("children"), at: level, to: &table)
      } else {
        table.rows.append(DoTable.Row(cells: [indent + title]))
        add(element.list("children"), at: level + 1, to: &table)
      }
    }
  }

  private func mark(of item: JSON) -> String {
    switch item.text("state") {
    case "on": "✓ "
    case "mixed": "– "
    default: "  "
    }
  }
}

/// Finds commands by what is typed.
struct SearchCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find commands by their titles, the best first.",
    discussion: "Commands that cannot be performed say why.")

  @Argument(help: "The words. Without any, the commands performed last come first.")
  var words: [String] = []

  @Option(help: "The most commands, from 1 to 100.") var limit = 20

  @OptionGroup var platform: PlatformOption

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) {
    let (client, session) = try place.opened()
    let body: JSONObject = [
      "session": .string(session), "query": .string(words.joined(separator: " ")),
      "limit": .int(Int64(limit)), "disabled": true,
    ]
    let answer = try client.answer(
      to: .post(["commands", "search"], body: body), with: "items")
    guard !server.json else { return DoOutput.print(answer) }
    ItemTable(answer.json.list("items"), on: platform.platform).print()
  }
}

/// Shows the open sessions.
struct SessionsCommand: DoSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "Show the open sessions.",
    discussion: "If the server asks for tokens, only an administrator's sees all of them.")

  @OptionGroup var server: ServerOptions

  func perform() throws(DoFailure) {
    let answer = try server.client().answer(to: .get("sessions"), with: "sessions")
    guard !server.json else { return DoOutput.print(answer) }
    let rows = answer.json.list("sessions").map { session in
      let name = session.text("session") ?? ""
      let revision = session.int("revision").map { "\($0)" } ?? ""
      return DoTable.Row(cells: [name, revision, session.text("firstResponder") ?? ""])
    }
    DoTable(heading: ["SESSION", "REVISION", "FIRST RESPONDER"], rows: rows).print()
  }
}

/// Shows the history of a session with actors (T5).
struct EntriesCommand: DoSessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show who did what, the latest first.",
    discussion: "'menud history' asks the configured server, and has more to choose by.")

  @Option(help: "The most entries, from 1 to 200.") var limit = 20

  @OptionGroup var place: SessionOptions

  func perform() throws(DoFailure) {
    let (client, session) = try place.opened()
    let answer = try client.answer(
      to: .get("sessions", session, "history", query: [("limit", "\(limit)")]), with: "entries")
    guard !server.json else { return DoOutput.print(answer) }
    for entry in answer.json.list("entries") { Posix.print(HistoryLines(entry).text) }
  }
}
