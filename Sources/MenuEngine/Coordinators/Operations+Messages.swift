import JSONText

/// Operations on queued messages (C6), and on the message that a handler performs.
extension Operations {
  static let ofMessages: [any AnyOperation] = [
    processMessages, removeQueuedMessages, send, handleAction, answer, callSuper, passOn, builtIn,
  ]

  static let processMessages = Operation(
    "processMessages", needs: .declare, about: "Sends the queued messages (C6).", limit,
    traits: .sends
  ) { (performer: inout Performer, limit) throws(MutationFault) in
    let isWhole = !performer.phase.isInHandler
    let processed = try performer.processMessages(limit: limit, isWhole: isWhole)
    if isWhole { performer.outcome.processed = processed }
  }

  static let removeQueuedMessages = Operation(
    "removeQueuedMessages", needs: .declare, about: "Removes queued messages (C6).",
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
    if answers { invocation.result = answer }
  }

  static let handleAction = Operation(
    effect: "handleAction", about: "Passes the sender to the receiver's coordinator (F8)."
  ) { (performer: inout Performer, scope, invocation: inout Invocation) throws(MutationFault) in
    let host = scope.responder
    guard performer.session.graph[host]?.coordinator != nil else {
      throw scope.attributed(.handler(.noCoordinator(host)))
    }
    _ = try performer.handleAction(&invocation, to: .forwarder(host: host), with: host)
  }

  static let answer = Operation(
    effect: "answer", about: "Answers the message (F9).",
    Member("value", .json, about: "The answer.")
  ) { (_: inout Performer, _, invocation: inout Invocation, value) throws(MutationFault) in
    invocation.result = value
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
  /// Sends the first queued messages, by default all now in the queue (C6).
  package static func processMessages(limit: Int? = nil) -> Mutation {
    Mutation(Operations.processMessages, limit)
  }

  /// Removes the first queued messages without sending them, by default all (C6).
  package static func removeQueuedMessages(limit: Int? = nil) -> Mutation {
    Mutation(Operations.removeQueuedMessages, limit)
  }
}

extension Effect {
  /// Runs a method of a built-in class; it has no document.
  static func builtIn(_ method: BuiltInMethod) -> Effect { Effect(Operations.builtIn, method) }

  /// The method of a built-in class that it runs.
  var builtInMethod: BuiltInMethod? {
    let term: Term<BuiltInMethod>? = terms(of: Operations.builtIn)?.terms
    guard case .value(let method)? = term else { return nil }
    return method
  }
}

/// A queued message and the outcome of sending it (C6).
package struct ProcessedMessage: Equatable, Sendable {
  package let request: MessageRequest
  package let outcome: MessageOutcome
}

/// The queue of a session's messages (C6), first in first out.
package struct MessageQueue: Equatable, Sendable, Codable {
  /// The messages; the first one is processed next.
  package private(set) var messages: [MessageRequest] = []
  /// The sizes of their arguments, each as `JSON.fits(depth:size:)` counts it.
  private var sizes: [Int] = []

  package var count: Int { messages.count }

  /// Appends a message.
  ///
  /// - Throws: `MutationFault.messageQueueFull` beyond `Limits.queuedMessages` messages or a total of
  ///   `Limits.queueSize`; `.tooLarge` for arguments that are too deep.
  mutating func append(_ request: MessageRequest) throws(MutationFault) {
    let size = try Self.size(of: request)
    guard messages.count < Limits.queuedMessages,
      sizes.reduce(size, +) <= Limits.queueSize
    else { throw .message(.messageQueueFull(count: messages.count)) }
    messages.append(request)
    sizes.append(size)
  }

  /// Removes and returns the first messages, by default all.
  mutating func removeFirst(_ limit: Int?) -> [MessageRequest] {
    let count = min(limit ?? messages.count, messages.count)
    let first = Array(messages.prefix(count))
    messages.removeFirst(count)
    sizes.removeFirst(count)
    return first
  }

  private static func size(of request: MessageRequest) throws(MutationFault) -> Int {
    var left = Limits.queueSize
    for argument in request.arguments ?? [] {
      switch argument.spend(depth: Limits.depth, size: &left) {
      case .fits: break
      case .tooDeep, .tooLarge: throw .tooLarge(limit: Limits.queueSize)
      }
    }
    return Limits.queueSize - left
  }
}

extension Performer {
  /// Appends a message to the queue (C6); it is not sent yet.
  mutating func enqueue(_ request: MessageRequest) throws(MutationFault) -> MessageOutcome {
    try session.check(request.from)
    try session.messageQueue.append(request.waiting)
    changes.append(.messageQueue(count: session.messageQueue.count, added: [request.waiting]))
    trace.note(.queued, .responder(request.from), about: request.message, answer: true)
    return MessageOutcome(reason: .queued, receiver: nil, answer: .null)
  }

  /// Sends the queued messages in order, by default all (C6).
  ///
  /// Messages queued meanwhile wait for the next call, as does a nested call from a message being processed.
  ///
  /// - Parameter isWhole: True if each message can have as many effects as a command; by default they count
  ///   together with those of the calling handler.
  /// - Throws: `MutationFault.queuedMessage` if one cannot be sent; all stay queued then.
  mutating func processMessages(
    limit: Int?, isWhole: Bool = false
  ) throws(MutationFault) -> [ProcessedMessage] {
    let processed = try once(.processingMessages) { (performer) throws(MutationFault) in
      try performer.processWaiting(limit: limit, isWhole: isWhole)
    }
    return processed ?? []
  }

  private mutating func processWaiting(
    limit: Int?, isWhole: Bool
  ) throws(MutationFault) -> [ProcessedMessage] {
    let waiting = session.messageQueue.removeFirst(limit)
    guard !waiting.isEmpty else { return [] }
    changes.append(
      .messageQueue(count: session.messageQueue.count, removed: waiting.count))
    var processed: [ProcessedMessage] = []
    for (index, request) in waiting.enumerated() {
      if isWhole { effectCount = 0 }
      do throws(MutationFault) {
        processed.append(ProcessedMessage(request: request, outcome: try process(request)))
      } catch {
        throw .message(.queuedMessage(index: index, request.message, from: request.from, error))
      }
    }
    return processed
  }

  /// Sends a queued message with a trace of its own; its sender may have been removed.
  private mutating func process(_ request: MessageRequest) throws(MutationFault) -> MessageOutcome {
    try effort.check()
    var whole = Trace(isRecording: trace.isRecording)
    swap(&whole, &trace)
    var outcome: MessageOutcome
    if !session.graph.contains(request.from) {
      trace.note(.senderGone, .responder(request.from), about: request.message, answer: true)
      outcome = MessageOutcome(reason: .senderGone, receiver: nil, answer: .null)
    } else {
      outcome = try deliver(request)
    }
    outcome.trace = trace
    whole.append(trace)
    trace = whole
    return outcome
  }
}

extension Inquiry {
  /// Returns the consumer of a message (C2): the first implementer from `start` up the coordinating chain.
  ///
  /// **Decision:** only the implementation counts, as for any message; `canPerform` is about actions and is not
  /// evaluated.
  mutating func coordinatingSearch(for message: Selector, from start: ResponderID) -> Search {
    var current: ResponderID? = start
    var met: Set<ResponderID> = []
    askedProxies = []
    while let id = current, let position = session.graph.position(of: id) {
      guard met.insert(id).inserted else {
        trace.note(.cycle, .responder(id), answer: .bool(true))
        return .cycle
      }
      effort.spend(trace.isRecording ? 2 * Effort.traceStep : 1)
      if let target = implementer(at: position, of: message) { return .found(target) }
      current = coordinatingNext(of: id)
    }
    trace.note(.notHandled, .responder(start), about: message, answer: .null)
    return .nobody(nil)
  }

  /// Returns the consumer of a message that a responder passes on.
  mutating func coordinatingSearch(for message: Selector, after id: ResponderID) -> Search {
    guard let next = coordinatingNext(of: id) else {
      trace.note(.notHandled, .responder(id), about: message, answer: .null)
      return .nobody(nil)
    }
    return coordinatingSearch(for: message, from: next)
  }

  /// Returns the responder at a position if it implements a message itself, by its class, or as a proxy of one
  /// that does (L8).
  private mutating func implementer(at position: Int, of message: Selector) -> Target? {
    let id = session.graph.responders[position].id
    var target = implementation(of: message, at: position)
      .map { Target(receiver: .responder(id), handler: $0) }
    if target == nil, session.graph.responders[position].proxy != nil {
      target = proxyImplementer(of: id, for: message)
    }
    trace.note(.implements, .responder(id), about: message, answer: .bool(target != nil))
    return target
  }

  private mutating func coordinatingNext(of id: ResponderID) -> ResponderID? {
    let step = session.graph.coordinatingStep(from: id)
    trace.note(.coordinatingNext, .responder(id), answer: step.json)
    return step.next
  }
}

extension CoordinatingStep {
  /// The step as an answer in a trace.
  fileprivate var json: JSON {
    switch self {
    case .to(let id, by: let link):
      ["responder": .string(id.rawValue), "link": .string(link.rawValue)]
    case .cut(let id, by: let link):
      [
        "responder": .string(id.rawValue), "link": .string(link.rawValue), "isResponder": false,
      ]
    case .end: .null
    }
  }
}

extension Session {
  /// Returns the consumer of a message from a responder (C2), with the trace; nothing is performed.
  ///
  /// - Throws: `MutationFault.unknownResponder`.
  package func coordinatingTarget(
    for message: Selector, from: ResponderID, in catalog: Catalog, by actor: Principal = .local,
    spending effort: Effort = Effort()
  ) throws(MutationFault) -> TargetAnswer {
    try check(from)
    var inquiry = inquiry(
      in: SessionContext(catalog, effort: effort, isExplaining: true, actor: actor))
    let search = inquiry.coordinatingSearch(for: message, from: from)
    return TargetAnswer(search, trace: inquiry.trace)
  }
}
