/// The classes that are met on the way, with their places.
struct ClassPlaces {
  private struct Met {
    let name: ClassName
    let methods: [Selector: ResponderClasses.DefinedMethod]
    var places: [Int]
  }

  /// In the order in which they are met first.
  private var met: [Met] = []
  private var numbers: [ClassName: Int] = [:]
  private var last = 0

  mutating func note(_ name: ClassName, at place: Int, _ classes: ResponderClasses) {
    if last < met.count, met[last].name == name { return met[last].places.append(place) }
    if let number = numbers[name] {
      met[number].places.append(place)
      last = number
    } else {
      last = met.count
      numbers[name] = last
      met.append(Met(name: name, methods: classes.methods(of: name), places: [place]))
    }
  }

  /// Returns the place of the first instance that has a method, from a place on, if it is before another place; else
  /// `.max`.
  func first(implementing action: Selector, from place: Int, before limit: Int) -> Int {
    var nearest = limit
    for index in met.indices {
      guard met[index].places[0] < nearest else { break }
      if met[index].methods.keys.contains(action), let first = met[index].places.first(from: place)
      {
        nearest = min(nearest, first)
      }
    }
    return nearest == limit ? .max : nearest
  }
}

/// The responders that have methods of their own, apart from their class, or a coordinator with
/// some.
struct OwnerPlaces {
  /// Their places, in order.
  private var places: [Int] = []
  /// The number of places, from the first on, that are in `bySelector`.
  private var indexed = 0
  private var bySelector: [Selector: [Int]] = [:]
  /// The number of methods of all other places, and of the times these were asked.
  private var unindexed = 0
  private var asked = 0

  mutating func note(_ place: Int, _ count: Int) {
    places.append(place)
    unindexed += count
  }

  /// The first one from a place on that has a method, if before another place; else `.max`.
  mutating func first(
    of action: Selector, from place: Int, before limit: Int, _ hasMethod: (Int) -> Bool
  ) -> Int {
    if let first = bySelector[action]?.first(from: place) { return first < limit ? first : .max }
    for index in indexed..<places.count where places[index] >= place {
      guard places[index] < limit else { break }
      asked += 1
      if hasMethod(places[index]) { return places[index] }
    }
    return .max
  }

  /// Notes all methods, when those who have them were asked more often than that takes.
  mutating func indexIfWorthwhile(_ selectors: (Int) -> [Selector]) {
    guard asked > 2 * unindexed else { return }
    for index in indexed..<places.count {
      for selector in selectors(places[index]) {
        bySelector[selector, default: []].append(places[index])
      }
    }
    (indexed, unindexed, asked) = (places.count, 0, 0)
  }
}

extension [Int] {
  /// The first one that is not below a bound, in ascending order.
  func first(from bound: Int) -> Int? {
    if let first, first >= bound { return first }
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}
