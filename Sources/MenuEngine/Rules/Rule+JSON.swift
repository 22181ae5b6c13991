import CEL
public import JSONText

extension Read {
  /// A rule.
  public static func rule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    guard case .string(let source) = json else { return refuse(.rule, json, pointer, log) }
    return compile(source, pointer, log)
  }

  /// A rule that answers yes or no; `true` and `false` need no quotes.
  public static func boolRule(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Rule? {
    switch json {
    case .bool(let bool): compile(bool ? "true" : "false", pointer, log)
    case .string(let source): compile(source, pointer, log)
    case .null, .int, .double, .array, .object: refuse(.boolRule, json, pointer, log)
    }
  }

  private static func compile(
    _ source: String, _ pointer: JSONPointer, _ log: FaultLog
  ) -> Rule? {
    do {
      return try Rule(source, limits: log.ruleLimits)
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
