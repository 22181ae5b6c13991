public import JSONText

extension MenuEdit {
  /// The words for the kinds of edits, after the methods of UIKit's menu builder.
  enum Op: String, CaseIterable {
    case insertSibling
    case insertChild
    case replace
    case replaceChildren
    case remove
  }

  /// The edit that a document describes, or nil and the faults.
  ///
  /// For example `{"op": "insertSibling", "menu": {…}, "afterMenu": "file"}`.
  public init?(
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

  /// The edit as a document.
  public var json: JSON {
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
