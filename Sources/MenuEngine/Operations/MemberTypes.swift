import CEL
import JSONText

/// Types of names.
extension MemberType {
  static func identifier<Subject>() -> MemberType where Value == Identifier<Subject> {
    MemberType(
      "Identifier", answering: [.string], read: Read.identifier, write: { .string($0.rawValue) },
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.name(rule, for: member, expecting: .identifier, by: Identifier<Subject>.init(_:))
      })
  }
}

extension MemberType where Value == ResponderID {
  /// An existing responder.
  static var responder: MemberType { newResponder.naming(.subject) }

  /// The name of a new responder.
  static var newResponder: MemberType { identifier() }
}

extension MemberType where Value == [ResponderID] {
  static var responders: MemberType {
    MemberType(
      "IdentifierArray", answering: [.anyList], expecting: .identifiers,
      read: { Read.list($0, at: $1, log: $2, of: Read.identifier) },
      write: { .array($0.map { .string($0.rawValue) }) }
    ).naming(.subject)
  }
}

extension MemberType where Value == Selector {
  static var selector: MemberType {
    MemberType(
      "Selector", answering: [.string], read: Read.selector, write: { .string($0.rawValue) },
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.name(rule, for: member, expecting: .selector, by: Selector.init(_:))
      })
  }
}

extension MemberType where Value == [Selector]? {
  /// The filter of a proxy: selectors, or null for all.
  static var proxiedSelectors: MemberType {
    let base = MemberType<[Selector]>(
      "", read: { _, _, _ in nil }, write: { .array($0.map { .string($0.rawValue) }) })
    let nullable = base.nullable("OptionalProxiedSelectors")
    return MemberType(
      schema: nullable.schema,
      read: { json, pointer, log, _ in Read.proxiedSelectors(json, at: pointer, log: log) },
      write: nullable.write,
      inEffect: .rule(
        RuleForm(answers: .oneOf([.anyList, .null])) {
          (rule, scope, member) throws(MutationFault) in
          try scope.document(rule, for: member, expecting: .selectors, by: Read.proxiedSelectors)
        }), encode: nullable.encode, decode: nullable.decode)
  }
}

extension MemberType where Value == Receiver {
  static var receiver: MemberType {
    MemberType(
      "Receiver", answering: [.string], read: Read.receiver, write: { .string($0.description) },
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.name(rule, for: member, expecting: .receiver, by: Receiver.init(_:))
      }
    ).naming(.receiver)
  }
}

extension MemberType where Value == ItemKey {
  static var itemKey: MemberType {
    MemberType(
      "ItemKey", answering: [.string], read: Read.itemKey, write: { .string($0.text) },
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.name(rule, for: member, expecting: .itemKey, by: ItemKey.init(_:))
      })
  }
}

/// Types of plain values.
extension MemberType where Value == JSON {
  static var json: MemberType {
    MemberType(
      "JSON", read: Read.any, write: { $0 },
      inEffect: .rule(
        RuleForm(answers: .json) { (rule, scope, member) throws(MutationFault) in
          try scope.json(rule, for: member)
        }))
  }

  static var object: MemberType {
    MemberType(
      "JSONMergePatch", answering: [.anyMap],
      read: { Read.object($0, at: $1, log: $2).map(JSON.object) }, write: { $0 },
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.object(rule, for: member)
      })
  }
}

extension MemberType where Value == JSONObject {
  static var parameters: MemberType {
    MemberType(
      "Parameters", answering: [.anyMap], read: Read.object, write: JSON.object,
      evaluate: { (rule, scope, member) throws(MutationFault) in
        guard case .object(let object) = try scope.object(rule, for: member) else {
          return JSONObject()
        }
        return object
      })
  }
}

extension MemberType where Value == [JSON] {
  static var arguments: MemberType {
    MemberType(
      "Arguments", answering: [.anyList], read: { Read.list($0, at: $1, log: $2, of: Read.any) },
      write: JSON.array,
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.array(rule, for: member)
      })
  }
}

extension MemberType where Value == String {
  static var text: MemberType {
    MemberType(
      "Text", answering: [.string], read: Read.string, write: JSON.string,
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.string(rule, for: member)
      })
  }
}

extension MemberType where Value == String {
  /// The name of a client that claims deliveries.
  static var claimerName: MemberType {
    MemberType(
      "ClaimerName", answering: [.string], read: Read.text(upTo: Limits.claimerName),
      write: JSON.string,
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.string(rule, for: member)
      })
  }
}

extension MemberType where Value == String {
  /// A text about the progress of a delivery.
  static var claimMessage: MemberType {
    MemberType("ClaimMessage", read: Read.text(upTo: Limits.claimMessage), write: JSON.string)
  }
}

extension MemberType where Value == Double {
  /// A number from 0 to 1.
  static var fraction: MemberType {
    MemberType("Fraction", read: Read.fraction, write: JSON.double)
  }
}

extension MemberType where Value == Int {
  /// The token of a registration.
  static var token: MemberType {
    MemberType(
      "Revision", answering: [.int], read: Read.int, write: { .int(Int64($0)) },
      evaluate: { (rule, scope, member) throws(MutationFault) in try scope.int(rule, for: member) })
  }

  /// An integer, at least 0.
  static func count(_ schema: String = "Count") -> MemberType {
    MemberType(
      schema, answering: [.int], expecting: .count, read: Read.count, write: { .int(Int64($0)) })
  }
}

extension MemberType where Value == Bool {
  /// A Boolean. The default, false, is omitted; effects have a constant.
  static func flag(_ schema: String = "Flag") -> MemberType {
    MemberType(schema, read: Read.bool, write: { $0 ? true : nil })
  }
}

extension MemberType where Value == SegueRequest.Trigger {
  /// The trigger of a pop. The default, `code`, is omitted.
  static var popTrigger: MemberType {
    MemberType("PopTrigger", read: Read.word, write: { $0 == .code ? nil : .string($0.rawValue) })
  }
}

extension MemberType where Value == MessageRequest.Destination {
  static var destination: MemberType {
    MemberType("MessageDestination", read: Read.word, write: { .string($0.rawValue) })
  }
}

/// Types of the state.
extension MemberType where Value == JSONPointer {
  /// A place in the state, or a rule for one.
  static var place: MemberType {
    MemberType(
      "JSONPointer", read: Read.pointer, write: \.json,
      inEffect: .valueOrRule(
        RuleForm(answers: .oneOf([.string, .anyList])) {
          (rule, scope, member) throws(MutationFault) in try scope.pointer(rule, for: member)
        }))
  }
}

extension MemberType where Value == JSONPatch {
  static var patch: MemberType {
    MemberType(
      "JSONPatch", answering: [.anyList], expecting: .patch, read: Read.patch, write: \.json)
  }
}

/// Types with documents of their own. Effects have those with rules as constants, so that the rules are checked
/// with the handler.
extension MemberType where Value == Handler {
  static var handler: MemberType {
    MemberType("Handler", read: Handler.init(reading:at:log:), write: \.json)
  }

  static var coordinatedHandler: MemberType {
    MemberType("CoordinatedHandler", read: Handler.init(coordinated:at:log:), write: \.json)
  }
}

extension MemberType where Value == [KeyCommand] {
  static var keyCommands: MemberType {
    MemberType(
      "KeyCommandArray", read: KeyCommand.list(reading:at:log:), write: { .array($0.map(\.json)) })
  }
}

extension MemberType where Value == Responder {
  /// A responder named by the member `responder`.
  static var document: MemberType {
    MemberType(
      [
        MemberDescription(
          "responder", "Identifier", isRequired: true, about: "The name of the responder."),
        MemberDescription("value", "Responder", isRequired: true, about: "The responder."),
      ],
      read: { reader in
        let id: ResponderID? = reader.required("responder", Read.identifier)
        guard let value = reader.required("value", Read.any), let id else { return nil }
        return Responder(id, reading: value, at: reader.place(of: "value"), log: reader.log)
      },
      write: { [("responder", .string($0.id.rawValue)), ("value", $0.json)] })
  }
}

extension MemberType where Value == Launch {
  static var launch: MemberType {
    MemberType("Launch", read: Launch.init(reading:at:log:), write: \.json)
  }
}

extension MemberType where Value == KeySequence {
  static var key: MemberType {
    MemberType(
      "KeyOrStrokes", answering: [.anyMap, .anyList], expecting: .key,
      read: KeySequence.init(reading:at:log:),
      write: \.json)
  }
}

extension MemberType where Value == KeyModifiers {
  static var modifiers: MemberType {
    MemberType(
      "Modifiers", answering: [.anyList], expecting: .modifiers, read: Read.modifiers,
      write: { $0.isEmpty ? nil : $0.json })
  }
}

extension MemberType where Value == SenderDescription {
  static var sender: MemberType {
    MemberType(
      "Sender", answering: [.anyMap], expecting: .sender,
      read: SenderDescription.init(reading:at:log:), write: \.json)
  }
}

extension MemberType where Value == Invocation {
  /// An invocation to send again; its command is looked up in the catalogue.
  static var invocation: MemberType {
    let type = MemberType("Invocation", read: { _, _, _ in nil }, write: \.json)
    return MemberType(
      schema: type.schema,
      read: { json, pointer, log, catalog in
        catalog.flatMap { Invocation(reading: json, at: pointer, log: log, in: $0) }
      },
      write: type.write, inEffect: .literal, dated: { $0.dated($1) }, encode: type.encode,
      decode: type.decode)
  }
}
