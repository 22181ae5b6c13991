import JSONText

/// An effect on late responders, as the mutations of the same names have.
public enum LateResponderEffect: Equatable, Sendable, Codable {
  /// Registers a late responder with the registry found from a responder (L4, L6). The default is the
  /// receiver.
  case register(Rule, from: Rule?)
  /// Takes a late responder out of the registry found from a responder (L5). The default is the one
  /// that it is in.
  case deregister(Rule, from: Rule?)
  /// Changes what a proxy can be found for (L8). The default is the receiver; null is everything.
  case changeProxiedSelectors(Rule, of: Rule?)
}

/// A ``LateResponderEffect`` with its values computed.
public enum ComputedLateResponderEffect: Equatable, Sendable {
  /// Registers a late responder.
  case register(ResponderID, from: ResponderID? = nil)
  /// Takes a late responder out of its registry.
  case deregister(ResponderID, from: ResponderID? = nil)
  /// Changes what a proxy can be found for; nil is everything.
  case changeProxiedSelectors([Selector]?, of: ResponderID? = nil)
}

extension EffectScope {
  /// An effect with its values computed.
  func computed(
    _ effect: LateResponderEffect
  ) throws(MutationFault) -> ComputedLateResponderEffect {
    switch effect {
    case .register(let id, from: let start):
      .register(
        try responder(id, "lateResponder"), from: try optionalResponder(start, "responder"))
    case .deregister(let id, from: let start):
      .deregister(
        try responder(id, "lateResponder"), from: try optionalResponder(start, "responder"))
    case .changeProxiedSelectors(let rule, of: let id):
      .changeProxiedSelectors(
        try optionalSelectors(rule, "proxiedSelectors"),
        of: try optionalResponder(id, "responder"))
    }
  }

  private func optionalSelectors(
    _ rule: Rule, _ member: String
  ) throws(MutationFault) -> [Selector]? {
    let json = try json(rule, member)
    if json == .null { return nil }
    guard case .array(let elements) = json else { throw fault(rule, member, json, .selectors) }
    return try elements.map { (element) throws(MutationFault) in
      guard case .string(let text) = element, let selector = Selector(text) else {
        throw fault(rule, member, json, .selectors)
      }
      return selector
    }
  }
}

extension Performer {
  /// Makes an effect on late responders happen.
  mutating func make(
    _ effect: ComputedLateResponderEffect, _ scope: EffectScope
  ) throws(MutationFault) {
    let outcome = try scope.attributing { () throws(MutationFault) in
      switch effect {
      case .register(let id, from: let start):
        try session.registerLate(id, from: start ?? scope.responder)
      case .deregister(let id, from: let start): try session.deregisterLate(id, from: start)
      case .changeProxiedSelectors(let selectors, of: let id):
        try session.changeProxiedSelectors(selectors, of: id ?? scope.responder)
      }
    }
    note(outcome.changes)
  }
}

extension LateResponderEffect {
  /// The words for the kinds of effects, which are those of the mutations.
  enum Op: String, CaseIterable {
    case registerLateResponder
    case deregisterLateResponder
    case changeProxiedSelectors
  }

  /// The effect with the members of a document, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    let responder = reader.member("responder", Read.stringRule)
    switch op {
    case .registerLateResponder, .deregisterLateResponder:
      guard let id = reader.required("lateResponder", Read.stringRule) else { return nil }
      self =
        op == .registerLateResponder
        ? .register(id, from: responder) : .deregister(id, from: responder)
    case .changeProxiedSelectors:
      guard let selectors = reader.required("proxiedSelectors", Read.optionalListRule) else {
        return nil
      }
      self = .changeProxiedSelectors(selectors, of: responder)
    }
  }

  /// The effect as a document.
  var json: JSON {
    switch self {
    case .register(let id, from: let start):
      document(.registerLateResponder, ("lateResponder", id), ("responder", start))
    case .deregister(let id, from: let start):
      document(.deregisterLateResponder, ("lateResponder", id), ("responder", start))
    case .changeProxiedSelectors(let selectors, of: let id):
      document(.changeProxiedSelectors, ("responder", id), ("proxiedSelectors", selectors))
    }
  }

  /// Its rules.
  var rules: [Rule] {
    switch self {
    case .register(let rule, from: let id), .deregister(let rule, from: let id),
      .changeProxiedSelectors(let rule, of: let id):
      [rule, id].compactMap(\.self)
    }
  }

  private func document(_ op: Op, _ members: (String, Rule?)...) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (name, rule) in members { object[name] = rule?.json }
    return .object(object)
  }
}
