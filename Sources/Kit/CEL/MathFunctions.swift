/// The math extension, but for bits.
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

  /// The first of several numbers, or of those in the only list, beyond which no other one is.
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
