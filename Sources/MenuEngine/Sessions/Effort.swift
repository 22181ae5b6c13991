/// What answering one request has cost so far, everything in it together, so that none keeps those
/// behind it waiting.
///
/// A class, because an inquiry, the rules it evaluates and the inquiries within them count together.
final class Effort {
  private var left: Int
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
}
