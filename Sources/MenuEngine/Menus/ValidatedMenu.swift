/// A menu with validated items (M6, M8, M9).
public struct ValidatedMenu: Equatable, Sendable {
  /// Its name.
  public let identifier: MenuID
  /// The title.
  public let title: String
  /// The name of an image.
  public let image: String?
  /// The display options.
  package let options: MenuOptions
  /// Its items, submenus and groups, in order.
  public internal(set) var children: [Element]
  /// The rules of items from data that failed, one for each declaration without items (M12).
  package let faults: [RuleFault]
  /// The items that a context menu leaves out, including those of empty submenus (M8).
  package internal(set) var leftOut: [ValidatedItem] = []

  /// True if it has children (M6).
  package var isEnabled: Bool { !children.isEmpty }

  /// True if its children are a group of the menu around it, without a title.
  public var isInline: Bool { options.contains(.displayInline) }

  /// An element of a validated menu.
  public enum Element: Equatable, Sendable {
    /// The item of a command.
    case item(ValidatedItem)
    /// A submenu or an inline group.
    indirect case menu(ValidatedMenu)
  }

  /// Creates a menu of a kind, and applies the rules between its items (M8, M9).
  ///
  /// - Parameters:
  ///   - items: The items of commands.
  ///   - lists: The items from data (M12).
  init(
    _ menu: Menu, _ items: [CommandID: ValidatedItem], fromData lists: ItemLists, kind: MenuKind
  ) {
    self.init(menu, items, fromData: lists, in: MenuSystems(kind))
    show(as: kind)
    keepSingleSelections()
  }

  private init(
    _ menu: Menu, _ items: [CommandID: ValidatedItem], fromData lists: ItemLists,
    in system: MenuSystems
  ) {
    identifier = menu.identifier
    title = menu.title
    image = menu.image
    options = menu.options
    var (shown, faults) = (ShownLists(in: menu), [RuleFault]())
    children = menu.children(in: system).flatMap { child -> [Element] in
      switch child {
      case .command(let place):
        return [.item(items[place.command] ?? ValidatedItem(unknown: place.command))]
      case .itemsFromData(let declaration):
        let list = shown.show(lists[declaration], of: declaration)
        if let fault = list.fault { faults.append(fault) }
        return list.items.map(Element.item)
      case .menu(let menu): return [.menu(ValidatedMenu(menu, items, fromData: lists, in: system))]
      }
    }
    self.faults = faults
  }

  /// The items in the menu and its submenus, in menu order.
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
  /// Keeps at most one check mark of each `singleSelection` menu, the first in menu order (M9). Items of inline
  /// menus belong to the menu above.
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
  /// True if it has a check mark that clears those of other items in its group (M9).
  var isMarked: Bool { state == .on && !attributes.contains(.hidden) }

  /// Clears the check mark, since an earlier item has one (M9).
  mutating func loseSingleSelection() {
    state = .off
    lostSingleSelection = true
    written = nil
  }
}

extension ValidatedMenu {
  /// Leaves out the items that a menu of this kind does not show (M8).
  ///
  /// A context menu also leaves out hidden items; a main menu keeps them, marked as hidden.
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

/// The commands in a menu with `singleSelection`, where at most one item has a check mark (M9).
final class SelectableCommands: Sendable {
  let commands: Set<CommandID>

  /// Collects the commands in a menu and its submenus.
  init(in menu: Menu) {
    var commands: Set<CommandID> = []
    Self.collect(menu, isGroup: false, &commands)
    self.commands = commands
  }

  /// - Parameter isGroup: True if the parent menu has the option; an inline menu is part of it.
  private static func collect(_ menu: Menu, isGroup: Bool, _ commands: inout Set<CommandID>) {
    let isGroup =
      menu.options.contains(.singleSelection)
      || isGroup && menu.options.contains(.displayInline)
    for child in menu.children {
      switch child {
      case .command, .itemsFromData: if isGroup, let id = child.command { commands.insert(id) }
      case .menu(let menu): collect(menu, isGroup: isGroup, &commands)
      }
    }
  }
}

extension Catalog {
  /// True if a command is in a menu with `singleSelection` (M2).
  func isSelectable(_ command: CommandID) -> Bool { selectableCommands.contains(command) }
}
