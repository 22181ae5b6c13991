extension Outcome {
  /// The parts of an outcome that only some mutations have. They are behind one reference, since outcomes
  /// are handed on often.
  struct Particular: Equatable, Sendable {
    var token: Int?
    var performance: Performance?
    var launch: [LaunchStep] = []
    var instance: ResponderID?
    var segue: SegueOutcome?
    var message: MessageOutcome?
    var processed: [ProcessedMessage] = []
    var resolution: KeyResolution?
  }

  /// The outcome of a registration.
  init(changes: [Change] = [], token: Int) {
    self.init()
    self.changes = changes
    self.token = token
  }

  /// The token of a new registration.
  public internal(set) var token: Int? {
    get { particular.first?.token }
    set { change(newValue != nil) { $0.token = newValue } }
  }

  /// The result of performing a command or action.
  public internal(set) var performance: Performance? {
    get { particular.first?.performance }
    set { change(newValue != nil) { $0.performance = newValue } }
  }

  /// The steps of a launch, in order (V1).
  public internal(set) var launch: [LaunchStep] {
    get { particular.first?.launch ?? [] }
    set { change(!newValue.isEmpty) { $0.launch = newValue } }
  }

  /// The name of a new instance (V2).
  public internal(set) var instance: ResponderID? {
    get { particular.first?.instance }
    set { change(newValue != nil) { $0.instance = newValue } }
  }

  /// The result of a segue (V3, V6).
  public internal(set) var segue: SegueOutcome? {
    get { particular.first?.segue }
    set { change(newValue != nil) { $0.segue = newValue } }
  }

  /// The result of a message (C2, V7).
  public internal(set) var message: MessageOutcome? {
    get { particular.first?.message }
    set { change(newValue != nil) { $0.message = newValue } }
  }

  /// The results of the messages that waited, in order (C6).
  public internal(set) var processed: [ProcessedMessage] {
    get { particular.first?.processed ?? [] }
    set { change(!newValue.isEmpty) { $0.processed = newValue } }
  }

  /// The search that led from a pressed key to its command.
  public internal(set) var resolution: KeyResolution? {
    get { particular.first?.resolution }
    set { change(newValue != nil) { $0.resolution = newValue } }
  }

  /// True if the mutation changed the session and had no other result.
  var isPlain: Bool { particular.isEmpty }

  /// Changes these parts, which stay absent if nothing is given to them.
  private mutating func change(_ isGiven: Bool, _ change: (inout Particular) -> Void) {
    guard isGiven || !particular.isEmpty else { return }
    if particular.isEmpty { particular.append(Particular()) }
    change(&particular[0])
    if !isGiven, particular[0] == Particular() { particular = [] }
  }
}
