package import JSONText

/// A mutation of a session: an operation with its values.
///
/// Static methods create mutations: `.becomeFirstResponder("photoGrid")`.
public struct Mutation: Sendable {
  private let told: any AnyOperationValues

  init<each Value>(_ operation: Operation<repeat each Value>, _ values: repeat each Value) {
    told = OperationValues(operation, repeat each values)
  }

  private init(_ told: any AnyOperationValues) { self.told = told }

  var operation: any AnyOperation { told.operation }

  /// The name of the operation in documents.
  package var op: String { operation.name }

  /// Returns its values, if it is a mutation of the operation.
  func values<each Value>(
    of operation: Operation<repeat each Value>
  ) -> OperationValues<repeat each Value>? {
    told.operation === operation ? told as? OperationValues<repeat each Value> : nil
  }

  func perform(by performer: inout Performer) throws(MutationFault) {
    try told.perform(by: &performer)
  }

  /// Returns the mutation with a time for its messages, unless they have their own.
  package func dated(_ time: Int64) -> Mutation {
    operation.isDated ? Mutation(told.dated(time)) : self
  }
}

extension Mutation {
  /// The names of all mutations, in order.
  package static var ops: [String] { Operations.mutations.words }

  /// Reads a mutation, for example `{"op": "becomeFirstResponder", "responder": "photoGrid"}`; nil with faults
  /// in the log. Commands of invocations are looked up in `catalog`.
  package init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog, in catalog: Catalog) {
    guard var reader = ObjectReader(json, at: pointer, log: log),
      let operation = reader.required("op", Operations.mutations.operation)
    else { return nil }
    let told = operation.values(&reader, in: catalog)
    reader.finish()
    guard let told else { return nil }
    self.told = told
  }

  /// The maximum number of lists of hypothetical mutations in a request.
  package static let mostAssumptions = 256

  /// Reads the hypothetical mutations of a request, lists of at most `limit` mutations (M13); nil if there are none,
  /// or with faults in the log.
  package static func assumptions(
    _ reader: inout ObjectReader, upTo limit: Int, in catalog: Catalog
  ) -> [[Mutation]]? {
    reader.member("assuming") { json, place, log in
      Read.list(json, at: place, log: log, upTo: mostAssumptions) {
        list(reading: $0, at: $1, log: $2, upTo: limit, in: catalog)
      }
    }
  }

  /// Reads a list of at most `limit` mutations; nil with faults in the log.
  package static func list(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, upTo limit: Int = .max,
    in catalog: Catalog
  ) -> [Mutation]? {
    Read.list(json, at: pointer, log: log, upTo: limit) {
      Mutation(reading: $0, at: $1, log: $2, in: catalog)
    }
  }

  /// The document; under the same catalogue it reads back as the same mutation.
  package var json: JSON { .object(JSONObject(op: op, told.members)) }
}

extension JSONObject {
  /// Creates the document of an operation; nil members are omitted.
  init(op: String, _ members: [(String, JSON?)]) {
    self.init()
    self["op"] = .string(op)
    for (name, value) in members { self[name] = value }
  }
}

extension Mutation: Codable {
  /// Encodes it in the journal's form: `{"becomeFirstResponder": {"responder": "photoGrid"}}`.
  public func encode(to encoder: any Encoder) throws {
    var root = encoder.container(keyedBy: StoredKey.self)
    var members = root.nestedContainer(keyedBy: StoredKey.self, forKey: operation.key)
    try told.store(in: &members)
  }

  /// Decodes the journal's form.
  public init(from decoder: any Decoder) throws {
    let root = try decoder.container(keyedBy: StoredKey.self)
    let (operation, members) = try Operations.mutations.operation(storedIn: root)
    told = try operation.values(stored: members)
  }
}

extension Mutation {
  /// The labels in metrics.
  package static var labels: [String] { Operations.labels }

  /// The index of its label in ``labels``.
  package var labelIndex: Int { Operations.labelIndexes[ObjectIdentifier(operation)] ?? 0 }
}
