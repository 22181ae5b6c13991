/// The steps that answering one request has taken so far, everything in it together, so that none
/// keeps those behind it waiting.
///
/// A class, because an inquiry, the rules it evaluates and the inquiries within them count together.
final class Effort {
  private(set) var left: Int
  private let limit: Int
  /// The limits of a session and of a mutation.
  let limits: SessionLimits

  /// As much as the limits allow, which is `Limits.effort` unless they are none.
  init(_ limits: SessionLimits = SessionLimits()) {
    self.limits = limits
    limit = limits.effort
    left = limit
  }

  /// That number of steps.
  init(limit: Int) {
    limits = SessionLimits()
    self.limit = limit
    left = limit
  }

  /// The number of steps taken so far.
  var spent: Int { limit - left }

  /// True if more steps were taken than allowed, so that whatever goes on for long stops.
  var isExhausted: Bool { left < 0 }

  /// Counts from the beginning again.
  func reset() { left = limit }

  /// Takes steps from what is left.
  func spend(_ steps: Int) { left -= steps }

  /// Refuses to go on when nothing is left.
  func check() throws(MutationFault) {
    if isExhausted { throw .tooMuchEffort }
  }

  /// Returns what `work` returns, unless it takes too much; then that is the fault, whatever became of it.
  func bounding<Result>(
    _ work: () throws(MutationFault) -> Result
  ) throws(MutationFault) -> Result {
    do throws(MutationFault) {
      let result = try work()
      try check()
      return result
    } catch {
      try check()
      throw error
    }
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
