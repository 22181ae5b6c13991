import CEL
import JSONSchema
import JSONText

/// The rules of a command's form: the present choices for its parameters, and the values that stand there at first
/// (P4).
package struct FormRules: Equatable, Sendable, Codable {
  /// The rules: those for choices, then those for first values, each in the order of the document.
  let rules: [FormRule]

  /// The members of a command's document that have the rules.
  enum Part: String, CaseIterable, Sendable, Codable {
    case choices
    case defaults
  }
}

extension Command {
  /// True if the schema of its parameters changes with the session (P4).
  package var hasPresentChoices: Bool { formRules != nil }
}

/// A rule for one parameter of a command.
struct FormRule: Equatable, Sendable, Codable {
  let part: FormRules.Part
  let parameter: String
  let rule: Rule

  static func == (left: FormRule, right: FormRule) -> Bool {
    left.part == right.part && left.parameter.hasSameBytes(as: right.parameter)
      && left.rule == right.rule
  }

  /// The place of the rule in its command.
  var place: String { "\(part.rawValue)/\(parameter)" }
}

extension FormRules {
  /// Reads the members `choices` and `defaults` of a command; nil if there are no rules.
  ///
  /// - Parameter schema: The schema of the parameters; nil if there is none, or it is at fault.
  init?(_ reader: inout ObjectReader, for schema: Schema?) {
    var rules: [FormRule] = []
    for part in Part.allCases {
      rules +=
        reader.member(part.rawValue) { part.rules(reading: $0, at: $1, log: $2, for: schema) } ?? []
    }
    if Part.allCases.contains(where: { reader.has($0.rawValue) }), !reader.has("parameters") {
      reader.log.note(.missingMember("parameters"), at: reader.pointer)
    }
    if rules.isEmpty { return nil }
    self.rules = rules
  }

  /// Returns the rules of a part as a document; nil if there are none.
  func json(of part: Part) -> JSON? {
    var object = JSONObject()
    for rule in rules where rule.part == part { object[rule.parameter] = rule.rule.json }
    return object.isEmpty ? nil : .object(object)
  }
}

extension FormRules.Part {
  /// Reads an object of rules by parameter; a name that the schema does not have is a fault.
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

  /// The values that its rules may have.
  private var answers: ProgramResult {
    switch self {
    case .choices: .oneOf([.anyList])
    case .defaults: .json
    }
  }
}
