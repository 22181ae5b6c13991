/// The meaning of a pressed key.
public struct KeyResolution: Equatable, Sendable {
  /// The key.
  public let key: KeyCombination
  /// The matches that were tried, in order (K1); only the last one can be performed, if any.
  public let tried: [KeyMatch]
  /// The matches after the chosen one, which were not asked.
  public let shadowed: [KeyClaim]
  /// The trace, when that was wanted.
  public let trace: Trace

  /// `enabled` when a match is performed, else why the first one is passed over; `noMatch` when there
  /// is none.
  public var reason: ValidationReason { chosen?.reason ?? tried.first?.reason ?? .noMatch }

  /// The match that is performed.
  public var chosen: KeyMatch? { tried.last.flatMap { $0.isEnabled ? $0 : nil } }
}

/// A declaration that matches a pressed key (K4), and whether it can be performed.
public struct KeyMatch: Equatable, Sendable {
  /// The declaration.
  public let claim: KeyClaim
  /// `enabled` when it is chosen, else why it is passed over (K3).
  public let reason: ValidationReason
  /// The receiver of the action, found by a search of its own (K2).
  public let target: Receiver?
  /// The rule that failed, when the reason is `ruleError`.
  public let fault: RuleFault?
  /// The responder that the target stands for, when that is a proxy (L11).
  public internal(set) var proxied: ResponderID?

  /// True if it can be performed.
  public var isEnabled: Bool { reason == .enabled }
}
