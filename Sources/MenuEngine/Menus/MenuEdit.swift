package import JSONText

/// An edit of the menu tree, as made by a menu builder (M4).
package enum MenuEdit: Equatable, Sendable, Codable {
  case insertSiblingBefore(MenuID, Menu)
  case insertSiblingAfter(MenuID, Menu)
  case insertChildAtStart(of: MenuID, Menu)
  case insertChildAtEnd(of: MenuID, Menu)
  case replace(menu: MenuID, with: Menu)
  case replaceChildren(ofMenu: MenuID, with: [MenuElement])
  case remove(menu: MenuID)

  /// The menu where the edit applies.
  package var place: MenuID {
    switch self {
    case .insertSiblingBefore(let place, _), .insertSiblingAfter(let place, _),
      .insertChildAtStart(of: let place, _), .insertChildAtEnd(of: let place, _),
      .replace(menu: let place, with: _), .replaceChildren(ofMenu: let place, with: _),
      .remove(menu: let place):
      place
    }
  }

  /// True if the edit replaces the menu or adds a sibling, which the root menu does not allow.
  var isOutsideOfMenu: Bool {
    switch self {
    case .insertSiblingBefore, .insertSiblingAfter, .replace, .remove: true
    case .insertChildAtStart, .insertChildAtEnd, .replaceChildren: false
    }
  }
}

extension Menu {
  /// Applies an edit in the tree of this menu, and returns its site.
  ///
  /// - Throws: `DeclarationFault.unknownMenu` if the menu does not exist (a decision: UIKit ignores such an
  ///   edit), `.rootMenu` if it would change the root.
  mutating func make(_ edit: MenuEdit) throws(DeclarationFault) -> MenuEdit.Site {
    if edit.isOutsideOfMenu, edit.place == identifier { throw .menu(.rootMenu) }
    guard let place = makeBelow(edit, at: 1) else { throw .menu(.unknownMenu(edit.place)) }
    return place
  }

  /// Applies the edit if its place is here or below; `depth` is that of the children.
  private mutating func makeBelow(_ edit: MenuEdit, at depth: Int) -> MenuEdit.Site? {
    if !edit.isOutsideOfMenu, edit.place == identifier {
      return put(edit, at: 0, depth: depth)
    }
    for (position, child) in children.enumerated() {
      guard case .menu(var menu) = child else { continue }
      if edit.isOutsideOfMenu, edit.place == menu.identifier {
        return put(edit, at: position, depth: depth)
      }
      if let place = menu.makeBelow(edit, at: depth + 1) {
        children[position] = .menu(menu)
        return place
      }
    }
    return nil
  }

  /// Puts the elements of an edit among the children; `position` is that of the menu it names, if it is one of them.
  private mutating func put(_ edit: MenuEdit, at position: Int, depth: Int) -> MenuEdit.Site {
    let range = edit.range(at: position, of: children.count)
    let removed = Array(children[range])
    children.replaceSubrange(range, with: edit.added)
    return MenuEdit.Site(depth: depth, removed: removed)
  }
}

extension MenuEdit {
  /// The site of an edit.
  struct Site {
    /// The depth of the added elements; 1 is directly in the root.
    let depth: Int
    let removed: [MenuElement]
  }

  /// The elements that the edit adds.
  var added: [MenuElement] {
    switch self {
    case .insertSiblingBefore(_, let menu), .insertSiblingAfter(_, let menu),
      .insertChildAtStart(of: _, let menu), .insertChildAtEnd(of: _, let menu),
      .replace(menu: _, with: let menu):
      [.menu(menu)]
    case .replaceChildren(ofMenu: _, with: let children): children
    case .remove: []
    }
  }

  /// Returns the range of `count` children that the added elements take; `position` is that of the named menu.
  fileprivate func range(at position: Int, of count: Int) -> Range<Int> {
    switch self {
    case .insertSiblingBefore: position..<position
    case .insertSiblingAfter: position + 1..<position + 1
    case .replace, .remove: position..<position + 1
    case .insertChildAtStart: 0..<0
    case .insertChildAtEnd: count..<count
    case .replaceChildren: 0..<count
    }
  }
}

extension MenuEdit {
  /// The kinds of edits, named after the methods of UIKit's menu builder.
  enum Op: String, CaseIterable {
    case insertSibling
    case insertChild
    case replace
    case replaceChildren
    case remove
  }

  /// Reads an edit, for example `{"op": "insertSibling", "menu": {…}, "afterMenu": "file"}`; nil with faults in
  /// the log.
  package init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, names: inout MenuNames
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    guard let op: Op = reader.required("op", Read.word) else { return nil }
    let edit: MenuEdit? =
      switch op {
      case .insertSibling:
        Self.insertion(
          &reader, &names, first: ("beforeMenu", MenuEdit.insertSiblingBefore),
          second: ("afterMenu", MenuEdit.insertSiblingAfter))
      case .insertChild:
        Self.insertion(
          &reader, &names, first: ("atStartOfMenu", MenuEdit.insertChildAtStart(of:_:)),
          second: ("atEndOfMenu", MenuEdit.insertChildAtEnd(of:_:)))
      case .replace: Self.replacement(&reader, &names)
      case .replaceChildren: Self.replacementOfChildren(&reader, &names)
      case .remove: reader.required("menu", Read.identifier).map(MenuEdit.remove(menu:))
      }
    reader.finish()
    guard let edit else { return nil }
    self = edit
  }

  private typealias Place = (member: String, make: (MenuID, Menu) -> MenuEdit)

  private static func insertion(
    _ reader: inout ObjectReader, _ names: inout MenuNames, first: Place, second: Place
  ) -> MenuEdit? {
    let menu = readMenu("menu", &reader, names: &names)
    let firstID: MenuID? = reader.member(first.member, Read.identifier)
    let secondID: MenuID? = reader.member(second.member, Read.identifier)
    switch (firstID, secondID) {
    case (let place?, nil): return menu.map { first.make(place, $0) }
    case (nil, let place?): return menu.map { second.make(place, $0) }
    case (nil, nil): reader.log.note(.missingMember(first.member), at: reader.pointer)
    case (_?, _?):
      reader.log.note(.conflictingMembers(first.member, second.member), at: reader.pointer)
    }
    return nil
  }

  private static func replacement(
    _ reader: inout ObjectReader, _ names: inout MenuNames
  ) -> MenuEdit? {
    let place: MenuID? = reader.required("menu", Read.identifier)
    guard let menu = readMenu("with", &reader, names: &names), let place else { return nil }
    return .replace(menu: place, with: menu)
  }

  private static func replacementOfChildren(
    _ reader: inout ObjectReader, _ names: inout MenuNames
  ) -> MenuEdit? {
    let place: MenuID? = reader.required("ofMenu", Read.identifier)
    let json = reader.required("children", Read.any)
    guard let place, let json else { return nil }
    let children = MenuElement.list(
      reading: json, at: reader.place(of: "children"), reader.log, &names)
    return .replaceChildren(ofMenu: place, with: children)
  }

  private static func readMenu(
    _ member: String, _ reader: inout ObjectReader, names: inout MenuNames
  ) -> Menu? {
    reader.required(member, Read.any).flatMap {
      Menu(reading: $0, at: reader.place(of: member), log: reader.log, names: &names)
    }
  }

  package var json: JSON {
    var object = JSONObject()
    func write(_ op: Op, _ members: (String, JSON)...) {
      object["op"] = .string(op.rawValue)
      for (name, value) in members { object[name] = value }
    }
    switch self {
    case .insertSiblingBefore(let id, let menu):
      write(.insertSibling, ("menu", menu.json), ("beforeMenu", .string(id.rawValue)))
    case .insertSiblingAfter(let id, let menu):
      write(.insertSibling, ("menu", menu.json), ("afterMenu", .string(id.rawValue)))
    case .insertChildAtStart(of: let id, let menu):
      write(.insertChild, ("menu", menu.json), ("atStartOfMenu", .string(id.rawValue)))
    case .insertChildAtEnd(of: let id, let menu):
      write(.insertChild, ("menu", menu.json), ("atEndOfMenu", .string(id.rawValue)))
    case .replace(menu: let id, with: let menu):
      write(.replace, ("menu", .string(id.rawValue)), ("with", menu.json))
    case .replaceChildren(ofMenu: let id, with: let children):
      write(
        .replaceChildren, ("ofMenu", .string(id.rawValue)),
        ("children", .array(children.map(\.json))))
    case .remove(menu: let id): write(.remove, ("menu", .string(id.rawValue)))
    }
    return .object(object)
  }
}
