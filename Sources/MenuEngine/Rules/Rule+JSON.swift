import CEL
public import JSONText

extension Read {
  /// A rule that answers yes or no; `true` and `false` need no quotes.
  public static func boolRule(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    conditionRule(answering: [.bool], reading: json, at: pointer, log: log)
  }

  /// A rule for a check mark: yes, no or the name of a state; `true` and `false` need no quotes.
  static func stateRule(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    conditionRule(answering: [.bool, .string], reading: json, at: pointer, log: log)
  }

  /// A rule for a text, or for the name of something.
  static func stringRule(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    rule(answering: .oneOf([.string]), reading: json, at: pointer, log: log)
  }

  /// A rule with a value that is expected.
  static func rule(
    answering expected: ProgramResult, reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    guard case .string(let source) = json else { return refuse(.rule, json, at: pointer, log: log) }
    return compile(source, answering: expected, at: pointer, log: log)
  }

  private static func conditionRule(
    answering types: [StaticType], reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    switch json {
    case .bool(let bool):
      compile(bool ? "true" : "false", answering: .oneOf(types), at: pointer, log: log)
    case .string(let source): compile(source, answering: .oneOf(types), at: pointer, log: log)
    case .null, .int, .double, .array, .object: refuse(.boolRule, json, at: pointer, log: log)
    }
  }

  private static func compile(
    _ source: String, answering expected: ProgramResult, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    do {
      let rule = try Rule(source, answering: expected, limits: log.ruleLimits)
      log.note(rule, at: pointer)
      return rule
    } catch {
      log.note(.rule(error), at: pointer)
      return nil
    }
  }
}

extension Rule {
  /// The rule as a document.
  public var json: JSON { .string(program.source) }
}
