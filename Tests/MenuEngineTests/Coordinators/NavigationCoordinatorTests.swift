import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// The list of a navigation coordinator, beside the stack of its navigation controller (C5).
@Suite struct NavigationCoordinatorTests {
  private func stage(list: JSON = [], stack: JSON = []) throws -> Stage {
    try Stage.navigation(
      ["flow": coordinator(root: "nav", kind: "navigation", list: list, isStarted: true)],
      stack: stack)
  }

  @Test func `C5: show pushes and appends`() throws {
    var stage = try stage(stack: ["e"])
    let outcome = try stage.coordinate(.show("a", by: "flow"))
    #expect(
      outcome.changes == [
        .viewControllers("nav", ["e", "a"]), .viewControllers("flow", ["a"]),
      ])
    try stage.coordinate(.show("b", by: "flow"))
    #expect(stage.children(of: "nav") == ["e", "a", "b"])
    #expect(stage.list(of: "flow") == ["a", "b"])
    #expect(
      stage.refusal(of: .show("a", by: "flow"))
        == .containment(.repeated("a", in: "nav")))
  }

  @Test func `C5: what was popped by code is listed still, and shown again it comes last`() throws {
    var stage = try stage()
    try stage.coordinate(.show("a", by: "flow"))
    try stage.coordinate(.show("b", by: "flow"))
    try stage.apply(.popTo("a"))
    #expect(stage.list(of: "flow") == ["a", "b"])
    try stage.coordinate(.show("c", by: "flow"))
    try stage.coordinate(.show("b", by: "flow"))
    #expect(stage.list(of: "flow") == ["a", "c", "b"])
    #expect(stage.children(of: "nav") == ["a", "c", "b"])
  }

  @Test func `C5: root replaces all, on the stack and in the list`() throws {
    var stage = try stage(list: ["a", "b"], stack: ["e", "a", "b"])
    try stage.coordinate(.root("c", of: "flow"))
    #expect(stage.children(of: "nav") == ["c"])
    #expect(stage.list(of: "flow") == ["c"])
  }

  @Test func `C5: top replaces the last, and in an empty list is the root`() throws {
    var stage = try stage(list: ["a", "b"], stack: ["e", "a", "b"])
    try stage.coordinate(.top("c", of: "flow"))
    #expect(stage.children(of: "nav") == ["e", "a", "c"])
    #expect(stage.list(of: "flow") == ["a", "c"])
    #expect(try stage.coordinate(.top("c", of: "flow")).changes == [])
    var empty = try self.stage(stack: ["e"])
    try empty.coordinate(.top("c", of: "flow"))
    #expect(empty.children(of: "nav") == ["c"])
    #expect(empty.list(of: "flow") == ["c"])
  }

  @Test func `C5: top leaves what others pushed above where it is`() throws {
    var stage = try stage(list: ["a"], stack: ["a", "e"])
    try stage.coordinate(.top("b", of: "flow"))
    #expect(stage.children(of: "nav") == ["b", "e"])
    var popped = try self.stage(list: ["a"], stack: ["e"])
    try popped.coordinate(.top("b", of: "flow"))
    #expect(popped.children(of: "nav") == ["e", "b"])
    #expect(popped.list(of: "flow") == ["b"])
  }

  @Test func `C5: pop needs two`() throws {
    var stage = try stage(list: ["a", "b"], stack: ["e", "a", "b"])
    let outcome = try stage.coordinate(.pop("flow", to: nil))
    #expect(outcome.events == [])
    #expect(stage.children(of: "nav") == ["e", "a"])
    #expect(stage.list(of: "flow") == ["a"])
    #expect(try stage.coordinate(.pop("flow", to: nil)).changes == [])
    #expect(stage.children(of: "nav") == ["e", "a"])
  }

  @Test func `C5: pop to an absent one, or to the last, does nothing`() throws {
    var stage = try stage(list: ["a", "b", "c"], stack: ["e", "a", "b", "c"])
    #expect(try stage.coordinate(.pop("flow", to: "e")).changes == [])
    #expect(try stage.coordinate(.pop("flow", to: "c")).changes == [])
    try stage.coordinate(.pop("flow", to: "a"))
    #expect(stage.children(of: "nav") == ["e", "a"])
    #expect(stage.list(of: "flow") == ["a"])
    #expect(stage.refusal(of: .pop("flow", to: "no")) == .unknownResponder("no"))
  }

  @Test func `C5: pop to one that is off the stack takes the others from there`() throws {
    var stage = try stage(list: ["a", "b"], stack: ["e", "b", "d"])
    try stage.coordinate(.pop("flow", to: nil))
    #expect(stage.children(of: "nav") == ["e", "d"])
    #expect(stage.list(of: "flow") == ["a"])
  }

  @Test func `C5: takeover makes the list the stack`() throws {
    var stage = try stage(list: ["a", "b"], stack: ["e", "d"])
    let outcome = try stage.coordinate(.takeover("flow"))
    #expect(
      outcome.changes == [
        .viewControllers("nav", ["a", "b"]), .link("nav", .parentCoordinator, "flow"),
      ])
    #expect(outcome.events == [.coordinator(.didActivate("flow"), told: nil)])
  }

  @Test func `C5: one that is stopped takes what it showed from the stack, and lists nothing`()
    throws
  {
    var stage = try stage(list: ["a", "b"], stack: ["e", "a", "d", "b"])
    try stage.coordinate(.stop("flow"))
    #expect(stage.children(of: "nav") == ["e", "d"])
    #expect(stage.list(of: "flow") == [])
  }

  @Test func `C5: a plain coordinator shows nothing, nor one of another root`() throws {
    let stage = try Stage.navigation([
      "plain": coordinator(root: "nav"),
      "odd": coordinator(root: "a", kind: "navigation"),
    ])
    for mutation: Mutation in [
      .show("b", by: "plain"), .root("b", of: "plain"), .top("b", of: "plain"),
      .pop("plain", to: nil),
    ] {
      #expect(
        stage.refusal(of: mutation)
          == .coordination(.notANavigationCoordinator("plain")))
    }
    #expect(
      stage.refusal(of: .show("b", by: "odd"))
        == .containment(.notA(.navigation, "a", "UIViewController")))
    #expect(
      stage.refusal(of: .takeover("odd"))
        == .containment(.notA(.navigation, "a", "UIViewController")))
  }

  @Test func `C5: only view controllers are shown, and not the navigation controller itself`()
    throws
  {
    let stage = try stage()
    #expect(
      stage.refusal(of: .show("window", by: "flow"))
        == .containment(.notAViewController("window", .window)))
    #expect(
      stage.refusal(of: .root("nav", of: "flow"))
        == .presentation(.isRoot("nav", of: "window")))
  }

  @Test func `C4: a coordinator's handlers do all of it by effects, on itself by default`() throws {
    var stage = try Stage.navigation([
      "flow": coordinator(
        root: "nav", kind: "navigation",
        [
          "didStart": ["perform": [["op": "coordinatorRoot", "viewController": "'a'"]]],
          "open:": [
            "perform": [
              ["op": "coordinatorShow", "viewController": "arguments[0]"],
              ["op": "coordinatorTop", "viewController": "'c'", "when": "arguments[0] == 'b'"],
            ]
          ],
          "back:": ["perform": [["op": "coordinatorPop", "to": "arguments[0]"]]],
          "done": ["perform": [["op": "stopCoordinator", "coordinator": "'flow'"]]],
          "fail": [
            "perform": [
              ["op": "coordinatorShow", "viewController": "'d'"],
              ["op": "coordinatorShow", "viewController": "'d'"],
            ]
          ],
        ])
    ])
    try stage.coordinate(.start("flow"))
    #expect(stage.list(of: "flow") == ["a"])
    try stage.send("open:", to: "flow", ["b"])
    #expect(stage.list(of: "flow") == ["a", "c"])
    let fail = Mutation.perform(ActionRequest(.action("fail"), to: .responder("flow")))
    #expect(
      stage.refusal(of: fail)
        == .effect(
          .mutation(
            .responder("flow"), "fail", index: 1, .containment(.repeated("d", in: "nav")))))
    try stage.send("back:", to: "flow", ["a"])
    #expect(stage.children(of: "nav") == ["a"])
    try stage.send("done", to: "flow")
    #expect(stage.children(of: "nav") == [] && !stage.isStarted("flow"))
  }
}
