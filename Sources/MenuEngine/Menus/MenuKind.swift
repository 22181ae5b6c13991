/// How a menu is shown (M8), and in which system of menus it is (M3).
public enum MenuKind: String, CaseIterable, Sendable {
  /// An item that cannot be performed is there and disabled.
  case main
  /// An item that cannot be performed is left out, and so are submenus without items.
  case context
}
