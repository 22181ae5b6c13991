import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The protocols of delegates (V7).
enum ProtocolRoutes {
  static let all = [
    Route(
      .get, "/protocols", needing: .read,
      describedAs: RouteDescription(
        "listProtocols", "All protocols of delegates, in the order of their declaration.",
        answers: [.ok("Protocols", "The protocols.", headers: ["ETag"]), .notModified]),
      answeredBy: list),
    Route(
      .get, "/protocols/{protocol}", needing: .read,
      describedAs: RouteDescription(
        "getProtocol", "A protocol as it is declared.",
        answers: [.ok("DelegateProtocol", "The protocol.", headers: ["ETag"]), .notModified],
        problems: [.unknownProtocol]),
      answeredBy: get),
    Route(
      .put, "/protocols/{protocol}", needing: .administrator,
      describedAs: RouteDescription(
        "declareProtocol", "Declares a protocol; the same declaration again changes nothing.",
        parameters: ["protocol": "PickerDelegate"],
        body: .json(
          "DelegateProtocol",
          #"{"required":["pickerDidCancel:"],"optional":["picker:didPick:"]}"#),
        answers: [
          .created("DelegateProtocol", "It is new.", headers: ["Location", "ETag"]),
          .ok("DelegateProtocol", "It was declared so already.", headers: ["ETag"]),
        ],
        problems: [.invalidName, .duplicateDeclaration]),
      answeredBy: put),
    Route(
      .delete, "/protocols/{protocol}", needing: .administrator,
      describedAs: RouteDescription(
        "removeProtocol", "Removes a protocol that no class names.",
        parameters: ["protocol": "PickerDelegate"],
        answers: [.noContent("It is gone.")], problems: [.unknownProtocol, .protocolInUse]),
      answeredBy: delete),
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

  private static func get(_ call: Call) throws(Problem) -> Response {
    let name = try existing(call)
    guard let declared = call.catalog.delegateProtocol(name) else {
      throw Problem(DeclarationFault.protocol(.unknownProtocol(name)))
    }
    return call.answer(declared: declared.json)
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let name: ProtocolName = try call.name(0)
    let json = try call.json()
    let declared = try call.document { log in
      DelegateProtocol(name, reading: json, at: .root, log: log)
    }
    return try call.changeCatalog(.protocols, part(name), by: .declareProtocol(declared)) {
      error, catalog in
      Problem(error.fault, at: .root).with(existing: catalog.delegateProtocol(name)?.json)
    } answer: { outcome, _ in
      call.answer(outcome, at: "/protocols/\(name)", declared: declared.json)
    }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let name = try existing(call)
    return try call.changeCatalog(.protocols, part(name), by: .removeProtocol(name)) { error, _ in
      Problem(error.fault)
    } answer: { _, _ in
      Response(status: .noContent)
    }
  }

  private static func part(_ name: ProtocolName) -> CatalogPart {
    CatalogPart(title: "The protocol \(quoted(name))") { catalog in
      catalog.delegateProtocol(name).map { .declaration($0.json) }
    }
  }

  private static func existing(_ call: Call) throws(Problem) -> ProtocolName {
    if let name = ProtocolName(call.parameters[0]) { return name }
    throw Problem(
      .unknownProtocol,
      "There is no protocol \(quoted(call.parameters[0])); GET /protocols lists those that are "
        + "declared.")
  }
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
