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
      trace.note(.resolveInstanceMethod, forwarder, about: selector, answer: .bool(false))
      trace.note(.forwardingTarget, forwarder, about: selector, answer: .null)
      trace.note(.methodSignature, forwarder, about: selector, answer: catchAll)
      trace.note(.forwardInvocation, forwarder, about: selector, answer: catchAll)
      invocation.selector = .handleAction
    }
    trace.note(
      .invoke, forwarder, about: .handleAction, answer: .string(Selector.handleAction.rawValue))
    return try handleAction(&invocation, to: forwarder, with: host)
  }

  /// Runs the coordinator's handler for the sender's own action (F5); nothing, and an answer of
  /// false, when there is none (any more) (F6).
  mutating func handleAction(
    _ invocation: inout Invocation, to receiver: Receiver, with host: ResponderID
  ) throws(MutationFault) -> Bool {
    guard let action = invocation.sender?.action else {
      throw .senderCarriesNoAction(receiver, invocation.originalSelector)
    }
    guard let registration = session.graph[host]?.coordinator?[action] else {
      trace.note(.handler, receiver, about: action, answer: .null)
      return false
    }
    trace.note(.handler, receiver, about: action, answer: .string(action.rawValue))
    let method = RunningMethod(action, of: host, receivedBy: receiver)
    try run(registration.handler, as: method, &invocation)
    return true
  }
}
