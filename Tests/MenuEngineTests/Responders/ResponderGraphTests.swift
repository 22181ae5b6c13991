import JSONText
import Randomness
import Testing

@testable import MenuEngine

@Suite struct ResponderGraphTests {
  /// An application with a window, an embedded child and a presented controller.
  static let photos: JSON = [
    "app": ["kind": "application", "delegate": "appDelegate"],
    "appDelegate": ["kind": "delegate"],
    "scene": ["kind": "scene"],
    "window": ["kind": "window", "windowScene": "scene", "rootViewController": "root"],
    "root": ["kind": "viewController", "view": "rootView"],
    "rootView": ["kind": "view"],
    "container": ["kind": "view", "superview": "rootView"],
    "child": ["kind": "viewController", "parent": "root", "view": "childView"],
    "childView": ["kind": "view", "superview": "container"],
    "button": ["kind": "view", "superview": "childView"],
    "sheet": ["kind": "viewController", "presentingViewController": "child", "view": "sheetView"],
    "sheetView": ["kind": "view"],
  ]

  private let trunk: [ResponderID] = ["window", "scene", "app", "appDelegate"]

  @Test func `R2: an embedded child goes on through its parent's views`() throws {
    let stage = try Stage(responders: Self.photos)
    #expect(
      stage.chain(from: "button")
        == ["button", "childView", "child", "container", "rootView", "root"] + trunk)
  }

  @Test func `R2: a presented controller goes on to its presenter, not to the views`() throws {
    var stage = try Stage(responders: Self.photos)
    #expect(
      stage.chain(from: "sheetView")
        == ["sheetView", "sheet", "child", "container", "rootView", "root"] + trunk)
    try stage.put("sheetView", ["kind": "view", "superview": "container"])
    #expect(stage.session.graph.next(of: "sheet") == "child")
  }

  @Test func `R2: a window's root goes on to the window, though it is presented`() throws {
    var stage = try Stage(responders: Self.photos)
    try stage.put("other", ["kind": "viewController"])
    try stage.put(
      "root",
      ["kind": "viewController", "view": "rootView", "presentingViewController": "other"])
    #expect(stage.session.graph.next(of: "root") == "window")
  }

  @Test func `R2: a view that is nobody's root view goes on to its superview, or nowhere`()
    throws
  {
    let stage = try Stage(responders: [
      "outer": ["kind": "view"], "inner": ["kind": "view", "superview": "outer"],
    ])
    #expect(stage.session.graph.next(of: "inner") == "outer")
    #expect(stage.session.graph.next(of: "outer") == nil)
  }

  @Test func `R2: a view can stand in a window without any view controller`() throws {
    let stage = try Stage(responders: [
      "app": ["kind": "application"], "window": ["kind": "window"],
      "view": ["kind": "view", "superview": "window"],
    ])
    #expect(stage.chain(from: "view") == ["view", "window", "app"])
  }

  @Test func `R2: a child whose view is in no other one goes on to its container`() throws {
    var stage = try Stage(responders: [
      "root": ["kind": "viewController"], "child": ["kind": "viewController", "parent": "root"],
    ])
    #expect(stage.chain(from: "child") == ["child", "root"])
    try stage.put("rootView", ["kind": "view"])
    try stage.put("root", ["kind": "viewController", "view": "rootView"])
    #expect(stage.chain(from: "child") == ["child", "rootView", "root"])
    try stage.put("childView", ["kind": "view"])
    try stage.put("child", ["kind": "viewController", "parent": "root", "view": "childView"])
    #expect(stage.chain(from: "childView") == ["childView", "child", "rootView", "root"])
    try stage.put("between", ["kind": "view"])
    try stage.put("childView", ["kind": "view", "superview": "between"])
    #expect(stage.chain(from: "childView") == ["childView", "child", "between"])
    try stage.put("child", ["kind": "viewController", "view": "childView"])
    try stage.put("childView", ["kind": "view"])
    #expect(stage.chain(from: "childView") == ["childView", "child"])
  }

  @Test func `R2: a window goes on to its scene, else to the application, else nowhere`() throws {
    var stage = try Stage(responders: ["window": ["kind": "window"]])
    #expect(stage.chain(from: "window") == ["window"])
    try stage.put("app", ["kind": "application"])
    #expect(stage.chain(from: "window") == ["window", "app"])
    try stage.put("scene", ["kind": "scene"])
    try stage.put("window", ["kind": "window", "windowScene": "scene"])
    #expect(stage.chain(from: "window") == ["window", "scene", "app"])
  }

  @Test(arguments: [
    ("delegate", true), ("responder", true), ("scene", true), ("window", true),
    ("view", false), ("viewController", false), ("application", false),
  ])
  func `R2: an application goes on to its delegate unless that is on other chains already`(
    kind: String, isAsked: Bool
  ) throws {
    // A window or scene would lead back to the application, if it had no next of its own.
    let delegate: JSON =
      isAsked ? ["kind": .string(kind), "next": "end"] : ["kind": .string(kind)]
    var responders: JSONObject = ["end": ["kind": "responder"]]
    responders["app"] = ["kind": "application", "delegate": kind == "application" ? "app" : "d"]
    if kind != "application" { responders["d"] = delegate }
    let stage = try Stage(responders: .object(responders))
    #expect(stage.chain(from: "app") == (isAsked ? ["app", "d", "end"] : ["app"]))
  }

  @Test func `R2: a delegate and a plain responder lead nowhere`() throws {
    let stage = try Stage(responders: [
      "app": ["kind": "application"], "d": ["kind": "delegate"], "r": ["kind": "responder"],
    ])
    #expect(stage.session.graph.next(of: "d") == nil)
    #expect(stage.session.graph.next(of: "r") == nil)
  }

  @Test(arguments: ["button", "child", "window", "scene", "app", "appDelegate"] as [ResponderID])
  func `R2: an explicit next overrides all that`(id: ResponderID) throws {
    var stage = try Stage(responders: Self.photos)
    try stage.put("elsewhere", ["kind": "responder"])
    var document = try #require(stage.session.graph[id]?.json.object)
    document["next"] = "elsewhere"
    try stage.put(id, .object(document))
    #expect(stage.chain(from: id) == [id, "elsewhere"])
  }

  @Test func `R2: links to a removed responder are cleared and chains close up`() throws {
    var stage = try Stage(responders: Self.photos)
    let outcome = try stage.apply(.removeResponder("container"))
    #expect(
      outcome.changes == [
        .responderRemoved("container"),
        .linkCleared(
          ClearedLink(holder: "childView", link: .superview, destination: "container")),
      ])
    #expect(
      stage.chain(from: "childView").prefix(4) == ["childView", "child", "rootView", "root"])
    try stage.apply(.removeResponder("scene"))
    #expect(stage.session.graph.next(of: "window") == "app")
    try stage.apply(.removeResponder("root"))
    #expect(stage.chain(from: "rootView") == ["rootView"])
  }

  @Test(arguments: ResponderLink.allCases)
  func `R2: whatever link leads to a removed responder is cleared and told`(
    link: ResponderLink
  ) throws {
    let kind = try #require(link.holders.first)
    let destination = try #require(link.destinations.last)
    var gone: JSONObject = ["kind": .string(destination.rawValue)]
    if destination == .responder { gone["coordinating"] = [:] }
    var stage = try Stage(responders: ["gone": .object(gone)])
    var holder: JSONObject = ["kind": .string(kind.rawValue)]
    if kind == .responder { holder["coordinating"] = [:] }
    holder.set(link, to: "gone")
    // Who is selected is a child, and as such has a link back.
    if link == .selectedViewController { holder["viewControllers"] = ["gone"] }
    try stage.put("holder", .object(holder))
    #expect(stage.session.graph["holder"]?.links == [link: "gone"])
    let outcome = try stage.apply(.removeResponder("gone"))
    let others: [Outcome.Change] =
      link == .selectedViewController ? [.viewControllers("holder", [])] : []
    #expect(
      outcome.changes == [
        .responderRemoved("gone"),
        .linkCleared(ClearedLink(holder: "holder", link: link, destination: "gone")),
      ] + others)
    #expect(stage.session.graph["holder"]?.links == [:])
    #expect(stage.chain(from: "holder") == ["holder"])
  }

  @Test func `R2: removing keeps the order of the others`() throws {
    var stage = try Stage(responders: Self.photos)
    let ids = stage.session.graph.ids
    try stage.apply(.removeResponder("rootView"))
    #expect(stage.session.graph.ids == ids.filter { $0 != "rootView" })
    #expect(stage.session.graph.count == 11)
    #expect(stage.session.graph["sheet"]?.id == "sheet")
  }
}

@Suite struct RandomMutationTests {
  /// A document of a responder with random links, to some that are there and some that are not.
  private func document(
    _ generator: inout SeededGenerator, _ ids: [ResponderID], _ kinds: [ResponderKind]
  ) throws -> JSON {
    let kind = try #require(kinds.randomElement(using: &generator))
    var object: JSONObject = ["kind": .string(kind.rawValue)]
    for link in ResponderLink.allCases where link.holders.contains(kind) {
      let odds: Int
      switch link {
      case .firstResponder, .supplementalTarget, .forwardingTarget: odds = 20
      case .next: odds = 3
      default: odds = 2
      }
      let isLinked = Int.random(in: 0..<odds, using: &generator) == 0
      guard isLinked, let id = ids.randomElement(using: &generator) else { continue }
      object.set(link, to: id)
    }
    // A proxy forwards to the proxied one, and a presented controller is no child.
    if object[ResponderLink.proxied.rawValue] != nil {
      object.set(.forwardingTarget, to: nil)
    }
    if object[ResponderLink.presentingViewController.rawValue] != nil,
      Int.random(in: 0..<4, using: &generator) != 0
    {
      object.set(.parent, to: nil)
    }
    if kind == .responder, object["coordinating"] == nil {
      object["coordinating"] = ["isResponder": .bool(Bool.random(using: &generator))]
    }
    return .object(object)
  }

  @Test(arguments: Seeds.first(10))
  func `R2, R9: changing one by one comes to the same as opening with the whole`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var stage = try Stage()
    let ids = (0..<9).map { ResponderID(stringLiteral: "r\($0)") }
    let trunk: [ResponderKind] = [.application, .delegate, .window, .viewController]
    let kinds = seed.isMultiple(of: 2) ? trunk : ResponderKind.allCases
    var accepted = 0
    for _ in 0..<160 {
      let id = try #require(ids.randomElement(using: &generator))
      var responders = JSONObject()
      for other in stage.session.graph.responders { responders[other.id.rawValue] = other.json }
      let mutation: Mutation
      if Int.random(in: 0..<6, using: &generator) == 0 {
        guard stage.session.graph[id] != nil else { continue }
        mutation = .removeResponder(id)
        responders[id.rawValue] = nil
        for holder in responders.members {
          for link in ResponderLink.allCases
          where holder.value[JSONPointer(link.path)] == .string("\(id)") {
            var links = try #require(responders[holder.name]?.object)
            links.set(link, to: nil)
            responders[holder.name] = .object(links)
          }
        }
      } else {
        let json = try document(&generator, ids, kinds)
        mutation = .putResponder(try responder(id, json))
        responders[id.rawValue] = json
      }
      let whole = try? Stage(responders: .object(responders))
      guard let whole else {
        #expect(stage.refusal(of: mutation) != nil)
        continue
      }
      try stage.apply(mutation)
      accepted += 1
      #expect(stage.session.graph.ids == whole.session.graph.ids)
      #expect(stage.session.graph.application == whole.session.graph.application)
      for id in stage.session.graph.ids {
        #expect(stage.session.graph.next(of: id) == whole.session.graph.next(of: id))
      }
    }
    #expect(accepted > 15)
  }
}

extension JSONObject {
  /// Sets a link in the document of a responder.
  mutating func set(_ link: ResponderLink, to id: ResponderID?) {
    let value = id.map { JSON.string($0.rawValue) }
    guard link.path.count > 1 else {
      self[link.rawValue] = value
      return
    }
    var part = self[link.path[0]]?.object ?? [:]
    part[link.path[1]] = value
    self[link.path[0]] = .object(part)
  }
}

@Suite struct ResponderLinkTests {
  @Test func `R2: a link that leads nowhere is refused`() throws {
    let stage = try Stage()
    #expect(
      try stage.refusal(of: .putResponder(responder("v", ["kind": "view", "superview": "w"])))
        == .link(.danglingLink("v", .superview, to: "w")))
  }

  @Test func `R2: a link to another kind is refused`() throws {
    let stage = try Stage(responders: ["v": ["kind": "view"]])
    #expect(
      try stage.refusal(
        of: .putResponder(responder("c", ["kind": "viewController", "parent": "v"])))
        == .link(.linkToOtherKind("c", .parent, to: "v", kind: .view)))
  }

  @Test func `R2: a responder that others link to cannot become of another kind`() throws {
    let stage = try Stage(responders: ResponderGraphTests.photos)
    #expect(
      try stage.refusal(of: .putResponder(responder("scene", ["kind": "view"])))
        == .link(.linkToOtherKind("window", .windowScene, to: "scene", kind: .view)))
  }

  @Test func `R2: a root view has one owner only, and a root controller one window`() throws {
    let stage = try Stage(responders: ResponderGraphTests.photos)
    #expect(
      try stage.refusal(
        of: .putResponder(responder("c", ["kind": "viewController", "view": "rootView"])))
        == .link(.linkTaken("c", .view, to: "rootView", by: "root")))
    #expect(
      try stage.refusal(
        of: .putResponder(responder("w", ["kind": "window", "rootViewController": "root"])))
        == .link(.linkTaken("w", .rootViewController, to: "root", by: "window")))
  }

  @Test func `R1: a second application is refused`() throws {
    let stage = try Stage(responders: ResponderGraphTests.photos)
    #expect(
      try stage.refusal(of: .putResponder(responder("app2", ["kind": "application"])))
        == .link(.secondApplication("app2", existing: "app")))
  }

  @Test func `R1: each kind has a default class`() throws {
    let classes = try ResponderKind.allCases.map { kind in
      try responder("r", ["kind": .string(kind.rawValue)]).className.rawValue
    }
    #expect(
      ResponderKind.allCases.map(\.rawValue) == [
        "application", "delegate", "scene", "window", "viewController", "view", "responder",
      ])
    #expect(
      classes == [
        "UIApplication", "UIResponder", "UIScene", "UIWindow", "UIViewController", "UIView",
        "UIResponder",
      ])
  }
}

@Suite struct CycleTests {
  private let path: [ResponderID] = ["a", "b", "c", "a"]

  @Test func `R9: a cycle of explicit links is refused with its path`() throws {
    let stage = try Stage(responders: [
      "a": ["kind": "responder"], "b": ["kind": "responder", "next": "c"],
      "c": ["kind": "responder", "next": "a"],
    ])
    #expect(
      try stage.refusal(of: .putResponder(responder("a", ["kind": "responder", "next": "b"])))
        == .link(.cycle(path, along: .next)))
  }

  @Test(arguments: [
    (ResponderLink.superview, "view"), (.parent, "viewController"),
    (.presentingViewController, "viewController"),
  ])
  func `R9: a cycle of one kind of link is refused with its path, chained or not`(
    link: ResponderLink, kind: String
  ) throws {
    func document(_ next: String?) -> JSON {
      var object: JSONObject = ["kind": .string(kind)]
      object[link.rawValue] = next.map(JSON.string)
      return .object(object)
    }
    let stage = try Stage(responders: [
      "a": document(nil), "b": document("c"), "c": document("a"),
    ])
    #expect(
      try stage.refusal(of: .putResponder(responder("a", document("b"))))
        == .link(.cycle(path, along: link)))
  }

  @Test(arguments: [
    (ResponderLink.next, "responder"), (.superview, "view"), (.parent, "viewController"),
    (.presentingViewController, "viewController"),
  ])
  func `R9: a link to itself is refused`(link: ResponderLink, kind: String) throws {
    let stage = try Stage()
    let json: JSON = ["kind": .string(kind), link.rawValue: "a"]
    #expect(
      try stage.refusal(of: .putResponder(responder("a", json)))
        == .link(.cycle(["a", "a"], along: link)))
  }

  @Test func `R9: a cycle through links of several kinds is refused`() throws {
    let stage = try Stage(responders: ResponderGraphTests.photos)
    #expect(
      try stage.refusal(
        of: .putResponder(responder("appDelegate", ["kind": "delegate", "next": "container"])))
        == .link(
          .cycle(
            [
              "appDelegate", "container", "rootView", "root", "window", "scene", "app",
              "appDelegate",
            ],
            along: .next)))
  }

  @Test func `R9: a root view that stands inside its own child is refused`() throws {
    let stage = try Stage(responders: [
      "v": ["kind": "view"], "inner": ["kind": "view", "superview": "v"],
    ])
    let responders: [Mutation] = [
      .putResponder(try responder("c", ["kind": "viewController", "view": "v"])),
      .putResponder(try responder("v", ["kind": "view", "superview": "inner"])),
    ]
    var copy = stage.session
    #expect(
      throws: MutationFault.inList(index: 1, .link(.cycle(["v", "inner", "v"], along: .superview)))
    ) {
      try copy.apply(responders, in: stage.catalog)
    }
    #expect(copy.document == stage.session.document)
  }

  @Test func `R9: a removal that would close a cycle is refused, too`() throws {
    // Without its controller the view would lead to its superview, and that leads back.
    let stage = try Stage(responders: [
      "outer": ["kind": "view", "next": "v"], "v": ["kind": "view", "superview": "outer"],
      "c": ["kind": "viewController", "view": "v", "next": "end"], "end": ["kind": "responder"],
    ])
    #expect(
      stage.refusal(of: .removeResponder("c"))
        == .link(.cycle(["v", "outer", "v"], along: .next)))
  }

  @Test func `R9: an application whose delegate leads back to it closes a cycle`() throws {
    let stage = try Stage(responders: [
      "app": ["kind": "application"], "window": ["kind": "window", "rootViewController": "root"],
      "root": ["kind": "viewController"], "d": ["kind": "delegate", "next": "root"],
    ])
    #expect(
      try stage.refusal(
        of: .putResponder(responder("app", ["kind": "application", "delegate": "d"])))
        == .link(.cycle(["app", "d", "root", "window", "app"], along: .next)))
  }

  @Test func `R9: every walk is bounded all the same, and its trace says so`() throws {
    var stage = try Stage(
      commands: [["action": "go:", "title": "Go"]],
      responders: ["a": ["kind": "view", "superview": "b"], "b": ["kind": "view"]], focus: "a")
    // No mutation makes such a graph.
    stage.session.graph.nextPositions = [1, 0]
    #expect(try stage.item("go:").reason == .cycle)
    #expect(try stage.item("go:").isEnabled == false)
    #expect(try stage.target("go:") == "cycle")
    #expect(
      try stage.trace("go:") == [
        "a respondsToSelector false", "a next \"b\"", "b respondsToSelector false",
        "b next \"a\"", "a cycle true",
      ])
    #expect(stage.reason(for: .perform(ActionRequest(.action("go:")))) == .cycle)
    #expect(stage.chain(from: "a") == ["a", "b"])
    #expect(stage.session.diagnostics(in: stage.catalog).cycles == [["a", "b", "a"]])
  }

  @Test func `R9: a session that opens with a cycle is refused`() {
    #expect(throws: MutationFault.link(.cycle(["a", "b", "a"], along: .next))) {
      _ = try Stage(responders: [
        "x": ["kind": "responder", "next": "a"],
        "a": ["kind": "responder", "next": "b"], "b": ["kind": "responder", "next": "a"],
      ])
    }
  }
}
