/// Operations on late responders and proxies.
extension Operations {
  static let ofLateResponders: [any AnyOperation] = [
    registerLateResponder, deregisterLateResponder, changeProxiedSelectors,
  ]

  static let registerLateResponder = Operation(
    "registerLateResponder",
    about:
      "Registers a late responder with the registry found from a responder (L4, L6).",
    late, Member(receiver: "responder", about: "The responder from which the registry is found.")
  ) { (performer: inout Performer, id, start) throws(MutationFault) in
    performer.record(try performer.session.registerLate(id, from: start).changes)
  }

  static let deregisterLateResponder = Operation(
    "deregisterLateResponder",
    about: "Removes a late responder from the registry found from a responder (L5).",
    late,
    Member(
      optional: "responder", .responder,
      about: "The responder from which the registry is found. The default is whichever it is in.")
  ) { (performer: inout Performer, id, start) throws(MutationFault) in
    performer.record(try performer.session.deregisterLate(id, from: start).changes)
  }

  static let changeProxiedSelectors = Operation(
    "changeProxiedSelectors", about: "Changes the selectors a proxy can be found for (L8).",
    Member(receiver: "responder", about: "The proxy."),
    Member("proxiedSelectors", .proxiedSelectors, about: "The selectors; null is everything.")
  ) { (performer: inout Performer, id, selectors) throws(MutationFault) in
    performer.record(try performer.session.changeProxiedSelectors(selectors, of: id).changes)
  }

  private static let late = Member(
    "lateResponder", MemberType<ResponderID>.responder, about: "The late responder.")
}

extension Mutation {
  /// Registers a late responder with the registry that is found from another responder (L4, L6).
  public static func registerLate(_ id: ResponderID, from start: ResponderID) -> Mutation {
    Mutation(Operations.registerLateResponder, id, start)
  }

  /// Takes a late responder out of the registry that is found from another responder, or of
  /// whichever it is in (L5).
  public static func deregisterLate(_ id: ResponderID, from start: ResponderID?) -> Mutation {
    Mutation(Operations.deregisterLateResponder, id, start)
  }

  /// Changes what a proxy can be found for; nil is everything (L8).
  public static func changeProxiedSelectors(
    _ selectors: [Selector]?, of id: ResponderID
  ) -> Mutation {
    Mutation(Operations.changeProxiedSelectors, id, selectors)
  }
}
