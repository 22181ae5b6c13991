/// The counters of a journal since it was opened.
package final class JournalFigures: Sendable {
  /// Records that were made durable.
  package let records = Counter()
  /// Bytes of what these records say.
  package let bytes = Counter()
  /// States that were written so that older records are no longer needed.
  package let states = Counter()
  /// The time to make each batch durable, in nanoseconds.
  package let flushes = Histogram(bounds: Histogram.durations)
  /// The number of writes in each of these batches.
  package let batches = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
  /// Batches that could not be made durable.
  package let failures = Counter()
  /// Connections to a database that were lost.
  package let lostConnections = Counter()

  package init() {}

  /// Notes a batch that was made durable.
  func noteDurable(_ writes: [JournalWrite], in duration: Duration) {
    guard !writes.isEmpty else { return }
    batches.note(writes.count)
    flushes.note(Int(duration / .nanoseconds(1)))
    for record in writes.lazy.compactMap(\.record) {
      records.add()
      bytes.add(record.payload.count)
    }
  }
}

/// The counters of a process that shares its journal.
package final class SharingFigures: Sendable {
  /// Records of other processes that were taken over.
  package let followed = Counter()
  /// Questions whose answers were looked up to be current.
  package let confirmations = Counter()
  /// The nanoseconds by which commits of others were older when they were taken over.
  package let lag = Histogram(bounds: Histogram.durations)
  /// Sessions that were read, since somebody asked for them.
  package let loads = Counter()
  /// Sessions that left the memory.
  package let unloads = Counter()
  /// Readings that confirmed answers, took over records, or read sessions.
  package let readings = Counter()
}
