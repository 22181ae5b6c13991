import JSONText

extension Performer {
  /// Sends a message to a responder that may implement it, as to a delegate (V7); answers what it
  /// answers, or nil when it does not implement it.
  mutating func ask(
    _ id: ResponderID?, _ selector: Selector, arguments: [JSON], sending: Sending
  ) throws(MutationFault) -> JSON? {
    try reply(of: id, selector, arguments: arguments, sending: sending)?.answer
  }

  /// Asks a responder that may implement the message a yes-or-no question (V9); answers nil when it does
  /// not implement it, or its handler answers nothing.
  ///
  /// - Throws: `MutationFault.wrongAnswer` for every other answer than true and false.
  mutating func askWhether(
    _ id: ResponderID?, _ selector: Selector, arguments: [JSON], sending: Sending
  ) throws(MutationFault) -> Bool? {
    guard let id, let reply = try reply(of: id, selector, arguments: arguments, sending: sending)
    else { return nil }
    return try reply.yesOrNo(of: id)
  }

  /// Sends a message to a responder that may implement it, and answers it as it is afterwards; nil when
  /// it does not implement it.
  private mutating func reply(
    of id: ResponderID?, _ selector: Selector, arguments: [JSON], sending: Sending
  ) throws(MutationFault) -> Invocation? {
    guard let id, session.graph[id] != nil else { return nil }
    let inquiry = session.inquiry(in: context)
    guard inquiry.implementation(of: selector, in: id) != nil else {
      trace.note(.optionalMessage, .responder(id), about: selector, answer: .null)
      return nil
    }
    var invocation = try Invocation(
      selector, of: sending.sender, to: .responder(id), arguments: arguments, when: sending.when,
      in: session)
    _ = try deliver(&invocation, to: .responder(id))
    trace.note(.optionalMessage, .responder(id), about: selector, answer: invocation.answer)
    return invocation
  }

  /// The target of an action on the actor chain (A1).
  mutating func actorTarget(
    for action: Selector, from id: ResponderID, sender: Sender?
  ) -> ResponderID? {
    let search = inquire(sender) { $0.actorSearch(for: action, from: id) }
    guard case .found(let target) = search else { return nil }
    return target.receiver.responder
  }

  /// Sends the same message, or another one with the same sender, to another responder; its answer
  /// becomes that of the message. Answers the message as it is afterwards.
  @discardableResult
  mutating func pass(
    _ invocation: inout Invocation, to id: ResponderID, as action: Selector? = nil,
    arguments: [JSON]? = nil
  ) throws(MutationFault) -> Invocation {
    var inner = try Invocation(
      action ?? invocation.selector, of: invocation.sender, to: .responder(id),
      arguments: arguments ?? invocation.arguments, when: invocation.when, in: session)
    if action == nil { inner.parameters = invocation.parameters }
    _ = try deliver(&inner, to: .responder(id))
    if inner.hasResult { invocation.setResult(inner.answer) }
    return inner
  }
}

extension Invocation {
  /// Returns the answer of a responder to a yes-or-no question (V9); nil for none.
  ///
  /// - Throws: `MutationFault.wrongAnswer`.
  func yesOrNo(of id: ResponderID) throws(MutationFault) -> Bool? {
    guard hasResult else { return nil }
    guard case .bool(let isYes) = answer else {
      throw .wrongAnswer(answer, of: id, selector, expected: .bool)
    }
    return isYes
  }
}
