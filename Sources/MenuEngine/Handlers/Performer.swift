import JSONText

/// Sends messages and applies their effects, to a copy of the session that replaces it on success.
struct Performer {
  var session: Session
  private(set) var context: SessionContext
  var trace: Trace
  var changes: [Outcome.Change] = []
  /// The events, in order.
  var events: [Outcome.Event] = []
  /// The result of the mutation, without its changes and events.
  var outcome = Outcome()
  /// The answer of the current effect's operation, if it has one.
  private var answer: JSON?
  /// The segue that rules see (V5).
  var segue: SegueInProgress?
  /// The window that is not visible yet (V1).
  var hiddenWindow: ResponderID?
  /// The window treated as key (R11); nil for the key window.
  var window: ResponderID?
  var phase = Phase.acting(depth: 0)
  /// The responder whose undo manager registers the mutations of a reply (D2); nil otherwise.
  var replier: ResponderID?
  var underway: Set<Activity> = []
  var effectCount = 0
  /// The resources that the session used before.
  var before: Holdings

  /// Creates a performer of a mutation; it records a trace if the context asks for one.
  init(_ session: Session, in context: SessionContext) {
    self.context = context.localized(for: session)
    before = session.holdings
    trace = Trace(isRecording: context.isExplaining)
    self.session = session
  }

  /// Creates a performer that continues an inquiry.
  init(after inquiry: Inquiry) {
    session = inquiry.session
    before = session.holdings
    context = inquiry.context
    trace = inquiry.trace
    if let title = inquiry.sender?.title {
      session.nameUndoGroup(after: title, of: inquiry.sender?.command)
    }
  }

  var catalog: Catalog { _read { yield context.catalog } }
  var effort: Effort { context.effort }

  /// Continues in the language of the session (M14).
  mutating func followLocale() { context = context.localized(for: session) }

  /// Sends a message to its target (F4): its method, else the one it forwards to. Returns `enabled` if a
  /// handler ran, else the reason.
  ///
  /// - Throws: `MutationFault.doesNotRecognizeSelector` if there is neither.
  mutating func deliver(_ invocation: inout Invocation, to receiver: Receiver) throws(MutationFault)
    -> ValidationReason
  {
    try call(try method(for: invocation.selector, of: receiver), &invocation, to: receiver)
  }

  /// The method of a receiver for a message (F4).
  enum ResolvedMethod {
    /// A handler, the selector it runs as, its owner, and the receiver: the owner or a proxy of it (L11).
    case found(Handler, Selector, of: ResponderID, to: ResponderID)
    /// The proxied responder was removed (L10).
    case gone(proxy: ResponderID)
    case coordinator(host: ResponderID)
    /// The responder's undo manager records the message (U3).
    case recorder(ResponderID)
  }

  mutating func method(
    for selector: Selector, of receiver: Receiver
  ) throws(MutationFault) -> ResolvedMethod {
    guard let position = session.graph.position(of: receiver.responder) else {
      throw .unknownResponder(receiver.responder)
    }
    switch receiver {
    case .responder(let id): return try method(for: selector, of: id)
    case .forwarder(let host):
      guard session.graph.responders[position].coordinator != nil else {
        throw .handler(.noCoordinator(host))
      }
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
  /// Records changes. Those of effects are charged at once, those of a mutation at its end.
  mutating func record(_ new: [Outcome.Change]) {
    if phase.isInHandler { note(new) } else { changes += new }
  }

  /// Records changes, and the token of a new registration.
  mutating func record(_ new: [Outcome.Change], token: Int?) {
    record(new)
    if phase.isInHandler {
      answer = token.map { .int(Int64($0)) }
    } else {
      outcome.token = token
    }
  }

  /// Returns the answer of the last operation, and clears it.
  mutating func takeAnswer() -> JSON? {
    defer { answer = nil }
    return answer
  }

  /// Records changes; long lists are charged, since each is kept and written.
  mutating func note(_ new: [Outcome.Change]) {
    for change in new { effort.spend(Effort.member * change.memberCount) }
    changes += new
  }

  /// Runs an inquiry about the present session; the performer's trace is moved into the inquiry and back, not copied.
  mutating func inquire<Answer>(
    _ sender: Sender?, _ ask: (inout Inquiry) -> Answer
  ) -> Answer {
    var inquiry = Inquiry(seen, in: context, source: .sender(sender), trace: trace)
    trace = Trace(isRecording: false)
    let answer = ask(&inquiry)
    trace = inquiry.trace
    return answer
  }

  /// Records the call of a method, and returns the level that defines it.
  mutating func begin(
    _ selector: Selector, of id: ResponderID, to receiver: ResponderID,
    _ invocation: inout Invocation
  ) -> MethodLevel? {
    invocation.target = .responder(receiver)
    invocation.selector = selector
    trace.note(.invoke, .responder(id), about: selector, answer: .string(selector.rawValue))
    return session.level(of: selector, in: id, catalog.classes)
  }
}

extension Performer {
  /// The current actor: the mutation itself or a handler, and whether view controllers are being notified.
  ///
  /// Both cases occur at every depth: a mutation notifies view controllers itself, and so does a handler whose
  /// effect shows them. Everything triggered by a notification belongs to it.
  enum Phase: Equatable {
    /// The mutation makes its changes; `depth` handlers are running.
    case acting(depth: Int)
    /// View controllers receive lifecycle messages (V9); `depth` handlers are running.
    case telling(depth: Int)

    /// The number of nested running handlers.
    var depth: Int {
      switch self {
      case .acting(let depth), .telling(let depth): depth
      }
    }

    /// True if a handler is running.
    var isInHandler: Bool { depth > 0 }

    /// True if view controllers are being notified, and handlers only react to that.
    var isTelling: Bool {
      switch self {
      case .acting: false
      case .telling: true
      }
    }

    /// The phase of a nested handler.
    var inHandler: Phase {
      switch self {
      case .acting(let depth): .acting(depth: depth + 1)
      case .telling(let depth): .telling(depth: depth + 1)
      }
    }

    /// The phase of nested notifications.
    var telling: Phase { .telling(depth: depth) }
  }

  /// An activity that is not started again while it is in progress.
  ///
  /// A set beside the phase, since each activity can trigger any other and ends after it: a processed message
  /// shows a view controller, whose method deletes another.
  enum Activity: Hashable {
    /// Views are loaded, and view controllers notified.
    case settlingViews
    /// Queued messages are sent (C6).
    case processingMessages
    /// A view controller is notified of its removal.
    case destroying(ResponderID)
  }

  /// Runs `act` unless the activity is in progress; returns nil then.
  mutating func once<Answer>(
    _ activity: Activity, _ act: (inout Performer) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer? {
    guard underway.insert(activity).inserted else { return nil }
    defer { underway.remove(activity) }
    return try act(&self)
  }
}

/// A running method: its selector, and the responders for which it runs.
struct RunningMethod {
  let selector: Selector
  let responder: ResponderID
  /// The receiver of the message: the responder itself, its coordinator, or a proxy of it.
  let receiver: Receiver
  /// The level that defines the method; nil for a coordinator's handler.
  let level: MethodLevel?
  /// The responders already running the message, so that none receives it twice (C2).
  let met: Set<ResponderID>

  /// Creates a method of a responder, by default the receiver and first responder to run the message.
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
