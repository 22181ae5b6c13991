/// Operations on key commands.
extension Operations {
  static let ofKeys: [any AnyOperation] = [putKeyCommands]

  static let putKeyCommands = Operation(
    "putKeyCommands",
    about: "Replaces a responder's own key commands.",
    Member(receiver: "responder", about: "The responder."),
    Member("keyCommands", .keyCommands, about: "The key commands.")
  ) { (performer: inout Performer, id, keyCommands) throws(MutationFault) in
    performer.record(try performer.session.put(keyCommands, of: id))
  }
}

extension Mutation {
  /// Replaces a responder's own key commands.
  public static func putKeyCommands(_ keyCommands: [KeyCommand], of id: ResponderID) -> Mutation {
    Mutation(Operations.putKeyCommands, id, keyCommands)
  }
}
