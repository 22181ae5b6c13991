/// The bounds of each session's history (T5).
package struct HistoryBounds: Equatable, Sendable {
  /// The maximum number of bytes; the default is 256 KiB.
  package var size = 256 << 10
  /// The time in milliseconds for which an entry is kept; the default is a day.
  package var retention: Int64 = 86_400_000

  package init() {}

  /// Bounds that nothing exceeds.
  static var unlimited: HistoryBounds {
    var bounds = HistoryBounds()
    (bounds.size, bounds.retention) = (.max, .max)
    return bounds
  }
}
