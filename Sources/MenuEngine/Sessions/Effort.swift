/// The steps that answering one request has taken so far, everything in it together, so that none
/// keeps those behind it waiting.
///
/// A class, because an inquiry, the rules it evaluates and the inquiries within them count together.
final class Effort {
  private(set) var left: Int
  /// The limits of a session and of a mutation.
  let limits: SessionLimits

  /// As much as `Limits.effort` allows.
  init(_ limits: SessionLimits = SessionLimits()) {
    self.limits = limits
    left = Limits.effort
  }

  /// That number of steps.
  init(limit: Int) {
    limits = SessionLimits()
    left = limit
  }

  /// Takes steps from what is left.
  func spend(_ steps: Int) { left -= steps }

  /// Refuses to go on when nothing is left.
  func check() throws(MutationFault) {
    if left < 0 { throw .tooMuchEffort }
  }

  /// The effort of a step of a trace, which is to be kept and written.
  static let traceStep = 64

  /// The effort of a handler that a message going on upward runs, apart from its rules.
  static let handler = 64

  /// The effort of an effect, apart from its rules.
  static let effect = 16

  /// The effort of each responder on a chain that is checked for cycles.
  static let chain = 4

  /// The effort of each member of a list that changes: chains are derived anew, and it is told.
  static let member = 16
}
