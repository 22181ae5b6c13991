/// Operations on responders and their handlers.
extension Operations {
  static let ofResponders: [any AnyOperation] = [
    putResponder, removeResponder, mergeProperties, putHandler, removeHandler,
  ]

  static let putResponder = Operation(
    "putResponder", about: "Adds or replaces a responder.",
    Member("value", .document, about: "The responder."), traits: .changesScreen
  ) { (performer: inout Performer, responder) throws(MutationFault) in
    try performer.put(responder)
  }

  static let removeResponder = Operation(
    "removeResponder", about: "Removes a responder; links to it are cleared.",
    Member(receiver: "responder", about: "The responder."), traits: .changesScreen
  ) { (performer: inout Performer, id) throws(MutationFault) in
    try performer.destroy(id)
  }

  static let putHandler = Operation(
    "putHandler",
    about: "Adds or replaces a handler of a responder's own.",
    Member(receiver: "responder", about: "The responder."),
    Member("selector", .selector, about: "The selector of the message."),
    Member("handler", .handler, about: "The handler.")
  ) { (performer: inout Performer, id, selector, handler) throws(MutationFault) in
    performer.record(try performer.session.put(handler, for: selector, of: id))
  }

  static let removeHandler = Operation(
    "removeHandler", about: "Removes a handler of a responder's own.",
    Member(receiver: "responder", about: "The responder."),
    Member("selector", .selector, about: "The selector of the message.")
  ) { (performer: inout Performer, id, selector) throws(MutationFault) in
    let catalog = performer.catalog
    performer.record(try performer.session.removeHandler(for: selector, of: id, in: catalog))
  }
}

extension Mutation {
  /// Adds a responder, or replaces the one with the same name.
  public static func putResponder(_ responder: Responder) -> Mutation {
    Mutation(Operations.putResponder, responder)
  }

  /// Removes a responder; links to it are cleared.
  public static func removeResponder(_ id: ResponderID) -> Mutation {
    Mutation(Operations.removeResponder, id)
  }

  /// Gives a responder a handler of its own, in place of the present one for the selector.
  public static func putHandler(
    _ handler: Handler, for selector: Selector, of id: ResponderID
  ) -> Mutation {
    Mutation(Operations.putHandler, id, selector, handler)
  }

  /// Removes a handler of a responder's own.
  public static func removeHandler(for selector: Selector, of id: ResponderID) -> Mutation {
    Mutation(Operations.removeHandler, id, selector)
  }
}
