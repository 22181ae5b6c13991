/// The arithmetic operators, by langdef "Overflow": a result that its type cannot hold is a fault,
/// doubles follow IEEE 754, and both operands have the same type.
extension BinaryOperator {
  typealias Failure = EvaluationFault.Reason

  /// The result of `+ - * / %` for `left` and `right`.
  func arithmetic(
    of left: Value, and right: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)): return .int(try checked(left, right, as: .int))
    case (.uint(let left), .uint(let right)): return .uint(try checked(left, right, as: .uint))
    case (.double(let left), .double(let right)):
      if let result = floating(left, right) { return .double(result) }
    case (.string(let left), .string(let right)) where self == .add:
      try meter.produce(bytes: left.utf8.count + right.utf8.count)
      return .string(left + right)
    case (.bytes(let left), .bytes(let right)) where self == .add:
      try meter.produce(bytes: left.count + right.count)
      return .bytes(left + right)
    case (.list(let left), .list(let right)) where self == .add:
      try meter.produce(elements: left.count + right.count)
      return .list(.values(left.elements + right.elements))
    case (.timestamp, _), (.duration, _):
      if let result = try timeArithmetic(left, right) { return result }
    default: break
    }
    throw .noSuchOverload(rawValue, [left.type, right.type])
  }

  private func checked<T: FixedWidthInteger>(
    _ left: T, _ right: T, as type: ValueType
  ) throws(Failure) -> T {
    let (result, overflow) = try reporting(left, right)
    if overflow { throw .overflow(type) }
    return result
  }

  private func reporting<T: FixedWidthInteger>(
    _ left: T, _ right: T
  ) throws(Failure) -> (partialValue: T, overflow: Bool) {
    switch self {
    case .add: return left.addingReportingOverflow(right)
    case .subtract: return left.subtractingReportingOverflow(right)
    case .multiply: return left.multipliedReportingOverflow(by: right)
    case .divide, .remainder:
      if right == 0 { throw .divisionByZero }
      if self == .divide { return left.dividedReportingOverflow(by: right) }
      return left.remainderReportingOverflow(dividingBy: right)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn:
      preconditionFailure("\(rawValue) is no arithmetic operator")
    }
  }

  private func floating(_ left: Double, _ right: Double) -> Double? {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .remainder, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: nil
    }
  }
}

extension UnaryOperator {
  /// The result of the operator for `operand`.
  func applied(to operand: Value) throws(EvaluationFault.Reason) -> Value {
    switch (self, operand) {
    case (.not, .bool(let bool)): return .bool(!bool)
    case (.negate, .double(let double)): return .double(-double)
    case (.negate, .int(let int)):
      guard int != .min else { throw .overflow(.int) }
      return .int(-int)
    case (.not, _), (.negate, _): throw .noSuchOverload(rawValue, [operand.type])
    }
  }
}
