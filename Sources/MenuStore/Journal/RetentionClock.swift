import Synchronization

/// The clock by which answers to requests with an idempotency key expire.
///
/// It never goes back and ignores the system's clock, which can be set: if an answer expired too early, a retry would
/// repeat the request. It counts while the process runs. After a restart it continues from the time of the newest
/// answer in the journal, so the time from that answer to the restart does not count: answers can be kept for longer,
/// never for less.
package final class RetentionClock: Sendable {
  /// The time for which an answer is kept, in milliseconds.
  let retention: Int64
  private let ticks: @Sendable () -> Int64
  private let offset = Atomic<Int64>(0)

  /// Creates a clock that begins at `ticks`.
  ///
  /// - Parameters:
  ///   - retention: The time for which an answer is kept, in seconds; the default is a day.
  ///   - ticks: A monotonic time in milliseconds since the start of the process.
  package init(retention: Int = 86_400, _ ticks: @escaping @Sendable () -> Int64) {
    self.retention = Int64(retention) * 1000
    self.ticks = ticks
  }

  /// The time in milliseconds since an arbitrary beginning.
  package var now: Int64 { ticks() &+ offset.load(ordering: .relaxed) }

  /// The time at which an answer given now expires.
  package var expiry: Int64 {
    let (sum, isTooLarge) = now.addingReportingOverflow(retention)
    return isTooLarge ? .max : sum
  }

  /// Restarts at a time on which all processes that share a journal agree.
  func begin(at moment: Int64) { offset.store(moment &- ticks(), ordering: .relaxed) }

  /// Continues from the time of the answer that expires last, unless the clock is already later.
  func resume(afterAnswerExpiringAt expiry: Int64) {
    let (moment, isTooSmall) = expiry.subtractingReportingOverflow(retention)
    guard !isTooSmall, expiry != .max, moment > now else { return }
    offset.store(moment &- ticks(), ordering: .relaxed)
  }
}
