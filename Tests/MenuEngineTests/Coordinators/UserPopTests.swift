import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// The user goes back, and navigation coordinators hear of it (C5).
@Suite struct UserPopTests {
  /// A flow of two pages, with another flow on top of it, and a third one on top of that, each the
  /// parent of the next one: the stack is `a b c d`.
  private func stage(_ handlers: [String: JSON] = [:]) throws -> Stage {
    func flow(_ name: String, identifier: String) -> JSON {
      coordinator(
        root: "nav", kind: "navigation", identifier: identifier,
        handlers[name] ?? telling(name))
    }
    var stage = try Stage.navigation([
      "one": flow("one", identifier: "1"), "two": flow("two", identifier: "2"),
      "three": flow("three", identifier: "3"),
    ])
    try stage.coordinate(.start("one"))
    try stage.coordinate(.show("a", by: "one"))
    try stage.coordinate(.show("b", by: "one"))
    try stage.coordinate(.startChild("two", of: "one"))
    try stage.coordinate(.show("c", by: "two"))
    try stage.coordinate(.startChild("three", of: "two"))
    try stage.coordinate(.show("d", by: "three"))
    try stage.apply(.mergeState(["log": []]))
    return stage
  }

  @Test func `C5: the button, to one of its own, trims its list and tells it`() throws {
    var stage = try stage()
    try stage.coordinate(.show("e", by: "three"))
    let outcome = try stage.apply(.pop("nav", by: .user))
    #expect(
      outcome.changes.prefix(2) == [
        .viewControllers("nav", ["a", "b", "c", "d"]), .viewControllers("three", ["d"]),
      ])
    #expect(outcome.events == [.coordinator(.handlePopBack("three", to: "d"), told: "three")])
    #expect(stage.log == ["three handlePopBackToViewController: d"])
    #expect(stage.isStarted("three") && stage.owner(of: "nav") == "three")
  }

  @Test func `C5: to one that is not its own, its parent stops it, activates itself and is told`()
    throws
  {
    var stage = try stage()
    let outcome = try stage.apply(.pop("nav", by: .user))
    #expect(
      outcome.events == [
        .coordinator(.didStop("three"), told: "three"),
        .coordinator(.didActivate("two"), told: "two"),
        .coordinator(.didFinish("three", to: "two"), told: "two"),
        .coordinator(.handlePopBack("two", to: "c"), told: "two"),
      ])
    #expect(
      stage.log == [
        "three didStop", "two didActivate", "two coordinatorDidFinish: three",
        "two handlePopBackToViewController: c",
      ])
    #expect(stage.children(of: "nav") == ["a", "b", "c"])
    #expect(stage.owner(of: "nav") == "two" && stage.owner(of: "three") == nil)
    #expect(stage.list(of: "three") == [] && stage.childCoordinators(of: "two") == [])
  }

  @Test func `C5: a long press to the root unwinds the whole chain of finished ones`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.popToRoot("nav", by: .user))
    #expect(
      outcome.events == [
        .coordinator(.didStop("three"), told: "three"),
        .coordinator(.didActivate("two"), told: "two"),
        .coordinator(.didFinish("three", to: "two"), told: "two"),
        .coordinator(.didStop("two"), told: "two"),
        .coordinator(.didActivate("one"), told: "one"),
        .coordinator(.didFinish("two", to: "one"), told: "one"),
        .coordinator(.handlePopBack("one", to: "a"), told: "one"),
      ])
    #expect(stage.children(of: "nav") == ["a"])
    #expect(stage.list(of: "one") == ["a"] && stage.owner(of: "nav") == "one")
    #expect(!stage.isStarted("two") && !stage.isStarted("three"))
    #expect(stage.session.diagnostics(in: stage.catalog).coordinating.dead == [])
  }

  @Test func `C5: a long press to one in between finishes only those above it`() throws {
    var stage = try stage()
    try stage.apply(.popTo("b", by: .user))
    #expect(stage.isStarted("one") && !stage.isStarted("two") && !stage.isStarted("three"))
    #expect(stage.list(of: "one") == ["a", "b"])
  }

  @Test func `C5: one whose list is empty has finished`() throws {
    var stage = try stage()
    try stage.put(
      "three",
      coordinator(
        root: "nav", kind: "navigation", identifier: "3", parent: "two", isStarted: true))
    try stage.apply(.pop("nav", by: .user))
    #expect(!stage.isStarted("three") && stage.owner(of: "nav") == "two")
  }

  @Test func `C5: a swipe that is cancelled changes nothing and tells no coordinator`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.pop("nav", by: .user, isCancelled: true))
    #expect(outcome.changes == [] && outcome.events == [])
    #expect(stage.children(of: "nav") == ["a", "b", "c", "d"] && stage.isStarted("three"))
  }

  @Test func `C5: from the only page nobody goes back`() throws {
    var stage = try Stage.navigation(
      ["one": coordinator(root: "nav", kind: "navigation", list: ["b"], telling("one"))],
      stack: ["a"])
    try stage.coordinate(.start("one"))
    for pop: Mutation in [
      .pop("nav", by: .user), .popToRoot("nav", by: .user), .popTo("a", by: .user),
      .pop("nav", by: .user, isCancelled: true),
    ] {
      let outcome = try stage.apply(pop)
      #expect(outcome.changes == [] && outcome.events == [])
    }
    #expect(stage.list(of: "one") == ["b"])
  }

  @Test func `C5: pops by code, directly or by the coordinator, are told to nobody`() throws {
    var stage = try stage()
    let direct = try stage.apply(.pop("nav"))
    #expect(direct.events == [] && stage.list(of: "three") == ["d"])
    try stage.apply(.popToRoot("nav"))
    #expect(stage.isStarted("two") && stage.isStarted("three"))
    var other = try self.stage()
    try other.coordinate(.show("e", by: "three"))
    #expect(try other.coordinate(.pop("three", to: nil)).events == [])
    #expect(other.list(of: "three") == ["d"])
    try other.apply(.pop("nav", by: .user))
    #expect(
      other.log == [
        "three didStop", "two didActivate", "two coordinatorDidFinish: three",
        "two handlePopBackToViewController: c",
      ])
  }

  @Test func `C5: a top one stays, told to nobody, and lists only what is still on the stack`()
    throws
  {
    var stage = try Stage.navigation(
      ["one": coordinator(root: "nav", kind: "navigation", list: ["b", "c"], telling("one"))],
      stack: ["a", "b", "c"])
    try stage.coordinate(.start("one"))
    let outcome = try stage.apply(.popToRoot("nav", by: .user))
    #expect(outcome.events == [.coordinator(.didFinish("one", to: nil), told: nil)])
    #expect(stage.list(of: "one") == [] && stage.isStarted("one"))
    #expect(stage.owner(of: "nav") == "one")
  }

  @Test
  func `C5: a parent without list, or of another root, is told and activated, and that is all`()
    throws
  {
    var stage = try Stage.navigation(
      [
        "plain": coordinator(root: "e", telling("plain")),
        "flow": coordinator(root: "nav", kind: "navigation", list: ["b"], telling("flow")),
      ], stack: ["a", "b"])
    try stage.coordinate(.start("plain"))
    try stage.coordinate(.startChild("flow", of: "plain"))
    let outcome = try stage.apply(.pop("nav", by: .user))
    #expect(
      outcome.events == [
        .coordinator(.didStop("flow"), told: "flow"),
        .coordinator(.didActivate("plain"), told: "plain"),
        .coordinator(.didFinish("flow", to: "plain"), told: "plain"),
      ])
    #expect(stage.owner(of: "nav") == nil && stage.owner(of: "e") == "plain")
  }

  @Test func `C5: a parent whose root is gone is told all the same`() throws {
    var stage = try Stage.navigation(
      [
        "plain": coordinator(root: nil, telling("plain")),
        "flow": coordinator(root: "nav", kind: "navigation", list: ["b"]),
      ], stack: ["a", "b"])
    try stage.coordinate(.startChild("flow", of: "plain"))
    try stage.apply(.pop("nav", by: .user))
    #expect(stage.log == ["plain coordinatorDidFinish: flow"])
  }

  @Test func `C5: when a method of the parent shows another flow, no further coordinator is told`()
    throws
  {
    let starting: JSON = [
      "coordinatorDidFinish:": [
        "perform": [
          ["op": "startChildCoordinator", "coordinator": "'three'", "parentCoordinator": "'one'"],
          ["op": "coordinatorShow", "viewController": "'e'", "coordinator": "'three'"],
        ]
      ]
    ]
    var stage = try stage(["two": starting])
    try stage.apply(.popToRoot("nav", by: .user))
    #expect(stage.children(of: "nav") == ["a", "e"])
    #expect(stage.owner(of: "nav") == "three" && stage.owner(of: "three") == "one")
    #expect(stage.isStarted("two"))
  }

  @Test func `C5: nobody hears of it when no navigation coordinator owns the controller`() throws {
    var stage = try Stage.navigation(
      ["plain": coordinator(root: "nav", telling("plain"))], stack: ["a", "b"])
    try stage.coordinate(.start("plain"))
    #expect(try stage.apply(.pop("nav", by: .user)).events == [])
    var flows = try self.stage()
    try flows.coordinate(.stop("one"))
    #expect(flows.owner(of: "nav") == nil)
    #expect(try flows.apply(.pop("nav", by: .user)).events == [])
    #expect(flows.isStarted("three"))
  }

  @Test func `C5: a command can go back as the user does`() throws {
    var stage = try stage()
    try stage.put(
      "d",
      controller(
        nil, nil,
        [
          "parent": "nav",
          "handlers": [
            "back": ["perform": [["op": "pop", "by": "user"]]],
            "home": ["perform": [["op": "pop", "to": "'a'", "by": "user"]]],
            "lost": ["perform": [["op": "pop", "to": "'e'", "by": "user"]]],
          ],
        ]))
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("lost"), to: .responder("d"))))
        == .effect(
          .mutation(
            .responder("d"), "lost", index: 0, .containment(.notAChild("e", of: "nav")))))
    try stage.send("back", to: "d")
    #expect(stage.owner(of: "nav") == "two" && stage.children(of: "nav") == ["a", "b", "c"])
  }

  @Test func `C5: going back is refused where there is no stack`() throws {
    let stage = try stage()
    for pop: Mutation in [
      .pop("a", by: .user), .popToRoot("a", by: .user), .pop("a", by: .user, isCancelled: true),
    ] {
      #expect(
        stage.refusal(of: pop)
          == .containment(.notA(.navigation, "a", "UIViewController")))
    }
    #expect(
      stage.refusal(of: .popTo("e", by: .user))
        == .containment(.notInA(.navigation, "e")))
  }

  @Test func `a method that fails refuses all of it`() throws {
    let stage = try stage([
      "one": [
        "handlePopBackToViewController:": [
          "perform": [["op": "replace", "path": "/none", "value": "1"]]
        ]
      ]
    ])
    guard
      case .effect(.patch(.responder("one"), "handlePopBackToViewController:", index: 0, _))? =
        stage.refusal(of: .popToRoot("nav", by: .user))
    else {
      Issue.record("another fault")
      return
    }
  }
}

/// Coordinators of instances that a session made itself, and the messages to its view controllers
/// (V9).
@Suite struct CoordinatedInstanceTests {
  private func stage() throws -> StoryboardStage {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["list"]],
        "list": [:], "detail": [:],
      ], classes: [:])
    let flow = coordinator(
      root: "root", kind: "navigation",
      [
        "open": [
          "perform": [
            ["op": "instantiate", "scene": "'detail'", "storyboard": "'Main'"],
            ["op": "coordinatorShow", "viewController": "'detail'"],
          ]
        ]
      ])
    try stage.apply(.putResponder(try responder("flow", flow)))
    try stage.apply(.start("flow"))
    try stage.send("open", to: "flow")
    return stage
  }

  @Test func `C5: listed controllers stay when popped by code, and go with the list`() throws {
    var stage = try stage()
    try stage.apply(.pop("root"))
    #expect(stage["detail"] != nil)
    try stage.apply(.takeover("flow"))
    #expect(stage["root"]?.viewControllers == ["detail"])
    let outcome = try stage.apply(.stop("flow"))
    #expect(outcome.gone.contains("detail") && stage["detail"] == nil)
  }

  @Test func `C5: what the user pops goes when the coordinator trims its list`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.pop("root", by: .user))
    #expect(
      outcome.lifecycle == [
        "viewWillDisappear detail", "viewDidDisappear detail", "viewWillAppear list",
        "viewDidAppear list", "dealloc detail",
      ])
    #expect(stage["detail"] == nil)
  }

  @Test func `C4: a root view controller is kept, until its coordinator goes`() throws {
    var stage = try stage()
    let holder = coordinator(root: "detail")
    try stage.apply(.putResponder(try responder("holder", holder)))
    try stage.apply(.stop("flow"))
    #expect(stage["detail"] != nil)
    try stage.apply(.removeResponder("holder"))
    #expect(stage["detail"] == nil)
  }

  @Test func `V9: a swipe that is cancelled brings the one below into view and back out of it`()
    throws
  {
    var stage = try stage()
    let outcome = try stage.apply(.pop("root", by: .user, isCancelled: true))
    #expect(
      outcome.lifecycle == [
        "viewWillDisappear detail", "viewWillAppear list", "viewWillDisappear list",
        "viewDidDisappear list", "viewWillAppear detail", "viewDidAppear detail",
      ])
    #expect(outcome.changes == [])
    #expect(stage["root"]?.viewControllers == ["list", "detail"])
  }
}
