/// Values among which another one is found by the language's equality: keys of maps, and whole
/// doubles, at once, the others one after the other.
struct ValueSet {
  private var keys: Set<MapKey> = []
  private var others: [Value] = []

  init() {}

  init(_ list: ListValue, _ meter: inout Meter) throws(EvaluationFault.Reason) {
    for position in 0..<list.count {
      guard let element = list[position] else { continue }
      if MapKey(lookingUp: element) != nil {
        try insert(element, &meter)
      } else {
        try meter.charge()
        others.append(element)
      }
    }
  }

  /// Adds `value`, and returns true if it was not there.
  @discardableResult
  mutating func insert(
    _ value: Value, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    try meter.charge(adding: value)
    if let key = MapKey(lookingUp: value) { return keys.insert(key).inserted }
    guard try !contains(value, &meter) else { return false }
    others.append(value)
    return true
  }

  /// True if a value equal to `value` is there.
  func contains(
    _ value: Value, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    try meter.charge(key: value)
    if let key = MapKey(lookingUp: value) { return keys.contains(key) }
    for other in others {
      try meter.charge()
      if try other.isEqual(to: value, &meter) { return true }
    }
    return false
  }
}
