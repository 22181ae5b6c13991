package import MenuEngine

extension DeclarationFault {
  /// The contradiction as a sentence that names both sides.
  package var sentence: String {
    switch self {
    case .duplicateCommand(let id):
      "The command \(quoted(id)) is declared already, and differently; delete it first, or choose "
        + "another id."
    case .identicalCommand(let id):
      "The command \(quoted(id)) is declared twice, and both declarations are identical; leave one of "
        + "them out."
    case .duplicateIdentity(let id, let action, let other):
      "The commands \(quoted(id)) and \(quoted(other)) have the same action \(quoted(action)) and "
        + "property list; give one of them another property list."
    case .duplicateKey(let id, let key, let other):
      "The commands \(quoted(id)) and \(quoted(other)) have the same key \(key.wording); give one "
        + "of them another."
    case .otherName(let id, let expected):
      "The command calls itself \(quoted(id)) but stands under \(quoted(expected)); leave out 'id' "
        + "or make it the same."
    case .duplicateMenu(let menu):
      "Two menus have the identifier \(quoted(menu)); give one of them another."
    case .undeclaredCommand(let id, let nearest):
      "The menus name the command \(quoted(id)), which is not declared"
        + (nearest.map { ";" + didYouMean($0.rawValue, for: id.rawValue) } ?? "; declare it first.")
    case .standsInMenus(let id, let menus):
      "The command \(quoted(id)) stands in the \(menus.count == 1 ? "menu" : "menus") "
        + "\(list(menus.map { quoted($0) })); take it out of there first."
    case .unknownCommand(let id):
      "There is no command \(quoted(id)); GET /commands lists those that are declared."
    case .unknownMenu(let menu):
      "There is no menu \(quoted(menu)); GET /menus shows those that are there."
    case .rootMenu:
      "The menu 'root' holds all others; it cannot be replaced or removed or have siblings."
    case .menusTooDeep(let limit):
      "Menus stand more than \(limit) deep inside each other; make the tree flatter."
    case .unknownSuperclass(let name, let superclass, let known):
      unknownSuperclass(name, superclass, known: known.map(\.rawValue))
    case .builtInClass(let name):
      "The class \(quoted(name)) is built in or declared already; choose another name."
    case .unknownExtendedClass(let name, let extended):
      "The category \(quoted(name)) adds to the class \(quoted(extended)), which is not declared."
    case .repeatedMethod(let name, let selector, of: let extended):
      "The category \(quoted(name)) has \(quoted(selector)), which the class \(quoted(extended)) has "
        + "already, itself or by another category; override it in a subclass."
    case .classCycle(let path):
      "The classes \(path.map { quoted($0) }.joined(separator: " → ")) inherit from themselves."
    case .duplicateProtocol, .repeatedMessage, .unknownProtocol, .undeclaredProtocol,
      .protocolInUse, .duplicateStoryboard, .unknownStoryboard, .unknownScene, .duplicateSegue,
      .duplicateView, .relationshipCycle, .scenesTooDeep, .undeclaredClass, .notAViewController:
      storyboardSentence
    }
  }

  /// The same contradiction for somebody who writes files, where nothing is deleted by a request.
  package var sentenceInFile: String {
    switch self {
    case .duplicateCommand(let id):
      "The command \(quoted(id)) is declared already, and differently; change one of them, or give it "
        + "another id."
    default: sentence
    }
  }

  private func unknownSuperclass(
    _ name: ClassName, _ superclass: ClassName, known: [String]
  ) -> String {
    let shown = known.prefix(40).map { quoted($0) }
    let more = known.count - shown.count
    return "The class \(quoted(name)) inherits from \(quoted(superclass)), which is not declared"
      + (suggestion(for: superclass.rawValue, among: known) ?? ".")
      + " There are \(list(shown + (more > 0 ? ["\(more) more"] : [])))."
  }

  /// The kind of problem that a request with this fault meets.
  var type: ProblemType {
    switch self {
    case .duplicateCommand, .identicalCommand, .duplicateIdentity, .duplicateKey, .duplicateMenu,
      .builtInClass,
      .repeatedMethod, .duplicateProtocol, .duplicateStoryboard:
      .duplicateDeclaration
    case .otherName, .rootMenu, .menusTooDeep, .classCycle, .repeatedMessage, .duplicateSegue,
      .duplicateView, .relationshipCycle, .scenesTooDeep, .notAViewController:
      .invalidBody
    case .undeclaredCommand, .unknownMenu, .unknownSuperclass, .undeclaredProtocol, .unknownScene,
      .undeclaredClass, .unknownExtendedClass:
      .unresolvedReference
    case .protocolInUse: .protocolInUse
    case .unknownProtocol: .unknownProtocol
    case .unknownStoryboard: .unknownStoryboard
    case .standsInMenus: .commandInMenus
    case .unknownCommand: .unknownCommand
    }
  }
}
