import JSONText

extension Performer {
  /// Sends a message to the delegate of the responder that it is from (V7).
  ///
  /// One that the protocol requires is delivered as any message is (F4); of any other one the delegate
  /// is asked first whether it has a method. A class without a protocol can send its delegate anything,
  /// as optional (a decision).
  ///
  /// - Throws: `MutationFault.storyboard` with `.messageOutsideProtocol`, and what delivering throws.
  mutating func sendToDelegate(
    _ request: MessageRequest, sender: Sender?
  ) throws(MutationFault) -> MessageOutcome {
    let (holder, message) = (request.from, request.message)
    guard let responder = session.graph[holder] else { throw .unknownResponder(holder) }
    let declared = catalog.delegateProtocol(of: responder.className)
    if let declared, !declared.contains(message) {
      throw .storyboard(.messageOutsideProtocol(message, of: holder, declared.name))
    }
    guard let delegate = responder.links[.delegate] else {
      trace.note(.messageDelegate, .responder(holder), about: message, answer: .null)
      return MessageOutcome(reason: .noDelegate, receiver: nil, answer: .null)
    }
    trace.note(
      .messageDelegate, .responder(holder), about: message, answer: .string(delegate.rawValue))
    if declared?.required.contains(message) != true {
      let inquiry = session.inquiry(in: context)
      let responds = inquiry.implementation(of: message, in: delegate) != nil
      trace.note(.respondsToSelector, .responder(delegate), about: message, answer: .bool(responds))
      guard responds else {
        return MessageOutcome(reason: .notImplemented, receiver: delegate, answer: .null)
      }
    }
    let given = request.arguments ?? message.arguments(beginningWith: .string(holder.rawValue))
    var invocation = try Invocation(
      message, of: sender, to: .responder(delegate), arguments: given, when: request.when,
      in: session)
    _ = try deliver(&invocation, to: .responder(delegate))
    return MessageOutcome(reason: .delivered, receiver: delegate, answer: invocation.answer)
  }

  /// Makes a responder the delegate of another one, or clears the link (V7).
  mutating func setDelegate(
    of holder: ResponderID, to delegate: ResponderID?
  ) throws(MutationFault) {
    changes += try session.setDelegate(of: holder, to: delegate, in: catalog)
  }
}

extension Selector {
  /// As many arguments as it has colons: the first one, then nulls.
  func arguments(beginningWith first: JSON) -> [JSON] {
    argumentCount == 0 ? [] : [first] + Array(repeating: .null, count: argumentCount - 1)
  }
}

extension Session {
  /// Makes a responder the delegate of another one, or clears the link (V7).
  ///
  /// - Throws: `MutationFault` for a holder that has no delegate, and a delegate that is not there or
  ///   lacks a message that it must have.
  mutating func setDelegate(
    of holder: ResponderID, to delegate: ResponderID?, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let responder = graph[holder] else { throw .unknownResponder(holder) }
    guard ResponderLink.delegate.holders.contains(responder.kind) else {
      throw .noSuchLink(holder, .delegate, kind: responder.kind)
    }
    if let delegate, graph[delegate] == nil { throw .unknownResponder(delegate) }
    guard responder.links[.delegate] != delegate else { return [] }
    try graph.setLink(.delegate, of: holder, to: delegate)
    try checkDelegate(of: holder, in: catalog)
    return [.link(holder, .delegate, delegate)]
  }

  /// Refuses a delegate that lacks a message that its protocol requires (V7).
  func checkDelegate(of holder: ResponderID, in catalog: Catalog) throws(MutationFault) {
    guard let responder = graph[holder],
      let broken = brokenDelegate(of: responder, in: catalog)
    else { return }
    throw .storyboard(
      .delegateLacks(
        broken.missing, delegate: broken.delegate, of: holder, broken.declared))
  }

  /// Refuses to take a handler from a responder that is the delegate of another one, when the protocol
  /// requires it and no class of the responder has it (V7).
  func checkRequired(
    _ selector: Selector, of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) {
    let inquiry = inquiry(in: SessionContext(catalog))
    guard inquiry.implementation(of: selector, in: id) == nil else { return }
    for holder in graph.positionsOfHolders(of: id).map({ graph.responders[$0] }) {
      guard holder.links[.delegate] == id,
        let declared = catalog.delegateProtocol(of: holder.className),
        declared.required.contains(selector)
      else { continue }
      throw .storyboard(.handlerRequired(selector, delegate: id, of: holder.id, declared.name))
    }
  }
}
