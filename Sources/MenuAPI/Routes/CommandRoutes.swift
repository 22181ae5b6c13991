import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The registry of commands (M1, M2).
enum CommandRoutes {
  static let all = [
    Route(
      .get, "/commands", needing: .items,
      describedAs: RouteDescription(
        "listCommands", "All commands, in the order of their declaration.",
        answers: [.ok("Commands", "The commands.", headers: ["ETag"]), .notModified]),
      answeredBy: list),
    Route(
      .get, "/commands/{command}", needing: .items,
      describedAs: RouteDescription(
        "getCommand", "A command as it is declared.",
        answers: [.ok("Command", "The command.", headers: ["ETag"]), .notModified],
        problems: [.unknownCommand]),
      answeredBy: get),
    Route(
      .put, "/commands/{command}", needing: .administrator,
      describedAs: RouteDescription(
        "declareCommand", "Declares a command; the same declaration again changes nothing.",
        parameters: ["command": "duplicate:"],
        body: .json(
          "CommandDeclaration",
          #"{"title":"Duplicate","action":"duplicate:","key":{"input":"d"}}"#),
        answers: [
          .created("Command", "It is new.", headers: ["Location", "ETag"]),
          .ok("Command", "It was declared so already.", headers: ["ETag"]),
        ],
        problems: [.invalidName, .duplicateDeclaration]),
      answeredBy: put),
    Route(
      .delete, "/commands/{command}", needing: .administrator,
      describedAs: RouteDescription(
        "removeCommand", "Removes a command that stands in no menu.",
        parameters: ["command": "duplicate:"],
        answers: [.noContent("It is gone.")], problems: [.unknownCommand, .commandInMenus]),
      answeredBy: delete),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "commands") { writer in
      writer.member("commands", .array(catalog.commands.map(\.json)))
      writer.members(catalog.leftOut)
    }
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let command = CommandID(call.parameters[0]).flatMap(call.catalog.command)
    guard let command else { throw .unknownCommand(call.parameters[0]) }
    return call.answer(declared: command.json)
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let id: CommandID = try call.name(0)
    let json = try call.json()
    let command = try call.document { Command(reading: json, at: .root, log: $0, id: id) }
    return try call.changeCatalog(.commands, part(id), by: .declareCommand(command)) {
      error, catalog in
      Problem(error.fault, at: error.fault.place)
        .with(existing: error.fault.other.flatMap(catalog.command))
    } answer: { outcome, _ in
      call.answer(outcome, at: "/commands/\(id)", declared: command.json)
    }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    guard let id = CommandID(call.parameters[0]) else { throw .unknownCommand(call.parameters[0]) }
    return try call.changeCatalog(.commands, part(id), by: .removeCommand(id)) { error, _ in
      Problem(error.fault)
    } answer: { _, _ in
      Response(status: .noContent)
    }
  }

  private static func part(_ id: CommandID) -> CatalogPart {
    CatalogPart(title: "The command \(quoted(id))") { catalog in
      catalog.command(id).map { .declaration($0.json) }
    }
  }
}

extension JSONWriter {
  /// Writes the declarations, removals and edits by clients that a reload left out, if any (M4).
  mutating func members(_ leftOut: [CatalogSuccession.LeftOut]) {
    guard !leftOut.isEmpty else { return }
    member("leftOut")
    beginArray()
    for leftOut in leftOut {
      beginObject()
      if case .object(let change) = leftOut.change.json {
        for part in change.members { member(part.name, part.value) }
      }
      member("why", leftOut.fault.sentence)
      endObject()
    }
    endArray()
  }
}

extension Problem {
  /// Returns the problem of a command that is not declared.
  static func unknownCommand(_ name: String) -> Problem {
    Problem(
      .unknownCommand,
      "There is no command \(quoted(name)); GET /commands lists those that are declared.")
  }
}

extension Problem {
  fileprivate func with(existing command: Command?) -> Problem {
    guard let command else { return self }
    return with("existing") { $0.value(command.json) }
  }
}

extension DeclarationFault {
  /// The member of a declaration that contradicts another one.
  fileprivate var place: JSONPointer {
    switch self {
    case .command(.duplicateIdentity): JSONPointer.root.appending("action")
    case .command(.duplicateKey): JSONPointer.root.appending("key")
    case .command, .menu, .class, .protocol, .storyboard, .keymap, .scene: .root
    }
  }
}
