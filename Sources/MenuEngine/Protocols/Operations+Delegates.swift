public import JSONText

/// Operations on delegates, and messages to them and up the coordinating chain (C2, C6, V7).
extension Operations {
  static let setDelegate = Operation(
    "setDelegate", about: "Sets or clears the delegate of a responder (V7).",
    Member(receiver: "responder", about: "The responder that has the delegate."),
    Member("delegate", delegateType, about: "The delegate; null for none."), traits: .changesScreen
  ) { (performer: inout Performer, holder, delegate) throws(MutationFault) in
    try performer.setDelegate(of: holder, to: delegate)
  }

  static let delegate = Operation(
    "delegate",
    about:
      "The short name of `setDelegate` (V7).",
    Member(receiver: "of", about: "The responder that has the delegate."),
    Member("to", delegateType, about: "The delegate; null for none."), uses: .effect,
    traits: .changesScreen
  ) { (performer: inout Performer, holder, delegate) throws(MutationFault) in
    try performer.setDelegate(of: holder, to: delegate)
  }

  static let message = Operation(
    "message", about: "Sends a message, or queues it (C2, C6, V7).",
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
      message, from: from, to: to, arguments: arguments, when: invocation.when, isQueued: queue)
    var outcome: MessageOutcome?
    try performer.attributing(scope) { (performer) throws(MutationFault) in
      outcome = try performer.deliver(request)
    }
    if answers, let outcome { invocation.setResult(outcome.answer) }
  }

  private static let delegateType =
    MemberType<ResponderID>.responder.naming(.receiver).nullable("OptionalIdentifier")
}

extension Operations {
  /// Refuses an answer of a message that waits.
  private static func checkAnswersOfQueued(_ reader: ObjectReader) {
    guard reader.value("answers") == true, reader.value("queue") == true else { return }
    reader.log.note(.conflictingMembers("answers", "queue"), at: reader.pointer)
  }
}

extension MemberType where Value == MessageRequest {
  /// A message to send, in several members.
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
  /// Makes a responder the delegate of another one, or nobody (V7).
  public static func setDelegate(_ delegate: ResponderID?, of holder: ResponderID) -> Mutation {
    Mutation(Operations.setDelegate, holder, delegate)
  }

  /// Sends a message, or lets it wait (C2, C6, V7).
  public static func message(_ request: MessageRequest) -> Mutation {
    Mutation(Operations.message, request)
  }
}

extension Effect {
  /// Sends a message, by default from the receiver, or lets it wait (C2, C6, V7).
  public static func message(
    _ message: Selector, _ destination: MessageRequest.Destination = .chain,
    from: ResponderID? = nil, arguments: [JSON]? = nil, answers: Bool = false, queue: Bool = false
  ) -> Effect {
    Effect(
      by: Operations.messageInEffect, .value(message), Term(orReceiver: from),
      .value(arguments), .value(destination), .value(answers), .value(queue))
  }
}
