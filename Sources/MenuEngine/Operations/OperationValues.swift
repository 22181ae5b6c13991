import JSONText

/// An operation with the values of its members.
struct OperationValues<each Value: Sendable & Equatable>: AnyOperationValues {
  let typed: Operation<repeat each Value>
  let values: (repeat each Value)

  init(_ operation: Operation<repeat each Value>, _ values: repeat each Value) {
    typed = operation
    self.values = (repeat each values)
  }
}

/// An operation with values of any types.
protocol AnyOperationValues: Sendable {
  var operation: any AnyOperation { get }
  var members: [(String, JSON?)] { get }

  func perform(by performer: inout Performer) throws(MutationFault)
  /// Returns a copy with a time for its messages, unless they have their own.
  func dated(_ time: Int64) -> any AnyOperationValues
  func store(in container: inout StoredContainer) throws
}

extension OperationValues {
  var operation: any AnyOperation { typed }

  var members: [(String, JSON?)] {
    var members: [(String, JSON?)] = []
    for (member, value) in repeat (each typed.members, each values) {
      members += member.members(value)
    }
    return members
  }

  func perform(by performer: inout Performer) throws(MutationFault) {
    try typed.perform(by: &performer, repeat each values)
  }

  func dated(_ time: Int64) -> any AnyOperationValues {
    OperationValues(typed, repeat (each typed.members).dated(each values, time))
  }

  func store(in container: inout StoredContainer) throws {
    for (member, value) in repeat (each typed.members, each values) {
      try member.store(value, in: &container)
    }
  }
}

/// An operation with terms, which are evaluated when a handler performs it.
struct OperationTerms<each Value: Sendable & Equatable>: AnyOperationTerms {
  let typed: Operation<repeat each Value>
  let terms: (repeat Term<each Value>)

  init(_ operation: Operation<repeat each Value>, _ terms: repeat Term<each Value>) {
    typed = operation
    self.terms = (repeat each terms)
  }

  /// Returns the values of the terms.
  func values(in scope: EffectScope) throws(MutationFault) -> (repeat each Value) {
    (repeat try (each typed.members).value(of: each terms, in: scope))
  }
}

/// An operation with terms of any types.
protocol AnyOperationTerms: Sendable {
  var operation: any AnyOperation { get }
  var members: [(String, JSON?)] { get }
  var rules: [Rule] { get }
  /// The handlers among its values.
  var handlers: [Handler] { get }

  func perform(
    by performer: inout Performer, in scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault)
  func isEqual(to other: any AnyOperationTerms) -> Bool
  func store(in container: inout StoredContainer) throws
}

extension OperationTerms {
  var operation: any AnyOperation { typed }

  var members: [(String, JSON?)] {
    var members: [(String, JSON?)] = []
    for (member, term) in repeat (each typed.members, each terms) {
      members += member.members(term)
    }
    return members
  }

  var rules: [Rule] {
    var rules: [Rule] = []
    for term in repeat each terms { if let rule = term.rule { rules.append(rule) } }
    return rules
  }

  var handlers: [Handler] {
    var handlers: [Handler] = []
    for term in repeat each terms {
      guard case .value(let value) = term else { continue }
      if let owner = value as? any HasHandlers {
        handlers += owner.handlers
      } else if let responder = value as? Responder ?? (value as? Launch)?.delegate {
        handlers += responder.handlers.values
      }
    }
    return handlers
  }

  func perform(
    by performer: inout Performer, in scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    try typed.perform(
      by: &performer, in: scope, &invocation,
      repeat try (each typed.members).value(of: each terms, in: scope))
  }

  func isEqual(to other: any AnyOperationTerms) -> Bool {
    guard let other = other as? OperationTerms<repeat each Value>, other.typed === typed else {
      return false
    }
    for (mine, others) in repeat (each terms, each other.terms) {
      guard mine == others else { return false }
    }
    return true
  }

  func store(in container: inout StoredContainer) throws {
    for (member, term) in repeat (each typed.members, each terms) {
      try member.store(term, in: &container)
    }
  }
}

/// A value with handlers, whose rules are counted.
protocol HasHandlers {
  var handlers: [Handler] { get }
}

extension Handler: HasHandlers {
  var handlers: [Handler] { [self] }
}

extension Optional: HasHandlers where Wrapped: HasHandlers {
  var handlers: [Handler] { self?.handlers ?? [] }
}
