package import JSONText

/// The layout of a menu in an answer.
extension JSONWriter {
  /// Writes the members of an item that validations and menus share.
  package typealias ItemMembers = (ValidatedItem, inout JSONWriter) -> Void

  /// Writes a menu with its items as a tree.
  ///
  /// - Parameter isExplaining: True if items left out of a context menu are written too.
  package mutating func value(
    _ menu: ValidatedMenu, isExplaining: Bool, writingItems writeItem: ItemMembers
  ) {
    beginObject()
    members(
      ofMenu: menu.identifier, title: menu.title, image: menu.image, options: menu.options,
      isEnabled: menu.isEnabled)
    member("children")
    beginArray()
    for child in menu.children {
      switch child {
      case .item(let item): value(inMenu: item, writeItem)
      case .menu(let menu): value(menu, isExplaining: isExplaining, writingItems: writeItem)
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
