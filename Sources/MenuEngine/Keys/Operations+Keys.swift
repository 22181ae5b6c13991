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
  /// Gives a responder these key commands, in place of those of its own that it has.
  public static func putKeyCommands(_ keyCommands: [KeyCommand], of id: ResponderID) -> Mutation {
    Mutation(Operations.putKeyCommands, id, keyCommands)
  }
}
