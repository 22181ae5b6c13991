/// The best of many hits, in order.
struct BestHits {
  private let limit: Int
  private let isQuery: Bool
  private var hits: [SearchIndex.Hit] = []
  /// The number of hits that were added.
  private(set) var total = 0

  /// No hits.
  ///
  /// - Parameter isQuery: False if nothing is typed, so that the order of the menus decides.
  init(limit: Int, isQuery: Bool) {
    self.limit = limit
    self.isQuery = isQuery
  }

  /// Adds a hit. Now and then those that are too many are dropped.
  mutating func add(_ hit: SearchIndex.Hit, in index: SearchIndex) {
    total += 1
    hits.append(hit)
    if hits.count >= 2 * limit + 64 { cut(in: index) }
  }

  /// Returns the best ones, and forgets all.
  mutating func take(in index: SearchIndex) -> [SearchIndex.Hit] {
    cut(in: index)
    defer { hits = [] }
    return hits
  }

  private mutating func cut(in index: SearchIndex) {
    hits.sort { $0.precedes($1, in: index, isQuery: isQuery) }
    if hits.count > limit { hits.removeSubrange(limit...) }
  }
}
