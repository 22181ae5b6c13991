import CEL
import JSONText

/// Finds menus of one name and commands that nobody declared, each at its place, in a document in which
/// there may be other mistakes.
struct MenuCheck {
  /// The commands that are declared; nil when that cannot be known.
  let commands: Set<CommandID>?
  let log: FaultLog
  private var places: [MenuID: JSONPointer] = [:]

  init(commands: Set<CommandID>?, log: FaultLog) {
    self.commands = commands
    self.log = log
  }

  /// Checks the children of a menu; the root menu has depth 1.
  mutating func check(_ children: JSON?, at pointer: JSONPointer, depth: Int = 1) {
    guard case .array(let children)? = children else { return }
    for (index, child) in children.enumerated() {
      let place = pointer.appending(index)
      switch child {
      case .string: check(command: child, at: place)
      case .object(let object):
        if let command = object["command"] {
          check(command: command, at: place)
        } else {
          guard depth <= Limits.menus else {
            return log.note(.declaration(.menusTooDeep(limit: Limits.menus)), at: place)
          }
          check(identifier: object["identifier"], at: place.appending("identifier"))
          check(object["children"], at: place.appending("children"), depth: depth + 1)
        }
      case .null, .bool, .int, .double, .array: break
      }
    }
  }

  private func check(command: JSON, at place: JSONPointer) {
    guard let commands, let id = CommandID(json: command), !commands.contains(id) else { return }
    let nearest = CEL.nearest(to: id.rawValue, among: commands.map(\.rawValue).sorted())
    log.note(
      .declaration(.undeclaredCommand(id, nearest: nearest.flatMap { CommandID($0) })), at: place)
  }

  private mutating func check(identifier: JSON?, at place: JSONPointer) {
    guard let identifier = identifier.flatMap(MenuID.init(json:)) else { return }
    if identifier == Menu.rootIdentifier || places[identifier] != nil {
      log.note(
        .declaration(.duplicateMenu(identifier), other: places[identifier]), at: place)
    }
    places[identifier] = place
  }
}
