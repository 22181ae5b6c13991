import CEL
import JSONText

/// The scope of an effect: the values that its rules read, and the names in its faults.
struct EffectScope {
  let index: Int
  let selector: Selector
  let responder: ResponderID
  let receiver: Receiver
  /// The level that has the running method; nil for a coordinator's handler.
  let level: MethodLevel?
  let invocation: Invocation
  let context: RuleContext
  /// The responders that run the message already, so that it reaches none of them twice (C2).
  let met: Set<ResponderID>

  /// True if an effect happens: what its `when` says, if it has one.
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

  /// The name that a rule answered.
  func name<Name>(
    _ json: JSON, of rule: Rule, for member: String, expecting expectation: RuleFault.Expectation,
    by parse: (String) -> Name?
  ) throws(MutationFault) -> Name {
    try answer(member) { (place) throws(RuleFault) in
      try context.name(Value(json), of: rule, at: place, expecting: expectation, by: parse)
    }
  }

  /// A fault as one of this effect.
  func attributed(_ fault: MutationFault) -> MutationFault {
    .effect(.mutation(receiver, selector, index: index, fault))
  }

  /// Does something whose faults are this effect's.
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

  /// A fault of the value of a member, whatever gave it.
  func fault(_ member: String, _ reason: RuleFault.Reason) -> MutationFault {
    .effect(
      .rule(receiver, selector, RuleFault(place: place(of: member), source: "", reason: reason)))
  }

  func fault(
    _ rule: Rule, for member: String, answering json: JSON,
    expecting expectation: RuleFault.Expectation
  ) -> MutationFault {
    let fault = context.fault(
      rule, at: place(of: member), answering: Value(json), expecting: expectation)
    return .effect(.rule(receiver, selector, fault))
  }

  private func place(of member: String) -> String { "perform/\(index)/\(member)" }
}

extension MutationFault {
  /// True if it says already which effect it is of, or is one of no effect alone.
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
  /// Runs an operation that may send messages, and attributes its faults to this effect unless they
  /// name one already.
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
  /// The value that a rule describes as a document does.
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

  /// The place that a rule answers, as a JSON Pointer or as the list of its tokens.
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
  /// The token of a JSON Pointer that it is: a name or an index.
  fileprivate var token: String? {
    switch self {
    case .string(let name): name
    case .int(let index): "\(index)"
    case .null, .bool, .double, .array, .object: nil
    }
  }
}
