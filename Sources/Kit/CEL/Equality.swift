import JSONText

/// Equality, by langdef "Equality and Ordering": numbers by value whatever their types, strings
/// byte for byte, lists in order, maps whatever the order of their entries, and values of different
/// types are not equal.
extension Value {
  func isEqual(
    to other: Value, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.int(let left), .int(let right)): return left == right
    case (.string(let left), .string(let right)):
      guard left.utf8.count == right.utf8.count else { return false }
      try meter.charge(bytes: left.utf8.count)
      return left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)):
      guard left.count == right.count else { return false }
      try meter.charge(bytes: left.count)
      return left == right
    case (.list(let left), .list(let right)): return try left.isEqual(to: right, &meter)
    case (.map(let left), .map(let right)): return try left.isEqual(to: right, &meter)
    case (.optional(nil), .optional(nil)): return true
    case (.optional(let left?), .optional(let right?)):
      try meter.enter()
      defer { meter.leave() }
      return try left.isEqual(to: right, &meter)
    case (.timestamp(let left), .timestamp(let right)): return left == right
    case (.duration(let left), .duration(let right)): return left == right
    case (.ip(let left), .ip(let right)): return left == right
    case (.cidr(let left), .cidr(let right)): return left == right
    case (.type(let left), .type(let right)): return left == right
    default: return numericOrder(to: other) == .equal
    }
  }
}

extension ListValue {
  fileprivate func isEqual(
    to other: ListValue, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    guard count == other.count else { return false }
    try meter.enter()
    defer { meter.leave() }
    for position in 0..<count {
      try meter.charge()
      guard let left = self[position], let right = other[position],
        try left.isEqual(to: right, &meter)
      else { return false }
    }
    return true
  }
}

extension MapValue {
  fileprivate func isEqual(
    to other: MapValue, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    guard count == other.count else { return false }
    try meter.enter()
    defer { meter.leave() }
    for position in 0..<count {
      let (key, left) = entry(at: position)
      try meter.charge()
      try meter.charge(key: key)
      guard let right = other[key], try left.isEqual(to: right, &meter) else { return false }
    }
    return true
  }
}

extension Meter {
  /// Takes what adding an entry with `key` costs: it is looked for, and what is there has to be
  /// moved now and then.
  mutating func charge(adding key: Value) throws(Failure) {
    try charge(3)
    try charge(key: key)
  }

  /// Takes what finding an entry by `key` costs.
  mutating func charge(key: Value) throws(Failure) {
    try charge()
    if case .string(let name) = key { try charge(name: name) }
  }

  /// Takes what looking for a name costs.
  mutating func charge(name: String) throws(Failure) {
    let cost = Self.cost(ofName: name)
    if cost > 0 { try charge(cost) }
  }
}
