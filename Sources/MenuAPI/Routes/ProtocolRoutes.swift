import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The protocols of delegates (V7).
enum ProtocolRoutes {
  static let all = [
    Route(
      .get, at: "/protocols", needing: .read, id: "listProtocols",
      "All protocols of delegates, in the order of their declaration.",
      answers: .tagged("Protocols", "The protocols."), answeredBy: list),
    Route(
      .get, at: "/protocols/{protocol}", needing: .read, id: "getProtocol",
      "A protocol as it is declared.", answers: .tagged("DelegateProtocol", "The protocol."),
      problems: [.unknownProtocol], answeredBy: declared.get),
    Route(
      .put, at: "/protocols/{protocol}", needing: .administrator, id: "declareProtocol",
      "Declares a protocol; the same declaration again changes nothing.",
      parameters: ["protocol": "PickerDelegate"],
      body: .json(
        "DelegateProtocol",
        #"{"required":["pickerDidCancel:"],"optional":["picker:didPick:"]}"#),
      answers: [
        .created("DelegateProtocol", "It is new.", headers: ["Location", "ETag"]),
        .ok("DelegateProtocol", "It was declared so already.", headers: ["ETag"]),
      ],
      problems: [.invalidName, .duplicateDeclaration], answeredBy: put),
    Route(
      .delete, at: "/protocols/{protocol}", needing: .administrator, id: "removeProtocol",
      "Removes a protocol that no class names.", parameters: ["protocol": "PickerDelegate"],
      answers: [.noContent("It is gone.")], problems: [.unknownProtocol, .protocolInUse],
      answeredBy: declared.delete),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "protocols") { writer in
      writer.member("protocols")
      writer.beginObject()
      for declared in catalog.protocols { writer.member(declared.name.rawValue, declared.json) }
      writer.endObject()
    }
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let name: ProtocolName = try call.name(0)
    let json = try call.json()
    let new = try call.document { log in
      DelegateProtocol(name, reading: json, at: .root, log: log)
    }
    return try call.changeCatalog(.protocols, declared.part(name), by: .declareProtocol(new)) {
      error, catalog in
      Problem(error.fault, at: .root).with(existing: catalog.delegateProtocol(name)?.json)
    } answer: { outcome, _ in
      call.answer(outcome, at: "/protocols/\(name)", declared: new.json)
    }
  }

  private static let declared = Declarations<DelegateProtocol>(
    kind: "protocol", holding: .protocols, unknown: .unknownProtocol, path: "/protocols",
    json: { catalog, name in catalog.delegateProtocol(name)?.json },
    removal: { .removeProtocol($0) })
}

extension Call {
  /// Returns the response to a declaration: 201, or 200 if the same declaration existed.
  func answer(
    _ outcome: CatalogOutcome, at path: String, declared: JSON
  ) -> Response {
    let tag = tag(.declaration(declared))
    return outcome.isChanged
      ? Self.response(.created, tag: tag, location: path, body: declared.bytes)
      : Self.response(.ok, tag: tag, body: declared.bytes)
  }
}

extension Problem {
  /// Returns the problem with the existing declaration.
  func with(existing declared: JSON?) -> Problem {
    guard let declared else { return self }
    return with("existing") { $0.value(declared) }
  }
}
