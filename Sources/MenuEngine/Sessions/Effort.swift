/// What answering one request has cost so far, everything in it together, so that none keeps those
/// behind it waiting.
///
/// A class, because an inquiry, the rules it evaluates and the inquiries within them count together.
final class Effort {
  private(set) var left: Int
  /// What a session may hold, and a mutation do.
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

  /// What a step of a trace costs, which is to be kept and written.
  static let traceStep = 64

  /// What a handler costs that a message that goes on upward runs, apart from its rules.
  static let handler = 64

  /// What an effect costs, apart from its rules.
  static let effect = 16

  /// What each responder costs on a chain that is checked for cycles.
  static let chain = 4

  /// What each member of a list costs that changes: chains are derived anew, and it is told.
  static let member = 16
}
