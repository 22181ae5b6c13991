/// Finds cycles of relations in which each responder of a graph has at most one successor, in time that
/// grows with the responders that are met.
struct CycleSearch {
  /// The positions of the responders that ways begin at.
  private let starts: [Int]
  /// The number of the last way on which the responder at each position was met; 0 for none.
  private var ways: [UInt32]
  private var lastWay: UInt32 = 0

  /// A search from positions, of so many.
  init(from starts: [Int], of count: Int) {
    self.starts = starts
    ways = Array(repeating: 0, count: count)
  }

  /// Returns the first cycle of a relation, the first position again at the end; nil if there is none that
  /// counts. By default every cycle does.
  mutating func cycle(
    following successor: (Int) -> Int?, where counts: ([Int]) -> Bool = { _ in true }
  ) -> [Int]? {
    let waysBefore = lastWay
    for start in starts {
      lastWay += 1
      var current: Int? = start
      while let here = current, ways[here] <= waysBefore {
        ways[here] = lastWay
        current = successor(here)
      }
      guard let first = current, ways[first] == lastWay else { continue }
      var cycle = [first]
      while let next = successor(cycle[cycle.count - 1]), next != first { cycle.append(next) }
      cycle.append(first)
      if counts(cycle) { return cycle }
    }
    return nil
  }
}
