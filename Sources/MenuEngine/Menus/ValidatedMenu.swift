/// A menu with its items as they are now (M6, M8, M9).
package struct ValidatedMenu: Equatable, Sendable {
  /// The menu's name.
  package let identifier: MenuID
  /// The title.
  package let title: String
  /// The name of an image.
  package let image: String?
  /// The options of its appearance.
  package let options: MenuOptions
  /// The elements, in order.
  package internal(set) var children: [Element]
  /// The items that a context menu does not show, those of submenus left empty included (M8).
  package internal(set) var leftOut: [ValidatedItem] = []

  /// True if it can be opened: unless it has no children (M6).
  package var isEnabled: Bool { !children.isEmpty }

  /// An element of a validated menu.
  package enum Element: Equatable, Sendable {
    case item(ValidatedItem)
    indirect case menu(ValidatedMenu)
  }

  /// A menu that is shown as one of this kind, with what its items say of each other (M8, M9).
  init(_ menu: Menu, _ items: [CommandID: ValidatedItem], kind: MenuKind) {
    self.init(menu, items, in: MenuSystems(kind))
    show(as: kind)
    keepSingleSelections()
  }

  private init(_ menu: Menu, _ items: [CommandID: ValidatedItem], in system: MenuSystems) {
    identifier = menu.identifier
    title = menu.title
    image = menu.image
    options = menu.options
    children = menu.children(in: system).map { child in
      switch child {
      case .command(let place):
        .item(items[place.command] ?? ValidatedItem(unknown: place.command))
      case .menu(let menu): .menu(ValidatedMenu(menu, items, in: system))
      }
    }
  }

  /// The items in the menu and in the menus below it, in menu order.
  package var items: [ValidatedItem] {
    children.flatMap { child in
      switch child {
      case .item(let item): [item]
      case .menu(let menu): menu.items
      }
    }
  }
}

extension ValidatedMenu {
  /// Leaves at most one displayed item of each `singleSelection` menu with a check mark, the first
  /// in menu order (M9). Items of menus displayed inline are displayed in the menu above.
  mutating func keepSingleSelections() {
    var isTaken = false
    if options.contains(.singleSelection) { keepSingleSelection(&isTaken) }
    for (position, child) in children.enumerated() {
      guard case .menu(var menu) = child else { continue }
      menu.keepSingleSelections()
      children[position] = .menu(menu)
    }
  }

  private mutating func keepSingleSelection(_ isTaken: inout Bool) {
    for (position, child) in children.enumerated() {
      switch child {
      case .item(var item):
        guard item.isMarked else { continue }
        if isTaken {
          item.loseSingleSelection()
          children[position] = .item(item)
        }
        isTaken = true
      case .menu(var menu):
        guard menu.options.contains(.displayInline) else { continue }
        menu.keepSingleSelection(&isTaken)
        children[position] = .menu(menu)
      }
    }
  }
}

extension ValidatedItem {
  /// True if it has a check mark that others of its group lose by it (M9).
  var isMarked: Bool { state == .on && !attributes.contains(.hidden) }

  /// Takes the check mark away, since an earlier item has one (M9).
  mutating func loseSingleSelection() {
    state = .off
    lostSingleSelection = true
  }
}

extension ValidatedMenu {
  /// Leaves out what a menu of this kind does not show (M8).
  ///
  /// A context menu has neither hidden items; a main menu keeps those, marked as hidden.
  mutating func show(as kind: MenuKind) {
    switch kind {
    case .main: break
    case .context: leaveOutWhatCannotBePerformed()
    }
  }

  private mutating func leaveOutWhatCannotBePerformed() {
    var shown: [Element] = []
    for child in children {
      switch child {
      case .item(var item):
        if item.isShownInContextMenu {
          item.alternates.removeAll { !$0.isShownInContextMenu }
          shown.append(.item(item))
        } else {
          leftOut.append(item)
        }
      case .menu(var menu):
        menu.leaveOutWhatCannotBePerformed()
        if menu.children.isEmpty { leftOut += menu.leftOut } else { shown.append(.menu(menu)) }
      }
    }
    children = shown
  }
}

extension ValidatedItem {
  fileprivate var isShownInContextMenu: Bool { isEnabled && !attributes.contains(.hidden) }
}

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
