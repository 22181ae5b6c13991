package import JSONText

/// One thing that happens when a handler performs: an operation whose values rules give at that moment, or
/// a closure at once.
///
/// Static methods make the effects that closures return: `.send("print:")`. Documents have others too.
public struct Effect: Sendable {
  private let told: any AnyOperationTerms
  /// The rule that says whether it happens; without it always.
  let condition: Rule?
  /// False if what it changes cannot be undone (U5).
  let isUndoable: Bool

  private init(
    _ told: any AnyOperationTerms, when condition: Rule? = nil, isUndoable: Bool = true
  ) {
    self.told = told
    self.condition = condition
    self.isUndoable = isUndoable
  }

  /// An effect whose values are known.
  init<each Value>(_ operation: Operation<repeat each Value>, _ values: repeat each Value) {
    self.init(OperationTerms(operation, repeat Term.value(each values)))
  }

  /// An effect whose values terms give.
  init<each Value>(
    by operation: Operation<repeat each Value>, _ terms: repeat Term<each Value>
  ) {
    self.init(OperationTerms(operation, repeat each terms))
  }

  var operation: any AnyOperation { told.operation }

  /// Its terms, if it is of an operation.
  func terms<each Value>(
    of operation: Operation<repeat each Value>
  ) -> OperationTerms<repeat each Value>? {
    told.operation === operation ? told as? OperationTerms<repeat each Value> : nil
  }

  /// All its rules but those of handlers that it registers.
  var rules: [Rule] { (condition.map { [$0] } ?? []) + told.rules }

  /// The rules that it counts as (`Holding.rules`): one, and those of a handler that it registers.
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
  /// The words for all operations that a handler can do, in order.
  package static var ops: [String] { Operations.effects.words }

  /// The effect that a document describes, or nil and the faults.
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

  /// The effect as a document.
  ///
  /// The method of a built-in class cannot be written: it gets the op `builtIn`, which no reader
  /// takes.
  package var json: JSON {
    .object(
      JSONObject(
        op: operation.name,
        told.members + [("when", condition?.json), ("undo", isUndoable ? nil : false)]))
  }
}

extension Effect: Equatable {
  /// True if both are of the same operation with the same terms.
  public static func == (left: Effect, right: Effect) -> Bool {
    left.condition == right.condition && left.isUndoable == right.isUndoable
      && left.told.isEqual(to: right.told)
  }
}

extension Effect: Codable {
  private static let when = StoredKey("when")
  private static let undo = StoredKey("undo")

  /// Encodes it as journals have it: `{"send": {"actionRule": "'print:'", "when": "state.isOpen"}}`.
  public func encode(to encoder: any Encoder) throws {
    var root = encoder.container(keyedBy: StoredKey.self)
    var members = root.nestedContainer(keyedBy: StoredKey.self, forKey: operation.key)
    try told.store(in: &members)
    try members.encodeIfPresent(condition, forKey: Self.when)
    try members.encodeIfPresent(isUndoable ? nil : false, forKey: Self.undo)
  }

  /// Decodes what a journal has.
  public init(from decoder: any Decoder) throws {
    let root = try decoder.container(keyedBy: StoredKey.self)
    let (operation, members) = try Operations.effects.operation(storedIn: root)
    self.init(
      try operation.terms(stored: members),
      when: try members.decodeIfPresent(Rule.self, forKey: Self.when),
      isUndoable: try members.decodeIfPresent(Bool.self, forKey: Self.undo) ?? true)
  }
}
