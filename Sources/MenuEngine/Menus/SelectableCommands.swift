/// The commands that stand in a menu with `singleSelection`, so that one of its items at most has a check mark (M9).
final class SelectableCommands: Sendable {
  let commands: Set<CommandID>

  /// The commands in a menu and in the menus below it.
  init(in menu: Menu) {
    var commands: Set<CommandID> = []
    Self.collect(menu, isGroup: false, &commands)
    self.commands = commands
  }

  /// - Parameter isGroup: True if the menu above has the option; an inline menu is a part of it.
  private static func collect(_ menu: Menu, isGroup: Bool, _ commands: inout Set<CommandID>) {
    let isGroup =
      menu.options.contains(.singleSelection)
      || isGroup && menu.options.contains(.displayInline)
    for child in menu.children {
      switch child {
      case .command(let place): if isGroup { commands.insert(place.command) }
      case .menu(let menu): collect(menu, isGroup: isGroup, &commands)
      }
    }
  }
}

extension Catalog {
  /// True if a command stands in a menu with `singleSelection` (M2).
  func isSelectable(_ command: CommandID) -> Bool { selectableCommands.contains(command) }
}
