import JSONText

/// Sends messages and makes their effects happen, on a copy of the session that replaces it when
/// all went well.
struct Performer {
  var session: Session
  let context: SessionContext
  var trace: Trace
  var changes: [Outcome.Change] = []
  /// The events, in order.
  var events: [Outcome.Event] = []
  /// The result of the mutation besides its changes and events.
  var outcome = Outcome()
  /// The answer of the operation that an effect does, when it has one.
  private var answer: JSON?
  /// The segue that rules see (V5).
  var segue: SegueInProgress?
  /// A window that is not visible yet (V1).
  var hiddenWindow: ResponderID?
  /// The window that is as if it were key for what is being done (R11); nil for the one that is.
  var window: ResponderID?
  var phase = Phase.acting(depth: 0)
  /// The responder whose undo manager registers what the mutations of a reply change (D2); nil otherwise.
  var replier: ResponderID?
  var underway: Set<Activity> = []
  var effectCount = 0
  /// The holdings of the session before.
  var before: Holdings

  /// A performer of what a session is told; it keeps a trace if the context wants one.
  init(_ session: Session, in context: SessionContext) {
    self.session = session
    self.context = context
    before = session.holdings
    trace = Trace(isRecording: context.isExplaining)
  }

  /// A performer that goes on from an inquiry.
  init(after inquiry: Inquiry) {
    session = inquiry.session
    before = session.holdings
    context = inquiry.context
    trace = inquiry.trace
    if let title = inquiry.sender?.title {
      session.nameUndoGroup(after: title, of: inquiry.sender?.command)
    }
  }

  var catalog: Catalog { context.catalog }
  var effort: Effort { context.effort }

  /// Sends a message to its target (F4): its method, else what it forwards to. Answers `enabled`
  /// when a handler ran, else why none did.
  ///
  /// - Throws: `MutationFault.doesNotRecognizeSelector` when there is neither.
  mutating func deliver(_ invocation: inout Invocation, to receiver: Receiver) throws(MutationFault)
    -> ValidationReason
  {
    try call(try method(for: invocation.selector, of: receiver), &invocation, to: receiver)
  }

  /// The method of a receiver for a message (F4).
  enum ResolvedMethod {
    /// A handler, the method that it is called as, who has it, and who received the message: the
    /// same, or a proxy of it (L11).
    case found(Handler, Selector, of: ResponderID, to: ResponderID)
    /// There is nobody any more behind a proxy (L10).
    case gone(proxy: ResponderID)
    case coordinator(host: ResponderID)
    /// The undo manager that a responder has records it (U3).
    case recorder(ResponderID)
  }

  mutating func method(
    for selector: Selector, of receiver: Receiver
  ) throws(MutationFault) -> ResolvedMethod {
    guard let responder = session.graph[receiver.responder] else {
      throw .unknownResponder(receiver.responder)
    }
    switch receiver {
    case .responder(let id): return try method(for: selector, of: id)
    case .forwarder(let host):
      guard responder.coordinator != nil else { throw .noCoordinator(host) }
      return .coordinator(host: host)
    case .undoManager(of: let id): return try recorder(for: selector, with: id)
    }
  }

  mutating func call(
    _ method: ResolvedMethod, _ invocation: inout Invocation, to receiver: Receiver
  ) throws(MutationFault) -> ValidationReason {
    switch method {
    case .found(let handler, let selector, of: let id, to: let receiver):
      let level = begin(selector, of: id, to: receiver, &invocation)
      let method = RunningMethod(
        selector, of: id, receivedBy: .responder(receiver), at: level)
      try run(handler, as: method, &invocation)
      return .enabled
    case .gone(let proxy):
      trace.note(.proxied, .responder(proxy), answer: .null)
      return .proxiedGone
    case .coordinator(let host):
      return try forward(&invocation, to: receiver, host) ? .enabled : .noHandler
    case .recorder(let id):
      try record(invocation, with: id)
      return .recorded
    }
  }
}

extension Performer {
  /// Records what changed. What effects change counts at once, what a mutation does when it is over.
  mutating func record(_ new: [Outcome.Change]) {
    if phase.isInHandler { note(new) } else { changes += new }
  }

  /// Records what changed, and the token of the registration that came of it.
  mutating func record(_ new: [Outcome.Change], token: Int?) {
    record(new)
    if phase.isInHandler {
      answer = token.map { .int(Int64($0)) }
    } else {
      outcome.token = token
    }
  }

  /// The answer of the operation that was just done.
  mutating func takeAnswer() -> JSON? {
    defer { answer = nil }
    return answer
  }

  /// Notes what changed; long lists count, as they are kept and written each time.
  mutating func note(_ new: [Outcome.Change]) {
    for change in new { effort.spend(Effort.member * change.memberCount) }
    changes += new
  }

  /// Asks about the session as it is now; what is asked goes to the trace, which is not copied for it.
  mutating func inquire<Answer>(
    _ sender: Sender?, _ ask: (inout Inquiry) -> Answer
  ) -> Answer {
    var inquiry = Inquiry(seen, in: context, source: .sender(sender), trace: trace)
    trace = Trace(isRecording: false)
    let answer = ask(&inquiry)
    trace = inquiry.trace
    return answer
  }

  /// Notes that a method is called, and answers where the responder has it from.
  mutating func begin(
    _ selector: Selector, of id: ResponderID, to receiver: ResponderID,
    _ invocation: inout Invocation
  ) -> MethodLevel? {
    invocation.target = .responder(receiver)
    invocation.selector = selector
    trace.note(.invoke, .responder(id), about: selector, answer: .string(selector.rawValue))
    return session.inquiry(in: context).level(of: selector, in: id)
  }
}

extension Performer {
  /// The one that acts: the mutation itself or a handler, and whether view controllers are being told.
  ///
  /// Both cases occur at every depth: a mutation tells view controllers itself, and a handler does whose
  /// effect brings them into view. What is set off while they are told belongs to that.
  enum Phase: Equatable {
    /// The mutation makes its changes, this many handlers deep; at 0 no handler runs.
    case acting(depth: Int)
    /// View controllers hear their lifecycle (V9), at this depth of handlers.
    case telling(depth: Int)

    /// The number of handlers that run, each set off by the one before.
    var depth: Int {
      switch self {
      case .acting(let depth), .telling(let depth): depth
      }
    }

    /// True if a handler acts, and not the mutation itself.
    var isInHandler: Bool { depth > 0 }

    /// True if view controllers are being told, and those who act only react to that.
    var isTelling: Bool {
      switch self {
      case .acting: false
      case .telling: true
      }
    }

    /// The phase of a handler that is run in this one.
    var inHandler: Phase {
      switch self {
      case .acting(let depth): .acting(depth: depth + 1)
      case .telling(let depth): .telling(depth: depth + 1)
      }
    }

    /// The phase of telling view controllers in this one.
    var telling: Phase { .telling(depth: depth) }
  }

  /// Something that does not begin again while it is going on.
  ///
  /// These are a set beside the phase, since each can set off any other one and is over only when
  /// that is: a message that is processed shows a view controller, whose method deletes another one.
  enum Activity: Hashable {
    /// Views are made, and view controllers told who came and went.
    case settlingViews
    /// Messages that waited are sent (C6).
    case processingMessages
    /// A view controller is told of its end.
    case destroying(ResponderID)
  }

  /// Does something unless it is going on already; then the answer is nil.
  mutating func once<Answer>(
    _ activity: Activity, _ act: (inout Performer) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer? {
    guard underway.insert(activity).inserted else { return nil }
    defer { underway.remove(activity) }
    return try act(&self)
  }
}

/// A method that runs: the name that it is called by, and those for whom it runs.
struct RunningMethod {
  let selector: Selector
  let responder: ResponderID
  /// The receiver of the message: the responder itself, its coordinator, or a proxy of it.
  let receiver: Receiver
  /// The level that has the method; nil for a coordinator's handler.
  let level: MethodLevel?
  /// The responders that run the message already, so that it reaches none of them twice (C2).
  let met: Set<ResponderID>

  /// A method of a responder, by default one that received the message itself and is the first to run it.
  init(
    _ selector: Selector, of responder: ResponderID, receivedBy receiver: Receiver? = nil,
    at level: MethodLevel? = nil, met: Set<ResponderID>? = nil
  ) {
    self.selector = selector
    self.responder = responder
    self.receiver = receiver ?? .responder(responder)
    self.level = level
    self.met = met ?? [responder]
  }
}
