import JSONText

/// Operations on delegates, and messages to them and up the coordinating chain (C2, C6, V7).
extension Operations {
  static let setDelegate = Operation(
    "setDelegate", needs: .declare, about: "Sets or clears the delegate of a responder (V7).",
    Member(receiver: "responder", about: "The responder that has the delegate."),
    Member("delegate", delegateType, about: "The delegate; null for none."), traits: .changesScreen
  ) { (performer: inout Performer, holder, delegate) throws(MutationFault) in
    try performer.setDelegate(of: holder, to: delegate)
  }

  static let delegate = Operation(
    "delegate", needs: .declare,
    about:
      "The short name of `setDelegate` (V7).",
    Member(receiver: "of", about: "The responder that has the delegate."),
    Member("to", delegateType, about: "The delegate; null for none."), uses: .effect,
    traits: .changesScreen
  ) { (performer: inout Performer, holder, delegate) throws(MutationFault) in
    try performer.setDelegate(of: holder, to: delegate)
  }

  static let message = Operation(
    "message", needs: .declare, about: "Sends a message, or queues it (C2, C6, V7).",
    Member("request", .messageRequest),
    uses: .mutation, traits: .sends
  ) { (performer: inout Performer, request) throws(MutationFault) in
    performer.outcome.message = try performer.deliver(request)
  }

  static let messageInEffect = Operation(
    effect: "message", about: "Sends a message, or queues it (C2, C6, V7).",
    Member("message", .selector, about: "The selector of the message."),
    Member(receiver: "from", about: "The responder that sends it. The default is the receiver."),
    Member(optional: "arguments", .arguments, about: "The arguments."),
    Member("to", .destination, about: "Whom it is sent to.", default: .chain),
    Member(
      "answers", .flag("Answers"), about: "True if what it answers is the answer.", default: false),
    Member(
      "queue", .flag("Queued"), about: "True if it waits until messages are processed.",
      default: false),
    traits: .changesScreen,
    check: checkAnswersOfQueued
  ) {
    (
      performer: inout Performer, scope, invocation: inout Invocation, message, from, arguments, to,
      answers, queue
    ) throws(MutationFault) in
    let request = MessageRequest(
      message: message, from: from, destination: to, arguments: arguments, when: invocation.when,
      isQueued: queue)
    var outcome: MessageOutcome?
    try performer.attributing(scope) { (performer) throws(MutationFault) in
      outcome = try performer.deliver(request)
    }
    if answers, let outcome { invocation.result = outcome.answer }
  }

  private static let delegateType =
    MemberType<ResponderID>.responder.naming(.receiver).nullable("OptionalIdentifier")
}

extension Operations {
  /// Rejects `answers` for a queued message.
  private static func checkAnswersOfQueued(_ reader: ObjectReader) {
    guard reader.value("answers") == true, reader.value("queue") == true else { return }
    reader.log.note(.conflictingMembers("answers", "queue"), at: reader.pointer)
  }
}

extension MemberType where Value == MessageRequest {
  static var messageRequest: MemberType {
    MemberType(
      [
        MemberDescription(
          "message", "Selector", isRequired: true, about: "The selector of the message."),
        MemberDescription(
          "from", "Identifier", isRequired: true, about: "The responder that sends it."),
        MemberDescription("to", "MessageDestination", about: "Whom it is sent to."),
        MemberDescription("arguments", "Arguments", about: "The arguments."),
        MemberDescription("when", "Time", about: "When it is sent. The default is now."),
        MemberDescription("queue", "Flag", about: "True if it waits until messages are processed."),
      ], read: { MessageRequest(&$0) }, write: \.members, dated: { $0.dated($1) })
  }
}

extension Mutation {
  /// Sends or queues a message (C2, C6, V7).
  package static func message(_ request: MessageRequest) -> Mutation {
    Mutation(Operations.message, request)
  }
}

extension Performer {
  /// Sends a message to its sender's delegate (V7).
  ///
  /// A required message is delivered like any other (F4); an optional one only if the delegate implements it. A
  /// class without a protocol can send its delegate any message, as optional (a decision).
  ///
  /// - Throws: `MutationFault.storyboard` with `.messageOutsideProtocol`, and the faults of delivering.
  mutating func sendToDelegate(
    _ request: MessageRequest, sender: Sender?
  ) throws(MutationFault) -> MessageOutcome {
    let (holder, message) = (request.from, request.message)
    guard let responder = session.graph[holder] else { throw .unknownResponder(holder) }
    let declared = catalog.delegateProtocol(of: responder.className)
    if let declared, !declared.contains(message) {
      throw .delegate(.messageOutsideProtocol(message, of: holder, declared.name))
    }
    guard let delegate = responder.links[.delegate] else {
      trace.note(.messageDelegate, .responder(holder), about: message, answer: .null)
      return MessageOutcome(reason: .noDelegate, receiver: nil, answer: .null)
    }
    trace.note(
      .messageDelegate, .responder(holder), about: message, answer: .string(delegate.rawValue))
    if declared?.required.contains(message) != true {
      let inquiry = session.inquiry(in: context)
      let responds = inquiry.delivery(of: message, to: delegate) != nil
      trace.note(.respondsToSelector, .responder(delegate), about: message, answer: .bool(responds))
      guard responds else {
        return MessageOutcome(reason: .notImplemented, receiver: delegate, answer: .null)
      }
    }
    let given = request.arguments ?? message.arguments(beginningWith: .string(holder.rawValue))
    let invocation = try send(
      message, to: .responder(delegate), arguments: given,
      sending: Sending(by: sender, when: request.when))
    return MessageOutcome(reason: .delivered, receiver: delegate, answer: invocation.answer)
  }

  /// Sets the delegate of a responder, or clears the link (V7).
  mutating func setDelegate(
    of holder: ResponderID, to delegate: ResponderID?
  ) throws(MutationFault) {
    changes += try session.setDelegate(of: holder, to: delegate, in: catalog)
  }
}

extension Selector {
  /// Returns as many arguments as it has colons: the first one, then nulls.
  func arguments(beginningWith first: JSON) -> [JSON] {
    argumentCount == 0 ? [] : [first] + Array(repeating: .null, count: argumentCount - 1)
  }
}

extension Session {
  /// Sets the delegate of a responder, or clears the link (V7).
  ///
  /// - Throws: `MutationFault` for a holder that cannot have a delegate, and a delegate that is missing or
  ///   lacks a required message.
  mutating func setDelegate(
    of holder: ResponderID, to delegate: ResponderID?, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let responder = graph[holder] else { throw .unknownResponder(holder) }
    guard ResponderLink.delegate.holders.contains(responder.kind) else {
      throw .link(.noSuchLink(holder, .delegate, kind: responder.kind))
    }
    if let delegate, !graph.contains(delegate) { throw .unknownResponder(delegate) }
    guard responder.links[.delegate] != delegate else { return [] }
    try graph.setLink(.delegate, of: holder, to: delegate)
    try checkDelegate(of: holder, in: catalog)
    return [.link(holder, .delegate, delegate)]
  }

  /// Throws if a delegate lacks a message that its protocol requires (V7).
  func checkDelegate(of holder: ResponderID, in catalog: Catalog) throws(MutationFault) {
    guard let responder = graph[holder],
      let broken = brokenDelegate(of: responder, in: catalog)
    else { return }
    throw .delegate(
      .delegateLacks(
        broken.missing, delegate: broken.delegate, of: holder, broken.declared))
  }

  /// Throws if a handler to be removed is required of the responder as a delegate and no class of the responder
  /// has one (V7).
  func checkRequired(
    _ selector: Selector, of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) {
    let inquiry = inquiry(in: SessionContext(catalog))
    guard inquiry.delivery(of: selector, to: id) == nil else { return }
    for holder in graph.positionsOfHolders(of: id).map({ graph.responders[$0] }) {
      guard holder.links[.delegate] == id,
        let declared = catalog.delegateProtocol(of: holder.className),
        declared.required.contains(selector)
      else { continue }
      throw .delegate(.handlerRequired(selector, delegate: id, of: holder.id, declared.name))
    }
  }
}
