import JSONText

/// A member of an operation: its name in documents, type, meaning and default.
final class Member<Value: Sendable & Equatable>: Sendable {
  /// Reads its value in a mutation, and throws with faults in the log.
  ///
  /// A closure is compiled for the type of the value where the member is declared, and is found without the metadata of
  /// that type as the first property.
  let value: @Sendable (inout ObjectReader, Catalog) throws(MissingValue) -> Value
  let name: String
  let type: MemberType<Value>
  /// The description, one sentence.
  let about: String
  /// The kinds of documents that can have it.
  let uses: OperationUses
  /// The default value; nil if it is required.
  let fallback: Value?
  /// The default value in an effect; nil if it is the same as in a mutation.
  let inEffect: (@Sendable (EffectScope) -> Value)?
  /// The names in journals of its value, and of a rule for it.
  let key: StoredKey
  let ruleKey: StoredKey

  /// Creates a member, required unless it has a default; `inEffect` computes the default in effects.
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
    value = { (reader, catalog) throws(MissingValue) in
      if uses.contains(.mutation) {
        if let spread = type.spread { return try spread.read(&reader).unwrapped(of: name) }
        if let json = reader.json(name) {
          return try type.read(json, reader.place(of: name), reader.log, catalog)
            .unwrapped(of: name)
        }
        if fallback == nil { reader.log.note(.missingMember(name), at: reader.pointer) }
      }
      return try fallback.unwrapped(of: name)
    }
    key = StoredKey(name)
    ruleKey = StoredKey(name + "Rule")
  }

  /// Creates an optional member, whose default is nil.
  convenience init<Wrapped>(
    optional name: String, _ type: MemberType<Wrapped>, about: String = "",
    uses: OperationUses = .both, inEffect: (@Sendable (EffectScope) -> Value)? = nil
  ) where Value == Wrapped? {
    self.init(
      name, type.optional, about: about, default: .some(nil), uses: uses, inEffect: inEffect)
  }

  /// Returns a value with a time for its messages, unless they have their own.
  func dated(_ value: Value, _ time: Int64) -> Value { type.dated?(value, time) ?? value }

  /// True if an effect can omit it.
  var isOptionalInEffect: Bool { fallback != nil || inEffect != nil }
}

extension Member where Value == ResponderID {
  /// Creates a responder member whose default in effects is the receiver.
  convenience init(receiver name: String, about: String = "", uses: OperationUses = .both) {
    self.init(name, .responder, about: about, uses: uses, inEffect: { $0.responder })
  }
}

extension Member where Value == ResponderID? {
  /// The responder whose handler has the effect; nil in a mutation. It is not part of documents.
  static let handlerOwner = Member(
    "handlerOwner", MemberType<ResponderID>.responder.optional, default: .some(nil), uses: [],
    inEffect: { $0.responder })
}

/// The kinds of documents in which a member or operation is allowed.
struct OperationUses: OptionSet, Sendable {
  let rawValue: Int

  /// A mutation.
  static let mutation = OperationUses(rawValue: 1)
  /// An effect of a handler.
  static let effect = OperationUses(rawValue: 2)
  static let both: OperationUses = [.mutation, .effect]
}

/// A member has no value; the fault is in the log.
struct MissingValue: Error {
  let member: String
}

extension Optional {
  /// Returns the value of a member.
  func unwrapped(of member: String) throws(MissingValue) -> Wrapped {
    guard let self else { throw MissingValue(member: member) }
    return self
  }
}

/// The value of a member in an effect: a rule evaluated when the effect happens, or a constant.
enum Term<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The default value.
  case absent
  case value(Value)
  case rule(Rule)

  var rule: Rule? { if case .rule(let rule) = self { rule } else { nil } }
}

extension Member {
  /// Reads its value in a mutation; nil with faults in the log.
  func read(_ reader: inout ObjectReader, in catalog: Catalog) -> Value? {
    try? value(&reader, catalog)
  }

  /// Returns its value as members of a mutation's document.
  func members(_ value: Value) -> [(String, JSON?)] {
    guard uses.contains(.mutation) else { return [] }
    return type.spread?.write(value) ?? [(name, type.write(value))]
  }

  /// Reads its term in an effect; nil with faults in the log.
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

  /// Reads a value from a member such as `path`, or a rule from `pathRule`; exactly one is required.
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

  /// The name of the member with the rule.
  private var placeOfRule: String {
    if case .valueOrRule = type.inEffect { ruleName } else { name }
  }

  /// Returns its term as members of an effect's document.
  func members(_ term: Term<Value>) -> [(String, JSON?)] {
    switch term {
    case .absent: []
    case .value(let value): type.spread?.write(value) ?? [(name, written(value))]
    case .rule(let rule): [(placeOfRule, rule.json)]
    }
  }

  /// Returns the value as in an effect's document: if rules give the values, as a literal rule.
  private func written(_ value: Value) -> JSON? {
    switch type.inEffect {
    case .literal, .valueOrRule: type.write(value)
    case .rule: type.write(value).map { .string($0.text()) }
    }
  }

  /// Returns the value of its term where an effect happens.
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

/// A description of a member, for schemas and documentation.
package struct MemberDescription: Sendable {
  package let name: String
  /// The name of the schema of its values.
  package let schema: String
  package let isRequired: Bool
  /// The description, one sentence or empty.
  package let about: String

  package init(_ name: String, _ schema: String, isRequired: Bool = false, about: String = "") {
    self.name = name
    self.schema = schema
    self.isRequired = isRequired
    self.about = about
  }
}

extension Member {
  /// The members in the document of a mutation.
  var descriptionsInMutation: [MemberDescription] {
    guard uses.contains(.mutation) else { return [] }
    return type.spread?.descriptions
      ?? [MemberDescription(name, type.schema, isRequired: fallback == nil, about: about)]
  }

  /// The members in the document of an effect.
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

/// The role of a responder that an operation names.
enum ResponderPart {
  /// The responder that is changed or queried.
  case subject
  /// The responder that receives messages, now or as a delegate.
  case receiver
}
