import JSONText

/// Equality (langdef "Equality and Ordering"): numbers by value whatever their types, strings byte for byte,
/// lists in order, maps in any order; values of different types are not equal.
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
  /// Charges for adding an entry with `key`: a look-up, and an occasional move of the entries.
  mutating func charge(adding key: Value) throws(Failure) {
    try charge(3)
    try charge(key: key)
  }

  /// Charges for finding an entry by `key`.
  mutating func charge(key: Value) throws(Failure) {
    try charge()
    if case .string(let name) = key { try charge(name: name) }
  }

  /// Charges for looking up a name.
  mutating func charge(name: String) throws(Failure) {
    let cost = Self.cost(ofName: name)
    if cost > 0 { try charge(cost) }
  }
}

/// The order of two values.
enum Order {
  case less
  case equal
  case greater

  init<T: Comparable>(_ left: T, _ right: T) {
    self = left < right ? .less : left == right ? .equal : .greater
  }

  /// True unless the first value comes after the second.
  var isAscending: Bool {
    switch self {
    case .less, .equal: true
    case .greater: false
    }
  }

  var reversed: Order {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}

extension BinaryOperator {
  /// True if the relation holds for values in this order; with NaN only `!=` holds.
  func isTrue(of order: Order?) -> Bool {
    switch self {
    case .equal: order == .equal
    case .notEqual: order != .equal
    case .less: order == .less
    case .greater: order == .greater
    case .lessOrEqual: order?.isAscending ?? false
    case .greaterOrEqual: order?.reversed.isAscending ?? false
    case .isIn, .add, .subtract, .multiply, .divide, .remainder: false
    }
  }

  /// The reversed relation: what `a < b` is for `b` and `a`.
  var mirrored: BinaryOperator {
    switch self {
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual, .isIn, .add, .subtract, .multiply, .divide, .remainder: self
    }
  }

  /// True for `==` and `!=`, which are defined for values of all types.
  var isEquality: Bool {
    switch self {
    case .equal, .notEqual: true
    case .less, .greater, .lessOrEqual, .greaterOrEqual, .isIn, .add, .subtract, .multiply, .divide,
      .remainder:
      false
    }
  }

  /// True for an equality or an order.
  var isRelation: Bool {
    switch self {
    case .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual: true
    case .isIn, .add, .subtract, .multiply, .divide, .remainder: false
    }
  }
}

extension Value {
  /// Returns the order of this and `other`; nil if one is NaN.
  ///
  /// Throws `noSuchOverload` for values without an order.
  func order(
    to other: Value, _ operation: BinaryOperator, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Order? {
    switch (self, other) {
    case (.bool(let left), .bool(let right)):
      return Order(left ? 1 : 0, right ? 1 : 0)
    case (.string(let left), .string(let right)):
      try meter.charge(bytes: min(left.utf8.count, right.utf8.count))
      return lexicographicOrder(left.utf8.span, right.utf8.span)
    case (.bytes(let left), .bytes(let right)):
      try meter.charge(bytes: min(left.count, right.count))
      return lexicographicOrder(left.span, right.span)
    case (.timestamp(let left), .timestamp(let right)):
      return Order(left.sinceEpoch, right.sinceEpoch)
    case (.duration(let left), .duration(let right)):
      return Order(left.total, right.total)
    default:
      guard isNumber, other.isNumber else {
        throw .noSuchOverload(operation.rawValue, [type, other.type])
      }
      return numericOrder(to: other)
    }
  }

  /// Returns the order of this number and `other`; nil if one is NaN or not a number.
  ///
  /// Integers of different types are compared exactly. An integer is compared with a double as the nearest
  /// double, as the conformance suite requires.
  func numericOrder(to other: Value) -> Order? {
    switch (self, other) {
    case (.int(let left), .int(let right)): Order(left, right)
    case (.uint(let left), .uint(let right)): Order(left, right)
    case (.double(let left), .double(let right)): orderOfDoubles(left, right)
    case (.int(let left), .uint(let right)): orderOfIntegers(left, right)
    case (.uint(let left), .int(let right)): orderOfIntegers(right, left).reversed
    case (.int(let left), .double(let right)): orderOfDoubles(Double(left), right)
    case (.double(let left), .int(let right)): orderOfDoubles(left, Double(right))
    case (.uint(let left), .double(let right)): orderOfDoubles(Double(left), right)
    case (.double(let left), .uint(let right)): orderOfDoubles(left, Double(right))
    default: nil
    }
  }

  var isNumber: Bool {
    switch self {
    case .int, .uint, .double: true
    case .null, .bool, .string, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .optional,
      .type:
      false
    }
  }
}

private func orderOfIntegers(_ left: Int64, _ right: UInt64) -> Order {
  UInt64(exactly: left).map { Order($0, right) } ?? .less
}

private func orderOfDoubles(_ left: Double, _ right: Double) -> Order? {
  left.isNaN || right.isNaN ? nil : Order(left, right)
}

/// Returns the order of UTF-8 bytes, which for strings is that of code points.
private func lexicographicOrder(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Order {
  for position in 0..<min(left.count, right.count) where left[position] != right[position] {
    return Order(left[position], right[position])
  }
  return Order(left.count, right.count)
}

/// The two places whose values a program compares, if it does nothing else: `a.b == c.d`.
public struct PlaceComparison: Sendable {
  /// A variable by its index in the environment, with the fields selected from it.
  public typealias Place = (variable: Int, fields: [String])

  /// The operands, in source order.
  public let operands: (Place, Place)
}

extension Program {
  /// The places that the program compares for equality; nil if it does anything else.
  public var placeComparison: PlaceComparison? {
    guard !limits.isWatched,
      case .binary(.equal, let left, let right) = code.instructions[code.root],
      let left = code.place(left), let right = code.place(right)
    else { return nil }
    return PlaceComparison(operands: (left, right))
  }
}

extension Code {
  fileprivate func place(_ id: NodeID) -> PlaceComparison.Place? {
    var (id, fields) = (id, [String]())
    while case .select(let operand, let name) = instructions[id] {
      fields.append(name)
      id = operand
    }
    guard case .variable(let index) = instructions[id] else { return nil }
    return (index, fields.reversed())
  }
}
