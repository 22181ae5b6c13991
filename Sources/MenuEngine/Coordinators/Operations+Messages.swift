public import JSONText

/// Operations on the messages that wait (C6), and those on the message that a handler performs.
extension Operations {
  static let ofMessages: [any AnyOperation] = [
    processMessages, removeQueuedMessages, send, handleAction, answer, callSuper, passOn, builtIn,
  ]

  static let processMessages = Operation(
    "processMessages", about: "Sends the queued messages (C6).", limit, traits: .sends
  ) { (performer: inout Performer, limit) throws(MutationFault) in
    let isWhole = !performer.phase.isInHandler
    let processed = try performer.processMessages(limit: limit, isWhole: isWhole)
    if isWhole { performer.outcome.processed = processed }
  }

  static let removeQueuedMessages = Operation(
    "removeQueuedMessages", about: "Removes queued messages (C6).",
    limit
  ) { (performer: inout Performer, limit) throws(MutationFault) in
    let removed = performer.session.messageQueue.removeFirst(limit).count
    guard removed > 0 else { return }
    performer.changes.append(
      .messageQueue(count: performer.session.messageQueue.count, removed: removed))
  }

  static let send = Operation(
    effect: "send", about: "Sends an action, on the chain or to a receiver (R7).",
    Member("action", .selector, about: "The action."),
    Member(
      optional: "to", .receiver,
      about: "The receiver. The default is the target that the chain has for it."
    ),
    Member(optional: "arguments", .arguments, about: "The arguments."),
    Member(
      "answers", .flag("Answers"), about: "True if what it answers is the answer.", default: false)
  ) {
    (
      performer: inout Performer, scope, invocation: inout Invocation, action, to, arguments,
      answers
    )
      throws(MutationFault) in
    let answer = try performer.send(action, to: to, arguments: arguments, in: scope)
    if answers { invocation.setResult(answer) }
  }

  static let handleAction = Operation(
    effect: "handleAction", about: "Passes the sender to the receiver's coordinator (F8)."
  ) { (performer: inout Performer, scope, invocation: inout Invocation) throws(MutationFault) in
    let host = scope.responder
    guard performer.session.graph[host]?.coordinator != nil else {
      throw scope.attributed(.noCoordinator(host))
    }
    _ = try performer.handleAction(&invocation, to: .forwarder(host: host), with: host)
  }

  static let answer = Operation(
    effect: "answer", about: "Answers the message (F9).",
    Member("value", .json, about: "The answer.")
  ) { (_: inout Performer, _, invocation: inout Invocation, value) throws(MutationFault) in
    invocation.setResult(value)
  }

  static let callSuper = Operation(
    effect: "super",
    about:
      "Runs the next implementation of the selector above this one; answers its answer (A2).",
    arguments
  ) {
    (performer: inout Performer, scope, invocation: inout Invocation, arguments)
      throws(MutationFault) in
    try performer.callSuper(with: arguments, in: scope, &invocation)
  }

  static let passOn = Operation(
    effect: "continue",
    about: "Runs the next implementation up the coordinating chain, here (C2).",
    arguments
  ) {
    (performer: inout Performer, scope, invocation: inout Invocation, arguments)
      throws(MutationFault) in
    let continuation = Continuation(arguments ?? invocation.arguments, scope)
    try performer.goOn(with: continuation, met: scope.met, &invocation)
  }

  static let builtIn = Operation(
    effect: "builtIn", about: "Does what the method of a built-in class does.",
    Member("method", MemberType<BuiltInMethod>.builtInMethod, about: "The method."),
    traits: [.changesScreen, .isInternal]
  ) {
    (performer: inout Performer, scope, invocation: inout Invocation, method)
      throws(MutationFault) in
    try performer.run(method, in: scope, &invocation)
  }

  private static let limit = Member(
    optional: "limit", MemberType<Int>.count(),
    about: "How many, from the first one on. The default is all.")
  private static let arguments = Member(
    optional: "arguments", MemberType<[JSON]>.arguments,
    about: "The arguments. The default is those of the message.")
}

extension MemberType where Value == BuiltInMethod {
  static var builtInMethod: MemberType {
    MemberType("Text", read: Read.word, write: { .string($0.rawValue) })
  }
}

extension Mutation {
  /// Sends the first messages that wait, by default all that wait now (C6).
  public static func processMessages(limit: Int? = nil) -> Mutation {
    Mutation(Operations.processMessages, limit)
  }

  /// Takes the first messages that wait out without sending them, by default all (C6).
  public static func removeQueuedMessages(limit: Int? = nil) -> Mutation {
    Mutation(Operations.removeQueuedMessages, limit)
  }
}

extension Effect {
  /// Sends an action, on the chain or to a receiver (R7). Without arguments the sender is the first
  /// one, and the others are null.
  ///
  /// With `answers`, its answer is the answer to the present message; null when nobody receives it.
  public static func send(
    _ action: Selector, to: Receiver? = nil, arguments: [JSON]? = nil, answers: Bool = false
  ) -> Effect {
    Effect(Operations.send, action, to, arguments, answers)
  }

  /// Passes the sender to the receiver's own coordinator (F8).
  public static var handleAction: Effect { Effect(Operations.handleAction) }

  /// Answers the message (F9): the invocation's result.
  public static func answer(_ value: JSON) -> Effect { Effect(Operations.answer, value) }

  /// Runs the next implementation of the same selector above this one (A2), and answers what it
  /// answers. The default are the same arguments.
  public static func callSuper(arguments: [JSON]? = nil) -> Effect {
    Effect(Operations.callSuper, arguments)
  }

  /// Runs the next implementation above on the coordinating chain here and now (C2). The default are
  /// the same arguments.
  public static func passOn(arguments: [JSON]? = nil) -> Effect {
    Effect(Operations.passOn, arguments)
  }

  /// The method of a built-in class; no document describes it.
  static func builtIn(_ method: BuiltInMethod) -> Effect { Effect(Operations.builtIn, method) }

  /// The method of a built-in class that it is.
  var builtInMethod: BuiltInMethod? {
    let term: Term<BuiltInMethod>? = terms(of: Operations.builtIn)?.terms
    guard case .value(let method)? = term else { return nil }
    return method
  }
}
