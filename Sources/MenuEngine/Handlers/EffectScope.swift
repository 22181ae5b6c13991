import CEL
import JSONText

/// The scope of an effect: the values that its rules read, and the names in its faults.
final class EffectScope {
  let index: Int
  let selector: Selector
  let responder: ResponderID
  let receiver: Receiver
  /// The level that defines the running method; nil for a coordinator's handler.
  let level: MethodLevel?
  let invocation: Invocation
  let context: RuleContext
  /// The responders already running the message, so that none receives it twice (C2).
  let met: Set<ResponderID>

  init(
    of index: Int, in method: RunningMethod, _ invocation: Invocation, _ context: RuleContext
  ) {
    self.index = index
    selector = method.selector
    responder = method.responder
    receiver = method.receiver
    level = method.level
    met = method.met
    self.invocation = invocation
    self.context = context
  }

  /// Returns true if an effect happens, as its `when` decides.
  func happens(_ effect: Effect) throws(MutationFault) -> Bool {
    guard let condition = effect.condition else { return true }
    return try answer("when") { (place) throws(RuleFault) in
      try context.bool(condition, at: place)
    }
  }

  func json(_ rule: Rule, for member: String) throws(MutationFault) -> JSON {
    try answer(member) { (place) throws(RuleFault) in try context.json(rule, at: place) }
  }

  func object(_ rule: Rule, for member: String) throws(MutationFault) -> JSON {
    let json = try json(rule, for: member)
    if case .object = json { return json }
    throw fault(rule, for: member, answering: json, expecting: .object)
  }

  func array(_ rule: Rule, for member: String) throws(MutationFault) -> [JSON] {
    let json = try json(rule, for: member)
    if case .array(let elements) = json { return elements }
    throw fault(rule, for: member, answering: json, expecting: .array)
  }

  func int(_ rule: Rule, for member: String) throws(MutationFault) -> Int {
    let json = try json(rule, for: member)
    if case .int(let int) = json { return Int(int) }
    throw fault(rule, for: member, answering: json, expecting: .integer)
  }

  func string(_ rule: Rule, for member: String) throws(MutationFault) -> String {
    try answer(member) { (place) throws(RuleFault) in try context.string(rule, at: place) }
  }

  func name<Name>(
    _ rule: Rule, for member: String, expecting expectation: RuleFault.Expectation,
    by parse: (String) -> Name?
  ) throws(MutationFault) -> Name {
    try answer(member) { (place) throws(RuleFault) in
      try context.name(rule, at: place, expecting: expectation, by: parse)
    }
  }

  /// Converts a rule's result to a name.
  func name<Name>(
    _ json: JSON, of rule: Rule, for member: String, expecting expectation: RuleFault.Expectation,
    by parse: (String) -> Name?
  ) throws(MutationFault) -> Name {
    try answer(member) { (place) throws(RuleFault) in
      try context.name(Value(json), of: rule, at: place, expecting: expectation, by: parse)
    }
  }

  /// Returns a fault attributed to this effect.
  func attributed(_ fault: MutationFault) -> MutationFault {
    .effect(.mutation(receiver, selector, index: index, fault))
  }

  /// Runs `act` and attributes its faults to this effect.
  func attributing<Answer>(
    _ act: () throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer {
    do throws(MutationFault) { return try act() } catch { throw attributed(error) }
  }

  private func answer<Answer>(
    _ member: String, _ evaluate: (String) throws(RuleFault) -> Answer
  ) throws(MutationFault) -> Answer {
    do throws(RuleFault) {
      return try evaluate(place(of: member))
    } catch {
      throw .effect(.rule(receiver, selector, error))
    }
  }

  /// Returns a fault about the value of a member.
  func fault(_ member: String, _ reason: RuleFault.Reason) -> MutationFault {
    .effect(
      .rule(receiver, selector, RuleFault(place: place(of: member), source: "", reason: reason)))
  }

  func fault(
    _ rule: Rule, for member: String, answering json: JSON,
    expecting expectation: RuleFault.Expectation
  ) -> MutationFault {
    let fault = rule.fault(
      at: place(of: member), answering: Value(json), expecting: expectation)
    return .effect(.rule(receiver, selector, fault))
  }

  private func place(of member: String) -> String { "perform/\(index)/\(member)" }
}

extension MutationFault {
  /// True if it names its effect, or does not belong to one effect.
  var isOfEffect: Bool {
    switch self {
    case .effect, .message(.doesNotRecognizeSelector), .message(.senderCarriesNoAction),
      .tooMuchEffort, .inList:
      true
    default: false
    }
  }
}

extension Performer {
  /// Runs an operation that may send messages, and attributes its faults to this effect unless they name one.
  mutating func attributing(
    _ scope: EffectScope, _ act: (inout Performer) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    do throws(MutationFault) {
      try act(&self)
    } catch {
      throw error.isOfEffect ? error : scope.attributed(error)
    }
  }
}

extension EffectScope {
  /// Returns the value of a rule that returns a document.
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

  /// Returns the place that a rule computes, as a JSON Pointer or a list of tokens.
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
  /// The value as a token of a JSON Pointer: a name or an index.
  fileprivate var token: String? {
    switch self {
    case .string(let name): name
    case .int(let index): "\(index)"
    case .null, .bool, .double, .array, .object: nil
    }
  }
}
