extension Mutation {
  static func undo(_ op: Op, _ reader: inout ObjectReader) -> Mutation? {
    let responder: ResponderID? = reader.member("responder", Read.identifier)
    return UndoOperation.Op(rawValue: op.rawValue).flatMap { UndoOperation($0, &reader) }
      .map { .undo($0, of: responder) }
  }
}
