import JSONText
import Testing

@testable import MenuEngine

private func catalog(_ menus: JSON) throws -> Catalog {
  try CatalogDocument([
    .commands: [["action": "a", "title": "A"], ["action": "b", "title": "B"]], .menus: menus,
  ]).catalog()
}

private func edits(_ json: JSON, in catalog: Catalog) throws -> [MenuEdit] {
  var names = catalog.menuNames(besides: json)
  return try FaultLog.collecting { log in
    Read.list(json, at: .root, log: log) { MenuEdit(reading: $0, at: $1, log: $2, names: &names) }
  }
}

@Suite struct MenuTests {
  @Test func `M3: a menu reads all its fields, children in order, and writes them`() throws {
    let json: JSON = [
      "identifier": "m", "title": "M", "image": "i",
      "options": ["displayInline", "destructive", "singleSelection", "displayAsPalette"],
      "children": [
        "a",
        ["identifier": "n", "title": "", "options": [], "children": ["b", "a"]],
      ],
    ]
    let catalog = try catalog([json])
    #expect(catalog.menu("m")?.json == json)
    #expect(catalog.menu("m")?.commands == ["a", "b", "a"])
    #expect(catalog.menus.menus.map(\.identifier) == ["root", "m", "n"])
  }

  @Test func `M3: what is left out has its default`() throws {
    let catalog = try catalog([["identifier": "m"]])
    #expect(
      catalog.menu("m")
        == Menu(identifier: "m", title: "", image: nil, options: [], children: []))
  }

  @Test func `M3: an identifier is generated, none that is given anywhere`() throws {
    let catalog = try catalog([
      ["children": [[:], ["identifier": "menu.3"]]], ["identifier": "menu.1"], [:],
    ])
    #expect(
      catalog.menus.menus.map(\.identifier)
        == ["root", "menu.2", "menu.4", "menu.3", "menu.1", "menu.5"])
  }

  @Test func `M3: names generated for edits differ from all in the tree and in the edits`() throws {
    let catalog = try catalog([["identifier": "menu.1"], [:]])
    #expect(catalog.menus.menus.map(\.identifier) == ["root", "menu.1", "menu.2"])
    let edits = try edits(
      [
        ["op": "insertChild", "atEndOfMenu": "root", "menu": ["title": "new"]],
        [
          "op": "insertChild", "atEndOfMenu": "root",
          "menu": ["identifier": "edit.1", "children": [["identifier": "edit.2"], [:]]],
        ],
        ["op": "replace", "menu": "menu.1", "with": ["identifier": "edit.4"]],
        [
          "op": "replaceChildren", "ofMenu": "menu.1", "children": [["identifier": "edit.6"], [:]],
        ],
      ], in: catalog)
    #expect(
      edits.map(\.json) == [
        [
          "op": "insertChild",
          "menu": ["identifier": "edit.3", "title": "new", "options": [], "children": []],
          "atEndOfMenu": "root",
        ],
        [
          "op": "insertChild",
          "menu": [
            "identifier": "edit.1", "title": "", "options": [],
            "children": [
              ["identifier": "edit.2", "title": "", "options": [], "children": []],
              ["identifier": "edit.5", "title": "", "options": [], "children": []],
            ],
          ], "atEndOfMenu": "root",
        ],
        [
          "op": "replace", "menu": "menu.1",
          "with": ["identifier": "edit.4", "title": "", "options": [], "children": []],
        ],
        [
          "op": "replaceChildren", "ofMenu": "menu.1",
          "children": [
            ["identifier": "edit.6", "title": "", "options": [], "children": []],
            ["identifier": "edit.7", "title": "", "options": [], "children": []],
          ],
        ],
      ])
  }

  @Test func `M3: a command nobody declared is refused where it stands`() {
    #expect(
      throws: CatalogDocument.Faults(faults: [
        CatalogDocument.Fault(
          part: .menus,
          fault: DocumentFault(
            .declaration(.menu(.undeclaredCommand("ghost"))),
            at: JSONPointer(["0", "children", "1"])))
      ])
    ) {
      _ = try catalog([["children": ["a", "ghost"]]])
    }
  }

  @Test(arguments: [nil, true, 1, 1.5, []] as [JSON])
  func `M3: a child is a command's name or a menu`(child: JSON) {
    #expect(
      throws: CatalogDocument.Faults(faults: [
        CatalogDocument.Fault(
          part: .menus,
          fault: DocumentFault(.expected(.menuElement, found: child), at: JSONPointer(["0"])))
      ])
    ) {
      _ = try catalog([child])
    }
  }

  @Test func `M3: menus nest only so deep, declared or through edits`() throws {
    func nested(_ depth: Int) -> JSON {
      (1..<depth).reduce(["identifier": "m\(depth)"]) { inner, level in
        ["identifier": "m\(depth - level)", "children": [inner]]
      }
    }
    var catalog = try catalog([nested(Limits.menus)])
    #expect(throws: CatalogDocument.Faults.self) {
      _ = try MenuEngineTests.catalog([nested(Limits.menus + 1)])
    }
    let deepest = "m\(Limits.menus)"
    let edit = try edits(
      [["op": "insertChild", "atEndOfMenu": .string(deepest), "menu": ["identifier": "x"]]],
      in: catalog)
    #expect(
      throws: CatalogMutationFault(.menu(.menusTooDeep(limit: Limits.menus)), edit: 0)
    ) {
      try catalog.make(edit)
    }
  }
}

@Suite struct MenuEditTests {
  private let tree: JSON = [
    ["identifier": "file", "children": ["a", ["identifier": "recent"]]], ["identifier": "edit"],
  ]
  private static let new: JSON = ["identifier": "new", "title": "New", "children": ["b"]]

  /// The tree as text: `root(file(a recent) edit)`.
  private static func sketch(_ menu: Menu) -> String {
    let children = menu.children.map { child in
      switch child {
      case .command(let place): place.command.rawValue
      case .itemsFromData(let items): "each \(items.command)"
      case .menu(let menu): sketch(menu)
      }
    }
    return children.isEmpty
      ? "\(menu.identifier)" : "\(menu.identifier)(\(children.joined(separator: " ")))"
  }

  @Test(
    arguments: [
      (
        ["op": "insertSibling", "menu": new, "beforeMenu": "edit"],
        "root(file(a recent) new(b) edit)"
      ),
      (
        ["op": "insertSibling", "menu": new, "afterMenu": "file"],
        "root(file(a recent) new(b) edit)"
      ),
      (
        ["op": "insertSibling", "menu": new, "afterMenu": "recent"],
        "root(file(a recent new(b)) edit)"
      ),
      (
        ["op": "insertChild", "menu": new, "atStartOfMenu": "file"],
        "root(file(new(b) a recent) edit)"
      ),
      (
        ["op": "insertChild", "menu": new, "atEndOfMenu": "recent"],
        "root(file(a recent(new(b))) edit)"
      ),
      (
        ["op": "insertChild", "menu": new, "atEndOfMenu": "root"],
        "root(file(a recent) edit new(b))"
      ),
      (["op": "replace", "menu": "file", "with": new], "root(new(b) edit)"),
      (["op": "replace", "menu": "file", "with": ["identifier": "file"]], "root(file edit)"),
      (
        ["op": "replaceChildren", "ofMenu": "file", "children": ["b", new]],
        "root(file(b new(b)) edit)"
      ),
      (["op": "replaceChildren", "ofMenu": "root", "children": []], "root"),
      (["op": "remove", "menu": "recent"], "root(file(a) edit)"),
    ] as [(JSON, String)])
  func `M4: each edit changes its place only, and is written as it was read`(
    json: JSON, sketch: String
  ) throws {
    var catalog = try catalog(tree)
    let edits = try edits([json], in: catalog)
    try catalog.make(edits)
    #expect(Self.sketch(catalog.menus) == sketch)
    #expect(catalog.revision == 1)
    #expect(catalog.edits == edits)
    #expect(try MenuEngineTests.edits(.array(edits.map(\.json)), in: catalog) == edits)
  }

  @Test func `M4: unknown identifiers are errors, and the whole list is undone`() throws {
    var catalog = try catalog(tree)
    for edit in [
      ["op": "insertSibling", "menu": Self.new, "beforeMenu": "ghost"],
      ["op": "insertSibling", "menu": Self.new, "afterMenu": "ghost"],
      ["op": "insertChild", "menu": Self.new, "atStartOfMenu": "ghost"],
      ["op": "insertChild", "menu": Self.new, "atEndOfMenu": "ghost"],
      ["op": "replace", "menu": "ghost", "with": Self.new],
      ["op": "replaceChildren", "ofMenu": "ghost", "children": []],
      ["op": "remove", "menu": "ghost"],
    ] as [JSON] {
      let list = try edits([["op": "remove", "menu": "edit"], edit], in: catalog)
      #expect(throws: CatalogMutationFault(.menu(.unknownMenu("ghost")), edit: 1)) {
        try catalog.make(list)
      }
    }
    #expect(Self.sketch(catalog.menus) == "root(file(a recent) edit)")
    #expect(catalog.revision == 0)
    #expect(catalog.edits == [])
  }

  @Test func `M4: the root is not replaced, removed or given siblings`() throws {
    var catalog = try catalog(tree)
    for edit in [
      ["op": "insertSibling", "menu": Self.new, "beforeMenu": "root"],
      ["op": "insertSibling", "menu": Self.new, "afterMenu": "root"],
      ["op": "replace", "menu": "root", "with": Self.new], ["op": "remove", "menu": "root"],
    ] as [JSON] {
      let list = try edits([edit], in: catalog)
      #expect(throws: CatalogMutationFault(.menu(.rootMenu), edit: 0)) {
        try catalog.make(list)
      }
    }
  }

  @Test func `M4: an edit that doubles a menu or shows an undeclared command is refused`() throws {
    var catalog = try catalog(tree)
    func refusal(_ json: JSON) throws -> CatalogMutationFault? {
      let list = try edits(json, in: catalog)
      do throws(CatalogMutationFault) { try catalog.make(list) } catch { return error }
      return nil
    }
    #expect(
      try refusal([["op": "insertChild", "atEndOfMenu": "root", "menu": ["identifier": "edit"]]])
        == CatalogMutationFault(.menu(.duplicateMenu("edit")), edit: 0))
    #expect(
      try refusal([
        [
          "op": "insertChild", "atEndOfMenu": "edit",
          "menu": ["identifier": "x", "children": [["identifier": "x"]]],
        ]
      ]) == CatalogMutationFault(.menu(.duplicateMenu("x")), edit: 0))
    #expect(
      try refusal([["op": "replaceChildren", "ofMenu": "edit", "children": ["a", "ghost"]]])
        == CatalogMutationFault(.menu(.undeclaredCommand("ghost")), edit: 0))
    #expect(
      try refusal([["op": "replace", "menu": "edit", "with": ["identifier": "recent"]]])
        == CatalogMutationFault(.menu(.duplicateMenu("recent")), edit: 0))
    #expect(Self.sketch(catalog.menus) == "root(file(a recent) edit)")
  }

  @Test func `M4: the recorded edits on the declared tree give the same tree again`() throws {
    var edited = try catalog(tree)
    try edited.make(
      try edits(
        [
          ["op": "insertChild", "atEndOfMenu": "root", "menu": ["title": "named by us"]],
          ["op": "insertChild", "atStartOfMenu": "edit.1", "menu": Self.new],
        ], in: edited))
    try edited.make(try edits([["op": "remove", "menu": "file"]], in: edited))
    try edited.make([])
    var rebuilt = try catalog(tree)
    try rebuilt.make(edited.edits)
    #expect(rebuilt.menus == edited.menus)
    #expect(Self.sketch(edited.menus) == "root(edit edit.1(new(b)))")
    #expect(edited.revision == 2)
  }

  @Test(
    arguments: [
      (["op": "insertSibling", "menu": new], .missingMember("beforeMenu"), []),
      (["op": "insertChild", "menu": new], .missingMember("atStartOfMenu"), []),
      (
        ["op": "insertSibling", "menu": new, "beforeMenu": "a", "afterMenu": "b"],
        .conflictingMembers("beforeMenu", "afterMenu"), []
      ),
      (["op": "remove"], .missingMember("menu"), []),
      (["op": "replace", "menu": "a"], .missingMember("with"), []),
      (
        ["op": "replaceChildren", "ofMenu": "a", "children": "b"],
        .expected(.array, found: "b"), ["children"]
      ),
      (
        ["op": "remove", "menu": "a", "with": [:]],
        .unknownMember("with", known: ["op", "menu"]), ["with"]
      ),
      (
        ["op": "swap"],
        .expected(
          .oneOf(["insertSibling", "insertChild", "replace", "replaceChildren", "remove"]),
          found: "swap"), ["op"]
      ),
    ] as [(JSON, DocumentFault.Reason, [String])])
  func `M4: an edit of the wrong form is refused with the place`(
    json: JSON, reason: DocumentFault.Reason, place: [String]
  ) {
    var names = MenuNames(taken: [])
    #expect(
      faults { MenuEdit(reading: json, at: .root, log: $0, names: &names) }
        == [DocumentFault(reason, at: JSONPointer(place))])
  }
}
