import JSONText

/// An effect on the registrations of a coordinator, as the mutations of the same names have. Where
/// no rule names the host, the receiver is meant.
public enum RegistrationEffect: Equatable, Sendable, Codable {
  /// Registers a handler (F1); the message answers its token.
  case register(Handler, for: Rule, with: Rule?)
  /// Registers what a token owns for another selector, with another handler, or both; the message
  /// answers the new token.
  case change(Rule, with: Rule?, selector: Rule?, handler: Handler?)
  /// Removes what a token still owns.
  case remove(Rule, with: Rule?)
}

/// A ``RegistrationEffect`` with its values computed.
public enum ComputedRegistrationEffect: Equatable, Sendable {
  /// Registers a handler; the message answers its token.
  case register(Handler, for: Selector, with: ResponderID? = nil)
  /// Changes what a token owns; the message answers the new token.
  case change(
    Int, with: ResponderID? = nil, selector: Selector? = nil, handler: Handler? = nil)
  /// Removes what a token still owns.
  case remove(Int, with: ResponderID? = nil)
}

extension EffectScope {
  /// An effect with its values computed.
  func computed(_ effect: RegistrationEffect) throws(MutationFault) -> ComputedRegistrationEffect {
    switch effect {
    case .register(let handler, for: let rule, with: let host):
      .register(
        handler, for: try selector(rule), with: try optionalResponder(host, "responder"))
    case .change(let token, with: let host, let rule, let handler):
      .change(
        try int(token, "token"), with: try optionalResponder(host, "responder"),
        selector: try rule.map { (rule) throws(MutationFault) in try selector(rule) },
        handler: handler)
    case .remove(let token, with: let host):
      .remove(try int(token, "token"), with: try optionalResponder(host, "responder"))
    }
  }

  private func selector(_ rule: Rule) throws(MutationFault) -> Selector {
    try name(rule, "selector", .selector, Selector.init(_:))
  }
}

extension ObjectReader {
  /// Refuses a change of a registration that changes neither its selector nor its handler.
  public func requireRegistrationTerm() {
    guard !has("selector"), !has("handler") else { return }
    log.note(.missingMember("selector", orElse: ["handler"]), at: pointer)
  }
}

extension Performer {
  /// Makes an effect on registrations happen.
  mutating func make(
    _ effect: ComputedRegistrationEffect, _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let outcome = try scope.attributing { () throws(MutationFault) in
      switch effect {
      case .register(let handler, for: let selector, with: let host):
        try session.register(handler, for: selector, with: host ?? scope.responder)
      case .change(let token, with: let host, let selector, let handler):
        try session.changeRegistration(
          token, with: host ?? scope.responder, selector, handler)
      case .remove(let token, with: let host):
        try session.removeRegistration(token, with: host ?? scope.responder)
      }
    }
    note(outcome.changes)
    if let token = outcome.token { invocation.setResult(.int(Int64(token))) }
  }
}

extension RegistrationEffect {
  /// The words for the kinds of effects, which are those of the mutations.
  enum Op: String, CaseIterable {
    case registerHandler
    case changeRegistration
    case removeRegistration
  }

  /// The effect with the members of a document, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    let effect: RegistrationEffect?
    let host = reader.member("responder", Read.stringRule)
    switch op {
    case .registerHandler:
      let selector = reader.required("selector", Read.stringRule)
      let handler = reader.required("handler", Handler.init(coordinated:at:log:))
      effect = selector.flatMap { selector in
        handler.map { .register($0, for: selector, with: host) }
      }
    case .changeRegistration:
      let token = reader.required("token", Read.intRule)
      let selector = reader.member("selector", Read.stringRule)
      let handler = reader.member("handler", Handler.init(coordinated:at:log:))
      reader.requireRegistrationTerm()
      effect = token.map { .change($0, with: host, selector: selector, handler: handler) }
    case .removeRegistration:
      effect = reader.required("token", Read.intRule).map { .remove($0, with: host) }
    }
    guard let effect else { return nil }
    self = effect
  }

  /// The effect as a document.
  var json: JSON {
    switch self {
    case .register(let handler, for: let selector, with: let host):
      document(
        .registerHandler, ("responder", host?.json), ("selector", selector.json),
        ("handler", handler.json))
    case .change(let token, with: let host, let selector, let handler):
      document(
        .changeRegistration, ("responder", host?.json), ("token", token.json),
        ("selector", selector?.json), ("handler", handler?.json))
    case .remove(let token, with: let host):
      document(.removeRegistration, ("responder", host?.json), ("token", token.json))
    }
  }

  /// Its rules; those of a handler that it registers are that handler's.
  var rules: [Rule] {
    switch self {
    case .register(_, for: let selector, with: let host): [selector, host].compactMap(\.self)
    case .change(let token, with: let host, let selector, _):
      [token, host, selector].compactMap(\.self)
    case .remove(let token, with: let host): [token, host].compactMap(\.self)
    }
  }

  /// The handler that it registers.
  var handler: Handler? {
    switch self {
    case .register(let handler, for: _, with: _): handler
    case .change(_, with: _, _, let handler): handler
    case .remove: nil
    }
  }

  private func document(_ op: Op, _ members: (String, JSON?)...) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (name, json) in members { object[name] = json }
    return .object(object)
  }
}
