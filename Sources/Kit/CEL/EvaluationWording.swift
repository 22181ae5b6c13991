/// Messages for people whose evaluation has no value.
extension EvaluationFault.Reason {
  var wording: String {
    switch self {
    case .noSuchKey(let key, let available, let count):
      "no such key \(key); " + Self.keys(available, of: count)
    case .indexOutOfRange(let index, let count):
      "no element \(index) in a list of \(count)"
    case .divisionByZero:
      "division by zero"
    case .overflow(let type):
      "the result does not fit \(Wording.noun(type.rawValue))"
    case .noSuchOverload(let function, let types):
      Wording.undefined(function, for: types.map(\.rawValue))
    case .undeclaredReference(let name):
      "'\(name)' is not declared"
    case .unsupportedKey(let type):
      Wording.unsupportedKey(type.rawValue)
    case .duplicateKey(let key):
      "the key \(key) is there twice"
    case .stepLimit(let limit):
      "the evaluation takes more than \(limit) steps (maximumSteps)"
    case .stringLimit(let limit): Wording.stringTooLong(limit)
    case .elementLimit(let limit): Wording.tooManyElements(limit)
    case .nestingLimit(let limit):
      "the values are nested more than \(limit) levels deep"
    case .absent:
      "the optional has no value"
    case .conversion(let value, let type):
      "\(value) cannot be converted to \(type.rawValue)"
    case .argument(let fault):
      fault.wording
    }
  }

  private static func keys(_ available: [String], of count: Int) -> String {
    if available.isEmpty { return "the map is empty" }
    let shown = available.prefix(8)
    let names = shown.joined(separator: ", ")
    let more = count - shown.count
    return "the keys are \(names)" + (more > 0 ? " and \(more) more" : "")
  }
}
