import JSONText

/// The limits of one session, and of one mutation of it, as far as they are the host's to set.
///
/// They are handed in with each mutation and are no part of the session: one that was changed under
/// higher limits stays as it is, and only what would let it grow further is refused.
public struct SessionLimits: Sendable {
  private var most: [Int]
  /// The number of effects of one performed command, those of nested sends included. The default is
  /// 1,000.
  package var effects = Limits.effects
  /// The nesting of sends. The default, 16, is the most that the stack has room for.
  package var sends = Limits.sends
  /// The number of steps of one request.
  var effort = Limits.effort

  /// The defaults: 10,000 responders, 20,000 handlers, 50,000 rules, 10,000 key commands, 64 undo
  /// managers, 4 MiB of state, 16 MiB of whatever describes responders, and 1,000 open deliveries with 4 MiB.
  public init() { most = Holding.allCases.map(\.usualLimit) }

  /// No limits but those that hold everywhere, for mutations that were accepted before.
  package static let unlimited: SessionLimits = {
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

/// Limits of one mutation, so that no input keeps a session busy or outgrows the stack.
package enum Limits {
  /// The nesting of arrays and objects in state and properties.
  package static let depth = 128
  /// The size of a value that is added or merged, as `JSON.fits(depth:size:)` counts it.
  package static let work = 1 << 18
  /// The maximum nesting of sends, which is also the default.
  package static let sends = 16
  /// The default number of effects of one performed command, those of nested sends included.
  package static let effects = 1000
  /// The nesting of menus; those directly in the root count as one.
  package static let menus = 32
  /// The nesting of the relationships of scenes.
  package static let scenes = 32

  /// The number of steps of one request: those of its rules, and one for each responder that is
  /// asked. A step of a trace counts 64 times.
  ///
  /// This is ten times what it takes to validate 10,000 commands at once, and 35 times what the photo
  /// application takes with traces; they keep a thread for about 20 ms.
  package static let effort = 1 << 20

  /// The number of groups on each stack of an undo manager when `levelsOfUndo` sets no limit, or a
  /// higher one; beyond it the oldest are dropped.
  package static let undoGroups = 1024
  /// The size of each stack of an undo manager, in values and bytes of strings; beyond it the
  /// oldest groups are dropped. A change that would make one group larger than that is refused.
  package static let undoSize = 1 << 22
  /// The number of groups, and of their actions together, that are kept although undoing would pass over them
  /// (U4); beyond either the oldest are dropped.
  static let passedGroups = 64
  static let passedActions = 4096
  /// The number of places that an answer lists as kept by undoing (U4).
  package static let keptPlaces = 256
  /// The number of bytes of the key by which patches are one group (U6).
  package static let coalescingKey = 256
  /// The number of places that one undo manager ignores (U5).
  package static let ignoredPlaces = 256
  /// The nesting of undo groups.
  package static let undoNesting = 64

  /// The number of messages that can wait at a time (C6).
  package static let queuedMessages = 1024
  /// The size of the arguments of all waiting messages, in values and bytes of strings.
  package static let queueSize = 1 << 22

  /// The number of settled deliveries that a session keeps; beyond it the oldest are forgotten
  /// (D3).
  package static let settledDeliveries = 1024
  /// The size of all settled deliveries, in bytes of written JSON; the one settled last is kept in
  /// any case.
  package static let settledSize = 1 << 20

  /// The size of the name of who claims a delivery, in bytes.
  package static let claimerName = 256

  static let patch = JSONPatchLimits(depth: depth, work: work)
}
