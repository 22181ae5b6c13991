import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Containers and what they show (V4), and who is on screen (R8).
@Suite struct ContainmentTests {
  private func twoStacks() throws -> Stage {
    try Stage(
      responders: [
        "window": ["kind": "window", "rootViewController": "split"],
        "split": controller("UISplitViewController", ["n1", "n2"], ["view": "sv"]),
        "sv": ["kind": "view", "superview": "window"],
        "n1": controller("UINavigationController", ["a", "c"], ["view": "v1"]),
        "v1": ["kind": "view", "superview": "sv"],
        "n2": controller("UINavigationController", ["b"], ["view": "v2"]),
        "v2": ["kind": "view", "superview": "sv"], "a": controller(nil, nil, ["view": "av"]),
        "av": ["kind": "view"], "b": controller(nil, nil, ["view": "bv"]),
        "bv": ["kind": "view", "superview": "v2"], "c": controller(nil, nil, ["view": "cv"]),
        "cv": ["kind": "view", "superview": "v1"],
      ], focus: "cv")
  }

  @Test func `V4: a document that takes a child from another container moves its view`() throws {
    var (put, set) = (try twoStacks(), try twoStacks())
    let document = controller("UINavigationController", ["b", "c"], ["view": "v2"])
    try put.put("n2", document)
    try set.apply(.setViewControllers(["b", "c"], of: "n2"))
    for view: ResponderID in ["av", "bv", "cv"] {
      #expect(
        put.session.graph[view]?.links[.superview] == set.session.graph[view]?.links[.superview],
        "\(view)")
    }
    #expect(put.session.graph["cv"]?.links[.superview] == "v2")
    #expect(put.session.graph["av"]?.links[.superview] == "v1")
    #expect(put.session.firstResponder == set.session.firstResponder)
  }

  @Test func `A8: a document does not collapse a split view controller, and does not expand it`()
    throws
  {
    var stage = try twoStacks()
    let collapsed = controller(
      "UISplitViewController", ["n1", "n2"], ["view": "sv", "isCollapsed": true])
    #expect(
      stage.refusal(of: .putResponder(try responder("split", collapsed)))
        == .presentation(.changesCollapsed("split", to: true)))
    try stage.apply(.collapse("split"))
    let expanded = controller("UISplitViewController", nil, ["view": "sv"])
    #expect(
      stage.refusal(of: .putResponder(try responder("split", expanded)))
        == .presentation(.changesCollapsed("split", to: false)))
    try stage.put(
      "split", controller("UISplitViewController", nil, ["view": "sv", "isCollapsed": true]))
  }

  /// A window with a navigation controller that has a list on its stack, and two more controllers.
  static let stack: JSON = [
    "app": ["kind": "application"],
    "window": ["kind": "window", "rootViewController": "nav"],
    "nav": [
      "kind": "viewController", "class": "UINavigationController", "view": "navView",
      "viewControllers": ["list"],
    ],
    "navView": ["kind": "view"],
    "list": ["kind": "viewController", "view": "listView"],
    "listView": ["kind": "view", "superview": "navView"],
    "detail": ["kind": "viewController", "view": "detailView"], "detailView": ["kind": "view"],
    "other": ["kind": "viewController"],
  ]

  private func stage(focus: String? = nil) throws -> Stage {
    try Stage(responders: Self.stack, focus: focus)
  }

  private func children(_ stage: Stage, _ id: ResponderID = "nav") -> [ResponderID] {
    stage.session.graph[id]?.viewControllers ?? []
  }

  @Test func `V4: who has a container for its parent is among its view controllers`() throws {
    var stage = try stage()
    #expect(stage.session.graph["list"]?.links[.parent] == "nav")
    try stage.put("third", ["kind": "viewController", "parent": "nav"])
    #expect(children(stage) == ["list", "third"])
    try stage.put(
      "nav",
      [
        "kind": "viewController", "class": "UINavigationController", "view": "navView",
        "viewControllers": ["detail", "third"],
      ])
    #expect(children(stage) == ["detail", "third"])
    try stage.put("third", ["kind": "viewController"])
    #expect(children(stage) == ["detail"])
    try stage.apply(.removeResponder("nav"))
    #expect(stage.session.graph["detail"]?.links[.parent] == nil)
  }

  private func navigationController(_ list: JSON?) -> JSON {
    var document: JSONObject = [
      "kind": "viewController", "class": "UINavigationController", "view": "navView",
    ]
    document["viewControllers"] = list
    return .object(document)
  }

  @Test func `V4: a list in the place of another one is the whole list, on screen too`() throws {
    var stage = try stage()
    try stage.apply(.push("detail", onto: "nav"))
    try stage.apply(.becomeFirstResponder("detailView"))
    let outcome = try stage.put("nav", navigationController(["list"]))
    #expect(
      outcome.changes == [
        try stage.told("nav"), .superview("detailView", nil), .superview("listView", "navView"),
        .firstResponder(nil),
      ])
    #expect(children(stage) == ["list"])
    #expect(stage.session.graph["detail"]?.links[.parent] == nil)
    try stage.put("nav", navigationController([]))
    #expect(children(stage) == [] && stage.session.graph["listView"]?.links[.superview] == nil)
  }

  @Test func `V4: a document without a list leaves the children as they are`() throws {
    var stage = try stage()
    #expect(try stage.put("nav", navigationController(nil)).isNothing)
    var document = try #require(navigationController(nil).object)
    document["properties"] = ["title": "Photos"]
    let kept = try stage.put("nav", .object(document)).changes
    #expect(kept == [try stage.told("nav")])
    #expect(children(stage) == ["list"])
    #expect(stage.session.graph["listView"]?.links[.superview] == "navView")
  }

  @Test func `V4: who is presented is no child, and who is a child is not presented`() throws {
    var stage = try stage()
    try stage.put(
      "other", ["kind": "viewController", "presentingViewController": "list"])
    #expect(
      stage.refusal(of: .putResponder(try responder("nav", navigationController(["other"]))))
        == .presentation(.isPresented("other", by: "list")))
    let both = try responder(
      "other", ["kind": "viewController", "presentingViewController": "list", "parent": "nav"])
    #expect(
      stage.refusal(of: .putResponder(both)) == .presentation(.isChild("other", of: "nav")))
    var opening = try #require(Self.stack.object)
    opening["other"] = both.json
    #expect(throws: MutationFault.presentation(.isChild("other", of: "nav"))) {
      try Stage(responders: .object(opening))
    }
  }

  @Test func `V4: a child that another container lists leaves the one it was in`() throws {
    var stage = try stage()
    let outcome = try stage.put(
      "tabs", ["kind": "viewController", "viewControllers": ["list", "other"]])
    #expect(try outcome.changes == [stage.told("tabs"), .viewControllers("nav", [])])
    #expect(children(stage, "tabs") == ["list", "other"])
    #expect(stage.session.graph["list"]?.links[.parent] == "tabs")
  }

  @Test func `V4: pushing covers the top and takes focus from it, popping uncovers it`() throws {
    var stage = try stage(focus: "listView")
    let pushed = try stage.apply(.push("detail", onto: "nav"))
    #expect(
      pushed.changes == [
        .viewControllers("nav", ["list", "detail"]), .superview("listView", nil),
        .superview("detailView", "navView"), .firstResponder(nil),
      ])
    #expect(
      stage.chain(from: "detailView") == [
        "detailView", "detail", "navView", "nav", "window", "app",
      ])
    #expect(
      stage.chain(from: "listView") == ["listView", "list", "navView", "nav", "window", "app"])
    try stage.apply(.becomeFirstResponder("detailView"))
    let popped = try stage.apply(.pop("nav"))
    #expect(
      popped.changes == [
        .viewControllers("nav", ["list"]), .superview("detailView", nil),
        .superview("listView", "navView"), .firstResponder(nil),
      ])
    #expect(stage.chain(from: "detailView") == ["detailView", "detail"])
  }

  @Test func `V4: the bottom of a stack stays; popping to what is not in it is refused`() throws {
    var stage = try stage()
    #expect(try stage.apply(.pop("nav")).changes == [])
    #expect(try stage.apply(.popToRoot("nav")).changes == [])
    #expect(try stage.apply(.popTo("list")).changes == [])
    #expect(
      stage.refusal(of: .popTo("detail"))
        == .containment(.notInA(.navigation, "detail")))
    try stage.apply(.setViewControllers(["list", "detail", "other"], of: "nav"))
    let outcome = try stage.apply(.popTo("list"))
    #expect(outcome.changes.first == .viewControllers("nav", ["list"]))
  }

  @Test func `V4: an empty navigation controller has nothing to pop`() throws {
    var stage = try stage()
    try stage.apply(.setViewControllers([], of: "nav"))
    #expect(try stage.apply(.popToRoot("nav")).changes == [])
    #expect(stage.session.graph["listView"]?.links[.superview] == nil)
  }

  @Test func `V4: a child that is pushed elsewhere has one parent still`() throws {
    var stage = try stage()
    try stage.put("nav2", ["kind": "viewController", "class": "UINavigationController"])
    try stage.apply(.push("list", onto: "nav2"))
    #expect(children(stage) == [])
    #expect(children(stage, "nav2") == ["list"])
    #expect(stage.session.graph["list"]?.links[.parent] == "nav2")
  }

  @Test(
    arguments: [
      (.push("list", onto: "nav"), .containment(.repeated("list", in: "nav"))),
      (.push("nav", onto: "nav"), .presentation(.isRoot("nav", of: "window"))),
      (.push("listView", onto: "nav"), .containment(.notAViewController("listView", .view))),
      (.push("ghost", onto: "nav"), .unknownResponder("ghost")),
      (.push("detail", onto: "ghost"), .unknownResponder("ghost")),
      (
        .push("other", onto: "detail"),
        .containment(.notA(.navigation, "detail", "UIViewController"))
      ),
      (.pop("list"), .containment(.notA(.navigation, "list", "UIViewController"))),
      (.select("list"), .containment(.notInA(.tabBar, "list"))),
      (
        .setViewControllers(["other", "other"], of: "nav"),
        .containment(.repeated("other", in: "nav"))
      ),
      (
        .setViewControllers(["detail"], of: "listView"),
        .containment(.notAViewController("listView", .view))
      ),
      (.present("list", from: "detail"), .presentation(.isChild("list", of: "nav"))),
      (.present("nav", from: "detail"), .presentation(.isRoot("nav", of: "window"))),
      (
        .present("detail", from: "detail"),
        .link(.cycle(["detail", "detail"], along: .presentingViewController))
      ),
      (
        .present("nav", from: "list"),
        .link(.cycle(["nav", "list", "nav"], along: .presentingViewController))
      ),
      (.dismiss("navView"), .containment(.notAViewController("navView", .view))),
    ] as [(Mutation, MutationFault)])
  func `V4: what cannot be shown is refused and changes nothing`(
    mutation: Mutation, fault: MutationFault
  ) throws {
    #expect(try stage().refusal(of: mutation) == fault)
  }

  @Test func `R9: a controller cannot be shown inside its own child`() throws {
    var stage = try stage()
    try stage.put("outer", ["kind": "viewController", "class": "UINavigationController"])
    try stage.put(
      "inner", ["kind": "viewController", "class": "UINavigationController", "parent": "outer"])
    #expect(
      stage.refusal(of: .push("outer", onto: "inner"))
        == .link(.cycle(["outer", "inner", "outer"], along: .parent)))
    try stage.put("third", ["kind": "viewController", "presentingViewController": "inner"])
    try stage.put(
      "fourth", ["kind": "viewController", "class": "UINavigationController", "parent": "third"])
    #expect(
      stage.refusal(of: .push("outer", onto: "fourth"))
        == .link(.cycle(["outer", "fourth", "third", "inner", "outer"], along: .parent)))
  }

  @Test func `V4: a tab bar controller shows the selected tab, by default the first`() throws {
    var stage = try Stage(
      responders: [
        "tabs": [
          "kind": "viewController", "class": "UITabBarController", "view": "tabsView",
          "viewControllers": ["one", "two"],
        ],
        "tabsView": ["kind": "view"],
        "one": ["kind": "viewController", "view": "oneView"],
        "oneView": ["kind": "view", "superview": "tabsView"],
        "two": ["kind": "viewController", "view": "twoView"], "twoView": ["kind": "view"],
      ], focus: "oneView")
    #expect(try stage.apply(.select("one")).changes == [])
    let outcome = try stage.apply(.select("two"))
    #expect(
      outcome.changes == [
        .selectedViewController("tabs", "two"), .superview("oneView", nil),
        .superview("twoView", "tabsView"), .firstResponder(nil),
      ])
    let removed = try stage.apply(.removeFromParent("two"))
    #expect(
      removed.changes == [
        .viewControllers("tabs", ["one"]), .selectedViewController("tabs", "one"),
        .superview("twoView", nil), .superview("oneView", "tabsView"),
      ])
  }

  @Test func `V4: a presented controller leads to its presenter until it is dismissed`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.present("detail", from: "list"))
    #expect(outcome.changes == [.presented("detail", by: "list")])
    #expect(stage.session.graph.presentedViewController(of: "list") == "detail")
    #expect(
      stage.chain(from: "detailView").prefix(3) == ["detailView", "detail", "list"])
    #expect(
      stage.refusal(of: .present("other", from: "list"))
        == .presentation(.isPresenting("list", "detail")))
    #expect(
      stage.refusal(of: .push("detail", onto: "nav"))
        == .presentation(.isPresented("detail", by: "list")))
    try stage.apply(.becomeFirstResponder("detailView"))
    let dismissed = try stage.apply(.dismiss("detail"))
    #expect(dismissed.changes == [.dismissed("detail", by: "list"), .firstResponder(nil)])
    #expect(try stage.apply(.dismiss("detail")).changes == [])
  }

  @Test func `V4: dismissing takes all that is presented above, the last one first`() throws {
    var stage = try stage()
    try stage.put("sheet", ["kind": "viewController", "class": "UINavigationController"])
    try stage.apply(.push("other", onto: "sheet"))
    try stage.apply(.present("sheet", from: "nav"))
    try stage.apply(.present("detail", from: "other"))
    #expect(stage.session.graph.presentations(from: "sheet") == ["sheet", "detail"])
    let outcome = try stage.apply(.dismiss("nav"))
    #expect(
      outcome.changes == [.dismissed("detail", by: "other"), .dismissed("sheet", by: "nav")])
  }

  @Test func `V4: a document that contradicts itself is refused with its place`() throws {
    let stage = try stage()
    func refusal(_ json: JSON) throws -> MutationFault? {
      stage.refusal(of: .putResponder(try responder("x", json)))
    }
    #expect(
      try refusal(["kind": "viewController", "viewControllers": ["ghost"]])
        == .containment(.unknownChild("ghost", of: "x")))
    #expect(
      try refusal(["kind": "viewController", "viewControllers": ["list", "list"]])
        == .containment(.repeated("list", in: "x")))
    #expect(
      try refusal(["kind": "viewController", "viewControllers": ["navView"]])
        == .containment(.notAViewController("navView", .view)))
    #expect(
      try refusal(["kind": "viewController", "selectedViewController": "list"])
        == .containment(.notAChild("list", of: "x")))
    #expect(
      try refusal(["kind": "viewController", "viewControllers": ["x"]])
        == .link(.cycle(["x", "x"], along: .parent)))
    let both: JSON = [
      "a": ["kind": "viewController", "viewControllers": ["b"]],
      "b": ["kind": "viewController", "parent": "c"], "c": ["kind": "viewController"],
    ]
    #expect(throws: MutationFault.containment(.hasParent("b", "c", not: "a"))) {
      _ = try Stage(responders: both)
    }
    #expect(
      responderFaults(["kind": "view", "viewControllers": [], "isCollapsed": true]) == [
        DocumentFault(
          .memberOfOtherKind("viewControllers", kind: .view, kinds: [.viewController]),
          at: JSONPointer(["r", "viewControllers"])),
        DocumentFault(
          .memberOfOtherKind("isCollapsed", kind: .view, kinds: [.viewController]),
          at: JSONPointer(["r", "isCollapsed"])),
      ])
  }

  @Test func `R8: focus is lost in a view that is taken out, though its controller is not`() throws
  {
    var stage = try stage(focus: "listView")
    try stage.put("listView", ["kind": "view", "superview": "navView"])
    #expect(stage.session.firstResponder == "listView")
    let outcome = try stage.put("listView", ["kind": "view"])
    #expect(try outcome.changes == [stage.told("listView"), .firstResponder(nil)])
    #expect(stage.chain(from: "listView").last == "app")
    try stage.apply(.becomeFirstResponder("listView"))
    try stage.put("listView", ["kind": "view", "properties": ["n": 1]])
    #expect(stage.session.firstResponder == "listView")
  }

  @Test func `V4: what a session begins with must hold together, each fault with its place`() {
    let session: JSON = [
      "responders": [
        "a": ["kind": "viewController", "viewControllers": ["b", "ghost"]],
        "b": ["kind": "viewController", "parent": "c"],
        "c": ["kind": "viewController", "selectedViewController": "a"],
      ]
    ]
    do throws(CatalogDocument.Faults) {
      _ = try CatalogDocument([.session: session]).catalog()
      Issue.record("accepted")
    } catch {
      #expect(
        error.faults.map(\.fault.pointer.description) == [
          "/responders/a/viewControllers/0", "/responders/a/viewControllers/1",
          "/responders/c/selectedViewController",
        ])
    }
  }

  @Test func `rules see how view controllers are contained`() throws {
    var stage = try stage()
    try stage.apply(.push("detail", onto: "nav"))
    try stage.apply(.present("other", from: "detail"))
    func value(_ id: ResponderID, _ rule: String) throws -> JSON {
      let context = RuleContext(
        state: [:], responder: id, sender: nil, graph: stage.session.graph, translations: [:])
      return try context.json(Rule(rule), at: "x")
    }
    #expect(try value("nav", "responder.viewControllers") == ["list", "detail"])
    #expect(try value("nav", "responder.topViewController") == "detail")
    #expect(try value("nav", "responder.selectedViewController") == "list")
    #expect(try value("nav", "responder.isCollapsed") == false)
    #expect(try value("nav", "responder.parent") == nil)
    #expect(try value("nav", "responder.delegate") == nil)
    #expect(try value("detail", "responder.parent") == "nav")
    #expect(try value("detail", "responder.presentedViewController") == "other")
    #expect(try value("other", "responder.presentingViewController") == "detail")
    #expect(try value("navView", "has(responder.parent)") == false)
  }

  private func responderFaults(_ json: JSON) -> [DocumentFault] {
    faults { Responder("r", reading: json, at: JSONPointer(["r"]), log: $0) }
  }
}
