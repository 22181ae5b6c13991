/// The counters of a journal since it was opened.
package final class JournalFigures: Sendable {
  /// The number of records made durable.
  package let records = Counter()
  /// The bytes of these records and of their results.
  package let bytes = Counter()
  /// The states written in place of older records.
  package let states = Counter()
  /// The time to make each batch durable, in nanoseconds.
  package let flushes = Histogram(bounds: Histogram.durations)
  /// The number of writes in each of these batches.
  package let batches = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
  /// The number of batches that could not be made durable.
  package let failures = Counter()
  /// The number of failures of a database's housekeeping.
  package let housekeepingFailures = Counter()
  /// The connections to a database that were lost.
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
    for row in writes.lazy.compactMap(\.history) { bytes.add(row.result.count) }
  }
}

/// The counters of a replica that shares its journal.
package final class SharingFigures: Sendable {
  /// The records of other replicas that were applied.
  package let followed = Counter()
  /// The number of times that requests waited for a reading of the database.
  package let confirmations = Counter()
  /// The age of the newest commit of another replica when it was applied, in nanoseconds.
  package let lag = Histogram(bounds: Histogram.durations)
  /// The sessions that were loaded for a request.
  package let loads = Counter()
  /// The sessions that were unloaded.
  package let unloads = Counter()
  /// The number of readings; one reading serves all requests that wait.
  package let readings = Counter()
}
