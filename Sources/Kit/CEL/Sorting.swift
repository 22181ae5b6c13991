extension Meter {
  /// The positions of `keys` in ascending order of the keys, those of equal ones in their own.
  ///
  /// Throws unless all keys are of one type that has an order.
  mutating func sorting(_ keys: [Value], _ function: String) throws(Failure) -> [Int] {
    guard let first = keys.first else { return [] }
    for key in keys {
      try charge()
      guard key.type == first.type else {
        throw .argument(.mixedTypes(first.type, key.type))
      }
    }
    guard first.isSortable else { throw .noSuchOverload(function, [first.type]) }
    return try merging(Array(keys.indices)) { (left, right, meter) throws(Failure) in
      try keys[right].order(to: keys[left], .less, &meter) == .less
    }
  }

  /// The positions in the order of the names, byte for byte.
  mutating func sorting(names: [String]) throws(Failure) -> [Int] {
    try sorting(names.map { .string($0) }, "")
  }

  /// Merges runs of twice the length, until there is only one; `isAfter` tells whether the first
  /// position has to come after the second.
  private mutating func merging(
    _ positions: [Int], isAfter: (Int, Int, inout Meter) throws(Failure) -> Bool
  ) throws(Failure) -> [Int] {
    var runs = positions
    var length = 1
    while length < runs.count {
      var merged: [Int] = []
      merged.reserveCapacity(runs.count)
      for start in stride(from: 0, to: runs.count, by: 2 * length) {
        let middle = min(start + length, runs.count)
        let end = min(middle + length, runs.count)
        var left = start
        var right = middle
        while left < middle, right < end {
          try charge()
          if try isAfter(runs[left], runs[right], &self) {
            merged.append(runs[right])
            right += 1
          } else {
            merged.append(runs[left])
            left += 1
          }
        }
        merged += runs[left..<middle]
        merged += runs[right..<end]
      }
      runs = merged
      length *= 2
    }
    return runs
  }
}

extension Value {
  fileprivate var isSortable: Bool {
    switch self {
    case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: true
    case .null, .list, .map, .ip, .cidr, .optional, .type: false
    }
  }
}
