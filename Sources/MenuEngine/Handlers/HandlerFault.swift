import JSONText

/// A reason why a handler is not put or removed.
package enum HandlerFault: Error, Equatable, Sendable {
  /// The responder has no handler of its own for the selector.
  case unknownHandler(ResponderID, Selector)
  /// The responder hosts no coordinator.
  case noCoordinator(ResponderID)
  /// The token owns nothing (any more).
  case unknownRegistration(ResponderID, token: Int)
  /// The responder stands for no other one.
  case notAProxy(ResponderID)
  /// A handler of a proxy has a `canPerform` rule, which nobody would ask (L8).
  case ruleOfProxy(ResponderID, Selector)
}

extension HandlerFault {
  /// The responder, selector or token to blame.
  var blame: Blame {
    switch self {
    case .unknownHandler(_, let selector): Blame(selector)
    case .noCoordinator(let id), .notAProxy(let id), .ruleOfProxy(let id, _): Blame(id)
    case .unknownRegistration(_, let token): Blame(.int(Int64(token)))
    }
  }
}
