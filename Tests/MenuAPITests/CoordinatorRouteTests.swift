import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// Coordinators over HTTP (C4, C5): mutations, their answers, and documents.
@Suite struct CoordinatorRouteTests {
  private let sample: SampleService

  init() throws {
    sample = try SampleService()
    let responders = [
      ("nav", #"{"kind":"viewController","class":"UINavigationController"}"#),
      ("list", #"{"kind":"viewController"}"#), ("page", #"{"kind":"viewController"}"#),
      (
        "app",
        #"{"kind":"responder","coordinating":{"rootViewController":"nav","kind":"navigation"}}"#
      ),
      (
        "flow",
        #"{"kind":"responder","coordinating":{"rootViewController":"nav","kind":"navigation","identifier":"checkout"}}"#
      ),
    ]
    for (id, json) in responders {
      let response = try sample.send(.put, "/sessions/demo/responders/\(id)", json)
      try #require(response.status == .created, "\(response.text)")
    }
  }

  private func mutate(_ mutations: String...) throws -> Response {
    try sample.send(
      .post, "/sessions/demo/mutations",
      #"{"mutations":[\#(mutations.joined(separator: ","))]}"#)
  }

  /// Starts both, each with one view controller on the stack.
  private func start() throws -> Response {
    try mutate(
      #"{"op":"startCoordinator","coordinator":"app"}"#,
      #"{"op":"coordinatorRoot","coordinator":"app","viewController":"list"}"#,
      #"{"op":"startChildCoordinator","coordinator":"flow","parentCoordinator":"app"}"#,
      #"{"op":"coordinatorShow","coordinator":"flow","viewController":"page"}"#)
  }

  /// The outcomes without the edits of the session's document.
  private func outcomes(of response: Response) throws -> JSON {
    guard case .array(let outcomes)? = try response.value("/outcomes") else { return .null }
    return .array(
      try outcomes.enumerated().map { index, outcome in
        guard case .object(var members) = outcome else { return outcome }
        members["changes"] = try response.told("/outcomes/\(index)/changes")
        return .object(members)
      })
  }

  @Test func `C4: starting and showing answers what changed and what became of them`() throws {
    let response = try start()
    #expect(
      try outcomes(of: response).text() == #"""
        [{"changes":[{"change":"link","responder":"nav","link":"parentCoordinator",\#
        "destination":"app"},{"change":"isStarted","responder":"app","isStarted":true}],\#
        "events":[{"event":"coordinatorDidStart","coordinator":"app","told":[]}]},\#
        {"changes":[{"change":"viewControllers","responder":"nav","viewControllers":["list"]},\#
        {"change":"viewControllers","responder":"app","viewControllers":["list"]}]},\#
        {"changes":[{"change":"link","responder":"nav","link":"parentCoordinator",\#
        "destination":"flow"},{"change":"link","responder":"flow","link":"parentCoordinator",\#
        "destination":"app"},{"change":"isStarted","responder":"flow","isStarted":true}],\#
        "events":[{"event":"coordinatorDidStart","coordinator":"flow","told":[]}]},\#
        {"changes":[{"change":"viewControllers","responder":"nav",\#
        "viewControllers":["list","page"]},{"change":"viewControllers","responder":"flow",\#
        "viewControllers":["page"]}]}]
        """#)
  }

  @Test func `C5: when the user goes back, those who finished are told with their parents`() throws
  {
    _ = try start()
    let back = try mutate(#"{"op":"popViewController","navigationController":"nav","by":"user"}"#)
    #expect(
      try back.value("/outcomes/0/events")?.text() == #"""
        [{"event":"coordinatorDidStop","coordinator":"flow","told":[]},\#
        {"event":"coordinatorDidActivate","coordinator":"app","told":[]},\#
        {"event":"coordinatorDidFinish","coordinator":"flow","to":"app","told":[]},\#
        {"event":"handlePopBack","coordinator":"app","viewController":"list","told":[]}]
        """#)
    let unlinked =
      #"{"change":"link","responder":"flow","link":"parentCoordinator","destination":null}"#
    #expect(try back.told("/outcomes/0/changes")?.text().contains(unlinked) == true)
  }

  @Test func `C5: a swipe that is cancelled changes nothing`() throws {
    _ = try start()
    let cancelled = try mutate(
      #"{"op":"popViewController","navigationController":"nav","by":"user","isCancelled":true}"#)
    #expect(try cancelled.value("/outcomes")?.text() == #"[{"changes":[]}]"#)
  }

  @Test func `C4: a coordinator is read with its state, its list and its children`() throws {
    _ = try start()
    let app = try sample.send(.get, "/sessions/demo/responders/app")
    #expect(
      try app.value("/responder/coordinating")?.text() == #"""
        {"identifier":"app","rootViewController":"nav","kind":"navigation","isStarted":true,\#
        "viewControllers":["list"]}
        """#)
    #expect(try app.value("/childCoordinators")?.text() == #"{"checkout":"flow"}"#)
    let flow = try sample.send(.get, "/sessions/demo/responders/flow")
    #expect(try flow.value("/responder/parentCoordinator") == "app")
    #expect(try flow.value("/childCoordinators")?.text() == "{}")
    #expect(
      try sample.send(.get, "/sessions/demo/responders/list").value("/childCoordinators") == nil)
  }

  @Test func `C4: handlers of coordinators read their children, and do all of it by effects`()
    throws
  {
    let handlers = #"""
      {"perform":[
        {"op":"properties","value":"{'children': responder.coordinating.childCoordinators}"},
        {"op":"coordinatorPop","coordinator":"'flow'"},
        {"op":"coordinatorDidFinish","coordinator":"'flow'"},
        {"op":"activateCoordinator"},
        {"op":"takeoverCoordinator","coordinator":"responder.id"}]}
      """#
    let put = try sample.send(.put, "/sessions/demo/responders/app/handlers/finish:", handlers)
    #expect(put.status == .created, "\(put.text)")
    _ = try start()
    let done = try sample.send(
      .post, "/commands/perform",
      #"{"session":"demo","action":"finish:","to":"app","arguments":[null]}"#)
    #expect(done.status == .ok, "\(done.text)")
    let app = try sample.send(.get, "/sessions/demo/responders/app")
    #expect(try app.value("/responder/properties") == ["children": ["checkout": "flow"]])
    let nav = try sample.send(.get, "/sessions/demo/responders/nav")
    #expect(try nav.value("/responder/viewControllers") == ["list"])
    #expect(try nav.value("/responder/parentCoordinator") == "app")
    let handler = try sample.send(.get, "/sessions/demo/responders/app/handlers/finish:")
    #expect(try handler.value("/handler/perform/3")?.text() == #"{"op":"activateCoordinator"}"#)
  }

  @Test func `C4: diagnostics list coordinators that are started in vain`() throws {
    _ = try start()
    _ = try mutate(#"{"op":"stopCoordinator","coordinator":"app"}"#)
    #expect(
      try sample.send(.get, "/sessions/demo/diagnostics").value("/coordinating/dead") == [
        ["coordinator": "flow", "reason": "rootUnowned"]
      ])
  }

  @Test(arguments: [
    (
      #"{"op":"startCoordinator","coordinator":"list"}"#,
      #"""
      422 /problems/invalid-body
      /mutations/0/coordinator
      Mutation 0 is refused, and with it all of them. 'list' is no coordinator; put it with a member 'coordinating'.
      """#
    ),
    (
      #"{"op":"stopChildCoordinator","coordinator":"flow"}"#,
      #"""
      409 /problems/link-conflict
      /mutations/0/coordinator
      Mutation 0 is refused, and with it all of them. The coordinator 'flow' is nobody's child; stop it by 'stopCoordinator'.
      """#
    ),
    (
      #"{"op":"putResponder","responder":"bare","value":{"kind":"responder","coordinating":{}}},{"op":"startCoordinator","coordinator":"bare"}"#,
      #"""
      409 /problems/link-conflict
      /mutations/1/coordinator
      Mutation 1 is refused, and with it all of them. The coordinator 'bare' has no root view controller; put it with one in 'coordinating/rootViewController'.
      """#
    ),
    (
      #"{"op":"putResponder","responder":"plain","value":{"kind":"responder","coordinating":{"rootViewController":"nav"}}},{"op":"coordinatorPop","coordinator":"plain"}"#,
      #"""
      422 /problems/invalid-body
      /mutations/1/coordinator
      Mutation 1 is refused, and with it all of them. 'plain' keeps no list of view controllers, since it is no coordinator of kind 'navigation'.
      """#
    ),
    (
      #"{"op":"startChildCoordinator","coordinator":"app","parentCoordinator":"app"}"#,
      #"""
      409 /problems/link-conflict
      /mutations/0
      Mutation 0 is refused, and with it all of them. The link 'parentCoordinator' would close a cycle: 'app' → 'app'.
      """#
    ),
    (
      #"{"op":"startCoordinator","coordinator":"ghost"}"#,
      #"""
      422 /problems/unresolved-reference
      /mutations/0/coordinator
      Mutation 0 is refused, and with it all of them. The session has no responder 'ghost'.
      """#
    ),
    (
      #"{"op":"popViewController","navigationController":"nav","isCancelled":true}"#,
      #"""
      422 /problems/invalid-body
      /mutations/0
      The member 'by' is missing.
      """#
    ),
    (
      #"{"op":"popViewController","navigationController":"nav","by":"code","isCancelled":true}"#,
      #"""
      422 /problems/invalid-body
      /mutations/0
      'by' and 'isCancelled' exclude each other; give one of them.
      """#
    ),
  ])
  func `C4: what cannot be done is refused with its reason`(
    mutations: String, problem: String
  ) throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[\#(mutations)]}"#, with: problem)
  }

  @Test(arguments: [
    (
      #"{"kind":"responder","parentCoordinator":"app","coordinating":{"identifier":"checkout"}}"#,
      #"""
      409 /problems/link-conflict
      /coordinating/identifier
      'app' would have two children of the identifier 'checkout': 'flow' and 'new'. Give one of them another; 'startChildCoordinator' would replace the earlier one.
      """#
    ),
    (
      #"{"kind":"responder","coordinating":{"kind":"navigation","viewControllers":["ghost"]}}"#,
      #"""
      422 /problems/unresolved-reference
      /coordinating/viewControllers/0
      The coordinator 'new' lists 'ghost', which the session does not have; put that responder first.
      """#
    ),
    (
      #"{"kind":"responder","coordinating":{"kind":"navigation","viewControllers":["app"]}}"#,
      #"""
      422 /problems/invalid-body
      /coordinating/viewControllers/0
      The coordinator 'new' lists 'app', which is of kind 'responder'; only view controllers can be in its list.
      """#
    ),
    (
      #"{"kind":"responder","coordinating":{"kind":"navigation","viewControllers":["page","page"]}}"#,
      #"""
      422 /problems/invalid-body
      /coordinating/viewControllers/1
      The coordinator 'new' lists 'page' twice.
      """#
    ),
  ])
  func `C4: a coordinator that contradicts what is there is refused`(
    document: String, problem: String
  ) throws {
    _ = try start()
    try sample.refuses(.put, "/sessions/demo/responders/new", document, with: problem)
  }
}
