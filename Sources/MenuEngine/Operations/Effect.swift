package import JSONText

/// An effect of a handler: an operation whose values are computed by rules when it runs, or returned by a closure.
///
/// Static methods create the effects for closures: `.firstResponder("photoGrid")`. Documents can have more kinds.
public struct Effect: Sendable {
  private let told: any AnyOperationTerms
  /// The rule that decides if the effect happens; nil for always.
  let condition: Rule?
  /// False if its changes cannot be undone (U5).
  let isUndoable: Bool

  private init(
    _ told: any AnyOperationTerms, when condition: Rule? = nil, isUndoable: Bool = true
  ) {
    self.told = told
    self.condition = condition
    self.isUndoable = isUndoable
  }

  /// Creates an effect with known values.
  init<each Value>(_ operation: Operation<repeat each Value>, _ values: repeat each Value) {
    self.init(OperationTerms(operation, repeat Term.value(each values)))
  }

  /// Creates an effect whose values are terms.
  init<each Value>(
    by operation: Operation<repeat each Value>, _ terms: repeat Term<each Value>
  ) {
    self.init(OperationTerms(operation, repeat each terms))
  }

  var operation: any AnyOperation { told.operation }

  /// Returns its terms, if it is an effect of the operation.
  func terms<each Value>(
    of operation: Operation<repeat each Value>
  ) -> OperationTerms<repeat each Value>? {
    told.operation === operation ? told as? OperationTerms<repeat each Value> : nil
  }

  /// Its rules, except those of handlers that it registers.
  var rules: [Rule] { (condition.map { [$0] } ?? []) + told.rules }

  /// The number of rules it counts as (`Holding.rules`): one, plus those of a handler that it registers.
  var ruleCount: Int { told.handlers.reduce(1) { $0 + $1.ruleCount } }

  func perform(
    by performer: inout Performer, in scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    guard !isUndoable, performer.session.undo.event.isRegistered else {
      return try told.perform(by: &performer, in: scope, &invocation)
    }
    performer.session.undo.event.isRegistered = false
    defer { performer.session.undo.event.isRegistered = true }
    try told.perform(by: &performer, in: scope, &invocation)
  }
}

extension Effect {
  package init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log),
      let operation = reader.required("op", Operations.effects.operation)
    else { return nil }
    let told = operation.terms(&reader)
    let condition = reader.member("when", Read.boolRule)
    let isUndoable = reader.member("undo", Read.bool) ?? true
    reader.finish()
    guard let told else { return nil }
    self.init(told, when: condition, isUndoable: isUndoable)
  }

  /// The document.
  ///
  /// A method of a built-in class has the op `builtIn`, which no reader accepts.
  package var json: JSON {
    .object(
      JSONObject(
        op: operation.name,
        told.members + [("when", condition?.json), ("undo", isUndoable ? nil : false)]))
  }
}

extension Effect: Equatable {
  /// True if both have the same operation with the same terms.
  public static func == (left: Effect, right: Effect) -> Bool {
    left.condition == right.condition && left.isUndoable == right.isUndoable
      && left.told.isEqual(to: right.told)
  }
}

extension Effect: Codable {
  private static let when = StoredKey("when")
  private static let undo = StoredKey("undo")

  /// Encodes it in the journal's form: `{"send": {"actionRule": "'print:'", "when": "state.isOpen"}}`.
  public func encode(to encoder: any Encoder) throws {
    var root = encoder.container(keyedBy: StoredKey.self)
    var members = root.nestedContainer(keyedBy: StoredKey.self, forKey: operation.key)
    try told.store(in: &members)
    try members.encodeIfPresent(condition, forKey: Self.when)
    try members.encodeIfPresent(isUndoable ? nil : false, forKey: Self.undo)
  }

  /// Decodes the journal's form.
  public init(from decoder: any Decoder) throws {
    let root = try decoder.container(keyedBy: StoredKey.self)
    let (operation, members) = try Operations.effects.operation(storedIn: root)
    self.init(
      try operation.terms(stored: members),
      when: try members.decodeIfPresent(Rule.self, forKey: Self.when),
      isUndoable: try members.decodeIfPresent(Bool.self, forKey: Self.undo) ?? true)
  }
}
