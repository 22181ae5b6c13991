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

    static let none = Particular()
  }

  /// Creates the outcome of a registration.
  init(changes: [Change] = [], token: Int) {
    self.init()
    self.changes = changes
    self.token = token
  }

  /// The particular members, accessed in place; they stay absent if none has a value.
  private var parts: Particular {
    _read { if particular.isEmpty { yield.none } else { yield particular[0] } }
    _modify {
      if particular.isEmpty { particular.append(.none) }
      defer { if particular[0] == .none { particular = [] } }
      yield &particular[0]
    }
  }

  /// The token of a new registration.
  package internal(set) var token: Int? {
    get { parts.token }
    set { parts.token = newValue }
  }

  /// The result of performing a command or action; nil for other mutations.
  public internal(set) var performance: Performance? {
    _read { yield parts.performance }
    _modify { yield &parts.performance }
  }

  /// The steps of a launch, in order (V1).
  package internal(set) var launch: [LaunchStep] {
    get { parts.launch }
    set { parts.launch = newValue }
  }

  /// The name of a new instance (V2).
  package internal(set) var instance: ResponderID? {
    get { parts.instance }
    set { parts.instance = newValue }
  }

  package internal(set) var segue: SegueOutcome? {
    get { parts.segue }
    set { parts.segue = newValue }
  }

  package internal(set) var message: MessageOutcome? {
    get { parts.message }
    set { parts.message = newValue }
  }

  /// The results of the queued messages, in order (C6).
  package internal(set) var processed: [ProcessedMessage] {
    get { parts.processed }
    set { parts.processed = newValue }
  }

  /// The search from a pressed key to its command.
  package internal(set) var resolution: KeyResolution? {
    get { parts.resolution }
    set { parts.resolution = newValue }
  }

  /// The recorded messages that undoing or redoing did not send, since they failed (U4).
  package internal(set) var failedMessages: [FailedMessage] {
    get { parts.failedMessages }
    set { parts.failedMessages = newValue }
  }

  /// True if the mutation has no result besides its changes and events.
  var isPlain: Bool { particular.isEmpty }
}
