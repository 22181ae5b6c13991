import CEL
import JSONText

extension EffectScope {
  /// The value that a rule describes as a document does.
  func document<Value>(
    _ rule: Rule, for member: String, expecting expectation: RuleFault.Expectation,
    by read: (JSON, JSONPointer, FaultLog) -> Value?
  ) throws(MutationFault) -> Value {
    let json = try json(rule, for: member)
    let log = FaultLog(ruleLimits: rule.program.limits)
    guard let value = read(json, .root, log), log.faults.isEmpty else {
      throw fault(rule, for: member, answering: json, expecting: expectation)
    }
    return value
  }

  /// The place that a rule answers, as a JSON Pointer or as the list of its tokens.
  func pointer(_ rule: Rule, for member: String) throws(MutationFault) -> JSONPointer {
    let json = try json(rule, for: member)
    guard case .array(let tokens) = json else {
      return try name(json, of: rule, for: member, expecting: .pointer) {
        try? JSONPointer(parsing: $0)
      }
    }
    let texts = tokens.compactMap(\.token)
    guard texts.count == tokens.count else {
      throw fault(rule, for: member, answering: json, expecting: .pointer)
    }
    return JSONPointer(texts)
  }
}

extension JSON {
  /// The token of a JSON Pointer that it is: a name or an index.
  fileprivate var token: String? {
    switch self {
    case .string(let name): name
    case .int(let index): "\(index)"
    case .null, .bool, .double, .array, .object: nil
    }
  }
}
