/// One change to the menu tree, as a menu builder makes it (M4).
public enum MenuEdit: Equatable, Sendable {
  case insertSiblingBefore(MenuID, Menu)
  case insertSiblingAfter(MenuID, Menu)
  case insertChildAtStart(of: MenuID, Menu)
  case insertChildAtEnd(of: MenuID, Menu)
  case replace(menu: MenuID, with: Menu)
  case replaceChildren(ofMenu: MenuID, with: [MenuElement])
  case remove(menu: MenuID)

  /// The menu that the edit is made at.
  public var place: MenuID {
    switch self {
    case .insertSiblingBefore(let place, _), .insertSiblingAfter(let place, _),
      .insertChildAtStart(of: let place, _), .insertChildAtEnd(of: let place, _),
      .replace(menu: let place, with: _), .replaceChildren(ofMenu: let place, with: _),
      .remove(menu: let place):
      place
    }
  }

  /// Whether the edit puts something in the place of the menu or beside it, which the root menu
  /// does not allow.
  var isOutsideOfMenu: Bool {
    switch self {
    case .insertSiblingBefore, .insertSiblingAfter, .replace, .remove: true
    case .insertChildAtStart, .insertChildAtEnd, .replaceChildren: false
    }
  }
}

extension Menu {
  /// Makes an edit somewhere in the tree below and including this menu.
  ///
  /// - Throws: `DeclarationFault.unknownMenu` when there is no menu where the edit is to be made
  ///   (a decision: UIKit ignores such an edit), `.rootMenu` when it would leave the tree with
  ///   another root.
  mutating func make(_ edit: MenuEdit) throws(DeclarationFault) {
    if edit.isOutsideOfMenu, edit.place == identifier { throw .rootMenu }
    guard makeBelow(edit) else { throw .unknownMenu(edit.place) }
  }

  private mutating func makeBelow(_ edit: MenuEdit) -> Bool {
    if !edit.isOutsideOfMenu, edit.place == identifier {
      children = edit.children(replacing: children)
      return true
    }
    for (position, child) in children.enumerated() {
      guard case .menu(var menu) = child else { continue }
      if edit.isOutsideOfMenu, edit.place == menu.identifier {
        children.replaceSubrange(position...position, with: edit.elements(inPlaceOf: menu))
        return true
      }
      if menu.makeBelow(edit) {
        children[position] = .menu(menu)
        return true
      }
    }
    return false
  }
}

extension MenuEdit {
  fileprivate func elements(inPlaceOf menu: Menu) -> [MenuElement] {
    switch self {
    case .insertSiblingBefore(_, let new): [.menu(new), .menu(menu)]
    case .insertSiblingAfter(_, let new): [.menu(menu), .menu(new)]
    case .replace(menu: _, with: let new): [.menu(new)]
    case .remove: []
    case .insertChildAtStart, .insertChildAtEnd, .replaceChildren: [.menu(menu)]
    }
  }

  fileprivate func children(replacing children: [MenuElement]) -> [MenuElement] {
    switch self {
    case .insertChildAtStart(of: _, let new): [.menu(new)] + children
    case .insertChildAtEnd(of: _, let new): children + [.menu(new)]
    case .replaceChildren(ofMenu: _, with: let new): new
    case .insertSiblingBefore, .insertSiblingAfter, .replace, .remove: children
    }
  }
}
