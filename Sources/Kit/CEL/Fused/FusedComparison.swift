import JSONText

extension BinaryOperator {
  /// True if the relation holds, and adds what that cost beyond its step; nil where it is not decided
  /// here: no order, or containers whose elements would have to be compared.
  @inline(__always)
  func isTrue(of left: JSON, and right: JSON, _ steps: inout Int) -> Bool? {
    switch (left, right) {
    case (.int(let left), .int(let right)): return isTrue(of: Order(left, right))
    case (.string(let left), .string(let right)):
      return isEquality ? isTrue(ofTexts: left, and: right, &steps) : nil
    case (.null, .null): return isEquality ? self == .equal : nil
    case (.bool(let left), .bool(let right)):
      return isEquality ? (left == right) == (self == .equal) : nil
    case (.double, .double), (.int, .double), (.double, .int):
      return isTrue(of: Value(left).numericOrder(to: Value(right)))
    case (.array(let left), .array(let right)):
      return isEquality ? isTrue(ofCounts: left.count, and: right.count) : nil
    case (.object(let left), .object(let right)):
      return isEquality ? isTrue(ofCounts: left.count, and: right.count) : nil
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      return isEquality ? self == .notEqual : nil
    }
  }

  /// Texts of different lengths are not looked at, and cost nothing.
  @inline(__always)
  private func isTrue(ofTexts left: String, and right: String, _ steps: inout Int) -> Bool {
    guard left.utf8.count == right.utf8.count else { return self == .notEqual }
    steps += Meter.cost(ofBytes: left.utf8.count)
    let isSame = left.isIdentical(to: right) || left.hasSameBytes(as: right)
    return isSame == (self == .equal)
  }

  /// Containers of different sizes differ, and empty ones are equal.
  private func isTrue(ofCounts left: Int, and right: Int) -> Bool? {
    if left != right { return self == .notEqual }
    return left == 0 ? self == .equal : nil
  }
}

extension JSON {
  /// The truth value, if it is one.
  var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The number of elements or members; nil for what has none, and for strings.
  var entryCount: Int? {
    switch self {
    case .array(let elements): elements.count
    case .object(let object): object.count
    case .null, .bool, .int, .double, .string: nil
    }
  }
}
