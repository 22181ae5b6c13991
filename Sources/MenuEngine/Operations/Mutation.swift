package import JSONText

/// Something that a session is told: an operation with its values.
///
/// Static methods make them: `.becomeFirstResponder("photoGrid")`.
public struct Mutation: Sendable {
  private let told: any AnyOperationValues

  init<each Value>(_ operation: Operation<repeat each Value>, _ values: repeat each Value) {
    told = OperationValues(operation, repeat each values)
  }

  private init(_ told: any AnyOperationValues) { self.told = told }

  var operation: any AnyOperation { told.operation }

  /// The word for the operation in documents.
  package var op: String { operation.name }

  /// Its values, if it is of an operation.
  func values<each Value>(
    of operation: Operation<repeat each Value>
  ) -> OperationValues<repeat each Value>? {
    told.operation === operation ? told as? OperationValues<repeat each Value> : nil
  }

  func perform(by performer: inout Performer) throws(MutationFault) {
    try told.perform(by: &performer)
  }

  /// The mutation, its messages sent at a time unless they say their own.
  package func dated(_ time: Int64) -> Mutation { Mutation(told.dated(time)) }
}

extension Mutation {
  /// The words for all operations that can be told, in order.
  package static var ops: [String] { Operations.mutations.words }

  /// The mutation that a document describes, or nil and the faults.
  ///
  /// For example `{"op": "becomeFirstResponder", "responder": "photoGrid"}`. Commands that send a
  /// message again are looked up in `catalog`.
  package init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog, in catalog: Catalog) {
    guard var reader = ObjectReader(json, at: pointer, log: log),
      let operation = reader.required("op", Operations.mutations.operation)
    else { return nil }
    let told = operation.values(&reader, in: catalog)
    reader.finish()
    guard let told else { return nil }
    self.told = told
  }

  /// The mutation as a document, which reads back as the same under the same catalogue.
  package var json: JSON { .object(JSONObject(op: op, told.members)) }
}

extension JSONObject {
  /// The document of an operation; absent members are nil.
  init(op: String, _ members: [(String, JSON?)]) {
    self.init()
    self["op"] = .string(op)
    for (name, value) in members { self[name] = value }
  }
}

extension Mutation: Codable {
  /// Encodes it as journals have it: `{"becomeFirstResponder": {"responder": "photoGrid"}}`.
  public func encode(to encoder: any Encoder) throws {
    var root = encoder.container(keyedBy: StoredKey.self)
    var members = root.nestedContainer(keyedBy: StoredKey.self, forKey: operation.key)
    try told.store(in: &members)
  }

  /// Decodes what a journal has.
  public init(from decoder: any Decoder) throws {
    let root = try decoder.container(keyedBy: StoredKey.self)
    let (operation, members) = try Operations.mutations.operation(storedIn: root)
    told = try operation.values(stored: members)
  }
}

extension Mutation {
  /// The names by which mutations are counted.
  package static var labels: [String] { Operations.labels }

  /// The position of its name among ``labels``.
  package var labelIndex: Int { Operations.labelIndexes[ObjectIdentifier(operation)] ?? 0 }
}
