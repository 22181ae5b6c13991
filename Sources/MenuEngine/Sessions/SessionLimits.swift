/// The limits of one session, and of one mutation of it, as far as they are the host's to set;
/// `Limits` are those that hold everywhere.
///
/// They are handed in with each mutation and are no part of the session: one that was changed under
/// higher limits stays as it is, and only what would let it grow further is refused.
public struct SessionLimits: Sendable {
  private var most: [Int]
  /// The number of effects of one performed command, those of nested sends included. The default is
  /// 1,000.
  public var effects = Limits.effects
  /// The nesting of sends. The default, 16, is the most that the stack has room for.
  public var sends = Limits.sends
  /// The number of steps of one request.
  var effort = Limits.effort

  /// The defaults: 10,000 responders, 20,000 handlers, 50,000 rules, 10,000 key commands, 64 undo
  /// managers, 4 MiB of state, 16 MiB of whatever describes responders, and 1,000 open deliveries with 4 MiB.
  public init() { most = Holding.allCases.map(\.usualLimit) }

  /// No limits but those that hold everywhere, for mutations that were accepted before.
  public static let unlimited: SessionLimits = {
    var limits = SessionLimits()
    for holding in Holding.allCases { limits[holding] = .max }
    limits.effects = .max
    limits.effort = .max
    return limits
  }()

  /// The amount of a kind that a session may hold.
  public subscript(holding: Holding) -> Int {
    get { most[holding.position] }
    set { most[holding.position] = newValue }
  }

  /// Refuses what makes a session grow over a limit; what leaves it as large as it was, or makes it
  /// smaller, is never refused.
  func check(_ holdings: Holdings, grownFrom before: Holdings) throws(MutationFault) {
    guard holdings != before else { return }
    for holding in Holding.allCases {
      let (now, limit) = (holdings[holding], most[holding.position])
      if now > limit, now > before[holding] { throw .limitReached(holding, limit: limit) }
    }
  }
}

extension Holding {
  fileprivate var position: Int {
    switch self {
    case .responders: 0
    case .handlers: 1
    case .rules: 2
    case .keyCommands: 3
    case .undoManagers: 4
    case .stateSize: 5
    case .responderSize: 6
    case .deliveries: 7
    case .deliverySize: 8
    }
  }

  fileprivate var usualLimit: Int {
    switch self {
    case .responders: 10_000
    case .handlers: 20_000
    case .rules: 50_000
    case .keyCommands: 10_000
    case .undoManagers: 64
    case .stateSize: 1 << 22
    case .responderSize: 1 << 24
    case .deliveries: 1000
    case .deliverySize: 1 << 22
    }
  }
}
