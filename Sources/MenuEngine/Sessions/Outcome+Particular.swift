extension Outcome {
  /// The parts of an outcome that only some mutations have. They are behind one reference because outcomes are
  /// copied often.
  struct Particular: Equatable, Sendable {
    // A new member also belongs in `isEmpty`, and one with a trace in `isTraced` and `size`.
    var token: Int?
    var performance: Performance?
    var launch: [LaunchStep] = []
    var instance: ResponderID?
    var segue: SegueOutcome?
    var message: MessageOutcome?
    var processed: [ProcessedMessage] = []
    var resolution: KeyResolution?
    var failedMessages: [FailedMessage] = []

    var isEmpty: Bool {
      token == nil && performance == nil && launch.isEmpty && instance == nil && segue == nil
        && message == nil && processed.isEmpty && resolution == nil && failedMessages.isEmpty
    }

    /// True if a result has a trace.
    var isTraced: Bool {
      performance?.trace.isRecording == true || segue?.trace.isRecording == true
        || message?.trace.isRecording == true || resolution?.trace.isRecording == true
        || processed.contains { $0.outcome.trace.isRecording }
    }

    /// Stores the trace of the mutation; returns false if no result has room for it.
    fileprivate mutating func keep(_ trace: Trace) -> Bool {
      if case .some = segue {
        segue?.trace = trace
        return true
      }
      if case .some = message {
        message?.trace = trace
        return true
      }
      // A performance and processed messages have their traces already. A comparison with nil would copy it.
      if case .some = performance { return true }
      return !processed.isEmpty
    }
  }

  /// Creates the outcome of a registration.
  init(changes: [Change] = [], token: Int) {
    self.init()
    self.changes = changes
    self.token = token
  }

  /// The token of a new registration.
  package internal(set) var token: Int? {
    get { particular.first?.token }
    set { change(newValue != nil) { $0.token = newValue } }
  }

  /// The result of performing a command or action; nil for other mutations.
  public internal(set) var performance: Performance? {
    // `first` would copy the other parts, too.
    get { particular.isEmpty ? nil : particular[0].performance }
    set { change(newValue != nil) { $0.performance = newValue } }
  }

  /// Records the item of the performed command, as it was before.
  mutating func note(_ item: ValidatedItem) {
    guard !particular.isEmpty else { return }
    particular[0].performance?.confirmation = item.confirmation
    particular[0].performance?.title = item.title
  }

  /// Stores the trace in the result, or in the outcome if no result has room for it.
  mutating func keep(_ trace: Trace) {
    let isInResult = !particular.isEmpty && particular[0].keep(trace)
    if !isInResult, !trace.steps.isEmpty { self.trace = trace }
  }

  /// The steps of a launch, in order (V1).
  package internal(set) var launch: [LaunchStep] {
    get { particular.first?.launch ?? [] }
    set { change(!newValue.isEmpty) { $0.launch = newValue } }
  }

  /// The name of a new instance (V2).
  package internal(set) var instance: ResponderID? {
    get { particular.first?.instance }
    set { change(newValue != nil) { $0.instance = newValue } }
  }

  package internal(set) var segue: SegueOutcome? {
    get { particular.first?.segue }
    set { change(newValue != nil) { $0.segue = newValue } }
  }

  package internal(set) var message: MessageOutcome? {
    get { particular.first?.message }
    set { change(newValue != nil) { $0.message = newValue } }
  }

  /// The results of the queued messages, in order (C6).
  package internal(set) var processed: [ProcessedMessage] {
    get { particular.first?.processed ?? [] }
    set { change(!newValue.isEmpty) { $0.processed = newValue } }
  }

  /// The search from a pressed key to its command.
  package internal(set) var resolution: KeyResolution? {
    get { particular.first?.resolution }
    set { change(newValue != nil) { $0.resolution = newValue } }
  }

  /// The recorded messages that undoing or redoing did not send, since they failed (U4).
  package internal(set) var failedMessages: [FailedMessage] {
    get { particular.first?.failedMessages ?? [] }
    set { change(!newValue.isEmpty) { $0.failedMessages = newValue } }
  }

  /// True if the mutation has no result besides its changes and events.
  var isPlain: Bool { particular.isEmpty }

  /// True if it or one of its results has a trace.
  var isTraced: Bool { trace.isRecording || !particular.isEmpty && particular[0].isTraced }

  /// Changes the particular members; they stay absent if no value is given.
  private mutating func change(_ isGiven: Bool, _ change: (inout Particular) -> Void) {
    guard isGiven || !particular.isEmpty else { return }
    if particular.isEmpty { particular.append(Particular()) }
    change(&particular[0])
    if !isGiven, particular[0].isEmpty { particular = [] }
  }
}
