public import JSONText

extension LateRegistry {
  /// The registry that a document describes, or nil and the faults; for example
  /// `{"hooksLast": false, "responders": ["listProxy"]}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let hooksLast = reader.member("hooksLast", Read.bool) ?? true
    let members: [ResponderID]? = reader.list("responders", Read.identifier)
    reader.finish()
    self.init(hooksLast: hooksLast, members: members ?? [])
  }

  /// The registry as a document.
  public var json: JSON {
    ["hooksLast": .bool(hooksLast), "responders": .array(members.map { .string($0.rawValue) })]
  }
}

extension Read {
  /// The name of a responder, or of an end of a registry.
  static func chained(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> ResponderID? {
    if case .string(let text) = json, let id = ResponderID(chained: text) { return id }
    return refuse(.identifier, json, at: pointer, log: log)
  }
}
