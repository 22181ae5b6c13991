import JSONText

/// The handlers of a host by selector (F1).
package struct MenuCoordinator: Equatable, Sendable {
  /// The ways in which a host's actions reach its coordinator.
  package enum Forwarding: String, CaseIterable, Sendable, Codable {
    /// The host redirects every action with a handler to the forwarder (F2, F5).
    case catchAll
    /// The host implements the actions itself and passes them on with `handleAction` (F8).
    case explicit
  }

  /// A handler with the token of its registration.
  package struct Registration: Equatable, Sendable, Codable {
    /// The token that removes or changes the registration.
    package let token: Int
    package let selector: Selector
    package let handler: Handler
  }

  /// The way in which actions arrive. The default is `catchAll`.
  package let forwarding: Forwarding
  /// The registrations in the order of their tokens.
  package private(set) var registrations: [Registration] = []
  private var bySelector: [Selector: Registration] = [:]
  /// The resources used by the registrations.
  private(set) var holdings = Holdings()

  package init(forwarding: Forwarding = .catchAll) { self.forwarding = forwarding }

  package subscript(selector: Selector) -> Registration? { bySelector[selector] }

  /// Returns the registration of `token`; nil if it was removed or replaced.
  package func registration(_ token: Int) -> Registration? {
    registrations.first { $0.token == token }
  }

  /// Registers `handler` under `token`, replacing the registration for the same selector.
  package mutating func register(_ handler: Handler, for selector: Selector, token: Int) {
    if let replaced = bySelector[selector] { remove(replaced.token) }
    let registration = Registration(token: token, selector: selector, handler: handler)
    bySelector[selector] = registration
    holdings += Holdings(handler, for: selector)
    let earlier = registrations.lastIndex { $0.token < token }
    registrations.insert(registration, at: earlier.map { $0 + 1 } ?? 0)
  }

  /// Removes the registration of `token`, if there is one.
  package mutating func remove(_ token: Int) {
    guard let registration = registration(token) else { return }
    bySelector[registration.selector] = nil
    holdings -= Holdings(registration.handler, for: registration.selector)
    registrations.removeAll { $0.token == token }
  }

  /// Registers the handler of `token` again with changed terms and a new token, then removes `token`, so that there is
  /// always a handler. Returns false, without effect, if `token` has no registration.
  package mutating func change(
    _ token: Int, to new: Int, selector: Selector?, handler: Handler?
  ) -> Bool {
    guard let old = registration(token) else { return false }
    register(handler ?? old.handler, for: selector ?? old.selector, token: new)
    remove(token)
    return true
  }

  /// Returns the token under which the same handler is registered for the same selector.
  func token(of registration: Registration) -> Int? {
    guard let present = self[registration.selector], present.handler == registration.handler else {
      return nil
    }
    return present.token
  }

  /// Returns the same registrations with tokens given by `token`, in their order.
  func renumbered(_ token: (Registration) -> Int) -> MenuCoordinator {
    var copy = MenuCoordinator(forwarding: forwarding)
    for registration in registrations {
      copy.register(
        registration.handler, for: registration.selector, token: token(registration))
    }
    return copy
  }
}

/// Operations on the registrations of coordinators (F1).
extension Operations {
  static let ofRegistrations: [any AnyOperation] = [
    registerHandler, changeRegistration, removeRegistration,
  ]

  static let registerHandler = Operation(
    "registerHandler", needs: .declare,
    about:
      "Registers a handler with the menu coordinator of a responder; answers the token (F1).",
    host, Member("selector", .selector, about: "The selector of the message."),
    Member("handler", .coordinatedHandler, about: "The handler.")
  ) { (performer: inout Performer, host, selector, handler) throws(MutationFault) in
    let outcome = try performer.session.register(handler, for: selector, with: host)
    performer.record(outcome.changes, token: outcome.token)
  }

  static let changeRegistration = Operation(
    "changeRegistration", needs: .declare,
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
    "removeRegistration", needs: .declare,
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
  /// Registers a handler with the coordinator of a host (F1).
  package static func register(
    _ handler: Handler, for selector: Selector, with host: ResponderID
  ) -> Mutation {
    Mutation(Operations.registerHandler, host, selector, handler)
  }

  /// Changes the registration of a token; nil keeps a value (F1).
  package static func changeRegistration(
    _ token: Int, with host: ResponderID, selector: Selector?, handler: Handler?
  ) -> Mutation {
    Mutation(Operations.changeRegistration, host, token, selector, handler)
  }

  /// Removes the registration of a token, if there is one (F1).
  package static func removeRegistration(_ token: Int, with host: ResponderID) -> Mutation {
    Mutation(Operations.removeRegistration, host, token)
  }
}

extension ObjectReader {
  /// Rejects a change of a registration that gives neither a selector nor a handler.
  package func requireRegistrationTerm() {
    guard !has("selector"), !has("handler") else { return }
    log.note(.missingMember("selector", orElse: ["handler"]), at: pointer)
  }
}

extension Session {
  mutating func register(
    _ handler: Handler, for selector: Selector, with host: ResponderID
  ) throws(MutationFault) -> Outcome {
    let token = nextToken()
    let replaced = graph[host]?.coordinator?[selector]
    try changeCoordinator(of: host) { (coordinator) throws(MutationFault) in
      coordinator.register(handler, for: selector, token: token)
    }
    return Outcome(
      changes: removal(of: replaced, host)
        + [.registration(host, selector, handler, token: token)],
      token: token)
  }

  mutating func changeRegistration(
    _ token: Int, with host: ResponderID, selector: Selector?, handler: Handler?
  ) throws(MutationFault) -> Outcome {
    let old = graph[host]?.coordinator?.registration(token)
    if let old, selector ?? old.selector == old.selector,
      handler?.isWritten(as: old.handler) != false
    {
      return Outcome(token: token)
    }
    let new = nextToken()
    let replaced = (selector ?? old?.selector).flatMap { graph[host]?.coordinator?[$0] }
    try changeCoordinator(of: host) { (coordinator) throws(MutationFault) in
      guard coordinator.change(token, to: new, selector: selector, handler: handler) else {
        throw .handler(.unknownRegistration(host, token: token))
      }
    }
    guard let old else { throw .handler(.unknownRegistration(host, token: token)) }
    var changes = removal(of: old, host)
    if replaced?.token != token { changes += removal(of: replaced, host) }
    changes.append(
      .registration(host, selector ?? old.selector, handler ?? old.handler, token: new))
    return Outcome(changes: changes, token: new)
  }

  mutating func removeRegistration(
    _ token: Int, with host: ResponderID
  ) throws(MutationFault) -> Outcome {
    let old = graph[host]?.coordinator?.registration(token)
    try changeCoordinator(of: host) { (coordinator) throws(MutationFault) in
      coordinator.remove(token)
    }
    return Outcome(changes: removal(of: old, host))
  }

  private func removal(
    of registration: MenuCoordinator.Registration?, _ host: ResponderID
  ) -> [Outcome.Change] {
    guard let registration else { return [] }
    return [.registrationRemoved(host, registration.selector, token: registration.token)]
  }

  private mutating func changeCoordinator(
    of host: ResponderID, _ change: (inout MenuCoordinator) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    let counted = { (responder: Responder) in responder.coordinator?.holdings ?? Holdings() }
    try graph.update(host, counting: counted) { (responder) throws(MutationFault) in
      guard var coordinator = responder.coordinator else { throw .handler(.noCoordinator(host)) }
      try change(&coordinator)
      responder.content.coordinator = coordinator
    }
  }
}

extension Performer {
  /// Forwards a message by the catch-all (F5): the forwarder has the signature of `handleAction:` for every
  /// selector, and the invocation is changed to it.
  mutating func forward(
    _ invocation: inout Invocation, to forwarder: Receiver, _ host: ResponderID
  ) throws(MutationFault) -> Bool {
    let selector = invocation.selector
    if selector != .handleAction {
      let catchAll = JSON.string(Selector.handleAction.rawValue)
      trace.note(.resolveInstanceMethod, forwarder, about: selector, answer: .bool(false))
      trace.note(.forwardingTarget, forwarder, about: selector, answer: .null)
      trace.note(.methodSignature, forwarder, about: selector, answer: catchAll)
      trace.note(.forwardInvocation, forwarder, about: selector, answer: catchAll)
      invocation.selector = .handleAction
    }
    trace.note(
      .invoke, forwarder, about: .handleAction, answer: .string(Selector.handleAction.rawValue))
    return try handleAction(&invocation, to: forwarder, with: host)
  }

  /// Runs the coordinator's handler for the sender's own action (F5). Returns false if there is none (F6).
  mutating func handleAction(
    _ invocation: inout Invocation, to receiver: Receiver, with host: ResponderID
  ) throws(MutationFault) -> Bool {
    guard let action = invocation.sender?.action else {
      throw .message(.senderCarriesNoAction(receiver, invocation.originalSelector))
    }
    guard let registration = session.graph[host]?.coordinator?[action] else {
      trace.note(.handler, receiver, about: action, answer: .null)
      return false
    }
    trace.note(.handler, receiver, about: action, answer: .string(action.rawValue))
    let method = RunningMethod(action, of: host, receivedBy: receiver)
    try run(registration.handler, as: method, &invocation)
    return true
  }
}

/// The coded form has the registrations with their tokens.
extension MenuCoordinator: Codable {
  private enum CodingKeys: CodingKey {
    case forwarding
    case registrations
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(forwarding, forKey: .forwarding)
    try container.encode(registrations, forKey: .registrations)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(forwarding: try container.decode(Forwarding.self, forKey: .forwarding))
    for registration in try container.decode([Registration].self, forKey: .registrations) {
      register(registration.handler, for: registration.selector, token: registration.token)
    }
  }
}
