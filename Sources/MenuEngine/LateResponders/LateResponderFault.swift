/// A reason why a registry refuses a late responder (L2–L6).
package enum LateResponderFault: Error, Equatable, Sendable {
  /// No registry of late responders is found from the responder (L6).
  case noRegistry(ResponderID)
  /// A host lists a missing late responder.
  case unknownLateResponder(ResponderID, host: ResponderID)
  /// A host lists a late responder that is in another registry, or lists it twice.
  case lateResponderTaken(ResponderID, host: ResponderID, by: ResponderID)
  /// The weight of a responder cannot change while it is registered (L3).
  case weightFixed(ResponderID, Int, host: ResponderID)
  /// The registry of a late responder determines its successor (L2), so it cannot have its own `next`.
  case nextOfLateResponder(ResponderID, host: ResponderID)
}

extension LateResponderFault {
  /// The responder at fault, and its place in a session document.
  var blame: Blame {
    switch self {
    case .noRegistry(let id): Blame(id)
    case .unknownLateResponder(let id, let host), .lateResponderTaken(let id, let host, by: _):
      Blame(id, at: Blame.responder(host, ["lateResponders", "responders"]))
    case .weightFixed: Blame()
    case .nextOfLateResponder(let id, host: _): Blame(at: Blame.responder(id, ["next"]))
    }
  }
}
