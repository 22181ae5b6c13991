import Synchronization

/// The clock by which answers to requests with an idempotency key expire.
///
/// It only grows, since a repeated request whose answer expired too early is carried out twice: it does
/// not follow the system's clock, which people set. It counts while the process runs and continues after a
/// restart from the time of the last answer that the journal has, so that the time between that
/// answer and the restart does not count: answers may be kept for longer, never for less.
package final class RetentionClock: Sendable {
  /// For how many milliseconds an answer is kept.
  let retention: Int64
  private let ticks: @Sendable () -> Int64
  private let offset = Atomic<Int64>(0)

  /// A clock that begins at `ticks`.
  ///
  /// - Parameters:
  ///   - retention: For how many seconds an answer is kept; the default is a day.
  ///   - ticks: A time in milliseconds that only grows and begins with the process.
  package init(retention: Int = 86_400, _ ticks: @escaping @Sendable () -> Int64) {
    self.retention = Int64(retention) * 1000
    self.ticks = ticks
  }

  /// The time in milliseconds since some beginning.
  package var now: Int64 { ticks() &+ offset.load(ordering: .relaxed) }

  /// The time at which an answer of this moment expires.
  package var expiry: Int64 {
    let (sum, isTooLarge) = now.addingReportingOverflow(retention)
    return isTooLarge ? .max : sum
  }

  /// Begins anew at a moment, which all who share a journal agree upon.
  func begin(at moment: Int64) { offset.store(moment &- ticks(), ordering: .relaxed) }

  /// Continues from the moment of the answer that expires last, unless it is later already.
  func resume(afterAnswerExpiringAt expiry: Int64) {
    let (moment, isTooSmall) = expiry.subtractingReportingOverflow(retention)
    guard !isTooSmall, expiry != .max, moment > now else { return }
    offset.store(moment &- ticks(), ordering: .relaxed)
  }
}
