import JSONText

/// A member of an operation: its name on the wire, its type, its meaning, and what its absence means.
struct Member<Value: Sendable & Equatable>: Sendable {
  let name: String
  let type: MemberType<Value>
  /// Its meaning, in a sentence.
  let about: String
  /// The documents in which it can be given.
  let uses: OperationUses
  /// The value without it; nil if it is required.
  let fallback: Value?
  /// The value without it in an effect; nil if that is the same as in a mutation.
  let inEffect: (@Sendable (EffectScope) -> Value)?
  /// The names in a journal of its values, and of rules for them.
  let key: StoredKey
  let ruleKey: StoredKey

  /// A member that is required, unless it has a default; in effects one that depends on where the effect
  /// happens.
  init(
    _ name: String, _ type: MemberType<Value>, about: String = "", default fallback: Value? = nil,
    uses: OperationUses = .both, inEffect: (@Sendable (EffectScope) -> Value)? = nil
  ) {
    self.name = name
    self.type = type
    self.about = about
    self.uses = uses
    self.fallback = fallback
    self.inEffect = inEffect
    key = StoredKey(name)
    ruleKey = StoredKey(name + "Rule")
  }

  /// A member that may be left out, which is nil.
  init<Wrapped>(
    optional name: String, _ type: MemberType<Wrapped>, about: String = "",
    uses: OperationUses = .both, inEffect: (@Sendable (EffectScope) -> Value)? = nil
  ) where Value == Wrapped? {
    self.init(
      name, type.optional, about: about, default: .some(nil), uses: uses, inEffect: inEffect)
  }

  /// True if an effect may leave it out.
  var isOptionalInEffect: Bool { fallback != nil || inEffect != nil }
}

extension Member where Value == ResponderID {
  /// A responder that an effect may leave out, which is the receiver then.
  init(receiver name: String, about: String = "", uses: OperationUses = .both) {
    self.init(name, .responder, about: about, uses: uses, inEffect: { $0.responder })
  }
}

extension Member where Value == ResponderID? {
  /// The responder whose handler has the effect; nil in a mutation. No document says it.
  static let handlerOwner = Member(
    "handlerOwner", MemberType<ResponderID>.responder.optional, default: .some(nil), uses: [],
    inEffect: { $0.responder })
}

/// The documents in which something can be given or told.
struct OperationUses: OptionSet, Sendable {
  let rawValue: Int

  /// As a mutation.
  static let mutation = OperationUses(rawValue: 1)
  /// As an effect of a handler.
  static let effect = OperationUses(rawValue: 2)
  static let both: OperationUses = [.mutation, .effect]
}

/// The value of a member in an effect: a rule that gives it when the effect happens, or the value itself.
enum Term<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The default.
  case absent
  case value(Value)
  case rule(Rule)

  var rule: Rule? { if case .rule(let rule) = self { rule } else { nil } }
}

extension Member {
  /// Reads its value in a mutation; nil and the faults when it is missing or at fault.
  func value(_ reader: inout ObjectReader, in catalog: Catalog) -> Value? {
    guard uses.contains(.mutation) else { return fallback }
    if let spread = type.spread { return spread.read(&reader) }
    guard let json = reader.json(name) else {
      if fallback == nil { reader.log.note(.missingMember(name), at: reader.pointer) }
      return fallback
    }
    return type.read(json, reader.place(of: name), reader.log, catalog)
  }

  /// Writes its value as members of a mutation's document.
  func members(_ value: Value) -> [(String, JSON?)] {
    guard uses.contains(.mutation) else { return [] }
    return type.spread?.write(value) ?? [(name, type.write(value))]
  }

  /// Reads its term in an effect; nil and the faults when it is missing or at fault.
  func term(_ reader: inout ObjectReader) -> Term<Value>? {
    guard uses.contains(.effect) else { return .absent }
    if let spread = type.spread { return spread.read(&reader).map(Term.value) }
    switch type.inEffect {
    case .literal:
      return term(&reader) { type.read($0, $1, $2, nil).map(Term.value) }
    case .rule(let form):
      return term(&reader) {
        Read.rule(answering: form.answers, reading: $0, at: $1, log: $2).map(Term.rule)
      }
    case .valueOrRule(let form): return valueOrRule(&reader, form)
    }
  }

  private func term(
    _ reader: inout ObjectReader, _ read: (JSON, JSONPointer, FaultLog) -> Term<Value>?
  ) -> Term<Value>? {
    guard let json = reader.json(name) else {
      if case .literal = type.inEffect, let fallback { return .value(fallback) }
      if isOptionalInEffect { return .absent }
      reader.log.note(.missingMember(name), at: reader.pointer)
      return nil
    }
    return read(json, reader.place(of: name), reader.log)
  }

  /// The value in a member such as `path`, or the rule for it in `pathRule`; exactly one of them is there.
  private func valueOrRule(
    _ reader: inout ObjectReader, _ form: MemberType<Value>.RuleForm
  ) -> Term<Value>? {
    switch (reader.json(name), reader.json(ruleName)) {
    case (nil, nil):
      reader.log.note(.missingMember(name, orElse: [ruleName]), at: reader.pointer)
      return nil
    case (let json?, nil):
      return type.read(json, reader.place(of: name), reader.log, nil).map(Term.value)
    case (nil, let json?):
      return Read.rule(
        answering: form.answers, reading: json, at: reader.place(of: ruleName), log: reader.log
      ).map(Term.rule)
    case (_?, _?):
      reader.log.note(.conflictingMembers(name, ruleName), at: reader.pointer)
      return nil
    }
  }

  var ruleName: String { ruleKey.stringValue }

  /// The name of the member that has the rule.
  private var placeOfRule: String {
    if case .valueOrRule = type.inEffect { ruleName } else { name }
  }

  /// Writes its term as members of an effect's document.
  func members(_ term: Term<Value>) -> [(String, JSON?)] {
    switch term {
    case .absent: []
    case .value(let value): type.spread?.write(value) ?? [(name, written(value))]
    case .rule(let rule): [(placeOfRule, rule.json)]
    }
  }

  /// The value as an effect's document has it: where rules give values, the rule for this one. A value in
  /// JSON is a literal of rules.
  private func written(_ value: Value) -> JSON? {
    switch type.inEffect {
    case .literal, .valueOrRule: type.write(value)
    case .rule: type.write(value).map { .string($0.text()) }
    }
  }

  /// The value of its term where an effect happens.
  func value(of term: Term<Value>, in scope: EffectScope) throws(MutationFault) -> Value {
    switch term {
    case .value(let value): return value
    case .rule(let rule): return try type.value(of: rule, in: scope, placeOfRule)
    case .absent:
      if let inEffect { return inEffect(scope) }
      guard let fallback else { preconditionFailure("An effect was made without \(name).") }
      return fallback
    }
  }
}

/// A member as documents have it, for those who describe them.
package struct MemberDescription: Sendable {
  package let name: String
  /// The name of the schema of its values.
  package let schema: String
  package let isRequired: Bool
  /// Its meaning, in a sentence; may be empty.
  package let about: String

  package init(_ name: String, _ schema: String, isRequired: Bool = false, about: String = "") {
    self.name = name
    self.schema = schema
    self.isRequired = isRequired
    self.about = about
  }
}

extension Member {
  /// The members that it is in the document of a mutation.
  var descriptionsInMutation: [MemberDescription] {
    guard uses.contains(.mutation) else { return [] }
    return type.spread?.descriptions
      ?? [MemberDescription(name, type.schema, isRequired: fallback == nil, about: about)]
  }

  /// The members that it is in the document of an effect.
  var descriptionsInEffect: [MemberDescription] {
    guard uses.contains(.effect) else { return [] }
    if let spread = type.spread { return spread.descriptions }
    switch type.inEffect {
    case .literal:
      return [MemberDescription(name, type.schema, isRequired: !isOptionalInEffect, about: about)]
    case .rule:
      return [MemberDescription(name, "Rule", isRequired: !isOptionalInEffect, about: about)]
    case .valueOrRule:
      return [
        MemberDescription(name, type.schema, about: about),
        MemberDescription(ruleName, "PlaceRule", about: about),
      ]
    }
  }
}

/// The part that a responder plays in an operation that names it.
enum ResponderPart {
  /// It is changed, or something is asked about it.
  case subject
  /// It gets messages: at once, or as a delegate.
  case receiver
}
