import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Coordinators: their start and stop, their children, whose a view controller is (C4).
@Suite struct CoordinatorTests {
  private func stage(_ more: JSONObject = [:]) throws -> Stage {
    var responders: JSONObject = [
      "top": coordinator(root: "nav", telling("top")),
      "child": coordinator(root: "a", identifier: "flow", telling("child")),
      "other": coordinator(root: "a", identifier: "flow", telling("other")),
    ]
    for member in more.members { responders[member.name] = member.value }
    return try Stage.navigation(responders)
  }

  @Test func `C4: a coordinator that is started owns its root view controller`() throws {
    var stage = try stage()
    #expect(!stage.isStarted("top") && stage.owner(of: "nav") == nil)
    let outcome = try stage.coordinate(.start("top"))
    #expect(
      outcome.changes.prefix(2) == [
        .link("nav", .parentCoordinator, "top"), .isStarted("top", true),
      ])
    #expect(outcome.events == [.coordinator(.didStart("top"), told: "top")])
    #expect(stage.log == ["top didStart"])
    #expect(stage.owner(of: "nav") == "top")
  }

  @Test func `C4: one that is started already only becomes the owner again`() throws {
    var stage = try stage()
    try stage.coordinate(.start("child"))
    try stage.coordinate(.start("other"))
    #expect(stage.owner(of: "a") == "other")
    let outcome = try stage.coordinate(.start("child"))
    #expect(outcome.changes == [.link("a", .parentCoordinator, "child")])
    #expect(outcome.events == [])
  }

  @Test func `C4: a child is linked to its parent first, and then started`() throws {
    var stage = try stage([
      "child": coordinator(
        root: "a",
        [
          "didStart": [
            "perform": [
              [
                "op": "add", "path": "/log/-", "value": "responder.coordinating.parentCoordinator",
              ]
            ]
          ]
        ])
    ])
    let outcome = try stage.coordinate(.startChild("child", of: "top"))
    #expect(
      outcome.changes.prefix(3) == [
        .link("child", .parentCoordinator, "top"), .link("a", .parentCoordinator, "child"),
        .isStarted("child", true),
      ])
    #expect(stage.log == ["top"])
    #expect(stage.childCoordinators(of: "top") == ["child child"])
    #expect(!stage.isStarted("top"))
  }

  @Test
  func `C4: an equal identifier replaces the earlier child, which keeps its parent and goes on`()
    throws
  {
    var stage = try stage([
      "child": coordinator(root: "b", identifier: "flow", ["did": logging("child")]),
      "top": coordinator(root: "nav", ["show:": logging("top show")]),
    ])
    try stage.coordinate(.start("top"))
    try stage.coordinate(.startChild("child", of: "top"))
    let outcome = try stage.coordinate(.startChild("other", of: "top"))
    #expect(
      outcome.changes.prefix(2) == [
        try stage.told("child"), .link("other", .parentCoordinator, "top"),
      ])
    #expect(stage.childCoordinators(of: "top") == ["flow other"])
    #expect(stage.isStarted("child") && stage.owner(of: "child") == "top")
    try stage.apply(.message(MessageRequest(message: "show:", from: "b", arguments: [1])))
    #expect(stage.log == ["other didStart", "top show"])
    let found = stage.session.diagnostics(in: stage.catalog).coordinating
    #expect(found.replaced == ["child"] && found.dead.isEmpty)
  }

  @Test func `C4: a replaced child that finishes stops nobody else, and its parent is told`() throws
  {
    var stage = try stage()
    try stage.coordinate(.startChild("child", of: "top"))
    try stage.coordinate(.startChild("other", of: "top"))
    let outcome = try stage.coordinate(.didFinish("child"))
    #expect(
      outcome.changes.prefix(2) == [
        .link("child", .parentCoordinator, nil), try stage.told("child"),
      ])
    #expect(outcome.events.last == .coordinator(.didFinish("child", to: "top"), told: "top"))
    #expect(stage.childCoordinators(of: "top") == ["flow other"])
    #expect(stage.isStarted("other") && !stage.isStarted("child"))
    #expect(stage.session.diagnostics(in: stage.catalog).coordinating.replaced == [])
  }

  @Test func `C4: a replaced child that is started again replaces its successor`() throws {
    var stage = try stage()
    try stage.coordinate(.startChild("child", of: "top"))
    try stage.coordinate(.startChild("other", of: "top"))
    try stage.coordinate(.startChild("child", of: "top"))
    #expect(stage.childCoordinators(of: "top") == ["flow child"])
    #expect(stage.session.diagnostics(in: stage.catalog).coordinating.replaced == ["other"])
    try stage.coordinate(.stopChild("child"))
    #expect(stage.childCoordinators(of: "top") == [])
  }

  @Test func `C4: the documents of a replaced child and its successor open a session`() throws {
    var stage = try stage()
    try stage.coordinate(.startChild("child", of: "top"))
    try stage.coordinate(.startChild("other", of: "top"))
    let document = try #require(stage.session.graph["child"]).json
    #expect(document[JSONPointer(["coordinating", "isReplaced"])] == true)
    try stage.put("child", document)
    var responders = JSONObject()
    for id in stage.session.graph.ids { responders[id.rawValue] = stage.session.graph[id]?.json }
    let copy = try Stage(responders: .object(responders))
    #expect(copy.childCoordinators(of: "top") == ["flow other"])
    #expect(copy.owner(of: "child") == "top")
  }

  @Test func `C4: a replaced child is a child again under another parent`() throws {
    var stage = try stage(["second": coordinator(root: "nav")])
    try stage.coordinate(.startChild("child", of: "top"))
    try stage.coordinate(.startChild("other", of: "top"))
    var document = try #require(stage.session.graph["child"]?.json.object)
    document["parentCoordinator"] = "second"
    try stage.put("child", .object(document))
    #expect(stage.session.graph["child"]?.isReplaced == false)
    #expect(stage.childCoordinators(of: "second") == ["flow child"])
  }

  @Test func `C4: a coordinator without parent is not replaced`() throws {
    let document: JSON = ["kind": "responder", "coordinating": ["isReplaced": true]]
    #expect(
      faults { Responder("c", reading: document, at: .root, log: $0) } == [
        DocumentFault(.missingMember("parentCoordinator"), at: .root)
      ])
    var stage = try stage()
    try stage.coordinate(.startChild("child", of: "top"))
    try stage.coordinate(.startChild("other", of: "top"))
    // The parent goes, and so does what it says of its children.
    try stage.apply(.removeResponder("top"))
    #expect(stage.session.graph["child"]?.isReplaced == false)
    #expect(stage.session.graph["child"]?.json[JSONPointer(["coordinating", "isReplaced"])] == nil)
  }

  @Test func `C4: a rule on a coordinator reads its own parentCoordinator`() throws {
    var stage = try stage([
      "child": coordinator(
        root: "a", parent: "top",
        [
          "tell": [
            "perform": [["op": "add", "path": "/log/-", "value": "responder.parentCoordinator"]]
          ]
        ]),
      "top": coordinator(
        root: "nav",
        [
          "tell": [
            "perform": [["op": "add", "path": "/log/-", "value": "responder.parentCoordinator"]]
          ]
        ]),
    ])
    for id: ResponderID in ["child", "top"] {
      try stage.apply(.perform(ActionRequest(.action("tell"), to: .responder(id))))
    }
    #expect(stage.log == ["top", nil])
  }

  @Test func `C4: a child that is started anew stays the child it is, and can change its parent`()
    throws
  {
    var stage = try stage(["second": coordinator(root: "b")])
    try stage.coordinate(.startChild("child", of: "top"))
    #expect(try stage.coordinate(.startChild("child", of: "top")).changes == [])
    try stage.coordinate(.startChild("child", of: "second"))
    #expect(stage.childCoordinators(of: "top") == [])
    #expect(stage.childCoordinators(of: "second") == ["flow child"])
  }

  @Test func `C4: a child is taken from its parent, and then stopped`() throws {
    var stage = try stage()
    try stage.coordinate(.startChild("child", of: "top"))
    let outcome = try stage.coordinate(.stopChild("child"))
    #expect(
      outcome.changes.prefix(3) == [
        .link("child", .parentCoordinator, nil), .link("a", .parentCoordinator, nil),
        .isStarted("child", false),
      ])
    #expect(outcome.events == [.coordinator(.didStop("child"), told: "child")])
    #expect(stage.childCoordinators(of: "top") == [])
    #expect(
      stage.refusal(of: .stopChild("child")) == .coordination(.noParent("child")))
  }

  @Test func `C4: stopping clears the present owner, which can be activated again`() throws {
    var stage = try stage()
    try stage.coordinate(.start("child"))
    try stage.coordinate(.start("other"))
    try stage.coordinate(.stop("child"))
    #expect(stage.owner(of: "a") == nil)
    #expect(stage.isStarted("other"))
    #expect(
      stage.session.diagnostics(in: stage.catalog).coordinating.dead == [
        DeadCoordinator(coordinator: "other", reason: .rootUnowned)
      ])
    let outcome = try stage.coordinate(.activate("other"))
    #expect(stage.owner(of: "a") == "other")
    #expect(outcome.events == [.coordinator(.didActivate("other"), told: "other")])
    #expect(stage.session.diagnostics(in: stage.catalog).coordinating.dead == [])
  }

  @Test func `C4: stopping one that is not started clears the owner too, and tells nobody`() throws
  {
    var stage = try stage()
    try stage.coordinate(.start("child"))
    let outcome = try stage.coordinate(.stop("other"))
    #expect(outcome.changes == [.link("a", .parentCoordinator, nil)])
    #expect(outcome.events == [])
  }

  @Test func `C4: the children of one that is stopped stay as they are`() throws {
    var stage = try stage()
    try stage.coordinate(.start("top"))
    try stage.coordinate(.startChild("child", of: "top"))
    try stage.coordinate(.stop("top"))
    #expect(stage.isStarted("child") && stage.owner(of: "child") == "top")
    #expect(
      stage.session.diagnostics(in: stage.catalog).coordinating.dead == [
        DeadCoordinator(coordinator: "child", reason: .parentNotStarted)
      ])
  }

  @Test func `C4: takeover of one without a list is no more than its activation`() throws {
    var stage = try stage()
    try stage.coordinate(.start("child"))
    try stage.coordinate(.start("other"))
    let outcome = try stage.coordinate(.takeover("child"))
    #expect(outcome.changes.first == .link("a", .parentCoordinator, "child"))
    #expect(outcome.events == [.coordinator(.didActivate("child"), told: "child")])
  }

  @Test func `C4: when one finishes, its parent stops it, and then is told`() throws {
    var stage = try stage()
    try stage.coordinate(.start("top"))
    try stage.coordinate(.startChild("child", of: "top"))
    let outcome = try stage.coordinate(.didFinish("child"))
    #expect(
      outcome.events == [
        .coordinator(.didStop("child"), told: "child"),
        .coordinator(.didFinish("child", to: "top"), told: "top"),
      ])
    #expect(
      stage.log == [
        "top didStart", "child didStart", "child didStop", "top coordinatorDidFinish: child",
      ])
    #expect(stage.childCoordinators(of: "top") == [])
  }

  @Test func `C4: a parent without a method for it is not told, but stops its child`() throws {
    var stage = try stage(["top": coordinator(root: "nav")])
    try stage.coordinate(.startChild("child", of: "top"))
    let outcome = try stage.coordinate(.didFinish("child"))
    #expect(outcome.events.last == .coordinator(.didFinish("child", to: "top"), told: nil))
    #expect(!stage.isStarted("child"))
  }

  @Test func `C4: a top coordinator stays started when it finishes, and its continuation is told`()
    throws
  {
    var stage = try stage(["scene": ["kind": "scene", "handlers": telling("scene")]])
    try stage.coordinate(.start("top"))
    #expect(
      try stage.coordinate(.didFinish("top")).events == [
        .coordinator(.didFinish("top", to: nil), told: nil)
      ])
    guard case .object(var document) = coordinator(root: "nav", isStarted: true) else {
      Issue.record("'document' is not an object")
      return
    }
    document["continuation"] = "scene"
    try stage.put("top", .object(document))
    try stage.coordinate(.didFinish("top"))
    #expect(stage.log == ["top didStart", "scene coordinatorDidFinish: top"])
    #expect(stage.isStarted("top"))
  }

  @Test func `C4: a method of the parent can start the next child`() throws {
    var stage = try stage([
      "top": coordinator(
        root: "nav",
        [
          "coordinatorDidFinish:": [
            "perform": [
              [
                "op": "startChildCoordinator", "coordinator": "'other'",
                "when": "arguments[0] == 'child'",
              ]
            ]
          ]
        ])
    ])
    try stage.coordinate(.startChild("child", of: "top"))
    try stage.coordinate(.didFinish("child"))
    #expect(stage.childCoordinators(of: "top") == ["flow other"])
    #expect(stage.owner(of: "a") == "other")
  }

  @Test func `R9: no coordinator becomes the child of its own child`() throws {
    var stage = try stage()
    try stage.coordinate(.startChild("child", of: "top"))
    #expect(
      stage.refusal(of: .startChild("top", of: "child"))
        == .link(.cycle(["top", "child", "top"], along: .parentCoordinator)))
    #expect(
      stage.refusal(of: .startChild("top", of: "top"))
        == .link(.cycle(["top", "top"], along: .parentCoordinator)))
  }

  @Test func `C4: a responder that is no coordinator, or has no root, is told nothing`() throws {
    let stage = try stage(["bare": coordinator(root: nil)])
    for mutation: Mutation in [
      .start("a"), .stop("a"), .activate("a"), .takeover("a"), .didFinish("a"), .stopChild("a"),
      .startChild("a", of: "top"), .pop("a", to: nil),
    ] {
      #expect(
        stage.refusal(of: mutation) == .coordination(.notACoordinator("a")))
    }
    #expect(
      stage.refusal(of: .startChild("top", of: "a"))
        == .coordination(.notACoordinator("a")))
    for mutation: Mutation in [
      .start("bare"), .activate("bare"), .startChild("bare", of: "top"),
    ] {
      #expect(stage.refusal(of: mutation) == .coordination(.noRoot("bare")))
    }
    #expect(stage.refusal(of: .start("no")) == .unknownResponder("no"))
    #expect(
      stage.refusal(of: .startChild("top", of: "no")) == .unknownResponder("no"))
  }
}

/// Coordinators whose responders are removed or replaced (C3, C4).
@Suite struct CoordinatorGraphTests {
  @Test func `C4: a root view controller that goes leaves a coordinator that can only be stopped`()
    throws
  {
    var stage = try Stage.navigation(["top": coordinator(root: "a")])
    try stage.coordinate(.start("top"))
    try stage.apply(.removeResponder("a"))
    #expect(stage.session.graph["top"]?.links[.coordinatedRoot] == nil)
    #expect(
      stage.session.diagnostics(in: stage.catalog).coordinating.dead == [
        DeadCoordinator(coordinator: "top", reason: .noRootViewController)
      ])
    try stage.coordinate(.stop("top"))
    #expect(!stage.isStarted("top"))
  }

  @Test
  func `C3: a coordinator that goes leaves children without a parent, and a root without owner`()
    throws
  {
    var stage = try Stage.navigation([
      "top": coordinator(root: "nav"), "child": coordinator(root: "a"),
    ])
    try stage.coordinate(.start("top"))
    try stage.coordinate(.startChild("child", of: "top"))
    try stage.apply(.removeResponder("top"))
    #expect(stage.owner(of: "nav") == nil && stage.owner(of: "child") == nil)
    #expect(stage.isStarted("child") && stage.owner(of: "a") == "child")
  }

  @Test func `C5: what goes is in no list any more`() throws {
    var stage = try Stage.navigation([
      "flow": coordinator(root: "nav", kind: "navigation", list: ["a", "b"])
    ])
    let outcome = try stage.apply(.removeResponder("a"))
    #expect(outcome.changes == [.responderRemoved("a"), .viewControllers("flow", ["b"])])
    #expect(stage.list(of: "flow") == ["b"])
  }

  @Test func `C4: documents can say whether a coordinator is started, its list and its parent`()
    throws
  {
    let flow = coordinator(
      root: "nav", kind: "navigation", identifier: "f", parent: "top", list: ["a", "b"],
      isStarted: true)
    let stage = try Stage.navigation(["top": coordinator(root: "nav"), "flow": flow])
    #expect(stage.childCoordinators(of: "top") == ["f flow"])
    let read = stage.session.graph["flow"]?.json.object?["coordinating"]
    #expect(
      read == [
        "identifier": "f", "rootViewController": "nav", "kind": "navigation", "isStarted": true,
        "viewControllers": ["a", "b"],
      ])
    #expect(
      stage.session.graph.ruleValue(of: "flow").object?["coordinating"] == [
        "identifier": "f", "kind": "navigation", "rootViewController": "nav",
        "parentCoordinator": "top", "continuation": nil, "isStarted": true,
        "isReplaced": false, "viewControllers": ["a", "b"], "childCoordinators": [:],
      ])
    let top = stage.session.graph.ruleValue(of: "top").object?["coordinating"]?.object
    #expect(top?["childCoordinators"] == ["f": "flow"])
  }

  @Test func `C4: what contradicts in documents is refused`() throws {
    let stage = try Stage.navigation([
      "top": coordinator(root: "nav"), "flow": coordinator(root: "a", parent: "top"),
    ])
    func refusal(_ id: ResponderID, _ json: JSON) throws -> MutationFault? {
      stage.refusal(of: .putResponder(try responder(id, json)))
    }
    func list(_ list: JSON) -> JSON { coordinator(root: "nav", kind: "navigation", list: list) }
    #expect(
      try refusal("new", coordinator(root: "b", identifier: "flow", parent: "top"))
        == .coordination(.identifierTaken("new", "flow", of: "top", by: "flow")))
    #expect(
      try refusal("new", list(["a", "no"]))
        == .coordination(.unknownViewController("no", of: "new")))
    #expect(
      try refusal("new", list(["window"]))
        == .coordination(.notAViewController("window", .window, of: "new")))
    #expect(try refusal("new", list(["a", "a"])) == .coordination(.repeated("a", of: "new")))
    #expect(throws: MutationFault.coordination(.identifierTaken("y", "x", of: "top", by: "x"))) {
      _ = try Stage.navigation([
        "top": coordinator(root: "nav"), "x": coordinator(root: "a", parent: "top"),
        "y": coordinator(root: "b", identifier: "x", parent: "top"),
      ])
    }
  }

  @Test func `C5: a listed responder stays a view controller`() throws {
    let stage = try Stage.navigation([
      "flow": coordinator(root: "nav", kind: "navigation", list: ["a"])
    ])
    #expect(
      stage.refusal(of: .putResponder(try responder("a", ["kind": "view"])))
        == .coordination(.notAViewController("a", .view, of: "flow")))
  }

  @Test func `C5: only a navigation coordinator has a list`() {
    let found = faults {
      Responder("c", reading: coordinator(root: "a", list: []), at: .root, log: $0)
    }
    #expect(
      found == [
        DocumentFault(
          .conflictingMembers("kind", "viewControllers"), at: JSONPointer(["coordinating"]))
      ])
  }
}
