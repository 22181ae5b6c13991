import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Changes that put items in doubt, and changes that do not (M5).
@Suite struct ValidationPlanTests {
  private static func handlers() -> JSON {
    [
      "title:": ["validate": ["title": "state.name"]],
      "check:": ["validate": ["checked": "state.on", "enabled": "state.count > 0"]],
      "own:": ["validate": ["title": "responder.properties.?text.orValue('none')"]],
      "sent:": ["validate": ["title": "sender.?kind.orValue('none')"]],
      "can:": ["canPerform": "state.can"],
      "late:": ["validate": ["enabled": "state.late.there"]],
      "plain:": ["perform": [["op": "replace", "path": "/count", "value": "state.count + 1"]]],
    ]
  }

  private static func stage(
    _ responders: JSON = [:], focus: String = "inner", search: String? = nil
  ) throws -> PlanStage {
    let actions = ["title:", "check:", "own:", "sent:", "can:", "late:", "plain:", "undo:"]
    var all: JSONObject = [
      "app": ["kind": "application"], "window": ["kind": "window"],
      "outer": ["kind": "view", "superview": "window"],
      "inner": ["kind": "view", "superview": "outer", "handlers": handlers()],
      "p": ["kind": "responder", "proxied": "inner"],
      "host": ["kind": "view", "superview": "window", "coordinator": [:], "lateResponders": [:]],
    ]
    for (name, responder) in (responders.object ?? [:]).members.map({ ($0.name, $0.value) }) {
      all[name] = responder
    }
    return PlanStage(
      try Stage(
        commands: .array(
          actions.map {
            [
              "action": .string($0), "title": .string("Do \($0)"),
              "alternates": [["modifiers": ["shift"], "title": "Held", "action": "title:"]],
            ]
          }),
        menus: [
          [
            "identifier": "m", "title": "M", "options": ["singleSelection"],
            "children": ["check:", "title:", "undo:"],
          ]
        ],
        classes: ["Doer": ["superclass": "UIView", "handlers": handlers()]],
        responders: .object(all), focus: focus, key: "window",
        state: ["name": "a", "on": false, "count": 1, "can": true, "other": [:]], search: search))
  }

  private static func merge(_ patch: JSON) -> Mutation { .mergeState(patch) }

  @Test(
    arguments: [
      (["name": "b"], ["title:"]), (["on": true], ["check:"]),
      (["count": 2], []), (["count": 0], ["check:"]),
      (["can": false], ["can:"]), (["other": ["x": 1]], []),
      (["late": ["there": true]], ["late:"]),
    ] as [(JSON, [CommandID])])
  func `a change of the state changes those items that read it, and that say something else`(
    patch: JSON, items: [CommandID]
  ) throws {
    let changed = try Self.stage().changes { try $0.apply(Self.merge(patch)) }
    #expect(changed == items)
  }

  @Test func `a change that no rule reads changes no item`() throws {
    var stage = try Self.stage()
    try stage.apply(Self.merge(["late": ["there": true]]))
    #expect(try stage.changes { try $0.apply(Self.merge(["other": 1])) } == [])
    #expect(try stage.changes { _ in } == [])
  }

  @Test func `a value that is written as another one counts, however equal`() throws {
    var stage = try Self.stage()
    try stage.apply(
      .putHandler(
        try handler(["validate": ["title": "string(state.count)"]]), for: "title:", of: "inner"))
    for count: JSON in [1, 1.0, "1", 1, ["a": 1, "b": 2], ["b": 2, "a": 1]] {
      try stage.apply(
        .patchState(try JSONPatch(.array([["op": "replace", "path": "/count", "value": count]]))))
      try stage.ask()
    }
    try stage.apply(
      .putHandler(try handler(["validate": ["title": "state.name"]]), for: "title:", of: "inner"))
    for name: JSON in ["é", "e\u{301}"] {
      try stage.apply(Self.merge(["name": name]))
      #expect(try stage.ask().utf8.count > 0)
    }
  }

  @Test func `focus decides which rules are asked, and answers of rules stay`() throws {
    let stage = try Self.stage([
      "inner": ["kind": "view", "superview": "outer", "class": "Doer"],
      "outer": ["kind": "view", "superview": "window", "class": "Doer"],
    ])
    let moved = try stage.changes { try $0.apply(.becomeFirstResponder("outer")) }
    #expect(
      Set(moved) == ["title:", "check:", "own:", "sent:", "can:", "late:", "plain:"])
    let lost = try stage.changes { try $0.apply(.resignFirstResponder) }
    #expect(lost.count == 7)
    // The target is the same, and so is all that it says.
    let around = try stage.changes {
      try $0.apply(.becomeFirstResponder("outer"))
      try $0.apply(.becomeFirstResponder("inner"))
    }
    #expect(around == [])
  }

  @Test func `focus that comes back finds what was known there, as the state is now`() throws {
    var stage = try Self.stage([
      "outer": ["kind": "view", "superview": "window", "class": "Doer"],
      "own": ["kind": "view", "superview": "outer", "handlers": Self.handlers()],
    ])
    let visit = { (stage: inout PlanStage, id: ResponderID) in
      try stage.apply(.becomeFirstResponder(id))
      try stage.ask()
    }
    try visit(&stage, "outer")
    let there = try stage.changes { try visit(&$0, "own") }
    #expect(there.count == 7)
    let back = try stage.changes {
      try visit(&$0, "own")
      try visit(&$0, "outer")
    }
    #expect(back == [])
    let changed = try stage.changes {
      try visit(&$0, "own")
      try $0.apply(Self.merge(["name": "b"]))
      try visit(&$0, "outer")
    }
    #expect(changed == ["title:"])
    for id: ResponderID in ["inner", "host", "window", "app", "outer", "own", "inner"] {
      try stage.apply(.becomeFirstResponder(id))
      try stage.apply(Self.merge(["name": .string(id.rawValue), "count": 0, "can": false]))
      try stage.ask()
      try stage.apply(.putHandler(try handler([:]), for: "can:", of: "outer"))
      try stage.ask()
    }
  }

  @Test func `a key window that begins no search puts nothing in doubt`() throws {
    let panel: JSON = ["kind": "window", "handlers": ["title:": [:]]]
    let stage = try Self.stage(["panel": panel])
    let main = try stage.changes { try $0.apply(.makeWindow("panel", .main)) }
    #expect(main == [])
    // Its focus is the session's (R11), and it has none, so that searches begin at the window.
    let key = try stage.changes { try $0.apply(.makeWindow("panel", .key)) }
    #expect(key.count == 8)
    for window: ResponderID in ["window", "panel"] {
      var request = ValidationRequest()
      request.window = window
      let changed = try stage.changes(request) { try $0.apply(.makeWindow("panel", .key)) }
      #expect(changed == [], "\(window)")
    }
    // Focus that is in no window stays.
    let free = try Self.stage(
      ["panel": panel, "free": ["kind": "responder", "handlers": Self.handlers()]], focus: "free")
    let around = try free.changes { try $0.apply(.makeWindow("panel", .key)) }
    #expect(around == [])
  }

  @Test func `windows are searched, and begin searches`() throws {
    for search in ["uikit", "appkit"] {
      var stage = try Self.stage(
        [
          "panel": ["kind": "window", "handlers": ["title:": [:]]],
          "second": ["kind": "window", "handlers": ["own:": [:]]],
        ], search: search)
      try stage.apply(.resignFirstResponder)
      try stage.ask()
      for role in WindowRole.allCases {
        for window: ResponderID? in ["panel", "second", nil, "window"] {
          try stage.apply(.makeWindow(window, role))
          try stage.ask()
        }
      }
    }
  }

  @Test(
    arguments: [
      ["op": "putHandler", "responder": "inner", "selector": "title:", "handler": [:]],
      ["op": "removeHandler", "responder": "inner", "selector": "title:"],
      [
        "op": "putResponder", "responder": "inner",
        "value": [
          "kind": "view", "superview": "outer", "properties": ["text": "new"],
          "handlers": handlers(),
        ],
      ],
      ["op": "removeResponder", "responder": "inner"],
      ["op": "registerLateResponder", "lateResponder": "p", "responder": "host"],
      [
        "op": "putResponder", "responder": "outer",
        "value": ["kind": "view", "superview": "window", "class": "Doer"],
      ],
      [
        "op": "registerHandler", "responder": "host", "selector": "title:",
        "handler": ["validate": ["title": "'coordinated'"]],
      ],
      ["op": "perform", "command": "plain:"],
    ] as [JSON])
  func `every change of responders is followed`(document: JSON) throws {
    for from: ResponderID? in [nil, "host", "outer"] {
      var stage = try Self.stage()
      var request = ValidationRequest()
      request.from = from
      let before = try stage.ask(request)
      let mutation = try FaultLog.collecting {
        Mutation(reading: document, at: .root, log: $0, in: stage.stage.catalog)
      }
      try stage.apply(mutation)
      #expect(try stage.ask(request) != before)
    }
  }

  @Test func `properties that an effect changes are followed`() throws {
    var stage = try Self.stage()
    let effect: JSON = ["perform": [["op": "properties", "value": "{'text': 'changed'}"]]]
    try stage.apply(.putHandler(try handler(effect), for: "plain:", of: "inner"))
    try stage.ask()
    try stage.apply(.perform(ActionRequest(.command("plain:"))))
    #expect(try stage.ask().contains("changed"))
  }

  @Test func `L8: a proxy's filter and a proxied one that is gone are followed`() throws {
    var stage = try Self.stage()
    try stage.apply(.registerLate("p", from: "host"))
    var request = ValidationRequest()
    request.from = "host"
    #expect(try stage.ask(request).contains("inner"))
    try stage.apply(.changeProxiedSelectors(["own:"], of: "p"))
    #expect(try stage.ask(request).contains("inner"))
    try stage.apply(.changeProxiedSelectors([], of: "p"))
    #expect(try !stage.ask(request).contains("inner"))
    try stage.apply(.changeProxiedSelectors(nil, of: "p"))
    #expect(try stage.ask(request).contains("inner"))
    try stage.apply(.removeResponder("inner"))
    #expect(try !stage.ask(request).contains("inner"))
  }

  @Test func `M11: modifiers, senders and starts each have a plan of their own`() throws {
    var stage = try Self.stage()
    var requests = [ValidationRequest()]
    for modifiers in [KeyModifiers([.shift]), KeyModifiers([.control])] {
      var request = ValidationRequest()
      request.modifiers = modifiers
      requests.append(request)
    }
    for members: JSONObject in [
      ["kind": "key"], ["kind": "é"], ["kind": "e\u{301}"], ["n": 1], ["n": 1.0],
    ] {
      var request = ValidationRequest()
      request.sender = SenderDescription(members: members)
      requests.append(request)
    }
    var from = ValidationRequest()
    from.from = "outer"
    requests.append(from)
    for round in 0..<3 {
      for request in requests { try stage.ask(request) }
      for request in requests.reversed() { try stage.ask(request) }
      try stage.apply(Self.merge(["name": .string("round \(round)")]))
    }
  }

  @Test func `a sender that is a responder is seen as it is now`() throws {
    var stage = try Self.stage()
    try stage.apply(
      .putHandler(
        try handler(["validate": ["title": "string(sender.responder.properties)"]]),
        for: "sent:", of: "inner"))
    var request = ValidationRequest()
    request.sender = SenderDescription(responder: "outer")
    try stage.ask(request)
    try stage.put("outer", ["kind": "view", "superview": "window", "properties": ["a": 1]])
    try stage.ask(request)
    try stage.apply(.becomeFirstResponder("host"))
    try stage.apply(.removeResponder("outer"))
    #expect(throws: MutationFault.unknownResponder("outer")) {
      try stage.plan.validate(request, at: stage.stage.moment)
    }
  }

  @Test func `commands that are declared, changed and removed are followed`() throws {
    var stage = try Self.stage()
    try stage.ask()
    _ = try stage.stage.catalog.declare(try command(["action": "new:", "title": "New"]))
    #expect(try stage.ask().contains("New"))
    try stage.stage.catalog.remove("new:")
    _ = try stage.stage.catalog.declare(try command(["action": "new:", "title": "Newer"]))
    #expect(try stage.ask().contains("Newer"))
    let other = try Self.stage(["inner": ["kind": "view", "superview": "outer"]])
    stage.stage.catalog = other.stage.catalog
    try stage.ask()
  }

  @Test func `M9: menus are made of the same items`() throws {
    var stage = try Self.stage()
    var request = ValidationRequest()
    request.menu = "m"
    for kind in MenuKind.allCases {
      request.kind = kind
      try stage.ask(request)
      try stage.apply(Self.merge(["on": .bool(kind == .main), "count": 3]))
      try stage.ask(request)
    }
    request.menu = "nowhere"
    try stage.ask(request)
  }

  @Test func `U2: what can be undone is followed, whatever else changes`() throws {
    var stage = try Self.stage()
    try stage.ask()
    try stage.apply(.perform(ActionRequest(.command("plain:"))))
    #expect(try stage.ask().contains("Undo"))
    try stage.apply(.setUndoActionName("Counting", of: nil))
    #expect(try stage.ask().contains("Counting"))
    try stage.apply(.undo(of: nil))
    #expect(try !stage.ask().contains("Counting"))
  }

  @Test func `a copy for another session says what that one says, undo managers included`() throws {
    var stage = try Self.stage()
    let first = stage.stage.session
    try stage.apply(.beginUndoGrouping())
    try stage.apply(.perform(ActionRequest(.command("plain:"))))
    try stage.apply(.endUndoGrouping())
    try stage.ask()
    stage.stage.session = first
    for count: JSON in [2, 3, 4] { try stage.apply(Self.merge(["count": count])) }
    stage.plan = stage.plan.forAnotherSession()
    try stage.ask()
  }

  @Test func `sessions that are opened from the template share its responders until they change`()
    throws
  {
    let template = try FaultLog.collecting {
      SessionTemplate(
        reading: [
          "responders": [
            "a": [
              "kind": "view",
              "coordinator": ["handlers": ["x:": [:], "y:": [:]]],
            ]
          ]
        ], at: .root, log: $0)
    }
    let catalog = try Catalog(template: template)
    let alone = try Session("s", opening: template, in: Catalog())
    var sessions = try (0..<2).map { _ in
      try Session("s", opening: try #require(catalog.template), in: catalog)
    }
    let basis = PlanBasis(
      PlanMoment(sessions[0], in: catalog), PlanVariant(ValidationRequest()), from: nil)
    #expect(basis.hasResponders(of: sessions[1]))
    let mutation = Mutation.register(try handler([:]), for: "z:", with: "a")
    for index in sessions.indices {
      #expect(sessions[index].document == alone.document)
      var copy = alone
      let outcome = try copy.apply(mutation, in: catalog)
      #expect(try sessions[index].apply(mutation, in: catalog) == outcome)
      #expect(sessions[index].document == copy.document)
    }
  }

  @Test func `closures are asked again whenever the state changes`() throws {
    var stage = try Self.stage()
    let handler = Handler(
      validate: { call, appearance throws(HandlerFailure) in
        appearance.title = call.state.text()
      })
    try stage.apply(.putHandler(handler, for: "title:", of: "inner"))
    let can = Handler(canPerform: { call throws(HandlerFailure) in
      call.state[JSONPointer(["other"])] == 1
    })
    try stage.apply(.putHandler(can, for: "can:", of: "inner"))
    try stage.ask()
    try stage.apply(Self.merge(["other": 1]))
    #expect(try stage.ask().contains(#"other\":1"#))
    try stage.apply(Self.merge(["other": 2]))
    try stage.ask()
  }

  @Test func `a question is as costly as if nothing were known`() throws {
    let ten = "[0,1,2,3,4,5,6,7,8,9]"
    let loops = ["a", "b", "c", "d"].map { "\(ten).all(\($0), " }.joined()
    let costly = JSON.string("state.on || " + loops + "true" + String(repeating: ")", count: 4))
    var handlers = JSONObject()
    for index in 0..<1000 { handlers["a\(index):"] = ["validate": ["enabled": costly]] }
    var stage = PlanStage(
      try Stage(
        commands: .array((0..<1000).map { ["action": .string("a\($0):"), "title": "A"] }),
        responders: ["v": ["kind": "view", "handlers": .object(handlers)]], focus: "v",
        state: ["on": true]))
    #expect(try stage.ask() != "")
    try stage.apply(Self.merge(["on": false]))
    #expect(try stage.ask() == "")
    #expect(throws: MutationFault.tooMuchEffort) {
      try stage.plan.validate(ValidationRequest(), at: stage.stage.moment)
    }
    try stage.apply(Self.merge(["on": true]))
    #expect(try stage.ask() != "")
  }

  @Test func `repeated and unknown commands stand where they were asked for`() throws {
    var stage = try Self.stage()
    var request = ValidationRequest()
    request.commands = ["check:", "nothing:", "title:", "check:", "plain:", "undo:"]
    for value in 0..<3 {
      try stage.ask(request)
      try stage.apply(Self.merge(["name": .int(Int64(value)), "on": .bool(value == 1)]))
    }
    request.commands = []
    try stage.ask(request)
  }

  @Test func `replaced texts are forgotten in all plans`() throws {
    var stage = try Self.stage()
    for value in 0..<1000 {
      try stage.apply(Self.merge(["name": .string("\(value)")]))
      if value.isMultiple(of: 2) {
        _ = try stage.plan.validate(ValidationRequest(), at: stage.stage.moment)
      } else {
        _ = try stage.texts(ValidationRequest())
      }
    }
    #expect(stage.plan.size < 40_000)
  }

  @Test func `an item whose handler was replaced by an equal one has not changed`() throws {
    var stage = try Self.stage()
    let request = ValidationRequest()
    let texts = try stage.texts(request)
    for value in 0..<200 {
      let title: JSON = ["validate": ["title": .string("state.name\(value % 2 == 0 ? " " : "")")]]
      try stage.apply(.putHandler(try handler(title), for: "title:", of: "inner"))
      #expect(try stage.texts(request) == texts)
    }
  }

  @Test func `what was replaced is forgotten`() throws {
    var stage = try Self.stage()
    var request = ValidationRequest()
    request.commands = ["title:"]
    for value in 0..<2000 {
      try stage.apply(Self.merge(["name": .string(String(repeating: "x", count: value % 100))]))
      try stage.ask(request)
      if value % 3 == 0 {
        let title: JSON = ["validate": ["title": .string("state.name + '\(value)'")]]
        try stage.apply(.putHandler(try handler(title), for: "title:", of: "inner"))
      }
    }
    try stage.ask(request)
    #expect(stage.plan.size < 40_000)
  }
}
