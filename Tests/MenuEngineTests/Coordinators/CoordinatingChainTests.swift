import JSONText
import Randomness
import Testing

@testable import MenuEngine

/// The coordinating chain (C1) and its weak links (C3).
@Suite struct CoordinatingChainTests {
  /// A window with a container, a child embedded in it by views, and a controller that it presents;
  /// two coordinators, parent and child; the child owns nothing yet.
  static let photos: JSON = [
    "app": ["kind": "application", "delegate": "appDelegate"],
    "appDelegate": ["kind": "delegate"],
    "scene": ["kind": "scene"],
    "sceneDelegate": ["kind": "delegate"],
    "window": ["kind": "window", "windowScene": "scene", "rootViewController": "root"],
    "root": ["kind": "viewController", "view": "rootView"],
    "rootView": ["kind": "view"],
    "slot": ["kind": "view", "superview": "rootView"],
    "child": ["kind": "viewController", "view": "childView", "parent": "root"],
    "childView": ["kind": "view", "superview": "slot"],
    "button": ["kind": "view", "superview": "childView"],
    "sheet": ["kind": "viewController", "presentingViewController": "child"],
    "main": ["kind": "responder", "coordinating": [:], "continuation": "sceneDelegate"],
    "albums": [
      "kind": "responder", "parentCoordinator": "main",
      "coordinating": ["rootViewController": "child"],
    ],
  ]

  private func members(_ stage: Stage, from id: ResponderID) -> [ResponderID] {
    let chain = stage.session.graph.coordinatingChain(from: id)
    #expect(chain.cycle == nil)
    return chain.members
  }

  private func stage(changing id: String, _ document: JSON) throws -> Stage {
    var stage = try Stage(responders: Self.photos)
    try stage.put(ResponderID(stringLiteral: id), document)
    return stage
  }

  @Test func `C1, C7: a view goes on to its controller, and that to its parent past the views`()
    throws
  {
    let stage = try Stage(responders: Self.photos)
    #expect(
      members(stage, from: "button") == [
        "button", "childView", "child", "root", "window", "scene", "app", "appDelegate",
      ])
    #expect(
      stage.chain(from: "child").prefix(3) == ["child", "slot", "rootView"],
      "the responder chain does not skip the views")
  }

  @Test func `C1: a presented controller goes on to its presenter, a child to its parent`() throws {
    var stage = try Stage(responders: Self.photos)
    #expect(members(stage, from: "sheet").prefix(3) == ["sheet", "child", "root"])
    try stage.put("page", ["kind": "viewController", "parent": "sheet"])
    #expect(members(stage, from: "page").prefix(4) == ["page", "sheet", "child", "root"])
    try stage.put("sheet", ["kind": "viewController", "parent": "root"])
    #expect(members(stage, from: "sheet").prefix(2) == ["sheet", "root"])
  }

  @Test func `C1: no controller has a parent and a presenter, put or opened with`() throws {
    let both: JSON = [
      "kind": "viewController", "presentingViewController": "child", "parent": "root",
    ]
    let fault = MutationFault.presentation(.isChild("sheet", of: "root"))
    let stage = try Stage(responders: Self.photos)
    #expect(stage.refusal(of: .putResponder(try responder("sheet", both))) == fault)
    var photos = try #require(Self.photos.object)
    photos["sheet"] = both
    #expect(throws: fault) { try Stage(responders: .object(photos)) }
  }

  @Test
  func `C1: a controller without owner, parent and presenter goes on to its view's superview`()
    throws
  {
    let stage = try stage(changing: "child", ["kind": "viewController", "view": "childView"])
    #expect(members(stage, from: "child").prefix(4) == ["child", "slot", "rootView", "root"])
  }

  @Test func `C1: a controller that has none of all these goes on to its window or its next`()
    throws
  {
    let stage = try stage(
      changing: "sheet", ["kind": "viewController", "next": "scene"])
    #expect(members(stage, from: "root").prefix(2) == ["root", "window"])
    #expect(members(stage, from: "sheet") == ["sheet", "scene", "app", "appDelegate"])
    #expect(
      try members(self.stage(changing: "sheet", ["kind": "viewController"]), from: "sheet")
        == ["sheet"])
  }

  @Test func `C1: a coordinator comes before parent and next, and its continuation last`() throws {
    let stage = try stage(
      changing: "child",
      [
        "kind": "viewController", "view": "childView", "parent": "root", "next": "window",
        "parentCoordinator": "albums",
      ])
    #expect(
      members(stage, from: "button") == [
        "button", "childView", "child", "albums", "main", "sceneDelegate",
      ])
  }

  @Test func `C1: a coordinator with a parent does not go on to its continuation`() throws {
    var stage = try stage(
      changing: "albums",
      [
        "kind": "responder", "coordinating": [:], "parentCoordinator": "main",
        "continuation": "appDelegate",
      ])
    #expect(members(stage, from: "albums") == ["albums", "main", "sceneDelegate"])
    try stage.apply(.removeResponder("main"))
    #expect(members(stage, from: "albums") == ["albums", "appDelegate"])
  }

  @Test
  func `C1: a coordinator with neither ends the chain, a plain responder with a next does not`()
    throws
  {
    let stage = try Stage(responders: [
      "top": ["kind": "responder", "coordinating": [:]],
      "plain": ["kind": "responder", "next": "top"],
      "hooked": ["kind": "responder", "coordinating": [:], "next": "plain"],
    ])
    #expect(members(stage, from: "plain") == ["plain", "top"])
    #expect(members(stage, from: "hooked") == ["hooked", "plain", "top"])
    #expect(members(stage, from: "nobody") == [])
  }

  @Test func `C3: a deleted parent coordinator counts as none, and the link to it is cleared`()
    throws
  {
    var stage = try stage(
      changing: "child",
      ["kind": "viewController", "parent": "root", "parentCoordinator": "albums"])
    let outcome = try stage.apply(.removeResponder("albums"))
    #expect(
      outcome.changes == [
        .responderRemoved("albums"),
        .linkCleared(
          ClearedLink(holder: "child", link: .parentCoordinator, destination: "albums")),
      ])
    #expect(members(stage, from: "child").prefix(2) == ["child", "root"])
  }

  @Test func `C3: a parent coordinator that is no responder ends the chain`() throws {
    let silent: JSON = ["kind": "responder", "coordinating": ["isResponder": false]]
    var stage = try Stage(responders: Self.photos)
    try stage.put("albums", silent)
    try stage.put(
      "child", ["kind": "viewController", "parent": "root", "parentCoordinator": "albums"])
    #expect(members(stage, from: "child") == ["child"])
    try stage.put("main", silent)
    try stage.put(
      "albums", ["kind": "responder", "coordinating": [:], "parentCoordinator": "main"])
    #expect(members(stage, from: "child") == ["child", "albums"])
    try stage.put("albums", ["kind": "responder", "coordinating": [:], "continuation": "main"])
    #expect(members(stage, from: "child") == ["child", "albums"])
  }

  @Test func `C4: the root of a coordinator that goes is forgotten`() throws {
    var stage = try Stage(responders: Self.photos)
    let outcome = try stage.apply(.removeResponder("child"))
    #expect(
      outcome.changes.contains(
        .linkCleared(ClearedLink(holder: "albums", link: .coordinatedRoot, destination: "child"))))
    #expect(stage.session.graph["albums"]?.links == [.parentCoordinator: "main"])
  }
}

/// The documents of coordinators and of the links to them.
@Suite struct CoordinatingDocumentTests {
  @Test func `C4: absent members have their defaults, and the document is whole`() throws {
    let coordinator = try responder("albums", ["kind": "responder", "coordinating": [:]])
    #expect(coordinator.coordinating?.identifier == "albums")
    #expect(coordinator.coordinating?.kind == .coordinator)
    #expect(coordinator.coordinating?.isResponder == true)
    #expect(
      coordinator.json == [
        "kind": "responder", "class": "UIResponder", "properties": [:], "handlers": [:],
        "coordinating": ["identifier": "albums", "kind": "coordinator"],
      ])
    let json: JSON = [
      "kind": "responder", "class": "UIResponder", "parentCoordinator": "main",
      "continuation": "scene", "properties": [:], "handlers": [:],
      "coordinating": [
        "identifier": "Albums", "rootViewController": "list", "kind": "navigation",
        "isResponder": false,
      ],
    ]
    #expect(try responder("albums", json).json == json)
  }

  @Test func `C4: only plain responders coordinate, and of those only coordinators have owners`() {
    #expect(
      faults {
        Responder("v", reading: ["kind": "view", "coordinating": [:]], at: .root, log: $0)
      } == [
        DocumentFault(
          .memberOfOtherKind("coordinating", kind: .view, kinds: [.responder]),
          at: JSONPointer(["coordinating"]))
      ])
    for link in ["parentCoordinator", "continuation"] {
      #expect(
        faults { Responder("r", reading: ["kind": "responder", link: "a"], at: .root, log: $0) }
          == [DocumentFault(.missingMember("coordinating"), at: .root)])
    }
    #expect(
      faults {
        Responder(
          "r", reading: ["kind": "responder", "coordinating": ["kind": "tab", "children": []]],
          at: .root, log: $0)
      } == [
        DocumentFault(
          .expected(.oneOf(["coordinator", "navigation"]), found: "tab"),
          at: JSONPointer(["coordinating", "kind"])),
        DocumentFault(
          .unknownMember(
            "children",
            known: [
              "identifier", "rootViewController", "kind", "isResponder", "isStarted", "isReplaced",
              "viewControllers",
            ]),
          at: JSONPointer(["coordinating", "children"])),
      ])
  }

  @Test func `C1: a parent coordinator must coordinate, and stay a coordinator`() throws {
    let stage = try Stage(responders: CoordinatingChainTests.photos)
    var plain = stage
    try plain.put("plain", ["kind": "responder"])
    #expect(
      try plain.refusal(
        of: .putResponder(
          responder("child", ["kind": "viewController", "parentCoordinator": "plain"])))
        == .link(.notCoordinating("plain", parentOf: "child")))
    #expect(
      try stage.refusal(of: .putResponder(responder("main", ["kind": "responder"])))
        == .link(.notCoordinating("main", parentOf: "albums")))
    #expect(
      try stage.refusal(
        of: .putResponder(
          responder(
            "albums", ["kind": "responder", "coordinating": ["rootViewController": "button"]])))
        == .link(.linkToOtherKind("albums", .coordinatedRoot, to: "button", kind: .view)))
  }

  @Test func `C1: rules see whom a controller belongs to, and what a coordinator has`() throws {
    var stage = try Stage(responders: CoordinatingChainTests.photos)
    try stage.put(
      "child",
      [
        "kind": "viewController", "parent": "root", "parentCoordinator": "albums",
        "handlers": [
          "tell": [
            "perform": [
              ["op": "add", "path": "/log/-", "value": "responder.parentCoordinator"]
            ]
          ]
        ],
      ])
    try stage.put(
      "main",
      [
        "kind": "responder", "coordinating": ["rootViewController": "root"],
        "handlers": [
          "tell": [
            "perform": [["op": "add", "path": "/log/-", "value": "responder.coordinating"]]
          ]
        ],
      ])
    try stage.apply(.perform(ActionRequest(.action("tell"), from: "child")))
    try stage.apply(.perform(ActionRequest(.action("tell"), from: "main")))
    #expect(
      stage.log == [
        "albums",
        [
          "identifier": "main", "kind": "coordinator", "rootViewController": "root",
          "parentCoordinator": nil, "continuation": nil, "isStarted": false, "isReplaced": false,
          "viewControllers": [], "childCoordinators": ["albums": "albums"],
        ],
      ])
  }
}

/// Cycles of the coordinating chain are refused with their path (R9).
@Suite struct CoordinatingCycleTests {
  @Test func `R9: coordinators cannot be each other's parents`() throws {
    let stage = try Stage(responders: CoordinatingChainTests.photos)
    #expect(
      try stage.refusal(
        of: .putResponder(
          responder(
            "main", ["kind": "responder", "coordinating": [:], "parentCoordinator": "albums"])))
        == .link(.cycle(["main", "albums", "main"], along: .parentCoordinator)))
    #expect(
      try stage.refusal(
        of: .putResponder(
          responder("own", ["kind": "responder", "coordinating": [:], "parentCoordinator": "own"]))
      ) == .link(.cycle(["own", "own"], along: .parentCoordinator)))
  }

  @Test func `R9: a chain that would come back through links of several kinds is refused`() throws {
    var stage = try Stage(responders: CoordinatingChainTests.photos)
    try stage.put(
      "child",
      [
        "kind": "viewController", "view": "childView", "parent": "root",
        "parentCoordinator": "albums",
      ])
    #expect(
      try stage.refusal(
        of: .putResponder(
          responder(
            "main", ["kind": "responder", "coordinating": [:], "continuation": "button"])))
        == .link(.coordinatingCycle(["main", "button", "childView", "child", "albums", "main"])))
  }

  @Test func `R9: a chain that would come back when a coordinator goes is refused`() throws {
    var stage = try Stage(responders: CoordinatingChainTests.photos)
    try stage.put("albums", ["kind": "responder", "coordinating": [:]])
    try stage.put(
      "child",
      [
        "kind": "viewController", "view": "childView", "parent": "root",
        "parentCoordinator": "albums",
      ])
    try stage.put(
      "main", ["kind": "responder", "coordinating": [:], "continuation": "button"])
    try stage.put(
      "root", ["kind": "viewController", "view": "rootView", "parentCoordinator": "main"])
    let cycle: [ResponderID] = ["child", "root", "main", "button", "childView", "child"]
    #expect(stage.refusal(of: .removeResponder("albums")) == .link(.coordinatingCycle(cycle)))
  }
}

/// Cycles that no coordinator has part in (R9).
@Suite struct PlainCycleTests {
  /// The child's view is in a view that an explicit link leads into the child.
  private func stage() throws -> Stage {
    try Stage(responders: [
      "outer": ["kind": "view", "next": "v"], "v": ["kind": "view", "superview": "outer"],
      "c": ["kind": "viewController", "view": "v", "next": "end"], "end": ["kind": "responder"],
    ])
  }

  @Test func `R9: a cycle of containers and explicit links stops the walk, which says so`() throws {
    var stage = try stage()
    let chain = stage.session.graph.coordinatingChain(from: "outer")
    #expect(chain.members == ["outer", "v", "c"])
    #expect(chain.cycle == ["outer", "v", "c", "outer"])
    #expect(
      stage.session.diagnostics(in: stage.catalog).coordinating.cycles
        == [["outer", "v", "c", "outer"]])
    let request = Mutation.message(MessageRequest(message: "pick:", from: "v"))
    let delivery = try #require(try stage.apply(request).message)
    #expect(delivery.reason == .cycle && delivery.receiver == nil)
    #expect(delivery.trace.says.last == "R9: 'v' was met before, so the walk stops.")
    #expect(
      try stage.session.coordinatingTarget(for: "pick:", from: "v", in: stage.catalog).reason
        == .cycle)
  }

  @Test func `R9: a message that goes on along a cycle reaches nobody twice`() throws {
    var stage = try stage()
    for id in ["v", "outer"] as [ResponderID] {
      let handler = try handler([
        "perform": [["op": "add", "path": "/log/-", "value": "'\(id)'"]], "continues": true,
      ])
      try stage.apply(.putHandler(handler, for: "pick", of: id))
    }
    try stage.apply(.message(MessageRequest(message: "pick", from: "v")))
    #expect(stage.log == ["v", "outer"])
  }
}

/// The walk against C1 once more, as it is written, on random graphs.
@Suite struct RandomCoordinatingTests {
  @Test(arguments: Seeds.first(12))
  func `C1, C3: on random graphs the chain is as the rule says`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var stage = try Stage()
    var documents: [ResponderID: JSONObject] = [:]
    let ids = (0..<12).map { ResponderID(stringLiteral: "r\($0)") }
    var reached = 0
    for _ in 0..<120 {
      let id = try #require(ids.randomElement(using: &generator))
      if Int.random(in: 0..<8, using: &generator) == 0 {
        guard (try? stage.apply(.removeResponder(id))) != nil else { continue }
        // The view of a view controller leaves the screen with it (R8).
        if case .string(let view)? = documents[id]?["view"] {
          documents[ResponderID(stringLiteral: view)]?["superview"] = nil
        }
        documents[id] = nil
        forget(id, &documents)
      } else {
        let document = try document(&generator, documents)
        guard (try? stage.put(id, .object(document))) != nil else { continue }
        documents[id] = document
      }
      for start in ids {
        let chain = stage.session.graph.coordinatingChain(from: start)
        let expected = reference(documents, from: start)
        #expect(chain.members == expected.chain)
        #expect(chain.cycle?.first == expected.repeated && chain.cycle?.last == expected.repeated)
        for id in chain.cycle ?? [] {
          #expect(documents[id]?["parentCoordinator"] == nil, "such a cycle is refused")
          #expect(documents[id]?["continuation"] == nil, "such a cycle is refused")
        }
        reached = max(reached, expected.chain.count)
      }
    }
    #expect(reached > 2)
  }

  private func forget(_ id: ResponderID, _ documents: inout [ResponderID: JSONObject]) {
    for (holder, document) in documents {
      var document = document
      for link in ResponderLink.allCases
      where JSON.object(document)[JSONPointer(link.path)] == .string(id.rawValue) {
        document.set(link, to: nil)
      }
      documents[holder] = document
    }
  }

  private func document(
    _ generator: inout SeededGenerator, _ documents: [ResponderID: JSONObject]
  ) throws -> JSONObject {
    let kinds: [ResponderKind] = [
      .viewController, .viewController, .view, .view, .responder, .responder, .window, .delegate,
    ]
    let ids = documents.keys.sorted { $0.rawValue < $1.rawValue }
    let kind = try #require(kinds.randomElement(using: &generator))
    var object: JSONObject = ["kind": .string(kind.rawValue)]
    let links: [ResponderLink] = [
      .superview, .view, .parent, .presentingViewController, .rootViewController, .next,
      .parentCoordinator, .continuation,
    ]
    for link in links where link.holders.contains(kind) {
      let fitting = ids.filter { id in
        link.destinations.contains { documents[id]?["kind"] == .string($0.rawValue) }
      }
      guard Int.random(in: 0..<(link == .next ? 8 : 2), using: &generator) == 0,
        let id = fitting.randomElement(using: &generator)
      else { continue }
      object.set(link, to: id)
    }
    if kind == .responder {
      object["coordinating"] = [
        "isResponder": .bool(Int.random(in: 0..<4, using: &generator) > 0)
      ]
    }
    return object
  }

  /// C1 as it is written, on the documents alone.
  private func reference(
    _ documents: [ResponderID: JSONObject], from start: ResponderID
  ) -> (chain: [ResponderID], repeated: ResponderID?) {
    var chain: [ResponderID] = []
    var current = documents[start] == nil ? nil : start
    while let id = current, !chain.contains(id) {
      chain.append(id)
      current = successor(of: id, documents)
    }
    return (chain, current)
  }

  private func successor(
    of id: ResponderID, _ documents: [ResponderID: JSONObject]
  ) -> ResponderID? {
    func link(_ name: String, of id: ResponderID?) -> ResponderID? {
      guard let id, case .string(let text)? = documents[id]?[name] else { return nil }
      return ResponderID(text)
    }
    func owner(_ name: String) -> ResponderID? {
      documents.keys.first { link(name, of: $0) == id }
    }
    func isNoResponder(_ id: ResponderID) -> Bool {
      JSON.object(documents[id] ?? [:])[JSONPointer(["coordinating", "isResponder"])] == false
    }
    let next = link("next", of: id)
    switch documents[id]?["kind"] {
    case "viewController":
      if let coordinator = link("parentCoordinator", of: id) {
        return isNoResponder(coordinator) ? nil : coordinator
      }
      return link("parent", of: id) ?? link("presentingViewController", of: id)
        ?? link("superview", of: link("view", of: id)) ?? next ?? owner("rootViewController")
    case "view": return next ?? owner("view") ?? link("superview", of: id)
    case "responder":
      if let other = link("parentCoordinator", of: id) ?? link("continuation", of: id) {
        return isNoResponder(other) ? nil : other
      }
      return next
    default: return next
    }
  }
}
