import JSONText
import MenuEngine

/// The difference between a menu's present and former elements, if only items from data differ (M12).
///
/// Few items move: the longest subsequence of items that keep their order stays in place.
struct ElementDifference {
  /// The name of an element.
  struct Identity: Hashable {
    let isMenu: Bool
    let name: String
    /// The key of an item from data.
    let key: ItemKey?

    static func == (left: Identity, right: Identity) -> Bool {
      left.isMenu == right.isMenu && left.key == right.key
        && left.name.hasSameBytes(as: right.name)
    }
  }

  /// The former place of an element.
  struct Kept {
    let former: Int
    /// True if its position among the other elements has changed.
    var hasMoved: Bool
  }

  /// The former place of each element; nil for a new one.
  private(set) var kept: [Kept?]
  /// The former places of removed items.
  private(set) var gone: [Int] = []

  /// Compares elements; nil if they differ in more than items from data.
  init?(of elements: [Identity], from former: [Identity]) {
    let both = min(elements.count, former.count)
    var start = 0
    while start < both, elements[start] == former[start] { start += 1 }
    var rest = 0
    while rest < both - start,
      elements[elements.count - 1 - rest] == former[former.count - 1 - rest]
    {
      rest += 1
    }
    kept = elements.indices.map { index in
      if index < start { return Kept(former: index, hasMoved: false) }
      let place = index + former.count - elements.count
      return index < elements.count - rest ? nil : Kept(former: place, hasMoved: false)
    }
    let (middle, formerMiddle) = (start..<elements.count - rest, start..<former.count - rest)
    guard !middle.isEmpty || !formerMiddle.isEmpty else { return }
    guard isSame(elements[middle], former[formerMiddle]) else { return nil }
    compare(elements, in: middle, with: former, in: formerMiddle)
  }

  /// True if the elements other than items from data are the same.
  private func isSame(_ elements: ArraySlice<Identity>, _ former: ArraySlice<Identity>) -> Bool {
    elements.lazy.filter { $0.key == nil }.elementsEqual(former.lazy.filter { $0.key == nil })
  }

  private mutating func compare(
    _ elements: [Identity], in middle: Range<Int>, with former: [Identity],
    in formerMiddle: Range<Int>
  ) {
    var places: [Identity: Int] = [:]
    var fixed: [Int] = []
    for place in formerMiddle {
      if former[place].key == nil { fixed.append(place) } else { places[former[place]] = place }
    }
    var fixedPlaces = fixed[...]
    var run: [Int] = []
    var from = formerMiddle.lowerBound
    for index in middle {
      if elements[index].key != nil {
        guard let place = places.removeValue(forKey: elements[index]) else { continue }
        kept[index] = Kept(former: place, hasMoved: true)
        run.append(index)
      } else if let place = fixedPlaces.popFirst() {
        kept[index] = Kept(former: place, hasMoved: false)
        keepOrder(of: run, within: from..<place)
        (run, from) = ([], place + 1)
      }
    }
    keepOrder(of: run, within: from..<formerMiddle.upperBound)
    gone = places.values.sorted()
  }

  /// Marks the longest subsequence of items that stay in place between two other elements, by their former places.
  private mutating func keepOrder(of items: [Int], within range: Range<Int>) {
    let staying = items.filter { kept[$0].map { range.contains($0.former) } ?? false }
    for item in longestRow(of: staying) { kept[item]?.hasMoved = false }
  }

  /// Returns the longest subsequence of items whose former places ascend.
  private func longestRow(of items: [Int]) -> [Int] {
    /// The last item of the best subsequence of each length, and the item before each.
    var (ends, before): ([Int], [Int: Int]) = ([], [:])
    for item in items {
      let place = kept[item]?.former ?? 0
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if kept[ends[middle]]?.former ?? 0 < place { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[item] = ends[low - 1] }
      if low < ends.count { ends[low] = item } else { ends.append(item) }
    }
    var row: [Int] = []
    var last = ends.last
    while let item = last {
      row.append(item)
      last = before[item]
    }
    return row
  }
}
