import JSONText

/// Declares commands one by one and notes those that contradict an earlier one (M1).
struct CommandCheck {
  let log: FaultLog
  private(set) var commands: [Command] = []
  /// The names of all commands, those at fault included, so that a menu is not blamed for them.
  private(set) var names: Set<CommandID> = []
  private var catalog: Catalog?
  private var places: [CommandID: JSONPointer] = [:]

  init(log: FaultLog) {
    self.log = log
    catalog = try? Catalog()
  }

  mutating func declare(_ json: JSON, at place: JSONPointer) {
    if let name = Self.name(of: json) { names.insert(name) }
    guard let command = Command(reading: json, at: place, log: log) else { return }
    do throws(DeclarationFault) {
      if try catalog?.declare(command) == .unchanged { throw .identicalCommand(command.id) }
      commands.append(command)
      places[command.id] = place
    } catch {
      log.note(.declaration(error, other: error.other.flatMap { places[$0] }), at: place)
    }
  }

  private static func name(of json: JSON) -> CommandID? {
    guard case .object(let object) = json else { return nil }
    return (object["id"] ?? object["action"]).flatMap(CommandID.init(json:))
  }
}

extension Command {
  /// The fault of declaring it beside another command of its name (M1).
  func repeating(_ other: Command) -> DeclarationFault {
    json == other.json ? .identicalCommand(id) : .duplicateCommand(id)
  }
}
