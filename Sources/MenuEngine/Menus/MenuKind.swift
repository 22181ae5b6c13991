/// How a menu is shown (M8), and in which system of menus it is (M3).
public enum MenuKind: String, CaseIterable, Sendable {
  /// What cannot be performed is there and disabled.
  case main
  /// What cannot be performed is left out, and so are submenus without anything in them.
  case context
}
