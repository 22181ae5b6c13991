/// The entries of one history in memory, within bounds.
struct HistoryList<Element: Sendable>: Sendable {
  private struct Place {
    /// The element; nil once it is evicted.
    var element: Element?
    let time: Int64
    let position: Int64
  }

  private var entries: [Place] = []
  /// The number of evicted entries at the beginning of the array.
  private var dropped = 0
  private var end: Int64 = 0

  /// Adds an entry, and evicts the entries that exceed the bounds.
  mutating func append(
    _ element: Element, at time: Int64, size: Int64, within bounds: HistoryBounds
  ) {
    end += size
    entries.append(Place(element: element, time: time, position: end))
    let first = end - Int64(bounds.size)
    let oldest = time - bounds.retention
    while entries[dropped].position <= first || entries[dropped].time < oldest {
      entries[dropped].element = nil
      dropped += 1
    }
    guard dropped * 2 >= entries.count else { return }
    entries.removeFirst(dropped)
    dropped = 0
  }

  /// Returns the entries that a query selects, with their positions.
  func answer(to question: HistoryQuestion) -> [(element: Element, position: Int64)] {
    entries[dropped...].reversed().lazy.filter { entry in
      entry.position < question.before && entry.time >= question.oldest
    }.prefix(question.limit).compactMap { entry in entry.element.map { ($0, entry.position) } }
  }

  /// Returns the entries that have not expired, the oldest first.
  func all(since oldest: Int64) -> [Element] {
    entries[dropped...].filter { $0.time >= oldest }.compactMap(\.element)
  }
}
