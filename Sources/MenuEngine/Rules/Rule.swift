package import CEL
package import JSONText

/// A CEL expression that a client registered, compiled once.
package struct Rule: Sendable {
  /// The values that a rule can read, in the order of their indexes in a compiled program.
  package enum Root: Int, CaseIterable, Sendable {
    /// The session's state.
    case state
    /// The responder that is asked: `id`, `kind`, `class`, `properties`, and with a coordinator
    /// `coordinator.handlers`, the selectors that it has handlers for.
    case responder
    /// The sender of the action; for an item of a menu the command itself with `kind`.
    case sender
    /// The command, or null when an action is sent without one. In a rule that names it, `deliveries` are
    /// those of the command that are not settled: `id`, `value` and `state` of each (D4).
    case command
    /// The arguments the action is sent with; empty in rules that only ask.
    case arguments
    /// The message that a handler performs (F9): `target`, `selector`, `originalSelector`, which a
    /// catch-all tells messages apart by (F5, F10), `when`, and `result` once something was answered;
    /// null in rules that only ask.
    case invocation
    /// The segue that is being performed (V5): `identifier`, `kind`, `source` and `destination`, both
    /// whole as `responder` is; null outside a segue.
    case segue
    /// The parameters that a command is performed with (P2), an object; empty in rules that only ask (P3),
    /// and wherever none were given.
    case parameters

    /// The name in the rule.
    package var name: String { "\(self)" }
  }

  /// The compiled expression.
  package let program: Program

  /// The roots that the rule reads.
  var roots: [Root] {
    Root.allCases.filter { root in
      program.paths.contains { $0.steps.first?.hasSameBytes(as: root.name) == true }
    }
  }

  /// The places of the state that the rule reads, the root left out.
  var statePaths: [ArraySlice<String>] { program.places(in: Root.state.rawValue) }

  /// The places of the state that must exist for the rule to have a value, the root left out.
  var requiredStatePaths: [ArraySlice<String>] {
    program.requiredPaths.filter { $0.steps.count > 1 && $0.steps[0] == Root.state.name }
      .map { $0.steps.dropFirst() }
  }

  /// True if the rule reads the state.
  var readsState: Bool { program.readVariables.contains(Root.state.rawValue) }

  /// True if the rule reads nothing but the state.
  var readsStateOnly: Bool {
    program.readVariables.allSatisfy { $0 == Root.state.rawValue }
  }

  /// True if a text is written in it as a string.
  func spellsOut(_ text: String) -> Bool { program.spellsOut(text) }

  /// True if it names the deliveries of its command (D4).
  var readsDeliveries: Bool {
    program.places(in: Root.command.rawValue).contains {
      $0.first?.hasSameBytes(as: "deliveries") == true
    }
  }

  /// True if it can answer nothing but true and false.
  var isYesOrNo: Bool { program.type == .bool }

  /// True if both are one rule in memory, as equal ones with equal limits are.
  func isIdentical(to other: Rule) -> Bool { program.isIdentical(to: other.program) }

  /// Compiles `source`.
  ///
  /// - Throws: `CompilationFault` with the offset and a hint.
  package init(
    _ source: String, limits: ProgramLimits = ProgramLimits()
  ) throws(CompilationFault) {
    program = try Program(source, variables: Self.rootNames, limits: limits)
  }

  /// Compiles `source`, whose value must be able to be what is expected.
  ///
  /// - Throws: `CompilationFault` with the offset and a hint.
  init(
    _ source: String, answering expected: ProgramResult, limits: ProgramLimits
  ) throws(CompilationFault) {
    try self.init(source, limits: limits)
    if let fault = program.fault(unlessItAnswers: expected) { throw fault }
  }

  /// The names of all roots.
  package static let rootNames = Root.allCases.map(\.name)
}

extension Rule: Equatable {
  /// True if both have the same source.
  package static func == (left: Rule, right: Rule) -> Bool {
    left.program.source.hasSameBytes(as: right.program.source)
  }
}

extension Read {
  /// A rule that answers yes or no; `true` and `false` need no quotes.
  package static func boolRule(
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
  package var json: JSON { .string(program.source) }
}

/// A rule is coded as its source, and compiled again under the bounds it was compiled under before.
///
/// **Decision:** bounds other than CEL's defaults are stored with the rule. A session that is recovered
/// under a configuration with other bounds goes on as it was, since its mutations would otherwise not
/// do again what they did; what is registered from then on has the new bounds.
extension Rule: Codable {
  private enum CodingKeys: CodingKey {
    case source
    case limits
  }

  /// Encodes the source, with the bounds unless they are the defaults.
  package func encode(to encoder: any Encoder) throws {
    guard program.limits != ProgramLimits() else {
      var container = encoder.singleValueContainer()
      return try container.encode(program.source)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(program.source, forKey: .source)
    try container.encode(program.limits, forKey: .limits)
  }

  /// Decodes the source and compiles it.
  package init(from decoder: any Decoder) throws {
    if let source = try? decoder.singleValueContainer().decode(String.self) {
      try self.init(source, limits: .init(), in: decoder)
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      try self.init(
        try container.decode(String.self, forKey: .source),
        limits: try container.decode(ProgramLimits.self, forKey: .limits), in: decoder)
    }
  }

  private init(_ source: String, limits: ProgramLimits, in decoder: any Decoder) throws {
    do throws(CompilationFault) {
      try self.init(source, limits: limits)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "the rule \(JSON.string(source)) does not compile: \(error)"))
    }
  }
}
