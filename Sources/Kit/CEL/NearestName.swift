/// The name among `names` that is most like `name`, or nil when none is like enough: a third of
/// its letters may be inserted, removed, replaced, or swapped with a neighbour.
package func nearest(to name: String, among names: [String]) -> String? {
  let wanted = Array(name.utf8)
  guard wanted.count <= 40 else { return nil }
  let most = max(1, wanted.count / 3)
  // The distance is at least the difference in length.
  let near = names.filter { abs($0.utf8.count - wanted.count) <= most }
  let distances = near.map { ($0, distance(wanted, Array($0.utf8))) }
  guard let best = distances.min(by: { $0.1 < $1.1 }) else { return nil }
  return best.1 <= most && best.1 < wanted.count ? best.0 : nil
}

/// The optimal string alignment distance.
private func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for (row, letter) in first.enumerated() {
    var current = [row + 1]
    for (column, other) in second.enumerated() {
      let replaced = previous[column] + (letter == other ? 0 : 1)
      var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
        best = min(best, beforePrevious[column - 1] + 1)
      }
      current.append(best)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[second.count]
}
