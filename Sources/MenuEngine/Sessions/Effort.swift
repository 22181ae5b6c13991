/// The number of steps that one request has taken. It bounds the time for which a request can delay other ones.
///
/// A class, because an inquiry, its rules and nested inquiries share the count.
package final class Effort {
  private(set) var left: Int
  private let limit: Int
  /// The limits of a session and of a mutation.
  let limits: SessionLimits

  /// Creates an effort bounded by `limits.effort`, by default `Limits.effort`.
  package init(_ limits: SessionLimits = SessionLimits()) {
    self.limits = limits
    limit = limits.effort
    left = limit
  }

  /// Creates an effort of a number of steps.
  init(limit: Int) {
    limits = SessionLimits()
    self.limit = limit
    left = limit
  }

  /// The number of steps taken so far.
  var spent: Int { limit - left }

  /// True if more steps were taken than allowed; long loops then stop.
  package var isExhausted: Bool { left < 0 }

  /// Resets the count to zero.
  func reset() { left = limit }

  /// Uses up all remaining steps, for work that was abandoned.
  func exhaust() { left = -1 }

  /// Adds to the steps taken.
  package func spend(_ steps: Int) { left -= steps }

  /// Throws `tooMuchEffort` once the effort is exhausted.
  func check() throws(MutationFault) {
    if isExhausted { throw .tooMuchEffort }
  }

  /// Returns the result of `work`; throws `tooMuchEffort` if the effort is exhausted, whatever the result.
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

  /// The effort of keeping and writing a step of a trace.
  static let traceStep = 64

  /// The effort of a handler that runs for a message sent up the chain, besides its rules.
  static let handler = 64

  /// The effort of an effect, besides its rules.
  static let effect = 16

  /// The effort of each responder on a chain that is checked for cycles.
  static let chain = 4

  /// The effort of each member of a changed list: its chain is derived again and the change is reported.
  static let member = 16
}
