import CEL
import JSONText

/// Names.
extension MemberType {
  /// The name of a subject.
  static func identifier<Subject>() -> MemberType where Value == Identifier<Subject> {
    MemberType(
      "Identifier", answering: [.string], Read.identifier, { .string($0.rawValue) },
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.name(rule, member, .identifier, Identifier<Subject>.init(_:))
      })
  }
}

extension MemberType where Value == ResponderID {
  static var responder: MemberType { identifier() }
}

extension MemberType where Value == [ResponderID] {
  static var responders: MemberType {
    MemberType(
      "IdentifierArray", answering: [.anyList], .identifiers,
      { Read.list($0, $1, $2, of: Read.identifier) },
      { .array($0.map { .string($0.rawValue) }) })
  }
}

extension MemberType where Value == Selector {
  static var selector: MemberType {
    MemberType(
      "Selector", answering: [.string], Read.selector, { .string($0.rawValue) },
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.name(rule, member, .selector, Selector.init(_:))
      })
  }
}

extension MemberType where Value == [Selector]? {
  /// The selectors that a proxy can be found for, or null for all.
  static var proxiedSelectors: MemberType {
    let base = MemberType<[Selector]>(
      "", { _, _, _ in nil }, { .array($0.map { .string($0.rawValue) }) })
    let nullable = base.nullable("OptionalProxiedSelectors")
    return MemberType(
      schema: nullable.schema,
      read: { json, pointer, log, _ in Read.proxiedSelectors(json, pointer, log) },
      write: nullable.write,
      inEffect: .rule(
        RuleForm(answers: .oneOf([.anyList, .null])) {
          (rule, scope, member) throws(MutationFault) in
          try scope.document(rule, member, .selectors, Read.proxiedSelectors)
        }), encode: nullable.encode, decode: nullable.decode)
  }
}

extension MemberType where Value == Receiver {
  static var receiver: MemberType {
    MemberType(
      "Receiver", answering: [.string], Read.receiver, { .string($0.description) },
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.name(rule, member, .receiver, Receiver.init(_:))
      })
  }
}

/// Plain values.
extension MemberType where Value == JSON {
  static var json: MemberType {
    MemberType(
      "JSON", Read.any, { $0 },
      inEffect: .rule(
        RuleForm(answers: .json) { (rule, scope, member) throws(MutationFault) in
          try scope.json(rule, member)
        }))
  }

  static var object: MemberType {
    MemberType(
      "JSONMergePatch", answering: [.anyMap], { Read.object($0, $1, $2).map(JSON.object) }, { $0 },
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.object(rule, member) })
  }
}

extension MemberType where Value == [JSON] {
  static var arguments: MemberType {
    MemberType(
      "Arguments", answering: [.anyList], { Read.list($0, $1, $2, of: Read.any) }, JSON.array,
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.array(rule, member) })
  }
}

extension MemberType where Value == String {
  static var text: MemberType {
    MemberType(
      "Text", answering: [.string], Read.string, JSON.string,
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.string(rule, member) })
  }
}

extension MemberType where Value == Int {
  /// The token of a registration.
  static var token: MemberType {
    MemberType(
      "Revision", answering: [.int], Read.int, { .int(Int64($0)) },
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.int(rule, member) })
  }

  /// An integer from 0.
  static func count(_ schema: String = "Count") -> MemberType {
    MemberType(schema, answering: [.int], .count, Read.count, { .int(Int64($0)) })
  }
}

extension MemberType where Value == Bool {
  /// True or false, which is the default and left out; an effect says it as it is.
  static func flag(_ schema: String = "Flag") -> MemberType {
    MemberType(schema, Read.bool, { $0 ? true : nil })
  }
}

extension MemberType where Value == SegueRequest.Trigger {
  /// The trigger of a pop; by code is the default, and left out.
  static var popTrigger: MemberType {
    MemberType("PopTrigger", Read.word, { $0 == .code ? nil : .string($0.rawValue) })
  }
}

extension MemberType where Value == MessageRequest.Destination {
  static var destination: MemberType {
    MemberType("MessageDestination", Read.word, { .string($0.rawValue) })
  }
}

/// The state.
extension MemberType where Value == JSONPointer {
  /// A place in the state, or a rule for it.
  static var place: MemberType {
    MemberType(
      "JSONPointer", Read.pointer, \.json,
      inEffect: .valueOrRule(
        RuleForm(answers: .oneOf([.string, .anyList])) {
          (rule, scope, member) throws(MutationFault) in try scope.pointer(rule, member)
        }))
  }
}

extension MemberType where Value == JSONPatch {
  static var patch: MemberType {
    MemberType("JSONPatch", answering: [.anyList], .patch, Read.patch, \.json)
  }
}

/// Values that have documents of their own. An effect gives those with rules as they are, so that their rules
/// are checked when the handler is.
extension MemberType where Value == Handler {
  static var handler: MemberType { MemberType("Handler", Handler.init(reading:at:log:), \.json) }

  static var coordinatedHandler: MemberType {
    MemberType("CoordinatedHandler", Handler.init(coordinated:at:log:), \.json)
  }
}

extension MemberType where Value == [KeyCommand] {
  static var keyCommands: MemberType {
    MemberType(
      "KeyCommandArray", KeyCommand.list(reading:at:log:), { .array($0.map(\.json)) })
  }
}

extension MemberType where Value == Responder {
  /// A responder under the name in the member `responder`.
  static var document: MemberType {
    MemberType(
      [
        MemberDescription(
          "responder", "Identifier", isRequired: true, "The name of the responder."),
        MemberDescription("value", "Responder", isRequired: true, "The responder."),
      ],
      { reader in
        let id: ResponderID? = reader.required("responder", Read.identifier)
        guard let value = reader.required("value", Read.any), let id else { return nil }
        return Responder(id, reading: value, at: reader.place(of: "value"), log: reader.log)
      },
      { [("responder", .string($0.id.rawValue)), ("value", $0.json)] })
  }
}

extension MemberType where Value == Launch {
  static var launch: MemberType { MemberType("Launch", Launch.init(reading:at:log:), \.json) }
}

extension MemberType where Value == KeyCombination {
  static var key: MemberType {
    MemberType("Key", answering: [.anyMap], .key, KeyCombination.init(reading:at:log:), \.json)
  }
}

extension MemberType where Value == KeyModifiers {
  static var modifiers: MemberType {
    MemberType(
      "Modifiers", answering: [.anyList], .modifiers, Read.modifiers,
      { $0.isEmpty ? nil : $0.json })
  }
}

extension MemberType where Value == SenderDescription {
  static var sender: MemberType {
    MemberType(
      "Sender", answering: [.anyMap], .sender, SenderDescription.init(reading:at:log:), \.json)
  }
}

extension MemberType where Value == Invocation {
  /// A message that was sent before; its command is looked up in the catalogue.
  static var invocation: MemberType {
    let type = MemberType("Invocation", { _, _, _ in nil }, \.json)
    return MemberType(
      schema: type.schema,
      read: { json, pointer, log, catalog in
        catalog.flatMap { Invocation(reading: json, at: pointer, log: log, in: $0) }
      },
      write: type.write, inEffect: .literal, dated: { $0.dated($1) }, encode: type.encode,
      decode: type.decode)
  }
}

extension EffectScope {
  /// The value that a rule describes as a document does.
  func document<Value>(
    _ rule: Rule, _ member: String, _ expectation: RuleFault.Expectation,
    _ read: (JSON, JSONPointer, FaultLog) -> Value?
  ) throws(MutationFault) -> Value {
    let json = try json(rule, member)
    let log = FaultLog(ruleLimits: rule.program.limits)
    guard let value = read(json, .root, log), log.faults.isEmpty else {
      throw fault(rule, member, json, expectation)
    }
    return value
  }

  /// The place that a rule answers, as a JSON Pointer or as the list of its tokens.
  func pointer(_ rule: Rule, _ member: String) throws(MutationFault) -> JSONPointer {
    let json = try json(rule, member)
    guard case .array(let tokens) = json else {
      return try name(json, of: rule, member, .pointer) { try? JSONPointer(parsing: $0) }
    }
    let texts = tokens.compactMap(\.token)
    guard texts.count == tokens.count else { throw fault(rule, member, json, .pointer) }
    return JSONPointer(texts)
  }
}

extension JSON {
  /// The token of a JSON Pointer that it is: a name or an index.
  fileprivate var token: String? {
    switch self {
    case .string(let name): name
    case .int(let index): "\(index)"
    case .null, .bool, .double, .array, .object: nil
    }
  }
}
