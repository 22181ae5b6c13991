/// A reason why a link of a responder is invalid (R9).
package enum LinkFault: Error, Equatable, Sendable {
  /// There is no class of this name in the catalogue.
  case unknownClass(ResponderID, ClassName)
  /// A link to a missing responder.
  case danglingLink(ResponderID, ResponderLink, to: ResponderID)
  /// A link to a responder of a kind that it does not allow.
  case linkToOtherKind(ResponderID, ResponderLink, to: ResponderID, kind: ResponderKind)
  /// A root view or root view controller that has another owner already.
  case linkTaken(ResponderID, ResponderLink, to: ResponderID, by: ResponderID)
  /// A second application.
  case secondApplication(ResponderID, existing: ResponderID)
  /// The responder is of a kind that has no such link.
  case noSuchLink(ResponderID, ResponderLink, kind: ResponderKind)
  /// A cycle of links (R9), with the first responder repeated at the end.
  case cycle([ResponderID], along: ResponderLink)
  /// A cycle of the coordinating chain (C1), with the first responder repeated at the end.
  case coordinatingCycle([ResponderID])
  /// A parent coordinator that is not a coordinator (C3).
  case notCoordinating(ResponderID, parentOf: ResponderID)
}

extension LinkFault {
  /// The class or responder at fault, and its place in a session document.
  var blame: Blame {
    switch self {
    case .unknownClass(let id, let name): Blame(name, at: Blame.responder(id, ["class"]))
    case .danglingLink(let holder, let link, to: let id),
      .linkToOtherKind(let holder, let link, to: let id, kind: _),
      .linkTaken(let holder, let link, to: let id, by: _):
      Blame(id, at: Blame.responder(holder, link.path))
    case .secondApplication(let id, existing: _): Blame(id, at: Blame.responder(id))
    case .noSuchLink(let id, _, kind: _): Blame(id)
    case .cycle, .coordinatingCycle: Blame(at: ["responders"])
    case .notCoordinating(let id, parentOf: let holder):
      Blame(id, at: Blame.responder(holder, ["parentCoordinator"]))
    }
  }
}
