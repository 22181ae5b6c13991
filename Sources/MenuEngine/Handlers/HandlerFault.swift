import JSONText

/// A reason why a handler cannot be added or removed.
package enum HandlerFault: Error, Equatable, Sendable {
  /// The responder has no handler of its own for the selector.
  case unknownHandler(ResponderID, Selector)
  /// The responder does not host a coordinator.
  case noCoordinator(ResponderID)
  /// The token has no registration, or no longer.
  case unknownRegistration(ResponderID, token: Int)
  /// The responder is not a proxy.
  case notAProxy(ResponderID)
  /// A handler of a proxy has a `canPerform` rule, which would never be evaluated (L8).
  case ruleOfProxy(ResponderID, Selector)
}

extension HandlerFault {
  /// The responder, selector or token at fault.
  var blame: Blame {
    switch self {
    case .unknownHandler(_, let selector): Blame(selector)
    case .noCoordinator(let id), .notAProxy(let id), .ruleOfProxy(let id, _): Blame(id)
    case .unknownRegistration(_, let token): Blame(.int(Int64(token)))
    }
  }
}
