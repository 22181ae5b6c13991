import JSONText

/// The declared text of the main menu's tree, with slots for the validated texts.
///
/// It is derived from the catalogue, once. Context menus have no layout, because validation also determines which
/// items they show (M8).
final class MenuLayout: Sendable {
  /// The declared text without the contents of the slots.
  let bytes: [UInt8]
  /// The slots in text order.
  let slots: [Slot]
  /// The number of groups with at most one check mark (M9).
  let selectionCount: Int
  /// True if there are slots for alternates.
  let hasAlternates: Bool
  private let parts: [MenuID: Part]

  /// A slot for the members or the alternates of an item.
  struct Slot: Sendable {
    /// The offset in the declared text.
    let place: Int
    /// The position of the command.
    let command: Int
    /// The number of its group with at most one check mark (M9); -1 for none.
    let selection: Int
    /// True if it is for the alternates of the item (M11).
    let isOfAlternates: Bool
  }

  /// A menu in the tree.
  struct Part: Sendable {
    /// The range in the declared text.
    let text: Range<Int>
    let slots: Range<Int>
    /// True if it contains all commands of the catalogue.
    let hasAllCommands: Bool
  }

  init(_ catalog: Catalog) {
    var maker = Maker(catalog)
    maker.add(catalog.menus, in: -1)
    bytes = maker.writer.bytes
    slots = maker.slots
    hasAlternates = slots.contains(where: \.isOfAlternates)
    selectionCount = maker.selectionCount
    parts = maker.parts
  }

  /// Returns a menu in the tree; nil if it is not shown there, if its check marks differ when it is shown alone (M9),
  /// and if it has items from data, which are no part of a declared text (M12).
  func part(_ identifier: MenuID) -> Part? { parts[identifier] }

  /// Returns the positions of the commands in a menu, each once and in menu order; nil for all commands of the
  /// catalogue.
  func commands(in part: Part, of count: Int) -> [Int?]? {
    guard !part.hasAllCommands else { return nil }
    var met = CommandSet(count: count)
    var commands: [Int?] = []
    for slot in slots[part.slots] where !met[slot.command] {
      met[slot.command] = true
      commands.append(slot.command)
    }
    return commands
  }
}

private struct Maker {
  private let catalog: Catalog
  var writer = JSONWriter()
  var slots: [MenuLayout.Slot] = []
  var selectionCount = 0
  var parts: [MenuID: MenuLayout.Part] = [:]

  init(_ catalog: Catalog) { self.catalog = catalog }

  /// Adds a menu.
  ///
  /// - Parameter selection: The check mark group of the parent menu.
  mutating func add(_ menu: Menu, in selection: Int) {
    let isPartOfGroup = selection >= 0 && menu.options.contains(.displayInline)
    var group = isPartOfGroup ? selection : -1
    if !isPartOfGroup, menu.options.contains(.singleSelection) {
      group = selectionCount
      selectionCount += 1
    }
    let children = menu.children(in: .main)
    let firstSlot = slots.count
    writer.beginObject()
    let start = writer.bytes.count - 1
    writer.members(
      ofMenu: menu.identifier, title: menu.title, image: menu.image, options: menu.options,
      isEnabled: !children.isEmpty)
    writer.member("children")
    writer.beginArray()
    for child in children {
      switch child {
      case .command(let place): add(place.command, in: group)
      case .itemsFromData: continue
      case .menu(let menu): add(menu, in: group)
      }
    }
    writer.endArray()
    writer.endObject()
    guard !isPartOfGroup, menu.itemsFromData(in: .main).isEmpty else { return }
    let own = firstSlot..<slots.count
    parts[menu.identifier] = MenuLayout.Part(
      text: start..<writer.bytes.count, slots: own,
      hasAllCommands: Set(slots[own].map(\.command)).count == catalog.commands.count)
  }

  private mutating func add(_ id: CommandID, in selection: Int) {
    writer.beginObject()
    guard let position = catalog.positions[id] else {
      writer.members(of: ValidatedItem(unknown: id)) { _, _ in }
      return writer.endObject()
    }
    let command = catalog.commands[position]
    // The slot's contents have members, so a comma follows.
    writer.value(encoded: ArraySlice())
    addSlot(of: position, in: selection)
    writer.member(key: command.key)
    if !command.alternates.isEmpty { addSlot(of: position, in: -1, isOfAlternates: true) }
    writer.endObject()
  }

  private mutating func addSlot(
    of position: Int, in selection: Int, isOfAlternates: Bool = false
  ) {
    slots.append(
      MenuLayout.Slot(
        place: writer.bytes.count, command: position, selection: selection,
        isOfAlternates: isOfAlternates))
  }
}
