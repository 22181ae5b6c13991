import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Unwinding (V6).
@Suite struct UnwindTests {
  private static let home: JSON = [
    "perform": [
      ["op": "add", "path": "/log/-", "value": "responder.id + ' from ' + segue.source.id"]
    ]
  ]

  private func push(_ destination: String) -> JSON {
    ["identifier": "Push", "kind": "push", "destination": .string(destination)]
  }

  private func present(_ destination: String) -> JSON {
    ["identifier": "Present", "kind": "present", "destination": .string(destination)]
  }

  @Test func `V6: in a stack the nearest below takes it, and the stack pops to it`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("b")], "handlers": ["home:": Self.home]],
        "b": ["segues": [push("c")], "handlers": ["home:": Self.home]],
        "c": [
          "segues": [push("d")], "handlers": ["other:": ["perform": []]],
        ],
        "d": [
          "segues": [["identifier": "Home", "kind": "unwind", "action": "home:"]],
          "handlers": [
            "prepareForSegue:sender:": noting(
              "'prepare ' + segue.identifier + ' to ' + segue.destination.id")
          ],
        ],
      ])
    try stage.segue("Push", from: "a")
    try stage.segue("Push", from: "b")
    try stage.segue("Push", from: "c")
    let outcome = try stage.segue("Home", from: "d")
    #expect(stage.log == ["prepare Home to b", "b from d"])
    #expect(stage["root"]?.viewControllers == ["a", "b"])
    #expect(outcome.segue?.path == [.pop(to: "b", in: "root")])
    #expect(outcome.segue?.destination == "b" && outcome.segue?.kind == .unwind)
    #expect(stage["c"] == nil && stage["d"] == nil)
  }

  @Test
  func `V6: a presented controller is dismissed, and one below in its presenter's stack is found`()
    throws
  {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("b")], "handlers": ["home:": Self.home]],
        "b": ["segues": [present("modal")]],
        "modal": ["class": "UINavigationController", "viewControllers": ["c"]],
        "c": ["segues": [push("d")]], "d": [:],
      ])
    try stage.segue("Push", from: "a")
    try stage.segue("Present", from: "b")
    try stage.segue("Push", from: "c")
    let outcome = try stage.unwind("home:", from: "d")
    #expect(
      outcome.segue?.path == [.dismiss("modal", by: "b"), .pop(to: "a", in: "root")])
    #expect(stage["root"]?.viewControllers == ["a"])
    #expect(
      stage.session.graph.ids.map(\.rawValue).sorted() == [
        "a", "a.view", "appDelegate", "application", "root", "root.view", "window",
      ])
    #expect(stage.log == ["a from d"])
  }

  @Test func `V6: the presenter itself takes it, across several presentations`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["segues": [present("one")], "handlers": ["home:": Self.home]],
        "one": ["segues": [present("two")]], "two": [:],
      ])
    try stage.segue("Present", from: "root")
    try stage.segue("Present", from: "one")
    let outcome = try stage.unwind("home:", from: "two")
    #expect(outcome.segue?.path == [.dismiss("one", by: "root")])
    #expect(stage["one"] == nil && stage["two"] == nil)
  }

  @Test func `V6: another tab is selected, and its stack pops`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UITabBarController", "viewControllers": ["left", "right"]],
        "left": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("b")], "handlers": ["home:": Self.home]], "b": [:],
        "right": ["class": "UINavigationController", "viewControllers": ["c"]], "c": [:],
      ])
    try stage.segue("Push", from: "a")
    try stage.apply(.select("right"))
    let outcome = try stage.unwind("home:", from: "c")
    #expect(
      outcome.segue?.path == [.select("left", in: "root"), .pop(to: "a", in: "left")])
    #expect(stage.session.graph.selectedViewController(of: "root") == "left")
    #expect(stage["left"]?.viewControllers == ["a"])
  }

  @Test func `V6: the other column of a split view is found`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UISplitViewController", "viewControllers": ["primary", "detail"]],
        "primary": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("b")], "handlers": ["home:": Self.home]], "b": [:], "detail": [:],
      ])
    try stage.segue("Push", from: "a")
    let outcome = try stage.unwind("home:", from: "detail")
    #expect(outcome.segue?.path == [.pop(to: "a", in: "primary")])
    #expect(stage["detail"] != nil)
  }

  /// A split view of a list in a stack and a detail in another one.
  private func splitStage() throws -> StoryboardStage {
    try StoryboardStage(
      launching: [
        "root": ["class": "UISplitViewController", "viewControllers": ["primary", "secondary"]],
        "primary": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["handlers": ["home:": Self.home]],
        "secondary": ["class": "UINavigationController", "viewControllers": ["detail"]],
        "detail": ["segues": [push("more")], "handlers": ["detail:": Self.home]], "more": [:],
      ])
  }

  @Test func `V6: an expanded split view has nothing to take away, since both columns are seen`()
    throws
  {
    var stage = try splitStage()
    try stage.segue("Push", from: "detail")
    let outcome = try stage.unwind("home:", from: "more")
    #expect(outcome.segue?.path == [.pop(to: "a", in: "primary")])
    #expect(stage["root"]?.viewControllers == ["primary", "secondary"])
    #expect(stage["secondary"]?.viewControllers == ["detail", "more"])
    #expect(stage.log == ["a from more"])
  }

  @Test func `V6: a collapsed split view pops, since the secondary is on the primary's stack`()
    throws
  {
    var stage = try splitStage()
    try stage.segue("Push", from: "detail")
    try stage.apply(.collapse("root"))
    #expect(stage["primary"]?.viewControllers == ["a", "secondary"])
    let inner = try stage.unwind("detail:", from: "more")
    #expect(inner.segue?.path == [.pop(to: "detail", in: "secondary")])
    let outer = try stage.unwind("home:", from: "detail")
    #expect(outer.segue?.path == [.pop(to: "a", in: "primary")])
    #expect(stage["primary"]?.viewControllers == ["a"] && stage["secondary"] == nil)
    #expect(stage.log == ["detail from more", "a from detail"])
  }

  @Test func `V6: the column that a collapsed split view does not show is not searched`() throws {
    var stage = try splitStage()
    try stage.apply(.collapse("root"))
    try stage.apply(.setViewControllers(["primary", "secondary"], of: "root"))
    let outcome = try stage.unwind("detail:", from: "a")
    #expect(outcome.segue?.reason == .noDestination)
    #expect(
      outcome.segue?.trace.says.contains("V6: 'root' lets nothing be searched for 'detail:'.")
        == true)
  }

  /// A stack of containers, each in the one before, whose first one presents `p`.
  private func deepStage(_ depth: Int, _ handlers: JSON) throws -> StoryboardStage {
    var responders: JSONObject = [
      "p": ["kind": "viewController", "presentingViewController": "c0"],
      "c0": ["kind": "viewController"],
    ]
    for level in 1..<depth {
      responders["c\(level)"] = [
        "kind": "viewController", "parent": .string("c\(level - 1)"),
        "handlers": level == depth - 1 ? handlers : [:],
      ]
    }
    return try StoryboardStage(["root": [:]], responders: .object(responders))
  }

  @Test func `V6: however deep containers stand in each other, the way to the innermost is found`()
    throws
  {
    var stage = try deepStage(500, ["home:": logging("home")])
    let outcome = try stage.unwind("home:", from: "p")
    #expect(outcome.segue?.destination == "c499" && stage.log == ["home"])
    #expect(outcome.segue?.path == [.dismiss("p", by: "c0")])
  }

  @Test func `V6: a controller that unwinds anew whenever it is asked ends, even deep down`() throws
  {
    let stage = try deepStage(
      200,
      [
        "home:": logging("home"),
        "canPerformUnwindSegueAction:fromViewController:sender:": [
          "perform": [["op": "unwind", "action": "'home:'", "source": "'p'"]]
        ],
      ])
    #expect(
      stage.refusal(of: .unwind(UnwindRequest(action: "home:", source: "p")))
        == .effect(
          .sendsTooDeep(
            .responder("c199"), "canPerformUnwindSegueAction:fromViewController:sender:",
            limit: Limits.sends)))
  }

  @Test func `V6: of nested navigation controllers the inner one is searched first`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("inner")], "handlers": ["home:": Self.home]],
        "inner": ["class": "UINavigationController", "viewControllers": ["b"]],
        "b": ["segues": [push("c")], "handlers": ["home:": Self.home]], "c": [:],
      ])
    try stage.segue("Push", from: "a")
    try stage.segue("Push", from: "b")
    try stage.unwind("home:", from: "c")
    #expect(stage["inner"]?.viewControllers == ["b"])
    try stage.apply(.removeHandler(for: "home:", of: "b"))
    try stage.segue("Push", from: "b")
    try stage.unwind("home:", from: "c-2")
    #expect(stage["root"]?.viewControllers == ["a"] && stage["inner"] == nil)
    #expect(stage.log == ["b from c", "a from c-2"])
  }

  @Test func `V6: a controller that refuses to be unwound to is passed over`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("b")], "handlers": ["home:": Self.home]],
        "b": [
          "segues": [push("c")],
          "handlers": [
            "home:": Self.home,
            "canPerformUnwindSegueAction:fromViewController:sender:": answering(
              "arguments[0] != 'home:' || arguments[1] != 'c'"),
          ],
        ], "c": [:],
      ])
    try stage.segue("Push", from: "a")
    try stage.segue("Push", from: "b")
    let outcome = try stage.unwind("home:", from: "c")
    #expect(stage.log == ["a from c"])
    #expect(
      outcome.segue?.trace.says.filter { $0.hasPrefix("V6") } == [
        "V6: 'root' lets 'b', 'a' be searched for 'home:'.",
        "V6: 'b' lets nothing be searched for 'home:'.", "V6: 'b' cannot be unwound to by 'home:'.",
        "V6: 'a' lets nothing be searched for 'home:'.", "V6: 'a' can be unwound to by 'home:'.",
      ])
  }

  @Test func `V6: a source without presenter or container says so`() throws {
    var stage = try StoryboardStage(launching: ["root": [:]])
    let outcome = try stage.unwind("home:", from: "root")
    #expect(outcome.segue?.reason == .noDestination)
    #expect(
      outcome.segue?.trace.says == [
        "V6: 'root' is in no container and presented by nobody, so 'home:' has nobody to unwind to."
      ])
  }

  @Test func `V6: a container can say which of its children are searched`() throws {
    let scenes: JSON = [
      "root": [
        "class": "UINavigationController", "viewControllers": ["a"],
        "handlers": ["allowedChildViewControllersForUnwindingFromSource:": answering("['a']")],
      ],
      "a": ["segues": [push("b")], "handlers": ["home:": Self.home]],
      "b": ["segues": [push("c")], "handlers": ["home:": Self.home]], "c": [:],
    ]
    var stage = try StoryboardStage(launching: scenes)
    try stage.segue("Push", from: "a")
    try stage.segue("Push", from: "b")
    try stage.unwind("home:", from: "c")
    #expect(stage.log == ["a from c"])
  }

  @Test func `V6: a container that answers nothing lets all be searched`() throws {
    let scenes: JSON = [
      "root": [
        "class": "UINavigationController", "viewControllers": ["a"],
        "handlers": ["allowedChildViewControllersForUnwindingFromSource:": ["perform": []]],
      ],
      "a": ["segues": [push("b")], "handlers": ["home:": Self.home]], "b": [:],
    ]
    var stage = try StoryboardStage(launching: scenes)
    try stage.segue("Push", from: "a")
    try stage.unwind("home:", from: "b")
    #expect(stage.log == ["a from b"])
  }

  @Test(arguments: ["'a'", "['x']", "[1]"])
  func `V6: something else than its children is refused`(answer: String) throws {
    var stage = try StoryboardStage(
      launching: [
        "root": [
          "class": "UINavigationController", "viewControllers": ["a"],
          "handlers": ["allowedChildViewControllersForUnwindingFromSource:": answering(answer)],
        ],
        "a": ["segues": [push("b")]], "b": [:],
      ])
    try stage.segue("Push", from: "a")
    guard
      case .storyboard(.notChildren("root", _))? =
        stage.refusal(of: .unwind(UnwindRequest(action: "home:", source: "b")))
    else {
      Issue.record("accepted")
      return
    }
  }

  @Test func `V6: without a destination it is aborted before anybody prepares`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("b")]],
        "b": ["handlers": ["prepareForSegue:sender:": logging("prepared"), "home:": Self.home]],
      ])
    try stage.segue("Push", from: "a")
    let outcome = try stage.unwind("home:", from: "b")
    #expect(outcome.segue?.reason == .noDestination && outcome.segue?.destination == nil)
    #expect(outcome.changes == [] && stage.log == [])
    #expect(stage["root"]?.viewControllers == ["a", "b"])
    #expect(
      stage.refusal(of: .unwind(UnwindRequest(action: "home:", source: "nobody")))
        == .unknownResponder("nobody"))
  }

  @Test func `V6: the user's unwinding asks the source, too`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("b")], "handlers": ["home:": Self.home]],
        "b": [
          "segues": [["identifier": "Home", "kind": "unwind", "action": "home:"]],
          "handlers": ["shouldPerformSegueWithIdentifier:sender:": answering("false")],
        ],
      ])
    try stage.segue("Push", from: "a")
    #expect(try stage.segue("Home", from: "b").segue?.reason == .refused)
    #expect(try stage.segue("Home", from: "b", by: .code).segue?.reason == .performed)
  }

  @Test func `V6: an effect unwinds, with the running sender`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["a"]],
        "a": ["segues": [push("b")], "handlers": ["home:": noting("sender.kind")]],
        "b": ["handlers": ["save:": ["perform": [["op": "unwind", "action": "'home:'"]]]]],
      ])
    try stage.segue("Push", from: "a")
    try stage.apply(
      .perform(
        ActionRequest(
          .action("save:"), sender: SenderDescription(members: ["kind": "button"]),
          to: .responder("b"))))
    #expect(stage.log == ["button"] && stage["b"] == nil)
  }
}
