import JSONText

/// Finds menus of one name and commands that nobody declared, each at its place.
struct MenuCheck {
  let commands: Set<CommandID>
  let log: FaultLog
  private var places: [MenuID: JSONPointer] = [:]

  init(commands: Set<CommandID>, log: FaultLog) {
    self.commands = commands
    self.log = log
  }

  mutating func check(_ children: [MenuElement], at pointer: JSONPointer, depth: Int = 1) {
    for (index, child) in children.enumerated() {
      let place = pointer.appending(index)
      switch child {
      case .command(let standing):
        let id = standing.command
        if !commands.contains(id) { log.note(.declaration(.undeclaredCommand(id)), at: place) }
      case .menu(let menu):
        guard depth <= Limits.menus else {
          return log.note(.declaration(.menusTooDeep(limit: Limits.menus)), at: place)
        }
        let name = place.appending("identifier")
        if menu.identifier == Menu.rootIdentifier || places[menu.identifier] != nil {
          log.note(
            .declaration(.duplicateMenu(menu.identifier), other: places[menu.identifier]),
            at: name)
        }
        places[menu.identifier] = name
        check(menu.children, at: place.appending("children"), depth: depth + 1)
      }
    }
  }
}
