import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The menu tree and the edits made on top of it (M3, M4).
enum MenuRoutes {
  static let all = [
    Route(
      .get, "/menus",
      Operation(
        "getMenus", "The menu tree with all edits made, and the edits in their order.",
        answers: [.ok("Menus", "The tree.")], door: .anyToken),
      list),
    Route(
      .get, "/menus/{menu}",
      Operation(
        "getMenu", "A menu and what stands in it.",
        answers: [.ok("Menu", "The menu.")], problems: [.unknownMenu], door: .anyToken),
      get),
    Route(
      .post, "/menus/edits",
      Operation(
        "editMenus", "Makes edits in order, all or none.",
        body: .json(
          "MenuEdits",
          #"{"edits":[{"op":"insertChild","atEndOfMenu":"image","menu":{"title":"More","children":["copy:"]}}]}"#
        ),
        answers: [.ok("MenuEditsMade", "The edits, with names for menus that had none.")],
        problems: [.unresolvedReference, .duplicateDeclaration]),
      edit),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer { writer in
      writer.member("catalogRevision", catalog.revision)
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
    return Call.response(.ok, nil, nil, menu.json.bytes)
  }

  private static func edit(_ call: Call) throws(Problem) -> Response {
    let json = try call.json()
    var edits: [MenuEdit] = []
    let change = try call.changeCatalog(.menuElements) { (catalog) throws(Problem) in
      edits = try self.edits(json, call, catalog)
      return .editMenus(edits)
    } refusal: { error, _ in
      Problem(error.fault, at: error.edit.map { edits[$0].place(of: error.fault, at: $0) })
    }
    return call.answer { writer in
      writer.member("catalogRevision", change.catalog.revision)
      writer.member("edits", .array(edits.map(\.json)))
    }
  }

  /// The edits that a document describes, with names for menus that had none.
  private static func edits(
    _ json: JSON, _ call: Call, _ catalog: Catalog
  ) throws(Problem) -> [MenuEdit] {
    var names = catalog.menuNames(besides: json)
    return try call.object(json) { reader in
      reader.required("edits") { json, place, log in
        Read.list(json, place, log) { MenuEdit(reading: $0, at: $1, log: $2, names: &names) }
      }
    }
  }
}

extension MenuEdit {
  /// The part of the body that a fault of this edit is about.
  fileprivate func place(of fault: DeclarationFault, at index: Int) -> JSONPointer {
    let edit = JSONPointer.root.appending("edits").appending(index)
    switch fault {
    case .unknownMenu, .rootMenu: return edit.appending(memberOfPlace)
    case .duplicateCommand, .duplicateIdentity, .duplicateKey, .otherName, .duplicateMenu,
      .undeclaredCommand, .standsInMenus, .unknownCommand, .menusTooDeep, .unknownSuperclass,
      .builtInClass, .unknownExtendedClass, .repeatedMethod, .classCycle, .duplicateProtocol,
      .repeatedMessage, .unknownProtocol, .undeclaredProtocol, .protocolInUse, .duplicateStoryboard,
      .unknownStoryboard, .unknownScene, .duplicateSegue, .duplicateView, .relationshipCycle,
      .scenesTooDeep, .undeclaredClass, .notAViewController:
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
