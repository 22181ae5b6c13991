/// Hints for people whose evaluation has no value.
extension EvaluationFault.Reason {
  var hint: String? {
    switch self {
    case .noSuchKey(let key, let available, let count):
      let names = available.filter { $0.hasPrefix("\"") }.map { String($0.dropFirst().dropLast()) }
      if key.hasPrefix("\""),
        let near = nearest(to: String(key.dropFirst().dropLast()), among: names)
      {
        return "did you mean \"\(near)\"?"
      }
      return count > 0 ? "has() and .? are for what may be missing" : nil
    case .indexOutOfRange(let index, let count):
      return count > 0 && index == count ? "the first element is 0" : nil
    case .noSuchOverload(let function, let types):
      if types.contains(.null) { return "compare with null first" }
      if ["&&", "||", "?:", "!"].contains(function) { return "a bool is wanted" }
      return Self.numbers(function, types)
    case .absent:
      return "orValue() gives it one"
    case .divisionByZero, .overflow, .undeclaredReference, .unsupportedKey, .duplicateKey,
      .stepLimit, .stringLimit, .elementLimit, .nestingLimit, .conversion, .argument:
      return nil
    }
  }

  /// Returns a hint for calculating with numbers of different types.
  private static func numbers(_ function: String, _ types: [ValueType]) -> String? {
    let isArithmetic = BinaryOperator(rawValue: function).map { $0.precedence > 0 } ?? false
    let numbers: [ValueType] = [.int, .uint, .double]
    guard isArithmetic, types.allSatisfy(numbers.contains), Set(types).count > 1 else { return nil }
    let target: ValueType = types.contains(.double) ? .double : .int
    return "convert with \(target.rawValue)()"
  }
}
