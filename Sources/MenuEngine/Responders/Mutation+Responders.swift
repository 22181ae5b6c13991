import JSONText

extension Mutation {
  static func putResponder(_ reader: inout ObjectReader) -> Mutation? {
    let id = reader.responder()
    let value = reader.required("value", Read.any)
    guard let id, let value else { return nil }
    return Responder(id, reading: value, at: reader.place(of: "value"), log: reader.log)
      .map(Mutation.putResponder)
  }

  static func removeHandler(_ reader: inout ObjectReader) -> Mutation? {
    let id = reader.responder()
    let selector = reader.required("selector", Read.selector)
    guard let id, let selector else { return nil }
    return .removeHandler(for: selector, of: id)
  }

  static func putKeyCommands(_ reader: inout ObjectReader) -> Mutation? {
    let id = reader.responder()
    let keyCommands = reader.required("keyCommands", KeyCommand.list(reading:at:log:))
    guard let id, let keyCommands else { return nil }
    return .putKeyCommands(keyCommands, of: id)
  }
}

extension ObjectReader {
  mutating func responder() -> ResponderID? {
    required("responder", Read.identifier)
  }

  mutating func window(_ role: WindowRole) -> Mutation? {
    required("window", Read.optionalIdentifier).map { .makeWindow($0, role) }
  }

  mutating func handler(
    _ read: (JSON, JSONPointer, FaultLog) -> Handler?
  ) -> (ResponderID, Selector, Handler)? {
    let id = responder()
    let selector = required("selector", Read.selector)
    let handler = required("handler", read)
    guard let id, let selector, let handler else { return nil }
    return (id, selector, handler)
  }
}
