import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The menu tree and the edits of it (M3, M4).
enum MenuRoutes {
  static let all = [
    Route(
      .get, at: "/menus", needing: .items, id: "getMenus",
      "The menu tree with all edits made, and the edits in their order.",
      answers: .tagged("Menus", "The tree."), answeredBy: list),
    Route(
      .get, at: "/menus/{menu}", needing: .items, id: "getMenu", "A menu and what stands in it.",
      answers: .tagged("Menu", "The menu."), problems: [.unknownMenu], answeredBy: get),
    Route(
      .post, at: "/menus/edits", needing: .administrator, id: "editMenus",
      "Makes edits in order, all or none. `If-Match` has the ETag of `GET /menus`, as the answer has.",
      body: .json(
        "MenuEdits",
        #"{"edits":[{"op":"insertChild","atEndOfMenu":"image","menu":{"title":"More","children":["copy:"]}}]}"#
      ),
      answers: [
        .ok("MenuEditsMade", "The edits, with names for menus that had none.", headers: ["ETag"])
      ],
      problems: [.unresolvedReference, .duplicateDeclaration], answeredBy: edit),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "menus") { writer in
      writer.member("root", catalog.menus.json)
      writer.member("edits", .array(catalog.edits.map(\.json)))
      writer.members(catalog.leftOut)
    }
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    guard let id = MenuID(call.parameters[0]), let menu = call.catalog.menu(id) else {
      throw Problem(
        .unknownMenu,
        "There is no menu \(quoted(call.parameters[0])); GET /menus shows those that are there.")
    }
    return call.answer(declared: menu.json)
  }

  private static func edit(_ call: Call) throws(Problem) -> Response {
    let json = try call.json()
    var edits: [MenuEdit] = []
    return try call.changeCatalog(.menuElements, tree) { (catalog) throws(Problem) in
      edits = try self.edits(json, under: catalog, call)
      return .editMenus(edits)
    } refusal: { error, catalog in
      Problem(
        error.fault, at: error.edit.map { edits[$0].place(of: error.fault, at: $0, in: json) }
      ).with(existing: error.fault.doubledMenu.flatMap(catalog.menu)?.json)
    } answer: { _, catalog in
      call.answer(tag: tree.representation(catalog).map { call.tag($0) }) { writer in
        writer.member("catalogRevision", catalog.revision)
        writer.member("edits", .array(edits.map(\.json)))
      }
    }
  }

  private static let tree = CatalogPart(title: "The menu tree") { catalog in
    .list("menus", catalogRevision: catalog.revision)
  }

  /// Returns the edits in a document, with generated names for unnamed menus.
  private static func edits(
    _ json: JSON, under catalog: Catalog, _ call: Call
  ) throws(Problem) -> [MenuEdit] {
    var names = catalog.menuNames(besides: json)
    return try call.object(json) { reader in
      reader.required("edits") { json, place, log in
        Read.list(json, at: place, log: log) {
          MenuEdit(reading: $0, at: $1, log: $2, names: &names)
        }
      }
    }
  }
}

extension DeclarationFault {
  /// The duplicate identifier of two menus; nil for other faults.
  fileprivate var doubledMenu: MenuID? {
    if case .menu(.duplicateMenu(let id)) = self { id } else { nil }
  }
}

extension MenuEdit {
  /// Returns the part of the body that a fault of this edit is about.
  fileprivate func place(
    of fault: DeclarationFault, at index: Int, in body: JSON
  ) -> JSONPointer {
    let edit = JSONPointer.root.appending("edits").appending(index)
    switch fault {
    case .menu(.undeclaredCommand(let id, _)):
      return body.places(of: .string(id.rawValue), in: edit, as: "command").first ?? edit
    case .menu(.duplicateMenu(let id)):
      return body.places(of: .string(id.rawValue), in: edit, as: "identifier").last ?? edit
    case .menu(.unknownMenu), .menu(.rootMenu): return edit.appending(memberOfPlace)
    case .menu(.menusTooDeep), .command, .class, .protocol, .storyboard, .keymap, .scene:
      return edit
    }
  }

  private var memberOfPlace: String {
    switch self {
    case .insertSiblingBefore: "beforeMenu"
    case .insertSiblingAfter: "afterMenu"
    case .insertChildAtStart: "atStartOfMenu"
    case .insertChildAtEnd: "atEndOfMenu"
    case .replace, .remove: "menu"
    case .replaceChildren: "ofMenu"
    }
  }
}

extension JSON {
  /// Returns the places of a name in an edit or in its menus: as this member, or as a string among children, which
  /// names a command.
  fileprivate func places(
    of name: JSON, in place: JSONPointer, as member: String
  ) -> [JSONPointer] {
    switch self[place] {
    case .string? where member == "command": self[place] == name ? [place] : []
    case .array(let elements)?:
      elements.indices.flatMap { places(of: name, in: place.appending($0), as: member) }
    case .object(let object)?:
      (object[member] == name ? [place.appending(member)] : [])
        + ["menu", "children"].flatMap { inner -> [JSONPointer] in
          let place = place.appending(inner)
          if case .string? = object[inner] { return [] }
          return places(of: name, in: place, as: member)
        }
    case .null?, .bool?, .int?, .double?, .string?, nil: []
    }
  }
}
