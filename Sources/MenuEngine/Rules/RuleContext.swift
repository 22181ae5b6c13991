import CEL
import JSONText

/// The values that rules read, created on demand.
struct RuleContext {
  let state: JSON
  let responder: ResponderID?
  let sender: Sender?
  /// The actor (T4).
  var actor = Principal.local
  var arguments: [JSON] = []
  var parameters = JSONObject()
  var invocation: Invocation?
  /// The responders.
  let graph: ResponderGraph
  var effort = Effort()
  var segue: SegueInProgress?
  var deliveries = Deliveries()
  /// The texts of free keys in the session's language (M14).
  let translations: JSON

  /// Returns the value of a root as a rule sees it; without a rule the command is as declared.
  func value(of root: Rule.Root, for rule: Rule? = nil) -> JSON {
    switch root {
    case .state: state
    case .responder: responder.map(responderValue) ?? .null
    case .sender: senderValue(for: rule)
    case .command: commandValue(for: rule)
    case .arguments: .array(arguments)
    case .invocation: invocation?.ruleValue ?? .null
    case .segue: segue?.json(in: graph) ?? .null
    case .parameters: .object(parameters)
    case .tr: translations
    }
  }

  /// Returns the value of the sender, with the actor if the rule reads it; an actor in the request is ignored (T4).
  private func senderValue(for rule: Rule?) -> JSON {
    guard let sender else { return .null }
    let value = sender.json(in: graph)
    guard rule?.readsActor == true, case .object(var object) = value else { return value }
    object["actor"] = actor.json
    return .object(object)
  }

  /// Returns the value of the command, with its unsettled deliveries if the rule reads them (D4), and with null for a
  /// missing key.
  private func commandValue(for rule: Rule?) -> JSON {
    guard let command = sender?.command, case .object(var object) = command.json else {
      return .null
    }
    // A missing key reads as null.
    if rule?.readsKey == true, object["key"] == nil { object["key"] = .null }
    if rule?.readsDeliveries == true {
      let open = deliveries.ruleValues(of: command.id)
      effort.spend(Effort.member * open.count)
      object["deliveries"] = .array(open)
    }
    return .object(object)
  }

  /// Returns the value of a responder; its effort includes listed responders and children.
  private func responderValue(of id: ResponderID) -> JSON {
    effort.spend(Effort.member * graph.ruleMemberCount(of: id))
    return graph.ruleValue(of: id)
  }

  /// Returns the value of a rule.
  func value(of rule: Rule, at place: String) throws(RuleFault) -> Value {
    var steps = 0
    defer { effort.spend(steps) }
    let state = Rule.Root.state.rawValue
    if let value = rule.program.value(addingStepsTo: &steps, in: self.state, at: state) {
      return value
    }
    return try value(of: rule, at: place, addingStepsTo: &steps)
  }

  /// Returns the value of a rule, or its fault, by a full evaluation.
  private func value(
    of rule: Rule, at place: String, addingStepsTo steps: inout Int
  ) throws(RuleFault) -> Value {
    var roots = RootValues(rule: rule)
    do {
      return try rule.program.value(addingStepsTo: &steps) { roots.value(at: $0, in: self) }
    } catch {
      throw RuleFault(
        place: place, source: rule.program.source, reason: .evaluation(error),
        readsState: rule.readsState)
    }
  }

  /// Returns the reasons why a rule is false, one line per condition.
  func reasons(of rule: Rule) -> [String] { explanation(of: rule).shortText }

  /// Returns a rule with the values of its parts, for a trace; empty without a rule.
  func explained(_ rule: Rule?, at place: String) -> [ExplainedRule] {
    guard let rule, !effort.isExhausted else { return [] }
    let explanation = explanation(of: rule)
    effort.spend(Effort.traceStep + Effort.member * explanation.parts.count)
    return [ExplainedRule(place: place, explanation: explanation)]
  }

  private func explanation(of rule: Rule) -> Explanation {
    var roots = RootValues(rule: rule)
    let explanation = rule.program.explanation { roots.value(at: $0, in: self) }
    effort.spend(explanation.steps)
    return explanation
  }

  func bool(_ rule: Rule, at place: String) throws(RuleFault) -> Bool {
    let value = try value(of: rule, at: place)
    guard case .bool(let bool) = value else {
      throw rule.fault(at: place, answering: value, expecting: .bool)
    }
    return bool
  }

  func string(_ rule: Rule, at place: String) throws(RuleFault) -> String {
    let value = try value(of: rule, at: place)
    guard case .string(let string) = value else {
      throw rule.fault(at: place, answering: value, expecting: .string)
    }
    return string
  }

  func json(_ rule: Rule, at place: String) throws(RuleFault) -> JSON {
    let value = try value(of: rule, at: place)
    do throws(Value.Unrepresentable) {
      return try value.json
    } catch {
      throw rule.fault(at: place, error)
    }
  }

  /// Returns a check mark: from a Boolean or the name of a state.
  func state(_ rule: Rule, at place: String) throws(RuleFault) -> CommandState {
    let value = try value(of: rule, at: place)
    switch value {
    case .bool(let isOn): return isOn ? .on : .off
    case .string(let name):
      if let state = CommandState.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) {
        return state
      }
      throw rule.fault(at: place, answering: value, expecting: .state)
    case .null, .int, .uint, .double, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .type,
      .optional:
      throw rule.fault(at: place, answering: value, expecting: .state)
    }
  }

  /// Returns the name that `parse` makes of a rule's string.
  func name<Name>(
    _ rule: Rule, at place: String, expecting expectation: RuleFault.Expectation,
    by parse: (String) -> Name?
  ) throws(RuleFault) -> Name {
    try name(value(of: rule, at: place), of: rule, at: place, expecting: expectation, by: parse)
  }

  /// Returns the name that `parse` makes of a rule's string value.
  func name<Name>(
    _ value: Value, of rule: Rule, at place: String, expecting expectation: RuleFault.Expectation,
    by parse: (String) -> Name?
  ) throws(RuleFault) -> Name {
    guard case .string(let text) = value else {
      throw rule.fault(at: place, answering: value, expecting: expectation)
    }
    if let name = parse(text) { return name }
    throw RuleFault(
      place: place, source: rule.program.source, reason: .misnamed(text, expected: expectation))
  }
}

extension Rule {
  /// Returns the fault of an unexpected value.
  func fault(
    at place: String, answering value: Value, expecting expectation: RuleFault.Expectation
  ) -> RuleFault {
    RuleFault(
      place: place, source: program.source, reason: .answered(value.type, expected: expectation))
  }

  /// Returns the fault of a value without a JSON form.
  fileprivate func fault(at place: String, _ reason: Value.Unrepresentable) -> RuleFault {
    RuleFault(place: place, source: program.source, reason: .unrepresentable(reason))
  }

  /// Returns a value of the rule as JSON of bounded size, which counts as effort: it is compared and written.
  func bounded(_ value: Value, at place: String, _ effort: Effort) throws(RuleFault) -> JSON {
    let json: JSON
    do throws(Value.Unrepresentable) {
      json = try value.json
    } catch {
      throw fault(at: place, error)
    }
    var left = Limits.work
    let fit = json.spend(depth: Limits.depth, size: &left)
    effort.spend((Limits.work - max(0, left)) / Self.bytesOfStep)
    guard fit == .fits else {
      throw fault(at: place, answering: value, expecting: .boundedValue)
    }
    return json
  }

  /// The number of values and bytes that count as one step of effort.
  static let bytesOfStep = 16
}

/// A cache of the root values of one evaluation. A macro may read a root for every element, and creating the
/// value of a command or responder takes longer than an evaluation step may.
private struct RootValues {
  let rule: Rule
  private var responder: Value?
  private var sender: Value?
  private var command: Value?
  private var arguments: Value?
  private var invocation: Value?
  private var segue: Value?
  private var parameters: Value?

  init(rule: Rule) { self.rule = rule }

  mutating func value(at index: Int, in context: RuleContext) -> Value {
    guard let root = Rule.Root(rawValue: index) else { return .null }
    return switch root {
    case .state: Value(context.state)
    case .responder: Self.value(of: root, for: rule, in: context, keptIn: &responder)
    case .sender: Self.value(of: root, for: rule, in: context, keptIn: &sender)
    case .command: Self.value(of: root, for: rule, in: context, keptIn: &command)
    case .arguments: Self.value(of: root, for: rule, in: context, keptIn: &arguments)
    case .invocation: Self.value(of: root, for: rule, in: context, keptIn: &invocation)
    case .segue: Self.value(of: root, for: rule, in: context, keptIn: &segue)
    case .parameters: Self.value(of: root, for: rule, in: context, keptIn: &parameters)
    case .tr: Value(context.translations)
    }
  }

  private static func value(
    of root: Rule.Root, for rule: Rule, in context: RuleContext, keptIn kept: inout Value?
  ) -> Value {
    if let kept { return kept }
    let value = Value(context.value(of: root, for: rule))
    kept = value
    return value
  }
}

/// The values that a result depends on. The result is computed again only if one of the rules may have another value.
struct Readings: Sendable {
  private(set) var rules: [Rule] = []
  /// True if the result depends on more than the rules read, as a fault's message may.
  private(set) var isEverything = false

  mutating func note(_ rule: Rule) { rules.append(rule) }

  mutating func noteEverything() { isEverything = true }
}
