extension Array {
  /// Returns the first index from which on all elements have a property; the array must be partitioned by it.
  func partitioningIndex(_ hasProperty: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
