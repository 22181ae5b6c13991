import MenuEngine

extension CoordinationFault {
  /// The reason for which the coordinator does nothing, and the remedy, as a sentence.
  var sentence: String {
    switch self {
    case .notACoordinator(let id):
      "\(quoted(id)) is no coordinator; put it with a member 'coordinating'."
    case .notANavigationCoordinator(let id):
      "\(quoted(id)) keeps no list of view controllers, since it is no coordinator of kind "
        + "'navigation'."
    case .noRoot(let id):
      "The coordinator \(quoted(id)) has no root view controller; put it with one in "
        + "'coordinating/rootViewController'."
    case .noParent(let id):
      "The coordinator \(quoted(id)) is nobody's child; stop it by 'stopCoordinator'."
    case .identifierTaken(let id, let identifier, of: let parent, by: let other):
      "\(quoted(parent)) would have two children of the identifier \(quoted(identifier)): "
        + "\(quoted(other)) and \(quoted(id)). Give one of them another; "
        + "'startChildCoordinator' would replace the earlier one."
    case .unknownViewController(let id, of: let holder):
      "The coordinator \(quoted(holder)) lists \(quoted(id)), which the session does not have; "
        + "put that responder first."
    case .notAViewController(let id, let kind, of: let holder):
      "The coordinator \(quoted(holder)) lists \(quoted(id)), which is of kind '\(kind)'; only "
        + "view controllers can be in its list."
    case .repeated(let id, of: let holder):
      "The coordinator \(quoted(holder)) lists \(quoted(id)) twice."
    }
  }

  /// The kind of problem that a request with this fault meets.
  var type: ProblemType {
    switch self {
    case .unknownViewController: .unresolvedReference
    case .notACoordinator, .notANavigationCoordinator, .notAViewController, .repeated: .invalidBody
    case .noRoot, .noParent, .identifierTaken: .linkConflict
    }
  }
}
