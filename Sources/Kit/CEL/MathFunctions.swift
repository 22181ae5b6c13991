/// The math extension, except bit operations.
extension Function {
  static let math = [
    Function(
      name: "math.greatest", styles: [.global],
      body: .unbounded({ (values, meter) throws(Failure) in
        try extreme(of: values, beyondOthersBy: .greater, for: "math.greatest", &meter)
      })),
    Function(
      name: "math.least", styles: [.global],
      body: .unbounded({ (values, meter) throws(Failure) in
        try extreme(of: values, beyondOthersBy: .less, for: "math.least", &meter)
      })),
    ofDouble("math.ceil") { .double($0.rounded(.up)) },
    ofDouble("math.floor") { .double($0.rounded(.down)) },
    ofDouble("math.round") { .double($0.rounded(.toNearestOrAwayFromZero)) },
    ofDouble("math.trunc") { .double($0.rounded(.towardZero)) },
    ofDouble("math.isNaN") { .bool($0.isNaN) },
    ofDouble("math.isInf") { .bool($0.isInfinite) },
    ofDouble("math.isFinite") { .bool($0.isFinite) },
    Function(name: "math.abs", styles: [.global], body: .unary(abs)),
    Function(name: "math.sign", styles: [.global], body: .unary(sign)),
    Function(name: "math.sqrt", styles: [.global], body: .unary(sqrt)),
  ]

  private static func ofDouble(
    _ name: String, _ answer: @escaping @Sendable (Double) -> Value
  ) -> Function {
    Function(
      name: name, styles: [.global],
      body: .unary({ (value, _) throws(Failure) in
        guard case .double(let double) = value else { throw .noSuchOverload(name, [value.type]) }
        return answer(double)
      }))
  }

  /// Returns the first extreme among several numbers, or among those in a single list.
  private static func extreme(
    of arguments: [Value], beyondOthersBy order: Order, for name: String, _ meter: inout Meter
  ) throws(Failure) -> Value {
    var numbers = ListValue.values(arguments)
    if arguments.count == 1, case .list(let list) = arguments[0] { numbers = list }
    guard var extreme = numbers[0] else { throw .argument(.noElements(function: name)) }
    for position in 0..<numbers.count {
      try meter.charge()
      guard let number = numbers[position] else { continue }
      guard number.isNumber else { throw .noSuchOverload(name, [number.type]) }
      if number.numericOrder(to: extreme) == order { extreme = number }
    }
    return extreme
  }

  private static func abs(_ value: Value, _: inout Meter) throws(Failure) -> Value {
    switch value {
    case .double(let double): return .double(double.magnitude)
    case .uint: return value
    case .int(let int):
      guard int != .min else { throw .overflow(.int) }
      return .int(Swift.abs(int))
    default: throw .noSuchOverload("math.abs", [value.type])
    }
  }

  private static func sign(_ value: Value, _: inout Meter) throws(Failure) -> Value {
    switch value {
    case .double(let double):
      .double(double.isNaN ? double : double == 0 ? 0 : double < 0 ? -1 : 1)
    case .uint(let uint): .uint(uint == 0 ? 0 : 1)
    case .int(let int): .int(int.signum())
    default: throw .noSuchOverload("math.sign", [value.type])
    }
  }

  private static func sqrt(_ value: Value, _: inout Meter) throws(Failure) -> Value {
    switch value {
    case .double(let double): .double(double.squareRoot())
    case .uint(let uint): .double(Double(uint).squareRoot())
    case .int(let int): .double(Double(int).squareRoot())
    default: throw .noSuchOverload("math.sqrt", [value.type])
    }
  }
}

/// The bit operations of the math extension.
extension Function {
  static let bits = [
    combination("math.bitAnd", { $0 & $1 }),
    combination("math.bitOr", { $0 | $1 }),
    combination("math.bitXor", { $0 ^ $1 }),
    Function(
      name: "math.bitNot", styles: [.global],
      body: .unary({ (value, _) throws(Failure) in
        switch value {
        case .int(let int): .int(~int)
        case .uint(let uint): .uint(~uint)
        default: throw .noSuchOverload("math.bitNot", [value.type])
        }
      })),
    shift("math.bitShiftLeft", { $0 << $1 }),
    shift("math.bitShiftRight", { $0 >> $1 }),
  ]

  private static func combination(
    _ name: String, _ combine: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> Function {
    Function(
      name: name, styles: [.global],
      body: .binary({ (left, right, _) throws(Failure) in
        switch (left, right) {
        case (.uint(let left), .uint(let right)): .uint(combine(left, right))
        case (.int(let left), .int(let right)):
          .int(
            Int64(bitPattern: combine(UInt64(bitPattern: left), UInt64(bitPattern: right))))
        default: throw .noSuchOverload(name, [left.type, right.type])
        }
      }))
  }

  /// Zeros are shifted in from either side; from 64 places on the result is zero.
  private static func shift(
    _ name: String, _ shift: @escaping @Sendable (UInt64, Int64) -> UInt64
  ) -> Function {
    Function(
      name: name, styles: [.global],
      body: .binary({ (value, places, _) throws(Failure) in
        guard case .int(let count) = places else {
          throw .noSuchOverload(name, [value.type, places.type])
        }
        guard count >= 0 else { throw .argument(.negative(count, function: name)) }
        switch value {
        case .uint(let uint): return .uint(shift(uint, count))
        case .int(let int): return .int(Int64(bitPattern: shift(UInt64(bitPattern: int), count)))
        default: throw .noSuchOverload(name, [value.type, places.type])
        }
      }))
  }
}

/// The arithmetic operators (langdef "Overflow"): a result out of range is a fault, doubles follow IEEE 754,
/// and both operands have the same type.
extension BinaryOperator {
  typealias Failure = EvaluationFault.Reason

  /// Returns the result of `+ - * / %`.
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
  /// Returns the result of the operator.
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
