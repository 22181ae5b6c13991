/// The kind of menu (M8) that is shown, and the system of menus that it belongs to (M3).
public enum MenuKind: String, CaseIterable, Sendable {
  /// An item that cannot be performed is there and disabled.
  case main
  /// An item that cannot be performed is left out, and so are submenus without items.
  case context
}
