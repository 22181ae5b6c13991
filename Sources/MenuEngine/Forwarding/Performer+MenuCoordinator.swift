import JSONText

extension Performer {
  /// The catch-all (F5): whatever the selector, the forwarder has the signature of `handleAction:`,
  /// to which the invocation is changed.
  mutating func forward(
    _ invocation: inout Invocation, to forwarder: Receiver, _ host: ResponderID
  ) throws(MutationFault) -> Bool {
    let selector = invocation.selector
    if selector != .handleAction {
      let catchAll = JSON.string(Selector.handleAction.rawValue)
      trace.note(.resolveInstanceMethod, forwarder, about: selector, .bool(false))
      trace.note(.forwardingTarget, forwarder, about: selector, .null)
      trace.note(.methodSignature, forwarder, about: selector, catchAll)
      trace.note(.forwardInvocation, forwarder, about: selector, catchAll)
      invocation.selector = .handleAction
    }
    trace.note(.invoke, forwarder, about: .handleAction, .string(Selector.handleAction.rawValue))
    return try handleAction(&invocation, forwarder, host)
  }

  /// Runs the coordinator's handler for the sender's own action (F5); nothing, and an answer of
  /// false, when there is none (any more) (F6).
  mutating func handleAction(
    _ invocation: inout Invocation, _ receiver: Receiver, _ host: ResponderID
  ) throws(MutationFault) -> Bool {
    guard let action = invocation.sender?.action else {
      throw .senderCarriesNoAction(receiver, invocation.originalSelector)
    }
    guard let registration = session.graph[host]?.coordinator?[action] else {
      trace.note(.handler, receiver, about: action, .null)
      return false
    }
    trace.note(.handler, receiver, about: action, .string(action.rawValue))
    try run(registration.handler, of: action, for: host, receiver, &invocation)
    return true
  }
}
