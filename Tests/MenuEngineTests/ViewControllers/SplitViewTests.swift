import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Split view controllers: what they show where (A6), collapsing and expanding (A8).
@Suite struct SplitViewTests {
  private func stage(
    _ delegate: JSONObject? = nil, columns: JSON = ["nav", "detail"], _ more: JSONObject = [:]
  ) throws -> Stage {
    var split: JSONObject = ["view": "splitView"]
    if delegate != nil { split["delegate"] = "delegate" }
    var responders: JSONObject = [
      "window": ["kind": "window", "rootViewController": "split"],
      "split": controller("UISplitViewController", columns, split), "splitView": ["kind": "view"],
      "nav": controller("UINavigationController", ["list"]), "list": controller(),
      "detail": controller(nil, nil, ["view": "detailView"]),
      "detailView": ["kind": "view", "superview": "splitView"], "new": controller(),
      "other": controller(), "empty": controller(),
    ]
    if let delegate {
      var handlers = JSONObject()
      for member in delegate.members { handlers[member.name] = ["perform": member.value] }
      responders["delegate"] = ["kind": "responder", "handlers": .object(handlers)]
    }
    for member in more.members { responders[member.name] = member.value }
    return try Stage(responders: .object(responders))
  }

  private let show = "splitViewController:showViewController:sender:"
  private let showDetail = "splitViewController:showDetailViewController:sender:"
  private let collapse =
    "splitViewController:collapseSecondaryViewController:ontoPrimaryViewController:"
  private let separate =
    "splitViewController:separateSecondaryViewControllerFromPrimaryViewController:"

  private func answering(_ value: String) -> JSON {
    [
      ["op": "add", "path": "/log/-", "value": "arguments[1]"],
      ["op": "answer", "value": .string(value)],
    ]
  }

  @Test func `A6: show replaces the primary, unless the delegate shows it`() throws {
    var stage = try stage()
    try stage.show("new", from: "detail")
    #expect(stage.children(of: "split") == ["new", "detail"])
    #expect(stage.session.graph["nav"]?.links[.parent] == nil)
    var handled = try self.stage([show: answering("true")])
    #expect(try handled.show("new", from: "split").changes.count == 1)
    #expect(handled.log == ["new"])
    var refused = try self.stage([show: answering("false")])
    try refused.show("new", from: "split")
    #expect(refused.children(of: "split") == ["new", "detail"])
  }

  @Test func `A6: showing the secondary as the primary leaves the secondary empty`() throws {
    var stage = try stage()
    try stage.show("detail", from: "split")
    #expect(stage.children(of: "split") == ["detail"])
    #expect(try stage.show("detail", from: "split").changes == [])
  }

  @Test func `A6: a detail becomes the secondary, and takes the view with it`() throws {
    var stage = try stage()
    let outcome = try stage.showDetail("new", from: "list")
    #expect(
      outcome.changes == [
        .viewControllers("split", ["nav", "new"]), .superview("detailView", nil),
      ])
  }

  @Test func `A6: nothing happens for no detail, or the one that is there`() throws {
    var stage = try stage([showDetail: answering("true")])
    #expect(try stage.showDetail(nil, from: "list").changes == [])
    #expect(try stage.showDetail("detail", from: "list").changes == [])
    #expect(stage.log == [])
    try stage.showDetail("new", from: "list")
    #expect(stage.log == ["new"])
    #expect(stage.children(of: "split") == ["nav", "detail"])
  }

  @Test func `A6: a secondary that overrides show shows the detail itself`() throws {
    var stage = try stage(
      columns: ["nav", "detailNav"],
      ["detailNav": controller("UINavigationController", ["detail"])])
    try stage.showDetail("new", from: "list")
    #expect(stage.children(of: "detailNav") == ["detail", "new"])
    #expect(try stage.showDetail("new", from: "list").changes == [])
    try stage.put(
      "detailNav",
      controller(
        "UINavigationController", nil,
        ["parent": "split", "canPerform": ["showViewController:sender:": false]]))
    try stage.showDetail("other", from: "list")
    #expect(stage.children(of: "split") == ["nav", "other"])
  }

  @Test func `A6: an empty split view controller takes a detail as its first column`() throws {
    var stage = try stage(columns: [])
    try stage.showDetail("new", from: "split")
    #expect(stage.children(of: "split") == ["new"])
    try stage.showDetail("other", from: "split")
    #expect(stage.children(of: "split") == ["new", "other"])
  }

  @Test func `A6: the delegate may show the detail of an empty split view controller, too`() throws
  {
    var handled = try stage([showDetail: answering("true")], columns: [])
    try handled.showDetail("new", from: "split")
    #expect(handled.children(of: "split") == [] && handled.log == ["new"])
    var refused = try stage([showDetail: answering("false")], columns: [])
    try refused.showDetail("new", from: "split")
    #expect(refused.children(of: "split") == ["new"] && refused.log == ["new"])
  }

  @Test func `A6: the columns are those that the delegate leaves when it does not show the detail`()
    throws
  {
    var stage = try stage([
      showDetail: [
        [
          "op": "send", "action": "'setViewControllers:'", "to": "'split'",
          "arguments": "[['other', 'empty']]",
        ], ["op": "answer", "value": "false"],
      ]
    ])
    try stage.showDetail("new", from: "list")
    #expect(stage.children(of: "split") == ["other", "new"])
  }

  @Test func `A6: a split view controller has two columns at most`() throws {
    let stage = try stage()
    let fault = MutationFault.containment(.tooManyColumns("split", 3))
    #expect(
      stage.refusal(
        of: .setViewControllers(["nav", "detail", "new"], of: "split")) == fault)
    let third = controller(nil, nil, ["parent": "split"])
    #expect(stage.refusal(of: .putResponder(try responder("third", third))) == fault)
    let split = controller("UISplitViewController", ["nav", "detail", "new"])
    #expect(stage.refusal(of: .putResponder(try responder("split", split))) == fault)
    #expect(throws: fault) { try self.stage(columns: ["nav", "detail", "new"]) }
  }

  @Test func `A8: collapsing puts the secondary on the primary's stack, expanding takes it back`()
    throws
  {
    var stage = try stage()
    let collapsed = try stage.apply(.collapse("split"))
    #expect(
      collapsed.changes == [
        .viewControllers("split", ["nav"]), .isCollapsed("split", true),
        .viewControllers("nav", ["list", "detail"]), .superview("detailView", nil),
      ])
    #expect(collapsed.events == [.showDetailTargetDidChange("split")])
    #expect(try stage.apply(.collapse("split")).isNothing)
    try stage.showDetail("new", from: "list")
    #expect(stage.children(of: "nav") == ["list", "detail", "new"])
    #expect(try stage.showDetail("new", from: "list").changes == [])
    let expanded = try stage.apply(.expand("split"))
    #expect(stage.children(of: "split") == ["nav", "new"])
    #expect(stage.children(of: "nav") == ["list", "detail"])
    #expect(expanded.events == [.showDetailTargetDidChange("split")])
    #expect(try stage.apply(.expand("split")).isNothing)
  }

  @Test func `A8: the delegate may take care of the secondary, which then is gone`() throws {
    var stage = try stage([collapse: answering("true")])
    try stage.apply(.collapse("split"))
    #expect(stage.log == ["detail"])
    #expect(stage.children(of: "nav") == ["list"])
    #expect(stage.session.graph["detail"]?.links[.parent] == nil)
    try stage.apply(.expand("split"))
    #expect(stage.children(of: "split") == ["nav"])
  }

  @Test func `A8: a delegate that collapses or expands it itself does so once`() throws {
    func act(_ name: String, before count: Int) -> JSON {
      [
        ["op": "add", "path": "/log/-", "value": "1"],
        [
          "op": .string(name), "splitViewController": "'split'",
          "when": .string("size(state.log) < \(count)"),
        ],
      ]
    }
    var stage = try stage([
      collapse: act("collapse", before: 2), separate: act("expand", before: 4),
    ])
    let collapsed = try stage.apply(.collapse("split"))
    #expect(collapsed.events == [.showDetailTargetDidChange("split")])
    let expanded = try stage.apply(.expand("split"))
    #expect(expanded.events == [.showDetailTargetDidChange("split")])
  }

  @Test func `L9, V7: a proxy is asked as a delegate if the proxied one responds`() throws {
    var stage = try stage([collapse: answering("true")])
    try stage.put("proxy", ["kind": "responder", "proxied": "delegate"])
    try stage.apply(.setDelegate("proxy", of: "split"))
    try stage.apply(.collapse("split"))
    #expect(stage.log == ["detail"])
  }

  @Test func `A8: the delegate may move the secondary itself`() throws {
    var stage = try stage([
      collapse: [
        [
          "op": "send", "action": "'pushViewController:animated:'", "to": "arguments[2]",
          "arguments": "[arguments[1], false]",
        ], ["op": "answer", "value": "true"],
      ]
    ])
    try stage.apply(.collapse("split"))
    #expect(stage.children(of: "nav") == ["list", "detail"])
    #expect(stage.children(of: "split") == ["nav"])
  }

  @Test
  func `A8: on expanding, the delegate names the secondary, leaves it to the stack, or keeps it`()
    throws
  {
    func expanded(_ value: String) throws -> Stage {
      var stage = try stage([separate: answering(value)])
      try stage.apply(.collapse("split"))
      try stage.apply(.expand("split"))
      return stage
    }
    #expect(try expanded("'empty'").children(of: "split") == ["nav", "empty"])
    #expect(try expanded("'empty'").children(of: "nav") == ["list", "detail"])
    #expect(try expanded("'list'").children(of: "split") == ["nav", "list"])
    #expect(try expanded("null").children(of: "split") == ["nav", "detail"])
    #expect(try expanded("false").children(of: "split") == ["nav"])
    #expect(try expanded("false").children(of: "nav") == ["list", "detail"])
    #expect(try expanded("null").log == ["nav"])
  }

  @Test(
    arguments: [
      ("'ghost'", "ghost", .unknownResponder("ghost")), ("5", 5, nil), ("true", true, nil),
      ("'split'", "split", .presentation(.isRoot("split", of: "window"))),
      ("'nav'", "nav", .link(.cycle(["nav", "nav"], along: .parent))),
      (
        "'detailView'", "detailView", .containment(.notAViewController("detailView", .view))
      ),
    ] as [(String, JSON, MutationFault?)])
  func `A8: an answer that names no secondary is a fault of the delegate's handler`(
    answer: String, value: JSON, refused: MutationFault?
  ) throws {
    var stage = try stage([separate: answering(answer)])
    try stage.apply(.collapse("split"))
    #expect(
      stage.refusal(of: .expand("split"))
        == .effect(
          .wrongAnswer(
            value, of: "delegate", .splitDelegateSeparate, expected: .secondary(refused: refused))))
  }

  @Test func `A8: a primary that is no stack cannot take the secondary, which leaves`() throws {
    var stage = try stage(columns: ["list", "detail"], ["nav": controller()])
    try stage.apply(.collapse("split"))
    #expect(stage.children(of: "split") == ["list"])
    #expect(stage.session.graph["detail"]?.links[.parent] == nil)
    try stage.apply(.expand("split"))
    #expect(stage.children(of: "split") == ["list"])
  }

  @Test func `A8: with one column or none, collapsing and expanding ask nobody`() throws {
    var stage = try stage([collapse: answering("true"), separate: answering("null")], columns: [])
    try stage.apply(.collapse("split"))
    try stage.apply(.expand("split"))
    #expect(stage.log == [])
    #expect(
      stage.refusal(of: .collapse("list"))
        == .containment(.notA(.split, "list", "UIViewController")))
  }

  @Test func `A8: rules see the change, and answers are made anew`() throws {
    var stage = try stage([
      show: answering("responder.id == 'delegate'")
    ])
    stage.catalog = try CatalogDocument([.commands: [["title": "Mark", "action": "mark:"]]])
      .catalog()
    let handler = try handler(["validate": ["checked": "responder.isCollapsed"]])
    try stage.apply(.putHandler(handler, for: "mark:", of: "split"))
    var plan = PlanStage(stage)
    var request = ValidationRequest()
    request.from = "split"
    #expect(try plan.ask(request).contains(#""state":"off""#))
    try plan.apply(.collapse("split"))
    #expect(try plan.ask(request).contains(#""state":"on""#))
    #expect(plan.stage.session.graph.ruleValue(of: "split").object?["isCollapsed"] == true)
  }

  @Test func `A6: a split view inside a split view answers for itself`() throws {
    var stage = try stage(
      columns: ["nav", "inner"],
      [
        "inner": controller("UISplitViewController", ["innerList", "innerDetail"]),
        "innerList": controller(), "innerDetail": controller(),
      ])
    try stage.showDetail("new", from: "innerList")
    #expect(stage.children(of: "inner") == ["innerList", "new"])
    try stage.showDetail("other", from: "list")
    #expect(stage.children(of: "split") == ["nav", "inner"])
    #expect(stage.children(of: "inner") == ["other", "new"])
    #expect(stage.children(of: "nav") == ["list"])
  }

  @Test func `A6: a stack inside a tab inside a split view`() throws {
    var stage = try stage(
      columns: ["tabs", "detail"], ["tabs": controller("UITabBarController", ["nav", "other"])])
    try stage.show("new", from: "list")
    #expect(stage.children(of: "nav") == ["list", "new"])
    try stage.showDetail("empty", from: "new")
    #expect(stage.children(of: "split") == ["tabs", "empty"])
    try stage.apply(.collapse("split"))
    #expect(stage.children(of: "split") == ["tabs"])
  }

  @Test func `A6: a deleted delegate is not asked`() throws {
    var stage = try stage([show: answering("true")])
    try stage.apply(.removeResponder("delegate"))
    try stage.show("new", from: "split")
    #expect(stage.children(of: "split") == ["new", "detail"])
  }
}
