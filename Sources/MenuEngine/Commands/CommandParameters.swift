import CEL
package import JSONSchema
package import JSONText

/// The parameters of a command (P1), and the rules of its form (P4).
///
/// A class, because commands are copied more often than their parameters are read.
package final class CommandParameters: Sendable {
  /// The schema as declared.
  package let schema: Schema
  /// The rules of the form: those for choices, then those for initial values, each in document order.
  let rules: [FormRule]

  init(_ schema: Schema, rules: [FormRule]) {
    self.schema = schema
    self.rules = rules
  }

  /// The schema as a document.
  package var document: JSON { schema.document }
}

extension CommandParameters: Equatable {
  package static func == (left: CommandParameters, right: CommandParameters) -> Bool {
    left === right || left.schema == right.schema && left.rules == right.rules
  }
}

/// The coded form is the schema, unless there are rules.
extension CommandParameters: Codable {
  private enum CodingKeys: CodingKey {
    /// The name of the schema's member; no keyword of a schema has this name.
    case schema
    case rules
  }

  package func encode(to encoder: any Encoder) throws {
    guard !rules.isEmpty else { return try schema.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(rules, forKey: .rules)
  }

  package convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.schema) {
      self.init(
        try container.decode(Schema.self, forKey: .schema),
        rules: try container.decode([FormRule].self, forKey: .rules))
    } else {
      self.init(try Schema(from: decoder), rules: [])
    }
  }
}

extension Command {
  /// True if the schema of its parameters changes with the session (P4).
  package var hasPresentChoices: Bool { parameters?.rules.isEmpty == false }
}

/// The members of a command's document with rules for its form (P4).
package enum FormPart: String, CaseIterable, Sendable, Codable {
  case choices
  case defaults
}

/// A rule for one parameter of a command: its present choices, or its initial value (P4).
struct FormRule: Equatable, Sendable, Codable {
  let part: FormPart
  let parameter: String
  let rule: Rule

  static func == (left: FormRule, right: FormRule) -> Bool {
    left.part == right.part && left.parameter.hasSameBytes(as: right.parameter)
      && left.rule == right.rule
  }

  /// The place of the rule in its command.
  var place: String { "\(part.rawValue)/\(parameter)" }
}

extension CommandParameters {
  /// Reads the members `parameters`, `choices` and `defaults` of a command; nil if it takes no parameters.
  convenience init?(_ reader: inout ObjectReader) {
    let schema = reader.member("parameters", Read.parameterSchema)
    var rules: [FormRule] = []
    for part in FormPart.allCases {
      rules +=
        reader.member(part.rawValue) {
          part.rules(reading: $0, at: $1, log: $2, for: schema)
        } ?? []
    }
    let hasRules = FormPart.allCases.contains { reader.has($0.rawValue) }
    if hasRules, !reader.has("parameters") {
      reader.log.note(.missingMember("parameters"), at: reader.pointer)
    }
    guard let schema else { return nil }
    self.init(schema, rules: rules)
  }

  /// Returns the rules of a part as a document; nil if there are none.
  func json(of part: FormPart) -> JSON? {
    var object = JSONObject()
    for rule in rules where rule.part == part { object[rule.parameter] = rule.rule.json }
    return object.isEmpty ? nil : .object(object)
  }
}

extension FormPart {
  /// Reads an object of rules by parameter; a parameter that the schema does not declare is a fault.
  fileprivate func rules(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, for schema: Schema?
  ) -> [FormRule]? {
    guard let object = Read.object(json, at: pointer, log: log) else { return nil }
    let known = schema.map(\.propertyNames)
    return object.members.compactMap { member in
      let place = pointer.appending(member.name)
      if let known, !known.contains(where: member.name.hasSameBytes(as:)) {
        log.note(.unknownMember(member.name, known: known), at: place)
      }
      let rule = Read.rule(answering: answers, reading: member.value, at: place, log: log)
      return rule.map { FormRule(part: self, parameter: member.name, rule: $0) }
    }
  }

  /// The types of values that its rules may return.
  private var answers: ProgramResult {
    switch self {
    case .choices: .oneOf([.anyList])
    case .defaults: .json
    }
  }
}
