/// The counters of a journal since it was opened.
package final class JournalFigures: Sendable {
  /// Records that were taken, durable or not.
  package let records = Counter()
  /// Bytes of what these records say.
  package let bytes = Counter()
  /// States that were written so that older records are no longer needed.
  package let states = Counter()
  /// The time to make each batch durable, in nanoseconds.
  package let flushes = Histogram(bounds: Histogram.durations)
  /// The number of writes in each of these batches.
  package let batches = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
  /// Batches that could not be made durable and were taken back.
  package let failures = Counter()
  /// Connections to a database that were lost.
  package let lostConnections = Counter()

  package init() {}

  func noteAppended(_ write: JournalWrite) {
    guard let record = write.record else { return }
    records.add()
    bytes.add(record.payload.count)
  }

  func noteFlushed(_ count: Int, in duration: Duration) {
    guard count > 0 else { return }
    batches.note(count)
    flushes.note(Int(duration / .nanoseconds(1)))
  }
}
