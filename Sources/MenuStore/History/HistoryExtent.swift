/// The range of revisions for which a history has every change.
package struct HistoryExtent: Equatable, Sendable {
  /// The revision from which on there is no gap: after the last gap, or before the oldest entry.
  var beginning: Int64
  /// The greatest revision of an entry.
  var end: Int64

  /// Nil without entries.
  init?(beginning: Int64?, end: Int64?) {
    guard let beginning, let end else { return nil }
    (self.beginning, self.end) = (beginning, end)
  }

  /// The extent of the changes among entries in order; nil without any.
  init?(of entries: some Sequence<(base: Int64, revision: Int64)>) {
    var extent: HistoryExtent?
    for (base, revision) in entries where base < revision {
      let end = extent?.end ?? -1
      let beginning = end < base ? base : extent?.beginning
      extent = HistoryExtent(beginning: beginning, end: max(end, revision))
    }
    guard let extent else { return nil }
    self = extent
  }
}
