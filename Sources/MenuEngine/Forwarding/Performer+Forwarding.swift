import JSONText

extension Performer {
  /// The method for a message to a responder (F4, F10): its own, else that of its forwarding target,
  /// else what its catch-all makes of the message. A proxy forwards to its responder (L9).
  mutating func method(
    for selector: Selector, of receiver: ResponderID
  ) throws(MutationFault) -> ResolvedMethod {
    let inquiry = session.inquiry(in: context)
    var met: Set<ResponderID> = []
    var (id, target) = (receiver, receiver)
    while met.insert(id).inserted {
      effort.spend(trace.isRecording ? 3 * Effort.traceStep : 1)
      try effort.check()
      if let handler = inquiry.implementation(of: selector, in: id) {
        return .found(handler, selector, of: id, to: target)
      }
      if session.graph[id]?.proxy != nil {
        guard let next = session.graph.link(.proxied, of: id) else { return .gone(proxy: id) }
        trace.note(
          .proxyForwarding, .responder(id), about: selector, answer: .string(next.rawValue))
        id = next
        continue
      }
      trace.note(.resolveInstanceMethod, .responder(id), about: selector, answer: .bool(false))
      guard let next = session.graph.link(.forwardingTarget, of: id) else {
        trace.note(.forwardingTarget, .responder(id), about: selector, answer: .null)
        return try catchAll(for: selector, of: id, to: target, inquiry)
      }
      trace.note(.forwardingTarget, .responder(id), about: selector, answer: .string(next.rawValue))
      (id, target) = (next, next)
    }
    trace.note(.cycle, .responder(id), answer: .bool(true))
    throw unrecognized(selector, by: id)
  }

  /// The catch-all of a responder, which changes the message to its own selector. A catch-all
  /// without a method of that name is asked only once.
  private mutating func catchAll(
    for selector: Selector, of id: ResponderID, to target: ResponderID, _ inquiry: Inquiry
  ) throws(MutationFault) -> ResolvedMethod {
    let receiver = Receiver.responder(id)
    guard let catchAll = session.graph[id]?.catchAll, catchAll.accepts(selector) else {
      trace.note(.methodSignature, receiver, about: selector, answer: .null)
      throw unrecognized(selector, by: id)
    }
    let signature = JSON.string(catchAll.selector.rawValue)
    trace.note(.methodSignature, receiver, about: selector, answer: signature)
    trace.note(.forwardInvocation, receiver, about: selector, answer: signature)
    guard let handler = inquiry.implementation(of: catchAll.selector, in: id) else {
      throw unrecognized(catchAll.selector, by: id)
    }
    return .found(handler, catchAll.selector, of: id, to: target)
  }

  private mutating func unrecognized(_ selector: Selector, by id: ResponderID) -> MutationFault {
    trace.note(.doesNotRecognizeSelector, .responder(id), about: selector, answer: .null)
    let registrations = session.graph[id]?.coordinator?.registrations ?? []
    return .doesNotRecognizeSelector(
      .responder(id), selector,
      isRegistered: registrations.contains { $0.selector == selector }, trace: trace)
  }
}
