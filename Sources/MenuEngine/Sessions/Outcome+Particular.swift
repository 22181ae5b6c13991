extension Outcome {
  /// The parts of an outcome that only some mutations have. They are behind one reference because outcomes are
  /// copied often.
  struct Particular: Equatable, Sendable {
    var token: Int?
    var performance: Performance?
    var launch: [LaunchStep] = []
    var instance: ResponderID?
    var segue: SegueOutcome?
    var message: MessageOutcome?
    var processed: [ProcessedMessage] = []
    var resolution: KeyResolution?
    var failedMessages: [FailedMessage] = []
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
    _read { if particular.isEmpty { yield nil } else { yield particular[0].performance } }
    _modify {
      if particular.isEmpty { particular.append(Particular()) }
      defer { if particular[0] == Particular() { particular = [] } }
      yield &particular[0].performance
    }
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

  /// Changes the particular members; they stay absent if no value is given.
  private mutating func change(_ isGiven: Bool, _ change: (inout Particular) -> Void) {
    guard isGiven || !particular.isEmpty else { return }
    if particular.isEmpty { particular.append(Particular()) }
    change(&particular[0])
    if !isGiven, particular[0] == Particular() { particular = [] }
  }
}
