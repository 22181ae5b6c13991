import JSONText

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
  /// Returns the part of the responders' documents that is to blame.
  func place(in responders: JSONPointer) -> JSONPointer {
    JSONPointer(responders.tokens + [holder.rawValue] + path)
  }

  /// The responder whose document is to blame.
  private var holder: ResponderID {
    switch self {
    case .notACoordinator(let id), .notANavigationCoordinator(let id), .noRoot(let id),
      .noParent(let id), .identifierTaken(let id, _, of: _, by: _),
      .unknownViewController(_, of: let id), .notAViewController(_, _, of: let id),
      .repeated(_, of: let id):
      id
    }
  }

  /// The place in that document, as a pointer's tokens.
  public var path: [String] {
    switch self {
    case .notACoordinator: []
    case .notANavigationCoordinator: ["coordinating", "kind"]
    case .noRoot: ["coordinating", "rootViewController"]
    case .noParent: ["parentCoordinator"]
    case .identifierTaken: ["coordinating", "identifier"]
    case .unknownViewController, .notAViewController, .repeated:
      ["coordinating", "viewControllers"]
    }
  }
}
