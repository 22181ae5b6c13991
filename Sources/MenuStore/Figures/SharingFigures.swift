/// The counters of a process that shares its journal.
package final class SharingFigures: Sendable {
  /// Records of other processes that were taken over.
  package let followed = Counter()
  /// Commits that others outdated, and that were made again.
  package let conflicts = Counter()
  /// Batches before which the end of the journal was locked for what was made again.
  package let turns = Counter()
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
