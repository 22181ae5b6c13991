public import JSONText

extension Operations {
  static let mergeProperties = Operation(
    "mergeProperties", about: "Merges an object into the properties of a responder (RFC 7396).",
    Member(receiver: "responder", about: "The responder."),
    Member("properties", .object, about: "The properties that change; null removes one."),
    traits: .setsProperties
  ) { (performer: inout Performer, id, patch) throws(MutationFault) in
    try performer.merge(patch, intoPropertiesOf: id)
  }
}

extension Mutation {
  /// Merges an object into the properties of a responder (RFC 7396).
  public static func mergeProperties(_ patch: JSON, of id: ResponderID) -> Mutation {
    Mutation(Operations.mergeProperties, id, patch)
  }
}
