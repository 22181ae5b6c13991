/// The order of two values.
enum Order {
  case less
  case equal
  case greater

  init<T: Comparable>(_ left: T, _ right: T) {
    self = left < right ? .less : left == right ? .equal : .greater
  }

  /// True if one does not come after the other.
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
  /// True if the relation holds between values that stand so to one another; between NaN and others
  /// none does but `!=`.
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

  /// The relation the other way round: what `a < b` is for `b` and `a`.
  var mirrored: BinaryOperator {
    switch self {
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual, .isIn, .add, .subtract, .multiply, .divide, .remainder: self
    }
  }

  /// True if it is `==` or `!=`, which are defined for values of all types.
  var isEquality: Bool {
    switch self {
    case .equal, .notEqual: true
    case .less, .greater, .lessOrEqual, .greaterOrEqual, .isIn, .add, .subtract, .multiply, .divide,
      .remainder:
      false
    }
  }

  /// True if it is an equality or an order.
  var isRelation: Bool {
    switch self {
    case .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual: true
    case .isIn, .add, .subtract, .multiply, .divide, .remainder: false
    }
  }
}

extension Value {
  /// Returns the order of this and `other`, or nil when one of them is NaN.
  ///
  /// Throws `noSuchOverload` for values between which there is no order.
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

  /// Returns the order of this number and `other`; nil when one is NaN, or no number.
  ///
  /// Integers of different types are compared exactly. An integer is compared with a double as
  /// the double nearest to it, as the conformance suite wants it.
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

/// The order of UTF-8 bytes, which for strings is that of their code points.
private func lexicographicOrder(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Order {
  for position in 0..<min(left.count, right.count) where left[position] != right[position] {
    return Order(left[position], right[position])
  }
  return Order(left.count, right.count)
}
