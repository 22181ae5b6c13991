import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The keymaps of users, and the one that a session uses (K9).
enum KeymapRoutes {
  static let all = [
    Route(
      .get, at: "/keymaps", needing: .read, id: "listKeymaps",
      "The names of all keymaps, in the order in which they were put.",
      answers: .tagged("Keymaps", "The names."), answeredBy: list),
    Route(
      .get, at: "/keymaps/{keymap}", needing: .read, id: "getKeymap",
      "A keymap; `default` stands for the keys of the commands themselves, on the platform.",
      query: [.platform], answers: .tagged("Keymap", "The keymap."), problems: [.unknownKeymap],
      answeredBy: get),
    Route(
      .put, at: "/keymaps/{keymap}", needing: .administrator, id: "putKeymap",
      "Puts a keymap in place of one of the name in the path. Entries that mean nothing are accepted and told.",
      parameters: ["keymap": "ada"],
      body: .json(
        "KeymapRequest",
        #"{"entries":[{"key":"ctrl+k ctrl+5","command":"applyFiveStarRating:"},{"command":"-zoomIn:"}]}"#
      ),
      answers: [
        .created("Keymap", "It is new.", headers: ["Location", "ETag"]),
        .ok("Keymap", "It takes the place of another one, or is the same.", headers: ["ETag"]),
      ],
      problems: [.invalidName, .limitReached], answeredBy: put),
    Route(
      .delete, at: "/keymaps/{keymap}", needing: .administrator, id: "removeKeymap",
      "Removes a keymap; sessions that name it go on without one.", parameters: ["keymap": "ada"],
      answers: [.noContent("It is gone.")], problems: [.unknownKeymap], answeredBy: delete),
    Route(
      .put, at: "/sessions/{session}/keymap", needing: .declare, id: "useKeymap",
      "Names the keymap of a session, or none; it need not be there yet.",
      body: .json("KeymapName", #"{"keymap":"ada"}"#),
      answers: [.ok("KeymapChanged", "It is used from now on.", headers: ["ETag"])],
      answeredBy: use),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "keymaps") { writer in
      writer.member("keymaps", .array(catalog.keymaps.map { .string($0.name.rawValue) }))
    }
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let platform: KeyPlatform = try call.query.word("platform") ?? .apple
    let catalog = call.catalog
    let name = try existing(call)
    if name == .ofDefaults {
      return call.answer(declared: catalog.defaultKeymap(on: platform).document)
    }
    guard let keymap = catalog.keymap(name) else {
      throw Problem(DeclarationFault.keymap(.unknownKeymap(name)))
    }
    let isLimited = call.grant.commands != nil
    return call.answer(
      declared: isLimited ? keymap.limited(to: catalog).document : keymap.document(in: catalog))
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let name: KeymapName = try call.name(0)
    guard name != .ofDefaults else {
      throw Problem(
        .invalidName,
        "The name 'default' stands for the keys of the commands themselves; choose another one.")
    }
    var json = try call.json()
    // The body may be an answer as is; the path names the keymap.
    if case .object(var answer) = json {
      (answer["name"], answer["remarks"]) = (nil, nil)
      json = .object(answer)
    }
    let keymap = try call.document { Keymap(name, reading: json, at: .root, log: $0) }
    var isNew = true
    return try call.changeCatalog(.keymaps, part(name)) { (base) throws(Problem) in
      isNew = base.keymap(name) == nil
      return .putKeymap(keymap)
    } refusal: { error, _ in
      Problem(error.fault, at: .root)
    } answer: { _, catalog in
      let document = keymap.document(in: catalog)
      let (body, tag) = (document.bytes, call.tag(.declaration(document)))
      return isNew
        ? Call.response(.created, tag: tag, location: "/keymaps/\(name)", body: body)
        : Call.response(.ok, tag: tag, body: body)
    }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let name = try existing(call)
    return try call.changeCatalog(.keymaps, part(name), by: .removeKeymap(name)) { error, _ in
      Problem(error.fault)
    } answer: { _, _ in
      Response(status: .noContent)
    }
  }

  private static func use(_ call: Call) throws(Problem) -> Response {
    let name: KeymapName? = try call.object { $0.required("keymap", Read.orNull(Read.identifier)) }
    return try call.apply(.useKeymap(name), at: { _ in nil }, also: { $0.member("keymap", name) })
  }

  private static func part(_ name: KeymapName) -> CatalogPart {
    CatalogPart(title: "The keymap \(quoted(name))") { catalog in
      catalog.keymap(name).map { .declaration($0.document(in: catalog)) }
    }
  }

  private static func existing(_ call: Call) throws(Problem) -> KeymapName {
    if let name = KeymapName(call.parameters[0]) { return name }
    throw Problem(
      .unknownKeymap,
      "There is no keymap \(quoted(call.parameters[0])); GET /keymaps lists those that there are.")
  }
}

extension Keymap {
  /// The keymap with its name.
  fileprivate var document: JSON {
    ["name": .string(name.rawValue), "entries": .array(entries.map(\.json))]
  }

  /// Returns the keymap with its name, and the entries that perform nothing.
  fileprivate func document(in catalog: Catalog) -> JSON {
    let remarks = remarks(in: catalog).map { remark -> JSON in
      ["pointer": .string(remark.pointer.description), "detail": .string(remark.sentence)]
    }
    guard !remarks.isEmpty, case .object(var members) = document else { return document }
    members["remarks"] = .array(remarks)
    return .object(members)
  }

  /// Returns the keymap without the commands that a catalogue does not have.
  fileprivate func limited(to catalog: Catalog) -> Keymap {
    Keymap(name, entries: entries.filter { catalog.command($0.command) != nil })
  }
}

extension Keymap.Remark {
  /// The place in the document.
  fileprivate var pointer: JSONPointer {
    let place = JSONPointer(["entries", String(entry)])
    return switch reason {
    case .unknownCommand: place.appending("command")
    case .keyWithoutInput: place.appending("key")
    case .unfitParameters: place.appending("parameters")
    }
  }

  fileprivate var sentence: String {
    switch reason {
    case .unknownCommand(let id, let nearest):
      "There is no command \(quoted(id))"
        + (nearest.map { ";" + didYouMean($0.rawValue, for: id.rawValue) } ?? ".")
    case .keyWithoutInput: "No front end can press this key; choose another one."
    case .unfitParameters:
      "The command does not take these parameters; GET /commands has its schema."
    }
  }
}
