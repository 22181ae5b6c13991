import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// View controllers over HTTP: mutations, the actor chain (A1, A9), dry runs.
@Suite struct ViewControllerRouteTests {
  private let sample: SampleService

  init() throws {
    sample = try SampleService()
    let responders = [
      ("split", #"{"kind":"viewController","class":"UISplitViewController"}"#),
      (
        "nav",
        #"{"kind":"viewController","class":"UINavigationController","parent":"split"}"#
      ), ("list", #"{"kind":"viewController","parent":"nav"}"#),
      ("page", #"{"kind":"viewController"}"#), ("sheet", #"{"kind":"viewController"}"#),
    ]
    for (id, json) in responders {
      let response = try sample.send(.put, "/sessions/demo/responders/\(id)", json)
      try #require(response.status == .created)
    }
  }

  private func mutate(_ mutation: String) throws -> Response {
    try sample.send(.post, "/sessions/demo/mutations", #"{"mutations":[\#(mutation)]}"#)
  }

  @Test(arguments: [
    (
      #"{"op":"pushViewController","viewController":"page","navigationController":"nav"}"#,
      #"[{"change":"viewControllers","responder":"nav","viewControllers":["list","page"]}]"#
    ),
    (
      #"{"op":"setViewControllers","container":"nav","viewControllers":["page"]}"#,
      #"[{"change":"viewControllers","responder":"nav","viewControllers":["page"]}]"#
    ),
    (
      #"{"op":"present","viewController":"sheet","from":"list"}"#,
      #"[{"change":"presented","responder":"sheet","presentingViewController":"list"}]"#
    ),
    (
      #"{"op":"collapse","splitViewController":"split"}"#,
      #"[{"change":"isCollapsed","responder":"split","isCollapsed":true}]"#
    ), (#"{"op":"popViewController","navigationController":"nav"}"#, "[]"),
    (#"{"op":"popToRootViewController","navigationController":"nav"}"#, "[]"),
    (#"{"op":"popToViewController","viewController":"list"}"#, "[]"),
    (#"{"op":"dismiss","viewController":"page"}"#, "[]"),
    (#"{"op":"removeFromParent","viewController":"page"}"#, "[]"),
    (#"{"op":"expand","splitViewController":"split"}"#, "[]"),
  ])
  func `V4: a mutation answers what it changed`(mutation: String, changes: String) throws {
    let response = try mutate(mutation)
    #expect(response.status == .ok)
    #expect(try response.told("/outcomes/0/changes")?.text() == changes)
  }

  @Test func `V4: tabs are selected, and what is shown is dismissed and removed`() throws {
    _ = try mutate(
      #"{"op":"putResponder","responder":"tabs","value":{"kind":"viewController","class":"UITabBarController","viewControllers":["page","sheet"]}}"#
    )
    let selected = try mutate(#"{"op":"selectViewController","viewController":"sheet"}"#)
    #expect(
      try selected.told("/outcomes/0/changes")?.text()
        == #"[{"change":"selectedViewController","responder":"tabs","viewController":"sheet"}]"#)
    let tabs = try sample.send(.get, "/sessions/demo/responders/tabs")
    #expect(try tabs.value("/responder/viewControllers") == ["page", "sheet"])
    #expect(try tabs.value("/responder/selectedViewController") == "sheet")
    #expect(try tabs.value("/topViewController") == "sheet")
    #expect(try tabs.value("/selectedViewController") == "sheet")
    #expect(try tabs.value("/presentedViewController") == .null)
    _ = try mutate(#"{"op":"removeFromParent","viewController":"sheet"}"#)
    _ = try mutate(#"{"op":"present","viewController":"sheet","from":"list"}"#)
    let dismissed = try mutate(#"{"op":"dismiss","viewController":"list"}"#)
    #expect(
      try dismissed.told("/outcomes/0/changes")?.text()
        == #"[{"change":"dismissed","responder":"sheet","presentingViewController":"list"}]"#)
  }

  @Test func `A8: collapsing tells that the target of details may be another`() throws {
    let response = try mutate(#"{"op":"collapse","splitViewController":"split"}"#)
    #expect(
      try response.value("/outcomes/0/events")?.text()
        == #"[{"event":"showDetailTargetDidChange","splitViewController":"split"}]"#)
  }

  @Test func `A8: what a delegate answers wrongly is a fault of its handler`() throws {
    let separate =
      "splitViewController:separateSecondaryViewControllerFromPrimaryViewController:"
    _ = try sample.send(
      .put, "/sessions/demo/responders/helper",
      #"{"kind":"responder","handlers":{"\#(separate)":{"perform":[{"op":"answer","value":"'ghost'"}]}}}"#
    )
    _ = try sample.send(
      .patch, "/sessions/demo/responders/split", #"{"delegate":"helper"}"#,
      type: "application/merge-patch+json")
    _ = try mutate(#"{"op":"collapse","splitViewController":"split"}"#)
    let response = try mutate(#"{"op":"expand","splitViewController":"split"}"#)
    #expect(
      try response.problem == """
        /problems/effect-failed
        Nothing was changed, since the handler of \
        'helper' for '\(separate)' answers the string 'ghost' instead of the id of a view \
        controller that can be the secondary, null or false. The session has no responder 'ghost'.
        """)
    #expect(
      try response.value("/handler")
        == .object(["responder": "helper", "selector": .string(separate)]))
    #expect(try response.value("/mutation") == 0)
  }

  @Test(arguments: ["null", "false"])
  func `A8: a document that would expand is told the operation that does`(value: String) throws {
    _ = try mutate(#"{"op":"collapse","splitViewController":"split"}"#)
    let response = try sample.send(
      .patch, "/sessions/demo/responders/split", #"{"isCollapsed":\#(value)}"#,
      type: "application/merge-patch+json")
    #expect(
      try response.problem == """
        /problems/invalid-body
        /isCollapsed
        'split' is collapsed, which a document does not change; use the operation 'expand', which \
        asks its delegate.
        """)
  }

  @Test func `A9: the actor chain is asked, nothing is done, and the trace says why`() throws {
    let response = try sample.send(
      .post, "/targets/resolve",
      #"{"session":"demo","action":"showDetailViewController:sender:","chain":"actor","from":"list"}"#
    )
    #expect(try response.value("/target") == "split")
    #expect(try response.value("/trace/3/answer") == "notOverridden")
    #expect(
      try response.value("/trace/3/says")
        == "A9: 'list' is passed over for 'showDetailViewController:sender:', since it does not override it."
    )
    let nobody = try sample.send(
      .post, "/targets/resolve",
      #"{"session":"demo","action":"unknown:","chain":"actor","from":"list"}"#)
    #expect(try nobody.value("/target") == .null)
    #expect(try nobody.value("/reason") == "noTarget")
  }

  @Test func `A9: a dry run answers what would have been answered, and keeps nothing`() throws {
    let body =
      #""session":"demo","action":"showViewController:sender:","to":"list","arguments":["page",null]"#
    let dry = try sample.send(.post, "/commands/perform", "{\(body),\"dryRun\":true}")
    #expect(dry.status == .ok)
    #expect(try dry.value("/dryRun") == true)
    #expect(try dry.value("/revision") == 5)
    #expect(try dry.value("/performed") == true)
    #expect(try sample.send(.get, "/sessions/demo").value("/revision") == 5)
    let done = try sample.send(.post, "/commands/perform", "{\(body)}")
    #expect(try done.value("/dryRun") == nil)
    #expect(try done.value("/revision") == 6)
    #expect(try done.value("/changes") == dry.value("/changes"))
    #expect(
      try done.value("/changes/0/viewControllers") == ["list", "page"])
  }

  @Test func `A9: a dry run that fails is refused as the real one`() throws {
    try sample.refuses(
      .post, "/commands/perform",
      #"{"session":"demo","action":"showViewController:sender:","to":"list","arguments":["list",null],"dryRun":true}"#,
      with: """
        409 /problems/effect-failed
        Nothing was changed, since effect 0 of 'showViewController:sender:' at 'nav' failed. 'list' \
        would be twice among the view controllers of 'nav'.
        """)
  }

  @Test func `F9: what a message answers is in the answer`() throws {
    _ = try sample.send(
      .put, "/sessions/demo/responders/list/handlers/count:",
      #"{"perform":[{"op":"answer","value":"{'n': 1 + 1}"}]}"#)
    let body = #"{"session":"demo","action":"count:","to":"list"}"#
    #expect(
      try sample.send(.post, "/commands/perform", body).value("/result") == ["n": 2])
    let listed = try mutate(#"{"op":"perform","action":"count:","to":"list"}"#)
    #expect(try listed.value("/outcomes/0/result") == ["n": 2])
  }

  @Test(arguments: [
    (
      #"{"op":"pushViewController","viewController":"list","navigationController":"nav"}"#,
      "422 /problems/invalid-body",
      "/viewController",
      "'list' would be twice among the view controllers of 'nav'."
    ),
    (
      #"{"op":"pushViewController","viewController":"page","navigationController":"split"}"#,
      "422 /problems/invalid-body",
      "/navigationController",
      "'split' is of class 'UISplitViewController', which does not inherit from 'UINavigationController'."
    ),
    (
      #"{"op":"present","viewController":"list","from":"page"}"#, "409 /problems/link-conflict",
      "/viewController",
      "'list' is a child of 'nav' and cannot be presented; remove it from there first."
    ),
    (
      #"{"op":"present","viewController":"root","from":"page"}"#, "409 /problems/link-conflict",
      "/viewController",
      "'root' is the root view controller of 'window' and cannot be shown elsewhere."
    ),
    (
      #"{"op":"popToViewController","viewController":"page"}"#, "422 /problems/invalid-body",
      "/viewController",
      "'page' is in no container of a class that inherits from 'UINavigationController'."
    ),
    (
      #"{"op":"setViewControllers","container":"split","viewControllers":["nav","page","sheet"]}"#,
      "422 /problems/invalid-body",
      "/container",
      "'split' is a split view controller, which has two columns at most, not 3."
    ),
    (
      #"{"op":"setViewControllers","container":"list","viewControllers":["split"]}"#,
      "409 /problems/link-conflict",
      "",
      "The link 'parent' would close a cycle: 'split' → 'list' → 'nav' → 'split'."
    ),
    (
      #"{"op":"dismiss","viewController":"photoGrid"}"#, "422 /problems/invalid-body",
      "/viewController",
      "'photoGrid' is of kind 'view'; only a responder of kind 'viewController' can be shown or show another one."
    ),
  ])
  func `V4: what cannot be shown is refused with a sentence that names both`(
    mutation: String, problem: String, member: String, sentence: String
  ) throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[\#(mutation)]}"#,
      with: """
        \(problem)
        /mutations/0\(member)
        Mutation 0 is refused, and with it all of them. \(sentence)
        """)
  }

  @Test(arguments: [
    (
      #""viewControllers":["ghost"]"#, "422 /problems/unresolved-reference", "/viewControllers/0",
      "'new' lists 'ghost' in 'viewControllers', which the session does not have; put that responder first."
    ),
    (
      #""selectedViewController":"page""#, "422 /problems/invalid-body",
      "/selectedViewController", "'page' is not among the view controllers of 'new'."
    ),
    (
      #""class":"UISplitViewController","viewControllers":["list","page","sheet"]"#,
      "422 /problems/invalid-body", "/viewControllers",
      "'new' is a split view controller, which has two columns at most, not 3."
    ),
  ])
  func `V4: a document of a container is refused with the member to blame`(
    member: String, problem: String, place: String, sentence: String
  ) throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/new", #"{"kind":"viewController",\#(member)}"#,
      with: [problem, place, sentence].joined(separator: "\n"))
  }

  @Test func `A6: the column that is one too many names its parent as the member to blame`() throws
  {
    let page = #"{"kind":"viewController","parent":"split"}"#
    #expect(try sample.send(.put, "/sessions/demo/responders/page", page).status == .ok)
    try sample.refuses(
      .put, "/sessions/demo/responders/sheet", page,
      with: """
        422 /problems/invalid-body
        /parent
        'split' is a split view controller, which has two columns at most, not 3.
        """)
  }

  @Test func `A4: a session says who presents what no container shows`() throws {
    let opened = try sample.send(
      .post, "/sessions", #"{"id":"other","template":false,"presenter":"root"}"#)
    #expect(try opened.value("/presenter") == "root")
    #expect(try sample.send(.get, "/sessions/demo").value("/presenter") == "receiver")
  }
}
