import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The registry of commands (M1, M2).
enum CommandRoutes {
  static let all = [
    Route(
      .get, at: "/commands", needing: .items, id: "listCommands",
      "All commands, in the order of their declaration.",
      answers: .tagged("Commands", "The commands."), answeredBy: list),
    Route(
      .get, at: "/commands/{command}", needing: .items, id: "getCommand",
      "A command as it is declared.", answers: .tagged("Command", "The command."),
      problems: [.unknownCommand], answeredBy: declared.get),
    Route(
      .put, at: "/commands/{command}", needing: .administrator, id: "declareCommand",
      "Declares a command; the same declaration again changes nothing.",
      parameters: ["command": "duplicate:"],
      body: .json(
        "CommandDeclaration",
        #"{"title":"Duplicate","action":"duplicate:","key":{"input":"d"}}"#),
      answers: [
        .created("Command", "It is new.", headers: ["Location", "ETag"]),
        .ok("Command", "It was declared so already.", headers: ["ETag"]),
      ],
      problems: [.invalidName, .duplicateDeclaration], answeredBy: put),
    Route(
      .delete, at: "/commands/{command}", needing: .administrator, id: "removeCommand",
      "Removes a command that stands in no menu.", parameters: ["command": "duplicate:"],
      answers: [.noContent("It is gone.")], problems: [.unknownCommand, .commandInMenus],
      answeredBy: declared.delete),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "commands") { writer in
      writer.member("commands", .array(catalog.commands.map(\.json)))
      writer.members(catalog.leftOut)
    }
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let id: CommandID = try call.name(0)
    let json = try call.json()
    let command = try call.document { Command(reading: json, at: .root, log: $0, id: id) }
    return try call.changeCatalog(.commands, declared.part(id), by: .declareCommand(command)) {
      error, catalog in
      Problem(error.fault, at: error.fault.place)
        .with(existing: error.fault.other.flatMap(catalog.command)?.json)
    } answer: { outcome, _ in
      call.answer(outcome, at: "/commands/\(id)", declared: command.json)
    }
  }

  static let declared = Declarations<Command>(
    kind: "command", holding: .commands, unknown: .unknownCommand, path: "/commands",
    json: { catalog, id in catalog.command(id)?.json }, removal: { .removeCommand($0) })
}

extension JSONWriter {
  /// Writes the declarations, removals and edits by clients that a reload left out, if any (M4).
  mutating func members(_ leftOut: [CatalogChange.LeftOut]) {
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
