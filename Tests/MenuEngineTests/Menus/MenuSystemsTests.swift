import JSONText
import Testing

@testable import MenuEngine

/// Menus, and places of commands in them, that only main menus or only context menus show (M3).
@Suite struct MenuSystemsTests {
  private let menus: JSON = [
    [
      "identifier": "edit",
      "children": [
        "copy", ["command": "paste", "systems": ["main"]],
        ["command": "look", "systems": ["context"]],
        ["identifier": "deep", "systems": ["main"], "children": ["cut"]],
      ],
    ],
    ["identifier": "popup", "systems": ["context"], "children": ["cut", "look"]],
  ]

  private func stage() throws -> Stage {
    func command(_ id: String, _ key: String) -> JSON {
      ["action": .string(id), "title": .string(id), "key": ["input": .string(key)]]
    }
    return try Stage(
      commands: [
        command("copy", "c"), command("paste", "v"), command("look", "l"), command("cut", "x"),
        command("free", "f"),
      ], menus: menus,
      responders: [
        "v": [
          "kind": "view",
          "handlers": ["copy": [:], "paste": [:], "look": [:], "cut": [:], "free": [:]],
        ]
      ], focus: "v")
  }

  /// The items and menus of a validated menu: `edit(copy paste)`.
  private func shown(_ kind: MenuKind, _ id: MenuID = Menu.rootIdentifier) throws -> String {
    let stage = try stage()
    var request = ValidationRequest()
    request.kind = kind
    let menu = try #require(stage.catalog.menuAsShown(id))
    let validated = try stage.session.validate(menu, request, in: stage.catalog)
    var plan = ValidationPlan { _, _ in }
    #expect(try plan.validate(menu, request, at: stage.moment) == validated)
    request.menu = id
    #expect(try stage.session.validate(request, in: stage.catalog) == validated.items)
    return validated.outline
  }

  @Test func `M3: each system of menus shows what is not limited to the other`() throws {
    #expect(try shown(.main) == "root(edit(copy paste deep(cut)))")
    #expect(try shown(.context) == "root(edit(copy look) popup(cut look))")
  }

  @Test func `M3: a menu is limited as the menus around it are`() throws {
    #expect(try shown(.context, "deep") == "deep()")
    #expect(try shown(.main, "deep") == "deep(cut)")
    #expect(try shown(.main, "popup") == "popup()")
  }

  @Test func `K1, M3: keys are those of the main menu, and of commands in no menu`() throws {
    let stage = try stage()
    #expect(
      stage.catalog.keyClaims.map(\.holder)
        == ["copy", "paste", "cut", "free"].map { .command($0) })
    #expect(try stage.resolution(KeyPress(try pressed("l"))).tried == [])
    #expect(try stage.resolution(KeyPress(try pressed("x"))).chosen?.target == .responder("v"))
  }

  @Test func `M3, M4: an edit can limit what it brings, and rebuilding gives the same tree`() throws
  {
    var stage = try stage()
    let edit = try FaultLog.collecting { log in
      var names = MenuNames(.edit, taken: [])
      return MenuEdit(
        reading: [
          "op": "replaceChildren", "ofMenu": "edit",
          "children": [["command": "free", "systems": ["context"]], "copy"],
        ], at: .root, log: log, names: &names)
    }
    try stage.catalog.make([edit])
    #expect(stage.catalog.keyClaims.map(\.holder) == [.command("copy"), .command("paste")])
    #expect(throws: DeclarationFault.command(.standsInMenus("free", ["edit"]))) {
      try stage.catalog.remove("free")
    }
    let again = try JSON(encoding: stage.catalog).decoded(as: Catalog.self)
    #expect(again.menus == stage.catalog.menus)
    #expect(
      again.menus.json.text() == stage.catalog.menus.json.text())
  }

  @Test func `M3: systems are written where they limit, and read back`() throws {
    let stage = try stage()
    let children = try #require(stage.catalog.menus.json[JSONPointer(["children"])])
    #expect(
      children[JSONPointer(["0", "children"])] == [
        "copy", ["command": "paste", "systems": ["main"]],
        ["command": "look", "systems": ["context"]],
        [
          "identifier": "deep", "title": "", "options": [], "systems": ["main"],
          "children": ["cut"],
        ],
      ])
    #expect(children[JSONPointer(["0", "systems"])] == nil)
    #expect(children[JSONPointer(["1", "systems"])] == ["context"])
  }

  @Test(
    arguments: [
      ([], .expected(.systems, found: []), "systems"),
      (["dock"], .expected(.oneOf(["main", "context"]), found: "dock"), "systems/0"),
      ("main", .expected(.array, found: "main"), "systems"),
    ] as [(JSON, DocumentFault.Reason, String)])
  func `M3: systems are one or both`(
    systems: JSON, reason: DocumentFault.Reason, place: String
  ) throws {
    for (object, pointer) in [
      (["identifier": "m", "systems": systems], "/0/"),
      (["command": "copy", "systems": systems], "/0/"),
    ] as [(JSON, String)] {
      let document = CatalogDocument([
        .commands: [["action": "copy", "title": "Copy"]], .menus: [object],
      ])
      let at = try JSONPointer(parsing: pointer + place)
      #expect(
        throws: CatalogDocument.Faults(faults: [
          CatalogDocument.Fault(part: .menus, fault: DocumentFault(reason, at: at))
        ])
      ) { try document.catalog() }
    }
  }

  @Test func `M3: a place of a command has nothing else, and names a command that is declared`() {
    let document = CatalogDocument([
      .commands: [], .menus: [["command": "copy", "title": "Copy"]],
    ])
    let undeclared = DocumentFault(
      .declaration(.menu(.undeclaredCommand("copy"))), at: JSONPointer(["0"]))
    let unknownMember = DocumentFault(
      .unknownMember("title", known: ["command", "systems"]), at: JSONPointer(["0", "title"]))
    #expect(
      throws: CatalogDocument.Faults(faults: [
        CatalogDocument.Fault(part: .menus, fault: unknownMember),
        CatalogDocument.Fault(part: .menus, fault: undeclared),
      ])
    ) { try document.catalog() }
    let unknown = CatalogDocument([.commands: [], .menus: [["command": "copy"]]])
    #expect(
      throws: CatalogDocument.Faults(
        faults: [CatalogDocument.Fault(part: .menus, fault: undeclared)])
    ) { try unknown.catalog() }
  }
}

extension ValidatedMenu {
  fileprivate var outline: String {
    let parts = children.map { child in
      switch child {
      case .item(let item): item.command.rawValue
      case .menu(let menu): menu.outline
      }
    }
    return "\(identifier)(\(parts.joined(separator: " ")))"
  }
}
