import MenuEngine

extension DeclarationFault {
  /// The fault of a storyboard or protocol as a sentence; empty for other faults.
  var storyboardSentence: String {
    switch self {
    case .duplicateProtocol(let name):
      "The protocol \(quoted(name)) is declared already, and differently; delete it first, or choose "
        + "another name."
    case .repeatedMessage(let name, let message):
      "The protocol \(quoted(name)) has the message \(quoted(message)) twice."
    case .unknownProtocol(let name):
      "There is no protocol \(quoted(name)); GET /protocols lists those that are declared."
    case .undeclaredProtocol(let name, let other):
      "The delegates of the class \(quoted(name)) are of the protocol \(quoted(other)), which is not "
        + "declared."
    case .protocolInUse(let name, let users):
      "The protocol \(quoted(name)) is that of the delegates of the "
        + "\(users.count == 1 ? "class" : "classes") \(list(users.map { quoted($0) }))."
    case .duplicateStoryboard(let name):
      "The storyboard \(quoted(name)) is declared already, and differently; delete it first, or "
        + "choose another name."
    case .unknownStoryboard(let name):
      "There is no storyboard \(quoted(name)); GET /storyboards lists those that are declared."
    case .unknownScene(let storyboard, let scene):
      "The storyboard \(quoted(storyboard)) has no scene \(quoted(scene))."
    case .duplicateSegue(let scene, let identifier):
      "Two segues of the scene \(quoted(scene)) have the identifier \(quoted(identifier)); give one "
        + "of them another."
    case .duplicateView(let scene, let name):
      "Two views of the scene \(quoted(scene)) are called \(quoted(name)); give one of them another "
        + "id."
    case .relationshipCycle(let path):
      "The scenes \(path.map { quoted($0) }.joined(separator: " → ")) would be instantiated with "
        + "themselves without end."
    case .scenesTooDeep(let limit):
      "Scenes are instantiated with each other more than \(limit) deep; make the relationships "
        + "flatter."
    case .undeclaredClass(let scene, let name):
      "The class \(quoted(name)) in the scene \(quoted(scene)) is not declared."
    case .notAViewController(let scene, let name):
      "The scene \(quoted(scene)) is of the class \(quoted(name)), which does not inherit from "
        + "'UIViewController'."
    default: ""
    }
  }
}
