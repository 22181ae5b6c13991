import CEL
package import JSONSchema
package import JSONText

/// The present form of a command: its item, and the schema of its parameters with the present choices (P4).
package struct CommandForm: Sendable {
  package let item: ValidatedItem
  /// Its parameters; nil if it takes none.
  fileprivate let parameters: PresentParameters?

  /// The schema as a document.
  package var schema: JSON { parameters?.schema.document ?? Self.schemaWithoutParameters }

  /// The faults of its rules for choices and initial values.
  package var faults: [RuleFault] { parameters?.faults ?? [] }

  /// The schema of a command that takes no parameters.
  package static let schemaWithoutParameters: JSON = [
    "type": "object", "additionalProperties": false,
  ]

  /// Refuses parameters as performing does (P2, P4).
  package func check(_ given: JSONObject) throws(MutationFault) {
    if let parameters {
      try parameters.check(given, of: item.command, Effort())
    } else if !given.isEmpty {
      throw .command(.noParameters(item.command))
    }
  }
}

/// The present parameters of a command.
struct PresentParameters {
  let schema: Schema
  /// The faults of rules.
  let faults: [RuleFault]

  /// Refuses parameters that do not match the schema.
  func check(
    _ given: JSONObject, of command: CommandID, _ effort: Effort
  ) throws(MutationFault) {
    let values = schema.faults(of: .object(given), effort)
    guard !values.isEmpty else { return }
    throw .command(.invalidParameters(command, ParameterFaults(values, rules: faults)))
  }
}

/// The faults of parameters that do not meet their schema (P2).
package struct ParameterFaults: Equatable, Sendable {
  /// The faults of the values. For unknown choices, the reason is the place of their rule.
  package let values: ValueFault.List
  /// The faults of the rules for choices and initial values (P4).
  package let rules: [RuleFault]

  init(_ values: ValueFault.List, rules: [RuleFault] = []) {
    self.values = values
    self.rules = rules
  }

  /// True if the only faults are unknown choices.
  var areUnknown: Bool {
    values.faults.allSatisfy { if case .unknownChoices = $0.reason { true } else { false } }
  }
}

extension Session {
  /// Returns the form of a command, with the target of its item (M5). Its rules see the values that the item's rules
  /// see.
  ///
  /// - Parameter parts: The kinds of rules to evaluate.
  /// - Throws: `unknownCommand`, and the faults of ``validate(_:in:)``.
  package func form(
    of id: CommandID, _ request: ValidationRequest, in catalog: Catalog,
    with parts: Set<FormPart> = Set(FormPart.allCases), spending effort: Effort = Effort()
  ) throws(MutationFault) -> CommandForm {
    guard let position = catalog.positions[id] else { throw .unknownCommand(id) }
    let session = try withKeyWindow(request.window)
    try session.check(request.from)
    try session.check(request.sender?.responder)
    let context = SessionContext(
      catalog, effort: effort, isExplaining: false, actor: request.actor)
    var inquiry = session.inquiry(in: context)
    inquiry.source = .command(position, request.modifiers, request.sender)
    let command = catalog.commands[position].whileHolding(request.modifiers)
    let (item, target) = inquiry.validate(command, from: request.from)
    let parameters = inquiry.parameters(of: command, performedBy: target, with: parts)
    try effort.check()
    return CommandForm(item: item, parameters: parameters)
  }
}

extension Inquiry {
  /// Returns the present parameters of a command; nil if it takes none.
  ///
  /// The rules have the context of the target's rules for the item. **Decision:** without a target `responder` is
  /// null, and the parameters are checked nevertheless, because that check comes first (P2).
  func parameters(
    of command: Command, performedBy target: Target?, with parts: Set<FormPart>
  ) -> PresentParameters? {
    guard let parameters = command.parameters else { return nil }
    guard !parameters.rules.isEmpty else {
      return PresentParameters(schema: parameters.schema, faults: [])
    }
    let context = context(for: target?.implementer)
    var offers: [PropertyOffer] = []
    var faults: [RuleFault] = []
    for rule in parameters.rules where parts.contains(rule.part) && !effort.isExhausted {
      let place = offers.firstIndex { $0.property.hasSameBytes(as: rule.parameter) }
      if place == nil { offers.append(PropertyOffer(of: rule.parameter)) }
      do throws(RuleFault) {
        try context.answer(rule, in: &offers[place ?? offers.count - 1])
      } catch {
        faults.append(error)
      }
    }
    return PresentParameters(schema: parameters.schema.offering(offers, effort), faults: faults)
  }
}

extension Inquiry {
  /// Returns the reason why a command does not accept parameters at present; nil if it accepts them.
  mutating func refusal(
    of given: JSONObject, by command: Command, at target: Target?
  ) -> RuleFault.Reason? {
    guard let present = presentChoices(of: command, at: target) else {
      return given.isEmpty ? nil : .unfit(nil)
    }
    let values = present.schema.faults(of: .object(given), effort)
    return values.isEmpty ? nil : .unfit(ParameterFaults(values, rules: present.faults))
  }

  /// Returns the parameters of a command with their present choices; nil if it takes none. Choices that depend only on
  /// the session are read once.
  private mutating func presentChoices(
    of command: Command, at target: Target?
  ) -> PresentParameters? {
    guard command.hasPresentChoices else {
      return parameters(of: command, performedBy: target, with: [])
    }
    let rules = (command.parameters?.rules ?? []).filter { $0.part == .choices }.map(\.rule)
    for rule in rules { readings.note(rule) }
    let present =
      knownChoices[command.id] ?? parameters(of: command, performedBy: target, with: [.choices])
    if present?.faults.isEmpty == false { readings.noteEverything() }
    if rules.allSatisfy({ $0.roots.allSatisfy { $0 == .state || $0 == .tr } }) {
      knownChoices[command.id] = present
    }
    return present
  }
}

extension Schema {
  /// Returns the schema with choices and initial values, and adds the steps taken to the effort, which is exhausted if
  /// the limit of validation is exceeded.
  fileprivate func offering(_ offers: [PropertyOffer], _ effort: Effort) -> Schema {
    var steps = 0
    defer { effort.spend(steps) }
    do throws(ValueFault.Exhaustion) {
      return try offering(offers, addingStepsTo: &steps)
    } catch {
      effort.exhaust()
      return self
    }
  }
}

extension RuleContext {
  /// Adds the answer of a rule to the offer for its parameter.
  fileprivate func answer(_ rule: FormRule, in offer: inout PropertyOffer) throws(RuleFault) {
    switch rule.part {
    case .choices:
      offer.choices = .unknown(rule.place)
      offer.choices = .values(try choices(rule))
    case .defaults:
      let value = try value(of: rule.rule, at: rule.place)
      offer.start = try rule.rule.bounded(value, at: rule.place, effort)
    }
  }

  /// Returns the choices of a rule: each is a value, or an object with `const` and maybe a `title`.
  private func choices(_ rule: FormRule) throws(RuleFault) -> [PropertyOffer.Choice] {
    let value = try value(of: rule.rule, at: rule.place)
    guard case .array(let elements) = try rule.rule.bounded(value, at: rule.place, effort),
      elements.count <= Limits.choices
    else { throw rule.rule.fault(at: rule.place, answering: value, expecting: .choices) }
    effort.spend(Effort.member * elements.count)
    var choices: [PropertyOffer.Choice] = []
    for (index, element) in elements.enumerated() {
      do throws(RuleFault) {
        choices.append(try rule.choice(element))
      } catch {
        throw error.about(element: index)
      }
    }
    return choices
  }
}

extension FormRule {
  /// Returns a choice: a value, or an object with `const` and maybe a `title`.
  fileprivate func choice(_ json: JSON) throws(RuleFault) -> PropertyOffer.Choice {
    guard case .object(let object) = json, let value = object["const"] else {
      return PropertyOffer.Choice(json)
    }
    if let other = object.members.first(where: { !["const", "title"].contains($0.name) }) {
      throw RuleFault(
        place: place, source: rule.program.source,
        reason: .misnamed(other.name, expected: .choiceMember))
    }
    switch object["title"] {
    case nil: return PropertyOffer.Choice(value)
    case .string(let title)?: return PropertyOffer.Choice(value, title: title)
    case let title?: throw rule.fault(at: place, answering: Value(title), expecting: .string)
    }
  }
}

extension Performer {
  /// Refuses parameters that do not match the command's present schema (P4).
  mutating func check(
    _ parameters: JSONObject?, of command: Command, from sender: Sender,
    at target: Inquiry.Target?
  ) throws(MutationFault) {
    // Initial values are not needed to perform the command.
    let present = inquire(sender) {
      $0.parameters(of: command, performedBy: target, with: [.choices])
    }
    try effort.check()
    try present?.check(parameters ?? JSONObject(), of: command.id, effort)
  }
}
