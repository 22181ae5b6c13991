import CEL
public import JSONText

extension Read {
  /// A rule with any value that JSON can carry.
  public static func rule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    rule(answering: .json, json, pointer, log)
  }

  /// A rule that answers yes or no; `true` and `false` need no quotes.
  public static func boolRule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    conditionRule(answering: [.bool], json, pointer, log)
  }

  /// A rule for a check mark: yes, no or the name of a state; `true` and `false` need no quotes.
  static func stateRule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    conditionRule(answering: [.bool, .string], json, pointer, log)
  }

  /// A rule for a text, or for the name of something.
  static func stringRule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    rule(answering: .oneOf([.string]), json, pointer, log)
  }

  /// A rule for the name of something, or null for nothing.
  static func optionalStringRule(
    _ json: JSON, _ pointer: JSONPointer, _ log: FaultLog
  ) -> Rule? {
    rule(answering: .oneOf([.string, .null]), json, pointer, log)
  }

  /// A rule for a list.
  static func listRule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    rule(answering: .oneOf([.anyList]), json, pointer, log)
  }

  /// A rule for a list, or null for none.
  static func optionalListRule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    rule(answering: .oneOf([.anyList, .null]), json, pointer, log)
  }

  /// A rule for an object.
  static func objectRule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    rule(answering: .oneOf([.anyMap]), json, pointer, log)
  }

  /// A rule for an integer.
  static func intRule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    rule(answering: .oneOf([.int]), json, pointer, log)
  }

  private static func rule(
    answering expected: ProgramResult, _ json: JSON, _ pointer: JSONPointer, _ log: FaultLog
  ) -> Rule? {
    guard case .string(let source) = json else { return refuse(.rule, json, pointer, log) }
    return compile(source, answering: expected, pointer, log)
  }

  private static func conditionRule(
    answering types: [StaticType], _ json: JSON, _ pointer: JSONPointer, _ log: FaultLog
  ) -> Rule? {
    switch json {
    case .bool(let bool): compile(bool ? "true" : "false", answering: .oneOf(types), pointer, log)
    case .string(let source): compile(source, answering: .oneOf(types), pointer, log)
    case .null, .int, .double, .array, .object: refuse(.boolRule, json, pointer, log)
    }
  }

  private static func compile(
    _ source: String, answering expected: ProgramResult, _ pointer: JSONPointer, _ log: FaultLog
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
