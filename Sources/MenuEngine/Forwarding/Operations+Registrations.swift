/// Operations on the registrations of coordinators (F1).
extension Operations {
  static let ofRegistrations: [any AnyOperation] = [
    registerHandler, changeRegistration, removeRegistration,
  ]

  static let registerHandler = Operation(
    "registerHandler",
    about:
      "Registers a handler with the menu coordinator of a responder; answers the token (F1).",
    host, Member("selector", .selector, about: "The selector of the message."),
    Member("handler", .coordinatedHandler, about: "The handler.")
  ) { (performer: inout Performer, host, selector, handler) throws(MutationFault) in
    let outcome = try performer.session.register(handler, for: selector, with: host)
    performer.record(outcome.changes, token: outcome.token)
  }

  static let changeRegistration = Operation(
    "changeRegistration",
    about:
      "Registers a token's handler for another selector, another handler, or both; answers the new token (F1).",
    host, token,
    Member(optional: "selector", .selector, about: "The selector. The default is the present one."),
    Member(
      optional: "handler", .coordinatedHandler,
      about: "The handler. The default is the present one."),
    constraints: [.atLeastOne("selector", "handler")],
    check: requireRegistrationTerm
  ) { (performer: inout Performer, host, token, selector, handler) throws(MutationFault) in
    let outcome = try performer.session.changeRegistration(
      token, with: host, selector: selector, handler: handler)
    performer.record(outcome.changes, token: outcome.token)
  }

  static let removeRegistration = Operation(
    "removeRegistration",
    about: "Removes what a token still owns (F1).", host, token
  ) { (performer: inout Performer, host, token) throws(MutationFault) in
    performer.record(try performer.session.removeRegistration(token, with: host).changes)
  }

  private static let host = Member(
    receiver: "responder", about: "The responder that hosts the coordinator.")
  private static let token = Member(
    "token", MemberType<Int>.token, about: "The token of the registration.")
}

extension Operations {
  private static func requireRegistrationTerm(_ reader: ObjectReader) {
    reader.requireRegistrationTerm()
  }
}

extension Mutation {
  /// Registers a handler with the coordinator that a responder hosts (F1).
  public static func register(
    _ handler: Handler, for selector: Selector, with host: ResponderID
  ) -> Mutation {
    Mutation(Operations.registerHandler, host, selector, handler)
  }

  /// Changes what a token owns; what is nil stays as it is (F1).
  public static func changeRegistration(
    _ token: Int, with host: ResponderID, selector: Selector?, handler: Handler?
  ) -> Mutation {
    Mutation(Operations.changeRegistration, host, token, selector, handler)
  }

  /// Removes what a token still owns; does nothing when it owns nothing (F1).
  public static func removeRegistration(_ token: Int, with host: ResponderID) -> Mutation {
    Mutation(Operations.removeRegistration, host, token)
  }
}

extension ObjectReader {
  /// Refuses a change of a registration that changes neither its selector nor its handler.
  public func requireRegistrationTerm() {
    guard !has("selector"), !has("handler") else { return }
    log.note(.missingMember("selector", orElse: ["handler"]), at: pointer)
  }
}
