import JSONText

/// The differences between the menu of the last event and the present one, by the names of menus and commands,
/// so that they apply wherever the elements stand.
struct MenuDifference {
  /// A change of one menu.
  enum Edit {
    /// Items of the menu have changed.
    case items(menu: String, [JSON])
    case replaced(menu: String, JSON)
  }

  private(set) var edits: [Edit] = []

  /// Computes the differences; nil if the menus have different names.
  init?(from old: JSON, to new: JSON) {
    guard let name = old.menuName, new.menuName?.hasSameBytes(as: name) == true else { return nil }
    note(old, new, named: name)
  }

  private mutating func note(_ old: JSON, _ new: JSON, named name: String) {
    guard let children = old.children, let newChildren = new.children,
      old.isWritten(as: new, besides: "children"),
      zip(children, newChildren).allSatisfy({ $0.isNamed(as: $1) }),
      children.count == newChildren.count
    else {
      if !old.isWritten(as: new) { edits.append(.replaced(menu: name, new)) }
      return
    }
    let items = zip(children, newChildren).filter { $1.commandName != nil && !$0.isWritten(as: $1) }
      .map(\.1)
    guard newChildren.haveDifferentNames(for: items) else {
      return edits.append(.replaced(menu: name, new))
    }
    if !items.isEmpty { edits.append(.items(menu: name, items)) }
    for (child, newChild) in zip(children, newChildren) {
      if let name = newChild.menuName { note(child, newChild, named: name) }
    }
  }
}

extension JSONWriter {
  /// Writes the member with edits of a menu.
  mutating func member(menuEdits edits: [MenuDifference.Edit]) {
    member("menuEdits")
    beginArray()
    for edit in edits {
      beginObject()
      switch edit {
      case .items(let menu, let items):
        member("menu", menu)
        member("items", .array(items))
      case .replaced(let menu, let value):
        member("menu", menu)
        member("value", value)
      }
      endObject()
    }
    endArray()
  }
}

extension JSON {
  fileprivate var children: [JSON]? {
    guard case .object(let object) = self, case .array(let children)? = object["children"] else {
      return nil
    }
    return children
  }

  /// The identifier of a menu; nil for an item.
  fileprivate var menuName: String? { name("identifier") }

  /// The command of an item; nil for a menu.
  fileprivate var commandName: String? { name("command") }

  private func name(_ member: String) -> String? {
    guard case .object(let object) = self, case .string(let name)? = object[member] else {
      return nil
    }
    return name
  }

  /// True if both are the same menu, or items of the same command.
  fileprivate func isNamed(as other: JSON) -> Bool {
    switch (menuName, other.menuName, commandName, other.commandName) {
    case (let mine?, let others?, _, _): mine.hasSameBytes(as: others)
    case (nil, nil, let mine?, let others?): mine.hasSameBytes(as: others)
    default: false
    }
  }

  /// True if two objects have the same text except for one member.
  fileprivate func isWritten(as other: JSON, besides name: String) -> Bool {
    guard case .object(var mine) = self, case .object(var others) = other else { return false }
    mine[name] = .null
    others[name] = .null
    return JSON.object(mine).isWritten(as: .object(others))
  }
}

extension [JSON] {
  /// True if each of these items is the only one of its command among the children.
  fileprivate func haveDifferentNames(for items: [JSON]) -> Bool {
    guard !items.isEmpty else { return true }
    var counts = JSONObject()
    for child in self {
      guard let name = child.commandName else { continue }
      counts[name] = .bool(counts[name] == nil)
    }
    return items.allSatisfy { $0.commandName.flatMap { counts[$0] } == .bool(true) }
  }
}
