/// The best of many hits, in order.
struct BestHits {
  private let limit: Int
  private(set) var hits: [SearchIndex.Hit] = []

  /// True if another one comes in whatever it is.
  var hasRoom: Bool { hits.count < limit }

  /// No hits.
  init(limit: Int) { self.limit = limit }

  /// Adds a hit, and drops the last one if they are too many.
  mutating func add(_ hit: SearchIndex.Hit, in index: SearchIndex, isQuery: Bool) {
    if hits.count == limit {
      guard let last = hits.last, hit.precedes(last, in: index, isQuery: isQuery) else { return }
      hits.removeLast()
    }
    var (low, high) = (0, hits.count)
    while low < high {
      let middle = (low + high) / 2
      if hits[middle].precedes(hit, in: index, isQuery: isQuery) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    hits.insert(hit, at: low)
  }
}
