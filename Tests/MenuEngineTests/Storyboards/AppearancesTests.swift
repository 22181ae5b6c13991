import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// View controllers that a front end put hear what becomes of them, as those do that a segue made (V9).
@Suite struct AppearancesTests {
  private static let stages = [
    "awakeFromNib", "viewDidLoad", "viewWillAppear:", "viewDidAppear:", "viewWillDisappear:",
    "viewDidDisappear:", "dealloc",
  ]

  /// Notes each stage with the id.
  private static let classes: JSON = {
    var handlers = JSONObject()
    for stage in stages { handlers[stage] = noting("'\(stage) ' + responder.id") }
    return ["Told": ["superclass": "UIViewController", "handlers": .object(handlers)]]
  }()

  private func stage(_ more: JSONObject = [:]) throws -> Stage {
    var responders: JSONObject = [
      "window": ["kind": "window", "rootViewController": "tabs"],
      "tabs": controller("UITabBarController", ["nav", "other"]),
      "nav": controller("UINavigationController", ["list"]), "list": controller("Told"),
      "other": controller("Told"), "detail": controller("Told"), "sheet": controller("Told"),
    ]
    for member in more.members { responders[member.name] = member.value }
    return try Stage(classes: Self.classes, responders: .object(responders))
  }

  @Test func `V9: pushing and popping are told, and a view is loaded once`() throws {
    var stage = try stage()
    #expect(try stage.apply(.mergeState(["a": 1])).events == [])
    let outcome = try stage.apply(.push("detail", onto: "nav"))
    #expect(
      outcome.lifecycle == [
        "viewWillDisappear list", "viewDidDisappear list", "viewDidLoad detail",
        "viewWillAppear detail", "viewDidAppear detail",
      ])
    try stage.apply(.pop("nav"))
    try stage.apply(.push("detail", onto: "nav"))
    #expect(
      stage.log == [
        "viewWillDisappear: list", "viewDidDisappear: list", "viewDidLoad detail",
        "viewWillAppear: detail", "viewDidAppear: detail", "viewWillDisappear: detail",
        "viewDidDisappear: detail", "viewWillAppear: list", "viewDidAppear: list",
        "viewWillDisappear: list", "viewDidDisappear: list", "viewWillAppear: detail",
        "viewDidAppear: detail",
      ])
  }

  @Test func `V9: effects, selection, presentation and documents are told of, too`() throws {
    var stage = try stage()
    try stage.show("detail", from: "list")
    try stage.apply(.select("other"))
    try stage.apply(.present("sheet", from: "tabs"))
    try stage.put("window", ["kind": "window"])
    #expect(
      stage.log == [
        "viewWillDisappear: list", "viewDidDisappear: list", "viewDidLoad detail",
        "viewWillAppear: detail", "viewDidAppear: detail", "viewWillDisappear: detail",
        "viewDidDisappear: detail", "viewDidLoad other", "viewWillAppear: other",
        "viewDidAppear: other", "viewDidLoad sheet", "viewWillAppear: sheet",
        "viewDidAppear: sheet", "viewWillDisappear: other", "viewDidDisappear: other",
        "viewWillDisappear: sheet", "viewDidDisappear: sheet",
      ])
  }

  @Test func `V9: a new one awakes, one that is put again does not, and a deleted one goes`() throws
  {
    var stage = try stage()
    #expect(try stage.put("new", controller("Told", nil, ["parent": "nav"])).lifecycle.count == 6)
    try stage.put("new", controller("Told", nil, ["parent": "nav", "properties": ["a": 1]]))
    try stage.apply(.removeResponder("new"))
    #expect(
      stage.log == [
        "awakeFromNib new", "viewWillDisappear: list", "viewDidDisappear: list",
        "viewDidLoad new", "viewWillAppear: new", "viewDidAppear: new", "viewWillDisappear: new",
        "viewDidDisappear: new", "dealloc new", "viewWillAppear: list", "viewDidAppear: list",
      ])
  }

  @Test func `V9: others are told of them when they observe that`() throws {
    var stage = try stage([
      "watcher": [
        "kind": "responder", "handlers": ["seen:": noting("sender.responder.id")],
        "observes": [["event": "viewDidAppear", "of": "plain", "action": "seen:"]],
      ],
      "plain": controller(),
    ])
    let outcome = try stage.apply(.present("plain", from: "tabs"))
    #expect(outcome.events == [.lifecycle(.viewDidAppear, "plain", told: ["watcher"])])
    #expect(stage.log == ["plain"])
  }

  @Test func `V9: a controller without methods costs nothing`() throws {
    var responders: JSONObject = ["window": ["kind": "window"], "root": controller()]
    for number in 0..<(2 * Limits.effects) {
      responders["c\(number)"] = controller(nil, nil, ["parent": "root"])
    }
    var stage = try Stage(responders: .object(responders))
    let window: JSON = ["kind": "window", "rootViewController": "root"]
    #expect(try stage.put("window", window).events == [])
  }

  @Test func `V9: a presented controller stays when its presenter is covered`() throws {
    var stage = try stage([
      "sheetView": ["kind": "view"], "sheet": controller("Told", nil, ["view": "sheetView"]),
    ])
    try stage.apply(.present("sheet", from: "list"))
    try stage.apply(.becomeFirstResponder("sheetView"))
    try stage.apply(.push("detail", onto: "nav"))
    try stage.apply(.select("other"))
    #expect(stage.session.firstResponder == "sheetView")
    guard case .array(let log)? = stage.log else {
      Issue.record("'log' is not an array")
      return
    }
    #expect(!log.contains("viewWillDisappear: sheet"))
    // The presenter leaves its container, and what it presents leaves the screen with it.
    let outcome = try stage.apply(.removeFromParent("list"))
    #expect(outcome.lifecycle == ["viewWillDisappear sheet", "viewDidDisappear sheet"])
    #expect(stage.session.firstResponder == nil)
  }

  @Test func `V9: an instance that is presented stays as well`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UITabBarController", "viewControllers": ["a", "b"]],
        "a": ["segues": [["identifier": "Go", "kind": "present", "destination": "sheet"]]],
        "b": [:], "sheet": [:],
      ])
    try stage.segue("Go", from: "a")
    let outcome = try stage.apply(.select("b"))
    #expect(outcome.lifecycle.filter { $0.contains("sheet") } == [])
    #expect(
      stage.session.visibleViewControllers(in: SessionContext(stage.catalog), besides: nil)
        .contains("sheet"))
  }

  @Test func `V9: an instance that a front end takes over was told what it was told`() throws {
    var stage = try StoryboardStage(
      launching: ["root": ["handlers": ["viewDidLoad": logging("loaded")]]])
    let document = try #require(stage["root"]?.json.object)
    var own: JSONObject = ["kind": "viewController"]
    for name in ["view", "handlers"] { own[name] = document[name] }
    try stage.apply(.putResponder(try responder("root", .object(own))))
    #expect(stage.log == ["loaded"])
  }

  @Test func `V9: one that is marked as an instance goes on as it is`() throws {
    var stage = try stage([
      "flow": [
        "kind": "responder", "coordinating": ["kind": "navigation", "rootViewController": "nav"],
      ], "more": controller(),
    ])
    try stage.apply(.show("detail", by: "flow"))
    var document = try #require(stage.session.responder("detail")?.json.object)
    document["isInstance"] = true
    try stage.put("detail", .object(document))
    try stage.apply(.mergeState(["log": []]))
    for _ in 0..<3 {
      try stage.apply(.pop("nav"))
      stage.session.expectSound(in: stage.catalog)
    }
    #expect(
      stage.log == [
        "viewWillDisappear: detail", "viewDidDisappear: detail", "viewWillAppear: list",
        "viewDidAppear: list",
      ])
  }

  @Test func `V9: a view that is deleted is loaded again`() throws {
    var stage = try stage([
      "detailView": ["kind": "view"], "detail": controller("Told", nil, ["view": "detailView"]),
    ])
    try stage.apply(.push("detail", onto: "nav"))
    try stage.apply(.pop("nav"))
    try stage.apply(.removeResponder("detailView"))
    let outcome = try stage.apply(.push("detail", onto: "nav"))
    #expect(outcome.lifecycle.contains("viewDidLoad detail"))
  }

  @Test func `V9: what a covered view controller presents deep in a container stays`() throws {
    var stage = try stage([
      "inner": controller("UINavigationController", ["deep"], ["parent": "list"]),
      "deep": controller(),
    ])
    try stage.apply(.present("sheet", from: "deep"))
    try stage.apply(.push("detail", onto: "nav"))
    try stage.apply(.select("other"))
    let visible = stage.session.visibleViewControllers(
      in: SessionContext(stage.catalog), besides: nil)
    #expect(visible == ["tabs", "other", "sheet"])
  }

  @Test func `a controller that is presented off the screen costs nothing`() throws {
    var responders: JSONObject = [
      "window": ["kind": "window", "rootViewController": "tabs"],
      "tabs": controller("UITabBarController", ["a", "b"]), "a": controller(), "b": controller(),
    ]
    for number in 0..<4000 {
      responders["p\(number)"] = controller()
      responders["q\(number)"] = controller(
        nil, nil, ["presentingViewController": .string("p\(number)")])
    }
    let stage = try Stage(responders: .object(responders))
    let effort = Effort()
    let before = effort.left
    let visible = stage.session.visibleViewControllers(
      in: SessionContext(stage.catalog, effort: effort), besides: nil)
    #expect(visible == ["tabs", "a"])
    #expect(before - effort.left == 3)
  }

  @Test func `the walk to find visible controllers counts as effort`() throws {
    var responders: JSONObject = [
      "window": ["kind": "window", "rootViewController": "nav"], "sheet": controller(),
    ]
    let stack = (0..<500).map { JSON.string("c\($0)") }
    responders["nav"] = controller("UINavigationController", .array(stack))
    for child in stack {
      if case .string(let name) = child { responders[name] = controller() }
    }
    responders["sheet"] = controller(nil, nil, ["presentingViewController": "c7"])
    let stage = try Stage(responders: .object(responders))
    let effort = Effort()
    let before = effort.left
    let visible = stage.session.visibleViewControllers(
      in: SessionContext(stage.catalog, effort: effort), besides: nil)
    #expect(visible == ["nav", "c499", "sheet"])
    #expect(before - effort.left >= 500)
  }
}
