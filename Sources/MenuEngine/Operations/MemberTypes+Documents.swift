import CEL
import JSONText

/// Values that have documents of their own. An effect gives those with rules as they are, so that their rules
/// are checked when the handler is.
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
  /// A responder under the name in the member `responder`.
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

extension MemberType where Value == KeyCombination {
  static var key: MemberType {
    MemberType(
      "Key", answering: [.anyMap], expecting: .key, read: KeyCombination.init(reading:at:log:),
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
  /// A message that was sent before; its command is looked up in the catalogue.
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
