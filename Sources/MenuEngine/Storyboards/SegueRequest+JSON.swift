import JSONText

extension SegueRequest {
  /// The members of a segue to perform, its identifier read already; nil when that or another one is at
  /// fault.
  public init?(
    _ reader: inout ObjectReader, _ identifier: SegueIdentifier?, isDated: Bool = true
  ) {
    let source: ResponderID? = reader.required("source", Read.identifier)
    let trigger: Trigger? = reader.member("by", Read.word)
    let sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    let id: ResponderID? = reader.member("id", Read.identifier)
    let when = isDated ? reader.member("when", Read.time) : nil
    guard let identifier, let source else { return nil }
    self.init(
      identifier, from: source, by: trigger ?? .user, sender: sender, as: id, when: when)
  }

  /// The request as members of a document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("identifier", .string(identifier.rawValue)), ("source", .string(source.rawValue)),
      ("by", .string(trigger.rawValue)), ("sender", sender?.json),
      ("id", id.map { .string($0.rawValue) }), ("when", when.map(JSON.int)),
    ]
  }
}

extension UnwindRequest {
  /// The members of a way back to take, or nil and the faults.
  public init?(_ reader: inout ObjectReader, isDated: Bool = true) {
    let action = reader.required("action", Read.selector)
    let source: ResponderID? = reader.required("source", Read.identifier)
    let sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    let when = isDated ? reader.member("when", Read.time) : nil
    guard let action, let source else { return nil }
    self.init(action, from: source, sender: sender, when: when)
  }

  /// The request as members of a document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("action", .string(action.rawValue)), ("source", .string(source.rawValue)),
      ("sender", sender?.json), ("when", when.map(JSON.int)),
    ]
  }
}
