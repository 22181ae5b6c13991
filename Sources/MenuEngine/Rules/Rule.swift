package import CEL
package import JSONText
import Languages

/// A compiled CEL expression of a client.
package struct Rule: Sendable {
  /// The values that a rule can read, in the order of their indexes in a compiled program.
  package enum Root: Int, CaseIterable, Sendable {
    case state
    /// The responder: `id`, `kind`, `class`, `properties`, and with a coordinator `coordinator.handlers`, the
    /// selectors of its handlers.
    case responder
    /// The sender of the action; for a menu item the command itself with `kind`. If the rule reads `actor`, it is the
    /// `kind` and the `label` of the actor's token (T4).
    case sender
    /// The command; null for an action sent without one. If the rule reads `deliveries`, these are its
    /// unsettled deliveries: `id`, `value` and `state` of each (D4). The title and the `key` of an item from data are
    /// those of the item (M12).
    case command
    /// The arguments of the action; empty during validation.
    case arguments
    /// The performed message (F9): `target`, `selector`, `originalSelector`, by which a catch-all distinguishes
    /// messages (F5, F10), `when`, and `result` once it is answered; null during validation.
    case invocation
    /// The segue being performed (V5): `identifier`, `kind`, `source` and `destination`, both with the members
    /// of `responder`; null outside a segue.
    case segue
    /// The parameters of the performed command (P2), an object; empty during validation (P3), but for an item from data
    /// (M12), and if none were given.
    case parameters
    /// The texts of the session's language by key, which `tr(key)` reads (M14).
    case tr

    package var name: String { "\(self)" }
  }

  /// The compiled expression.
  package let program: Program

  var roots: [Root] {
    Root.allCases.filter { root in
      program.paths.contains { $0.tokens.first?.hasSameBytes(as: root.name) == true }
    }
  }

  /// The places of the state that the rule reads, without the root.
  var statePaths: [ArraySlice<String>] { program.places(in: Root.state.rawValue) }

  /// The places of the state that must exist for the rule to have a value, without the root.
  var requiredStatePaths: [ArraySlice<String>] {
    program.requiredPaths.filter { $0.tokens.count > 1 && $0.tokens[0] == Root.state.name }
      .map { $0.tokens.dropFirst() }
  }

  var readsState: Bool { program.readVariables.contains(Root.state.rawValue) }

  /// True if the rule reads only the state.
  var readsStateOnly: Bool {
    program.readVariables.allSatisfy { $0 == Root.state.rawValue }
  }

  /// Returns true if the text is a string literal in the rule, or the translation of a literal key (M14).
  func spellsOut(_ text: String, in translations: JSON) -> Bool {
    program.spellsOut(text)
      || program.translatedKeys.contains { key in
        (translations.translation(of: key) ?? MessageText(key).text(naming: [:]))
          .hasSameBytes(as: text)
      }
  }

  /// True if it reads the deliveries of its command (D4).
  var readsDeliveries: Bool { reads("deliveries", of: .command) }

  /// True if it reads the key of its command: the key equivalent, or that of an item from data (M12).
  var readsKey: Bool { reads("key", of: .command) }

  /// True if it is the literal `true`.
  var isAlwaysTrue: Bool { program.source.hasSameBytes(as: "true") }

  /// True if it reads the actor (T4).
  var readsActor: Bool { reads("actor", of: .sender) }

  private func reads(_ member: String, of root: Root) -> Bool {
    program.places(in: root.rawValue).contains { $0.first?.hasSameBytes(as: member) == true }
  }

  /// True if its value is always a Boolean.
  var isYesOrNo: Bool { program.type == .bool }

  /// True if both are the same object in memory. Equal rules with equal limits are.
  func isIdentical(to other: Rule) -> Bool { program.isIdentical(to: other.program) }

  /// Compiles `source`, which can read values of these names; the default is the roots.
  ///
  /// - Throws: `CompilationFault` with the offset and a hint.
  package init(
    _ source: String, seeing names: [String] = Self.rootNames,
    limits: ProgramLimits = ProgramLimits()
  ) throws(CompilationFault) {
    program = try Program(source, variables: names, limits: limits)
  }

  /// Compiles `source`, whose value must have an expected type.
  ///
  /// - Throws: `CompilationFault` with the offset and a hint.
  init(
    _ source: String, seeing names: [String], answering expected: ProgramResult,
    limits: ProgramLimits
  ) throws(CompilationFault) {
    try self.init(source, seeing: names, limits: limits)
    if let fault = program.fault(unlessItAnswers: expected) { throw fault }
  }

  package static let rootNames = Root.allCases.map(\.name)
}

extension Rule: Equatable {
  /// True if both have the same source.
  package static func == (left: Rule, right: Rule) -> Bool {
    left.program.source.hasSameBytes(as: right.program.source)
  }
}

extension Read {
  /// Reads a rule with a Boolean value; `true` and `false` need no quotes.
  package static func boolRule(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    conditionRule(answering: [.bool], reading: json, at: pointer, log: log)
  }

  /// Reads a rule for a check mark: a Boolean or the name of a state; `true` and `false` need no quotes.
  static func stateRule(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    conditionRule(answering: [.bool, .string], reading: json, at: pointer, log: log)
  }

  /// Reads a rule for a text or a name.
  static func stringRule(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Rule? {
    rule(answering: .oneOf([.string]), reading: json, at: pointer, log: log)
  }

  /// Reads a rule with an expected type, which can read values of these names; the default is the roots.
  static func rule(
    answering expected: ProgramResult, reading json: JSON, at pointer: JSONPointer, log: FaultLog,
    seeing names: [String] = Rule.rootNames
  ) -> Rule? {
    guard case .string(let source) = json else { return refuse(.rule, json, at: pointer, log: log) }
    return compile(source, answering: expected, at: pointer, log: log, seeing: names)
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
    _ source: String, answering expected: ProgramResult, at pointer: JSONPointer, log: FaultLog,
    seeing names: [String] = Rule.rootNames
  ) -> Rule? {
    do {
      let rule = try Rule(
        source, seeing: names, answering: expected, limits: log.ruleLimits)
      log.note(rule, at: pointer)
      return rule
    } catch {
      log.note(.rule(error), at: pointer)
      return nil
    }
  }
}

extension Rule {
  package var json: JSON { .string(program.source) }
}

/// The coded form is the source, compiled again with the original limits.
///
/// **Decision:** limits other than CEL's defaults are stored with the rule. A session recovered under other
/// configured limits behaves as before, since its mutations would otherwise replay differently; new rules have
/// the new limits.
extension Rule: Codable {
  private enum CodingKeys: CodingKey {
    case source
    case limits
  }

  /// Encodes the source, and the limits unless they are the defaults.
  package func encode(to encoder: any Encoder) throws {
    guard program.limits != ProgramLimits() else {
      var container = encoder.singleValueContainer()
      return try container.encode(program.source)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(program.source, forKey: .source)
    try container.encode(program.limits, forKey: .limits)
  }

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
