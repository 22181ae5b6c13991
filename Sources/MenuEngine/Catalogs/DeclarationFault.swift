/// A declaration in the catalogue that contradicts another one (M1, M3, M4).
public enum DeclarationFault: Error, Hashable, Sendable {
  /// Two declarations of one command name.
  case duplicateCommand(CommandID)
  /// Two commands with the same action and property list (M1).
  case duplicateIdentity(CommandID, Selector, other: CommandID)
  /// Two commands with the same key combination (M1).
  case duplicateKey(CommandID, KeyCombination, other: CommandID)
  /// A name in the document that differs from the one it is stored under.
  case otherName(CommandID, expected: CommandID)
  /// Two menus with one identifier (M1).
  case duplicateMenu(MenuID)
  /// A menu that names a command nobody declared.
  case undeclaredCommand(CommandID)
  /// A command that still stands in menus and so cannot be removed.
  case standsInMenus(CommandID, [MenuID])
  /// There is no command of this name.
  case unknownCommand(CommandID)
  /// There is no menu of this name.
  case unknownMenu(MenuID)
  /// The root menu cannot be replaced, removed or given a sibling.
  case rootMenu
  /// Menus that stand deeper inside each other than the limit.
  case menusTooDeep(limit: Int)
  /// A class whose superclass nobody declared.
  case unknownSuperclass(ClassName, superclass: ClassName)
  /// A class with the name of one that is built in.
  case builtInClass(ClassName)
  /// A category of a class that nobody declared.
  case unknownExtendedClass(ClassName, ClassName)
  /// A category that gives a class what it has already, itself or by another category.
  case repeatedMethod(ClassName, Selector, of: ClassName)
  /// Classes that are their own superclass.
  case classCycle([ClassName])
}

extension DeclarationFault {
  /// The command that was there first, when two contradict each other.
  public var other: CommandID? {
    switch self {
    case .duplicateCommand(let id): id
    case .duplicateIdentity(_, _, let other), .duplicateKey(_, _, let other): other
    case .otherName, .duplicateMenu, .undeclaredCommand, .standsInMenus, .unknownCommand,
      .unknownMenu, .rootMenu, .menusTooDeep, .unknownSuperclass, .builtInClass, .classCycle,
      .unknownExtendedClass, .repeatedMethod:
      nil
    }
  }
}
