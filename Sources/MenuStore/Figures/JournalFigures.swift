/// The counters of a journal since it was opened.
package final class JournalFigures: Sendable {
  /// The records accepted, durable or not.
  package let records = Counter()
  /// The bytes of these records.
  package let bytes = Counter()
  /// The states written in place of older records.
  package let states = Counter()
  /// The time to make each batch durable, in nanoseconds.
  package let flushes = Histogram(bounds: Histogram.durations)
  /// The number of writes in each of these batches.
  package let batches = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
  /// The batches that failed and were rolled back.
  package let failures = Counter()
  /// The connections to a database that were lost.
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

/// The counters of a replica that shares its journal.
package final class SharingFigures: Sendable {
  /// The records of other replicas that were applied.
  package let followed = Counter()
  /// The commits that conflicted with other replicas and were repeated.
  package let conflicts = Counter()
  /// The batches of repeated commits, made with the journal's end locked in advance.
  package let turns = Counter()
  /// The confirmations that an answer is current.
  package let confirmations = Counter()
  /// The age of other replicas' commits when they were applied, in nanoseconds.
  package let lag = Histogram(bounds: Histogram.durations)
  /// The sessions that were loaded for a request.
  package let loads = Counter()
  /// The sessions that were unloaded.
  package let unloads = Counter()
  /// The readings that confirmed answers, applied records, or loaded sessions.
  package let readings = Counter()
}
