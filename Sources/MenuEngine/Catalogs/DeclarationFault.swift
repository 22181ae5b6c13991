/// A declaration in the catalogue that contradicts another one (M1, M3, M4).
public enum DeclarationFault: Error, Hashable, Sendable, Codable {
  /// Two different declarations of one command name.
  case duplicateCommand(CommandID)
  /// The same command declared twice in one document.
  case identicalCommand(CommandID)
  /// Two commands with the same action and property list (M1).
  case duplicateIdentity(CommandID, Selector, other: CommandID)
  /// Two commands with the same key combination (M1).
  case duplicateKey(CommandID, KeyCombination, other: CommandID)
  /// A name in the document that differs from the one it is stored under.
  case otherName(CommandID, expected: CommandID)
  /// Two menus with one identifier (M1).
  case duplicateMenu(MenuID)
  /// A menu that names a command that is not declared, and the declared one that is most like it.
  case undeclaredCommand(CommandID, nearest: CommandID? = nil)
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
  /// A class with an undeclared superclass, and the known classes.
  case unknownSuperclass(ClassName, superclass: ClassName, known: [ClassName])
  /// A class with the name of one that is built in.
  case builtInClass(ClassName)
  /// A category of a class that nobody declared.
  case unknownExtendedClass(ClassName, ClassName)
  /// A category that gives a class what it has already, itself or by another category.
  case repeatedMethod(ClassName, Selector, of: ClassName)
  /// Classes that are their own superclass.
  case classCycle([ClassName])
  /// Two declarations of one protocol name.
  case duplicateProtocol(ProtocolName)
  /// A message that a protocol has twice.
  case repeatedMessage(ProtocolName, Selector)
  /// There is no protocol of this name.
  case unknownProtocol(ProtocolName)
  /// A class whose delegates are of a protocol that nobody declared (V7).
  case undeclaredProtocol(ClassName, ProtocolName)
  /// A protocol that classes name and that so cannot be removed.
  case protocolInUse(ProtocolName, [ClassName])
  /// Two declarations of one storyboard name.
  case duplicateStoryboard(StoryboardName)
  /// There is no storyboard of this name.
  case unknownStoryboard(StoryboardName)
  /// A storyboard names a scene that it does not have.
  case unknownScene(StoryboardName, SceneName)
  /// Two segues of a scene with one identifier (V3).
  case duplicateSegue(SceneName, SegueIdentifier)
  /// Two views of a scene with one name.
  case duplicateView(SceneName, Identifier<SceneView>)
  /// Scenes that are instantiated with themselves, the first one again at the end (V2).
  case relationshipCycle([SceneName])
  /// Scenes that are instantiated with each other deeper than the limit.
  case scenesTooDeep(limit: Int)
  /// A scene with a class that nobody declared.
  case undeclaredClass(SceneName, ClassName)
  /// A scene whose class is none of view controllers.
  case notAViewController(SceneName, ClassName)
}

extension DeclarationFault {
  /// The command that was there first, when two contradict each other.
  public var other: CommandID? {
    switch self {
    case .duplicateCommand(let id), .identicalCommand(let id): id
    case .duplicateIdentity(_, _, let other), .duplicateKey(_, _, let other): other
    case .otherName, .duplicateMenu, .undeclaredCommand, .standsInMenus, .unknownCommand,
      .unknownMenu, .rootMenu, .menusTooDeep, .unknownSuperclass, .builtInClass, .classCycle,
      .unknownExtendedClass, .repeatedMethod,
      .duplicateProtocol, .repeatedMessage, .unknownProtocol, .undeclaredProtocol, .protocolInUse,
      .duplicateStoryboard, .unknownStoryboard, .unknownScene, .duplicateSegue, .duplicateView,
      .relationshipCycle, .scenesTooDeep, .undeclaredClass, .notAViewController:
      nil
    }
  }
}
