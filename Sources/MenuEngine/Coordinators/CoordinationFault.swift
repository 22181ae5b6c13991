/// A reason why a coordinator cannot do what it is told (C4, C5).
public enum CoordinationFault: Error, Equatable, Sendable {
  /// The responder is no coordinator.
  case notACoordinator(ResponderID)
  /// The coordinator keeps no list of view controllers.
  case notANavigationCoordinator(ResponderID)
  /// The coordinator has no root view controller, or that one is gone.
  case noRoot(ResponderID)
  /// The coordinator is nobody's child.
  case noParent(ResponderID)
  /// A coordinator has two children of the same identifier.
  case identifierTaken(ResponderID, CoordinatorIdentifier, of: ResponderID, by: ResponderID)
  /// A coordinator lists a view controller that is not there.
  case unknownViewController(ResponderID, of: ResponderID)
  /// A coordinator lists what is no view controller.
  case notAViewController(ResponderID, ResponderKind, of: ResponderID)
  /// A coordinator lists a view controller twice.
  case repeated(ResponderID, of: ResponderID)
}

extension CoordinationFault {
  /// The coordinator or view controller to blame, and the place in a session document.
  var blame: Blame {
    switch self {
    case .notACoordinator(let id): Blame(id, at: Blame.responder(id))
    case .notANavigationCoordinator(let id):
      Blame(id, at: Blame.responder(id, ["coordinating", "kind"]))
    case .noRoot(let id):
      Blame(id, at: Blame.responder(id, ["coordinating", "rootViewController"]))
    case .noParent(let id): Blame(id, at: Blame.responder(id, ["parentCoordinator"]))
    case .identifierTaken(let id, _, of: _, by: _):
      Blame(id, at: Blame.responder(id, ["coordinating", "identifier"]))
    case .unknownViewController(let id, of: let holder),
      .notAViewController(let id, _, of: let holder), .repeated(let id, of: let holder):
      Blame(id, at: Blame.responder(holder, ["coordinating", "viewControllers"]))
    }
  }

  /// The place in the responder's document, as a pointer's tokens.
  public var path: [String] { Array(blame.place.dropFirst(2)) }
}
