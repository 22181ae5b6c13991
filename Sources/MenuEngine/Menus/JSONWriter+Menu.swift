package import JSONText

/// The layout of a menu in an answer.
extension JSONWriter {
  /// Writes the members of an item that validations and menus share.
  package typealias ItemMembers = (ValidatedItem, inout JSONWriter) -> Void

  /// Writes a menu with its items as a tree.
  ///
  /// - Parameters:
  ///   - isExplaining: True to write the items omitted from a context menu too.
  ///   - writeFault: Writes a failed rule of items from data.
  package mutating func value(
    _ menu: ValidatedMenu, isExplaining: Bool, writingFaults writeFault: ValidationPlan.FaultWriter,
    writingItems writeItem: ItemMembers
  ) {
    beginObject()
    members(of: menu, writingFaults: writeFault)
    member("children")
    beginArray()
    for child in menu.children {
      switch child {
      case .item(let item): value(inMenu: item, writeItem)
      case .menu(let menu):
        value(
          menu, isExplaining: isExplaining, writingFaults: writeFault, writingItems: writeItem)
      }
    }
    endArray()
    if isExplaining, !menu.leftOut.isEmpty {
      member("leftOut")
      beginArray()
      for item in menu.leftOut { value(inMenu: item, writeItem) }
      endArray()
    }
    endObject()
  }

  /// Writes the members of a menu before its children.
  package mutating func members(
    of menu: ValidatedMenu, writingFaults writeFault: ValidationPlan.FaultWriter
  ) {
    members(
      ofMenu: menu.identifier, title: menu.title, image: menu.image, options: menu.options,
      isEnabled: menu.isEnabled)
    guard !menu.faults.isEmpty else { return }
    member("errors")
    beginArray()
    for fault in menu.faults { writeFault(fault, &self) }
    endArray()
  }

  /// Writes the declared members of a menu before its children.
  mutating func members(
    ofMenu identifier: MenuID, title: String, image: String?, options: MenuOptions, isEnabled: Bool
  ) {
    member("identifier", identifier.rawValue)
    member("title", title)
    optionalMember("image", image)
    member("options")
    beginArray()
    for name in options.names { value(name.rawValue) }
    endArray()
    member("enabled", isEnabled)
  }

  /// Writes an item of a menu with its key and its alternates. A validation omits these, since they are as
  /// declared and validations are frequent.
  package mutating func value(inMenu item: ValidatedItem, _ writeItem: ItemMembers) {
    if let written = item.written { return value(encoded: written.text) }
    beginObject()
    writeItem(item, &self)
    member(key: item.key)
    member(alternates: item.alternates, writingItems: writeItem)
    endObject()
  }

  /// Writes the key of an item, unless it is nil.
  mutating func member(key: CommandKey?) {
    if let key { member("key", key.json) }
  }

  /// Writes the alternates of an item, unless there are none (M11).
  mutating func member(alternates: [ValidatedItem], writingItems writeItem: ItemMembers) {
    guard !alternates.isEmpty else { return }
    member("alternates")
    beginArray()
    for alternate in alternates { value(inMenu: alternate, writeItem) }
    endArray()
  }
}
