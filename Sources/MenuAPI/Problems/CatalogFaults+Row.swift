import JSONText
package import MenuEngine

// The faults and the warnings of a catalogue.

extension DeclarationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .command(let fault): fault.row
    case .menu(let fault): fault.row
    case .class(let fault): fault.row
    case .protocol(let fault): fault.row
    case .storyboard(let fault): fault.row
    case .keymap(let fault): fault.row
    case .scene(let fault): fault.row
    }
  }
}

extension CommandDeclarationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .duplicateCommand(let id):
      FaultRow(
        .duplicateDeclaration,
        "The command \(quoted(id)) is declared already, and differently; delete it first, or "
          + "choose another id.")
    case .identicalCommand(let id):
      FaultRow(
        .duplicateDeclaration,
        "The command \(quoted(id)) is declared twice, and both declarations are identical; leave "
          + "one of them out.")
    case .duplicateIdentity(let id, let action, let other):
      FaultRow(
        .duplicateDeclaration,
        "The commands \(quoted(id)) and \(quoted(other)) have the same action \(quoted(action)) "
          + "and property list; give one of them another property list.")
    case .duplicateKey(let id, let key, let other):
      FaultRow(
        .duplicateDeclaration,
        "The commands \(quoted(id)) and \(quoted(other)) have the same key \(key.wording); give "
          + "one of them another.")
    case .otherName(let id, let expected):
      FaultRow(
        .invalidBody,
        "The command calls itself \(quoted(id)) but stands under \(quoted(expected)); leave out "
          + "'id' or make it the same.")
    case .standsInMenus(let id, let menus):
      FaultRow(
        .commandInMenus,
        "The command \(quoted(id)) stands in the \(menus.count == 1 ? "menu" : "menus") "
          + "\(list(menus.map { quoted($0) })); take it out of there first.")
    case .unknownCommand(let id):
      FaultRow(
        .unknownCommand,
        "There is no command \(quoted(id)); GET /commands lists those that are declared.")
    }
  }
}

extension MenuDeclarationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .duplicateMenu(let menu):
      FaultRow(
        .duplicateDeclaration,
        "Two menus have the identifier \(quoted(menu)); give one of them another.")
    case .undeclaredCommand(let id, let nearest):
      FaultRow(
        .unresolvedReference,
        "The menus name the command \(quoted(id)), which is not declared"
          + (nearest.map { ";" + didYouMean($0.rawValue, for: id.rawValue) }
            ?? "; declare it first."))
    case .unknownMenu(let menu):
      FaultRow(
        .unresolvedReference,
        "There is no menu \(quoted(menu)); GET /menus shows those that are there.")
    case .rootMenu:
      FaultRow(
        .invalidBody,
        "The menu 'root' holds all others; it cannot be replaced or removed or have siblings.")
    case .menusTooDeep(let limit):
      FaultRow(
        .invalidBody,
        "Menus stand more than \(limit) deep inside each other; make the tree flatter.")
    }
  }
}

extension ClassDeclarationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .unknownSuperclass(let name, let superclass, let known):
      FaultRow(
        .unresolvedReference,
        unknownSuperclass(name, superclass, known: known.map(\.rawValue)))
    case .builtInClass(let name):
      FaultRow(
        .duplicateDeclaration,
        "The class \(quoted(name)) is built in or declared already; choose another name.")
    case .unknownExtendedClass(let name, let extended):
      FaultRow(
        .unresolvedReference,
        "The category \(quoted(name)) adds to the class \(quoted(extended)), which is not "
          + "declared.")
    case .repeatedMethod(let name, let selector, of: let extended):
      FaultRow(
        .duplicateDeclaration,
        "The category \(quoted(name)) has \(quoted(selector)), which the class "
          + "\(quoted(extended)) has already, itself or by another category; override it in a "
          + "subclass.")
    case .classCycle(let path):
      FaultRow(
        .invalidBody,
        "The classes \(path.map { quoted($0) }.joined(separator: " → ")) inherit from themselves.")
    case .undeclaredProtocol(let name, let other):
      FaultRow(
        .unresolvedReference,
        "The delegates of the class \(quoted(name)) are of the protocol \(quoted(other)), which "
          + "is not declared.")
    }
  }
}

extension ProtocolDeclarationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .duplicateProtocol(let name):
      FaultRow(
        .duplicateDeclaration,
        "The protocol \(quoted(name)) is declared already, and differently; delete it first, or "
          + "choose another name.")
    case .repeatedMessage(let name, let message):
      FaultRow(
        .invalidBody, "The protocol \(quoted(name)) has the message \(quoted(message)) twice.")
    case .unknownProtocol(let name):
      FaultRow(
        .unknownProtocol,
        "There is no protocol \(quoted(name)); GET /protocols lists those that are declared.")
    case .protocolInUse(let name, let users):
      FaultRow(
        .protocolInUse,
        "The protocol \(quoted(name)) is that of the delegates of the "
          + "\(users.count == 1 ? "class" : "classes") \(list(users.map { quoted($0) })).")
    }
  }
}

extension KeymapFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .unknownKeymap(let name):
      FaultRow(
        .unknownKeymap,
        "There is no keymap \(quoted(name)); GET /keymaps lists those that there are.")
    }
  }
}

extension StoryboardDeclarationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .duplicateStoryboard(let name):
      FaultRow(
        .duplicateDeclaration,
        "The storyboard \(quoted(name)) is declared already, and differently; delete it first, or "
          + "choose another name.")
    case .unknownStoryboard(let name):
      FaultRow(
        .unknownStoryboard,
        "There is no storyboard \(quoted(name)); GET /storyboards lists those that are declared.")
    case .unknownScene(let storyboard, let scene):
      FaultRow(
        .unresolvedReference, "The storyboard \(quoted(storyboard)) has no scene \(quoted(scene)).")
    case .relationshipCycle(let path):
      FaultRow(
        .invalidBody,
        "The scenes \(path.map { quoted($0) }.joined(separator: " → ")) would be instantiated "
          + "with themselves without end.")
    case .scenesTooDeep(let limit):
      FaultRow(
        .invalidBody,
        "Scenes are instantiated with each other more than \(limit) deep; make the relationships "
          + "flatter.")
    }
  }
}

extension SceneDeclarationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .duplicateSegue(let scene, let identifier):
      FaultRow(
        .invalidBody,
        "Two segues of the scene \(quoted(scene)) have the identifier \(quoted(identifier)); give "
          + "one of them another.")
    case .duplicateView(let scene, let name):
      FaultRow(
        .invalidBody,
        "Two views of the scene \(quoted(scene)) are called \(quoted(name)); give one of them "
          + "another id.")
    case .undeclaredClass(let scene, let name):
      FaultRow(
        .unresolvedReference,
        "The class \(quoted(name)) in the scene \(quoted(scene)) is not declared.")
    case .notAViewController(let scene, let name):
      FaultRow(
        .invalidBody,
        "The scene \(quoted(scene)) is of the class \(quoted(name)), which does not inherit from "
          + "'UIViewController'.")
    case .tooManyColumns(let scene, let count):
      FaultRow(
        .invalidBody,
        "The scene \(quoted(scene)) is a split view controller, which has two columns at most, not "
          + "\(count).")
    }
  }
}

extension DeclarationFault {
  /// The contradiction in the words for authors of files, who delete declarations by editing.
  package var sentenceInFile: String {
    switch self {
    case .command(.duplicateCommand(let id)):
      "The command \(quoted(id)) is declared already, and differently; change one of them, or give it "
        + "another id."
    default: sentence
    }
  }
}

extension ClassDeclarationFault {
  private func unknownSuperclass(
    _ name: ClassName, _ superclass: ClassName, known: [String]
  ) -> String {
    let shown = known.prefix(40).map { quoted($0) }
    let more = known.count - shown.count
    return "The class \(quoted(name)) inherits from \(quoted(superclass)), which is not declared"
      + (suggestion(for: superclass.rawValue, among: known) ?? ".")
      + " There are \(list(shown + (more > 0 ? ["\(more) more"] : [])))."
  }
}

extension LintWarning {
  /// The rule and the warning, as a sentence: `V10 talksThroughDelegate: …`.
  package var sentence: String { "V10 \(finding.rule.rawValue): \(finding.clause)" }
}

extension LintWarning.Finding {
  fileprivate var clause: String {
    switch self {
    case .unprepared(let segue, let source, let destination, let properties):
      "The segue \(quoted(segue)) leads to \(quoted(destination)), which reads "
        + "\(list(properties.map { quoted($0) })); let \(quoted(source)) set "
        + "\(properties.count == 1 ? "it" : "them") when it prepares, or declare a default."
    case .namesSource(let scene, let className, let source):
      "\(quoted(scene)) names \(quoted(className)), the class of its source \(quoted(source)); a "
        + "destination should work for any source."
    case .talksBack(let scene, let source):
      "\(quoted(scene)) sends a message to its source \(quoted(source)) itself; let it have a "
        + "delegate, and send it there."
    case .writesSource(let scene, let source):
      "\(quoted(scene)) writes properties of its source \(quoted(source)) itself; let it have a "
        + "delegate, and send a message there."
    case .stranger(let scene, let other):
      "\(quoted(scene)) names \(quoted(other)), which it neither makes nor stands beside."
    }
  }
}

extension DeadCoordinator {
  /// The coordinator and the reason why it cannot be reached, as a sentence.
  package var sentence: String {
    "Nothing reaches the coordinator \(quoted(coordinator)): \(reason.clause)."
  }
}

extension DeadCoordinator.Reason {
  fileprivate var clause: String {
    switch self {
    case .noRootViewController: "it has no root view controller"
    case .rootUnowned: "nobody owns its root view controller"
    case .parentNotStarted: "its parent is not started"
    }
  }
}

extension MissingMember {
  /// The missing member, as a sentence.
  package var sentence: String {
    let name = (["state"] + path.tokens).joined(separator: ".")
    return "The rule reads \(quoted(name)), which a session does not have as it begins"
      + (suggestion(for: path.tokens.last ?? "", among: present) ?? ".")
  }
}
