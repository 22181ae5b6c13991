import CEL
import JSONText

/// The type of a member: how documents, rules and journals give its values.
struct MemberType<Value: Sendable & Equatable>: Sendable {
  typealias Reader = @Sendable (JSON, JSONPointer, FaultLog, Catalog?) -> Value?
  typealias Evaluation =
    @Sendable (Rule, EffectScope, _ member: String) throws(MutationFault) -> Value

  /// The rules that give values.
  struct RuleForm: Sendable {
    /// The values that the checker lets them have.
    let answers: ProgramResult
    let evaluate: Evaluation
  }

  /// The way in which an effect says a value.
  enum EffectForm: Sendable {
    /// As it is, since it has rules of its own or is a word that readers should see.
    case literal
    /// By a rule.
    case rule(RuleForm)
    /// As it is, or by a rule in another member.
    case valueOrRule(RuleForm)
  }

  /// Several members that are one value, for requests that routes read as well.
  struct Spread: Sendable {
    let read: @Sendable (inout ObjectReader) -> Value?
    let write: @Sendable (Value) -> [(String, JSON?)]
    let descriptions: [MemberDescription]
  }

  /// The name of the schema of its values.
  let schema: String
  let read: Reader
  /// Answers nil for a value that documents leave out.
  let write: @Sendable (Value) -> JSON?
  let inEffect: EffectForm
  var spread: Spread?
  /// The part of the responders that its values name; nil if they name none that is there.
  var part: ResponderPart?
  /// The value with its messages sent at a time, unless they say their own.
  var dated: @Sendable (Value, Int64) -> Value = { value, _ in value }
  /// Stores a value; one that may be nil is stored also when it is empty.
  let encode: @Sendable (Value, inout StoredContainer, StoredKey, _ mayBeNil: Bool) throws -> Void
  let decode: @Sendable (StoredReading, StoredKey) throws -> Value

  /// The value of a rule.
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
  /// A type whose values an effect says as they are, or by rules.
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

  /// A type whose values rules of these types give.
  init(
    _ schema: String, answering types: [StaticType],
    read: @escaping @Sendable (JSON, JSONPointer, FaultLog) -> Value?,
    write: @escaping @Sendable (Value) -> JSON?, evaluate: @escaping Evaluation
  ) {
    self.init(
      schema, read: read, write: write,
      inEffect: .rule(RuleForm(answers: .oneOf(types), evaluate: evaluate)))
  }

  /// A type whose values rules give as the documents that describe them.
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

  /// A value of several members, which only mutations have.
  init(
    _ descriptions: [MemberDescription],
    read: @escaping @Sendable (inout ObjectReader) -> Value?,
    write: @escaping @Sendable (Value) -> [(String, JSON?)],
    dated: @escaping @Sendable (Value, Int64) -> Value = { value, _ in value }
  ) {
    self.init("", read: { _, _, _ in nil }, write: { _ in nil })
    spread = Spread(read: read, write: write, descriptions: descriptions)
    self.dated = dated
  }
}

extension MemberType {
  /// The same for responders that play a part.
  func naming(_ part: ResponderPart) -> MemberType {
    var type = self
    type.part = part
    return type
  }

  /// The same for a member that may be left out.
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

  /// The same, or null, which is nil; the member is there in any case.
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
  /// The same, or null.
  fileprivate var orNull: ProgramResult {
    switch self {
    case .oneOf(let types): .oneOf(types + [.null])
    case .json: .json
    }
  }
}
