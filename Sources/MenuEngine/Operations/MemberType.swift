import CEL
import JSONText

/// The type of a member: how documents, rules and journals represent its values.
struct MemberType<Value: Sendable & Equatable>: Sendable {
  typealias Reader = @Sendable (JSON, JSONPointer, FaultLog, Catalog?) -> Value?
  typealias Evaluation =
    @Sendable (Rule, EffectScope, _ member: String) throws(MutationFault) -> Value

  /// The rules that compute values.
  struct RuleForm: Sendable {
    /// The result types that the checker accepts.
    let answers: ProgramResult
    let evaluate: Evaluation
  }

  /// The representation of a value in an effect.
  enum EffectForm: Sendable {
    /// A constant, since it has rules of its own or is a keyword.
    case literal
    /// A rule.
    case rule(RuleForm)
    /// A constant, or a rule in another member.
    case valueOrRule(RuleForm)
  }

  /// A value of several members, shared with the requests of routes.
  final class Spread: Sendable {
    let read: @Sendable (inout ObjectReader) -> Value?
    let write: @Sendable (Value) -> [(String, JSON?)]
    let descriptions: [MemberDescription]

    init(
      read: @escaping @Sendable (inout ObjectReader) -> Value?,
      write: @escaping @Sendable (Value) -> [(String, JSON?)], _ descriptions: [MemberDescription]
    ) {
      (self.read, self.write, self.descriptions) = (read, write, descriptions)
    }
  }

  /// The name of the schema of its values.
  let schema: String
  let read: Reader
  /// Returns nil for a value that documents omit.
  let write: @Sendable (Value) -> JSON?
  let inEffect: EffectForm
  var spread: Spread?
  /// The role of the responders that its values name; nil if they name no existing responder.
  var part: ResponderPart?
  /// Returns the value with a time for its messages, unless they have their own; nil if it has no messages.
  var dated: (@Sendable (Value, Int64) -> Value)?
  /// Encodes a value; an optional one is also stored when empty.
  let encode: @Sendable (Value, inout StoredContainer, StoredKey, _ mayBeNil: Bool) throws -> Void
  let decode: @Sendable (StoredReading, StoredKey) throws -> Value

  /// Returns the value of a rule.
  func value(
    of rule: Rule, in scope: EffectScope, _ member: String
  ) throws(MutationFault) -> Value {
    switch inEffect {
    case .literal: preconditionFailure("No rule gives \(member).")
    case .rule(let form), .valueOrRule(let form): try form.evaluate(rule, scope, member)
    }
  }
}

extension MemberType where Value: Codable {
  /// Creates a type whose values are constants in effects, or as `inEffect` says.
  init(
    _ schema: String, read: @escaping @Sendable (JSON, JSONPointer, FaultLog) -> Value?,
    write: @escaping @Sendable (Value) -> JSON?, inEffect: EffectForm = .literal
  ) {
    self.schema = schema
    self.read = { json, pointer, log, _ in read(json, pointer, log) }
    self.write = write
    self.inEffect = inEffect
    encode = { value, container, key, mayBeNil in
      if mayBeNil {
        try container.encodeIfPresent(value, forKey: key)
      } else {
        try container.encode(value, forKey: key)
      }
    }
    decode = { container, key in try container.decode(Value.self, forKey: key) }
  }

  /// Creates a type whose values are results of rules.
  init(
    _ schema: String, answering types: [StaticType],
    read: @escaping @Sendable (JSON, JSONPointer, FaultLog) -> Value?,
    write: @escaping @Sendable (Value) -> JSON?, evaluate: @escaping Evaluation
  ) {
    self.init(
      schema, read: read, write: write,
      inEffect: .rule(RuleForm(answers: .oneOf(types), evaluate: evaluate)))
  }

  /// Creates a type whose values are documents computed by rules.
  init(
    _ schema: String, answering types: [StaticType], expecting expectation: RuleFault.Expectation,
    read: @escaping @Sendable (JSON, JSONPointer, FaultLog) -> Value?,
    write: @escaping @Sendable (Value) -> JSON?
  ) {
    self.init(
      schema, answering: types, read: read, write: write,
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.document(rule, for: member, expecting: expectation, by: read)
      })
  }

  /// Creates a type of several members, for mutations only.
  init(
    _ descriptions: [MemberDescription],
    read: @escaping @Sendable (inout ObjectReader) -> Value?,
    write: @escaping @Sendable (Value) -> [(String, JSON?)],
    dated: (@Sendable (Value, Int64) -> Value)? = nil
  ) {
    self.init("", read: { _, _, _ in nil }, write: { _ in nil })
    spread = Spread(read: read, write: write, descriptions)
    self.dated = dated
  }
}

extension MemberType {
  /// Returns the type for responders in a role.
  func naming(_ part: ResponderPart) -> MemberType {
    var type = self
    type.part = part
    return type
  }

  var optional: MemberType<Value?> {
    let (read, write) = (read, write)
    return wrapped(
      schema,
      read: { read($0, $1, $2, $3).map(Value?.some) },
      write: { $0.flatMap(write) },
      rule: { form in
        let evaluate = form.evaluate
        return .init(answers: form.answers) {
          (rule, scope, member) throws(MutationFault) in try evaluate(rule, scope, member)
        }
      })
  }

  /// Returns the type with null as nil; the member is always present.
  func nullable(_ schema: String) -> MemberType<Value?> {
    let (read, write) = (read, write)
    return wrapped(
      schema,
      read: { json, pointer, log, catalog in
        json == .null ? .some(nil) : read(json, pointer, log, catalog).map(Value?.some)
      },
      write: { $0.map { write($0) ?? .null } ?? .null },
      rule: { form in
        let evaluate = form.evaluate
        return .init(answers: form.answers.orNull) {
          (rule, scope, member) throws(MutationFault) in
          try scope.json(rule, for: member) == .null ? nil : try evaluate(rule, scope, member)
        }
      })
  }

  private func wrapped(
    _ schema: String, read: @escaping MemberType<Value?>.Reader,
    write: @escaping @Sendable (Value?) -> JSON?,
    rule: (RuleForm) -> MemberType<Value?>.RuleForm
  ) -> MemberType<Value?> {
    let form: MemberType<Value?>.EffectForm =
      switch inEffect {
      case .literal: .literal
      case .rule(let form): .rule(rule(form))
      case .valueOrRule(let form): .valueOrRule(rule(form))
      }
    let (encode, decode) = (encode, decode)
    var wrapped = MemberType<Value?>(
      schema: schema, read: read, write: write, inEffect: form,
      encode: { value, container, key, _ in
        if let value { try encode(value, &container, key, true) }
      },
      decode: { container, key in
        guard container.contains(key), try !container.decodeNil(forKey: key) else {
          return nil
        }
        return try decode(container, key)
      })
    wrapped.part = part
    return wrapped
  }
}

extension ProgramResult {
  /// The result with null added.
  fileprivate var orNull: ProgramResult {
    switch self {
    case .oneOf(let types): .oneOf(types + [.null])
    case .json: .json
    }
  }
}
