import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Messages that go on upward, and those that handlers send (C2).
@Suite struct ContinuingMessageTests {
  private func noting(_ mark: String) -> JSON {
    ["op": "add", "path": "/log/-", "value": .string("['\(mark)', arguments]")]
  }

  private func answer(_ rule: String) -> JSON { ["op": "answer", "value": .string(rule)] }

  /// The coordinators `a` to `c`, `c` on top, with handlers of `pick:`.
  private func stage(_ a: JSON?, _ b: JSON? = nil, _ c: JSON? = nil) throws -> Stage {
    var responders = JSONObject()
    for (id, parent, handler) in [("a", "b", a), ("b", "c", b), ("c", nil, c)]
      as [(String, String?, JSON?)]
    {
      var object: JSONObject = ["kind": "responder", "coordinating": [:]]
      object["parentCoordinator"] = parent.map(JSON.string)
      if let handler { object["handlers"] = ["pick:": handler] }
      responders[id] = .object(object)
    }
    return try Stage(responders: .object(responders))
  }

  private func pick(_ stage: inout Stage) throws -> MessageOutcome {
    let request = MessageRequest(message: "pick:", from: "a", arguments: [1])
    return try #require(try stage.apply(.message(request)).message)
  }

  @Test func `C2: continues lets a message go on upward, until somebody consumes it`() throws {
    var stage = try stage(
      ["perform": [noting("a")], "continues": true], ["perform": [noting("b")], "continues": true],
      ["perform": [noting("c")]])
    let delivery = try pick(&stage)
    #expect(delivery.receiver == "a" && delivery.reason == .delivered)
    #expect(stage.log == [["a", [1]], ["b", [1]], ["c", [1]]])
    #expect(
      delivery.trace.says.suffix(5) == [
        "F4: 'b' runs its method 'pick:'.", "C2: 'b' lets 'pick:' go on upward.",
        "C1: after 'b' the message goes to 'c', its 'parentCoordinator'.",
        "C2: 'c' implements 'pick:' and consumes it.", "F4: 'c' runs its method 'pick:'.",
      ])
  }

  @Test func `C2: without continues a message is consumed`() throws {
    var stage = try stage(["perform": [noting("a")]], ["perform": [noting("b")]])
    _ = try pick(&stage)
    #expect(stage.log == [["a", [1]]])
  }

  @Test func `C2: going on to nobody is no error`() throws {
    var stage = try stage(["perform": [noting("a")], "continues": true])
    let delivery = try pick(&stage)
    #expect(delivery.reason == .delivered && delivery.answer == .null)
    #expect(
      delivery.trace.says.last == "C2: nobody from 'b' on handles 'pick:', which is no error.")
  }

  @Test func `C2: the nearest answer counts`() throws {
    let silent: JSON = ["perform": [], "continues": true]
    var above = try stage(silent, ["perform": [answer("'b'")], "continues": true])
    #expect(try pick(&above).answer == "b")
    var own = try stage(
      ["perform": [answer("'a'")], "continues": true], ["perform": [answer("'b'")]])
    #expect(try pick(&own).answer == "a")
    var far = try stage(silent, silent, ["perform": [answer("'c'")]])
    #expect(try pick(&far).answer == "c")
    var null = try stage(
      ["perform": [answer("null")], "continues": true], ["perform": [answer("'b'")]])
    #expect(try pick(&null).answer == .null)
  }

  @Test(arguments: [(true, [["b", [1]], ["a", [1]]]), (false, [["a", [1]]])] as [(Bool, JSON)])
  func `C2: a rule decides whether a message goes on`(goesOn: Bool, log: JSON) throws {
    var stage = try stage(
      ["perform": [["op": "continue", "when": .bool(goesOn)], noting("a")]],
      ["perform": [noting("b")]])
    _ = try pick(&stage)
    #expect(stage.log == log, "what is above runs where the effect stands")
  }

  @Test func `C2: it goes on as often as it is said, with the arguments given there`() throws {
    var stage = try stage(
      [
        "perform": [
          ["op": "continue"], ["op": "continue", "arguments": "[arguments[0] + 1]"],
        ], "continues": true,
      ], ["perform": [noting("b")], "continues": true], ["perform": [noting("c")]])
    _ = try pick(&stage)
    #expect(stage.log == [["b", [1]], ["c", [1]], ["b", [2]], ["c", [2]]])
  }

  @Test func `C2: continue runs what is above where it stands, and its answer can be read at once`()
    throws
  {
    var stage = try stage(
      [
        "perform": [
          noting("before"), ["op": "continue"], noting("after"),
          answer("invocation.result + '!'"),
        ]
      ], ["perform": [noting("b"), answer("'b'")], "continues": true], ["perform": [noting("c")]])
    #expect(try pick(&stage).answer == "b!")
    #expect(stage.log == [["before", [1]], ["b", [1]], ["c", [1]], ["after", [1]]])
  }

  @Test func `C2: with continue in the middle, continues says nothing more`() throws {
    var stage = try stage(
      ["perform": [["op": "continue"], noting("a")], "continues": true],
      ["perform": [noting("b")]])
    _ = try pick(&stage)
    #expect(stage.log == [["b", [1]], ["a", [1]]])
  }

  @Test func `C2: when the condition of continue is false, continues still lets it go on`() throws {
    var stage = try stage(
      ["perform": [["op": "continue", "when": false], noting("a")], "continues": true],
      ["perform": [noting("b")]])
    _ = try pick(&stage)
    #expect(stage.log == [["a", [1]], ["b", [1]]])
  }

  @Test func `C2: continue stands in itself as deep as sends may, and last it may be on any chain`()
    throws
  {
    func stage(_ effects: JSON) throws -> Stage {
      var responders: JSONObject = ["v0": ["kind": "view"]]
      for index in 1...40 {
        responders["v\(index)"] = ["kind": "view", "superview": .string("v\(index - 1)")]
      }
      return try Stage(
        classes: ["UIResponder": ["category": true, "handlers": ["tick": ["perform": effects]]]],
        responders: .object(responders), state: ["count": 0])
    }
    let count: JSON = ["op": "replace", "path": "/count", "value": "state.count + 1"]
    let tick = Mutation.message(MessageRequest(message: "tick", from: "v40"))
    var last = try stage([count, ["op": "continue"]])
    try last.apply(tick)
    #expect(last.session.state == ["count": 41])
    let deepest = Receiver.responder(ResponderID("v\(40 - Limits.sends)"))
    #expect(
      try stage([["op": "continue"], count]).refusal(of: tick)
        == .effect(.sendsTooDeep(deepest, "tick", limit: Limits.sends)))
  }

  @Test func `F9: a rule reads what was answered before it, and fails when nothing was`() throws {
    var stage = try stage([
      "perform": [
        answer("{'id': 7}"),
        ["op": "add", "path": "/log/-", "value": "invocation.result.id"],
        answer("invocation.result.id + 1"),
      ]
    ])
    #expect(try pick(&stage).answer == 8)
    #expect(stage.log == [7])
    let early = try self.stage(["perform": [answer("invocation.result")]])
    guard
      case .effect(.rule(.responder("a"), "pick:", let fault))? = early.refusal(
        of: .message(MessageRequest(message: "pick:", from: "a")))
    else {
      Issue.record("not refused by the rule")
      return
    }
    #expect(fault.place == "perform/0/value")
    let asking = try self.stage([
      "perform": [answer("has(invocation.result) ? 'some' : 'none'")]
    ])
    var copy = asking
    #expect(try pick(&copy).answer == "none")
  }

  @Test func `C2: arguments it goes on with must be as many as the message has colons`() throws {
    let stage = try stage(
      ["perform": [noting("a"), ["op": "continue", "arguments": "[]"]]], ["perform": []])
    #expect(
      stage.refusal(of: .message(MessageRequest(message: "pick:", from: "a")))
        == .effect(
          .mutation(
            .responder("a"), "pick:", index: 1, .message(.argumentCount("pick:", given: 0)))))
  }

  @Test func `C2: a method that every responder has lets messages go on however long the chain is`()
    throws
  {
    var responders: JSONObject = ["v0": ["kind": "view"]]
    for index in 1...200 {
      responders["v\(index)"] = ["kind": "view", "superview": .string("v\(index - 1)")]
    }
    let counting: JSON = [
      "perform": [["op": "replace", "path": "/count", "value": "state.count + 1"]],
      "continues": true,
    ]
    var stage = try Stage(
      classes: ["UIResponder": ["category": true, "handlers": ["tick": counting]]],
      responders: .object(responders), state: ["count": 0])
    try stage.apply(.message(MessageRequest(message: "tick", from: "v200")))
    #expect(stage.session.state == ["count": 201])
  }

  @Test func `C2: super runs the method of the class, and that one may let the message go on`()
    throws
  {
    var stage = try Stage(
      classes: [
        "Flow": [
          "superclass": "UIResponder",
          "handlers": ["pick:": ["perform": [noting("class")], "continues": true]],
        ]
      ],
      responders: [
        "a": [
          "kind": "responder", "class": "Flow", "coordinating": [:], "parentCoordinator": "b",
          "handlers": ["pick:": ["perform": [["op": "super"], noting("own")]]],
        ],
        "b": [
          "kind": "responder", "coordinating": [:],
          "handlers": ["pick:": ["perform": [noting("b"), answer("'b'")]]],
        ],
      ])
    #expect(try pick(&stage).answer == "b")
    #expect(stage.log == [["class", [1]], ["b", [1]], ["own", [1]]])
  }

  @Test func `C2: an action that was sent directly goes on up the coordinating chain too`() throws {
    var stage = try stage(
      ["perform": [noting("a")], "continues": true], ["perform": [noting("b")]])
    try stage.apply(
      .perform(ActionRequest(.action("pick:"), to: .responder("a"), arguments: [7])))
    #expect(stage.log == [["a", [7]], ["b", [7]]])
  }

  @Test func `C2: the chain is looked at when the message goes on`() throws {
    var stage = try Stage(responders: [
      "nav": [
        "kind": "viewController", "class": "UINavigationController",
        "viewControllers": ["list", "detail"], "handlers": ["done": ["perform": [noting("nav")]]],
      ],
      "list": ["kind": "viewController"],
      "detail": [
        "kind": "viewController",
        "handlers": ["done": ["perform": [["op": "pop"], noting("detail")], "continues": true]],
      ],
    ])
    try stage.apply(.message(MessageRequest(message: "done", from: "detail")))
    #expect(stage.log == [["detail", []]], "who was popped is in no container any more")
  }

  @Test func `C2: a handler sends messages, and takes their answers`() throws {
    var stage = try stage(
      [
        "perform": [
          [
            "op": "message", "message": "'ask:of:'", "arguments": "[arguments[0], 'x']",
            "answers": true,
          ],
          ["op": "message", "message": "'tell:'", "from": "'b'", "to": "chain"],
        ]
      ])
    let asked: JSON = ["perform": [noting("asked"), answer("arguments[0] + 1")]]
    try stage.apply(.putHandler(handler(asked), for: "ask:of:", of: "c"))
    try stage.apply(.putHandler(handler(["perform": [noting("told")]]), for: "tell:", of: "c"))
    #expect(try pick(&stage).answer == 2)
    #expect(stage.log == [["asked", [1, "x"]], ["told", ["b"]]])
  }

  @Test func `C2: a handler that asks and is not heard answers null`() throws {
    var stage = try stage([
      "perform": [answer("1"), ["op": "message", "message": "'no'", "answers": true]]
    ])
    #expect(try pick(&stage).answer == .null)
  }

  @Test func `C2: a handler that sends itself its own message is stopped`() throws {
    let stage = try stage(["perform": [["op": "message", "message": "'pick:'"]]])
    let request = MessageRequest(message: "pick:", from: "a")
    #expect(
      stage.refusal(of: .message(request))
        == .effect(.sendsTooDeep(.responder("a"), "pick:", limit: Limits.sends)))
  }

  @Test func `C2: who a handler names as sender must be there`() throws {
    let stage = try stage([
      "perform": [["op": "message", "message": "'pick:'", "from": "'ghost'"]]
    ])
    #expect(
      stage.refusal(of: .message(MessageRequest(message: "pick:", from: "a")))
        == .effect(.mutation(.responder("a"), "pick:", index: 0, .unknownResponder("ghost"))))
  }

  @Test func `C2: closures send messages, and let them go on`() throws {
    var stage = try stage(nil, ["perform": [noting("b")]])
    let closure = Handler(perform: { call in
      [
        .message("tell:", from: "c", arguments: call.arguments),
        .passOn(arguments: [2]),
      ]
    })
    try stage.apply(.putHandler(closure, for: "pick:", of: "a"))
    try stage.apply(.putHandler(handler(["perform": [noting("c")]]), for: "tell:", of: "c"))
    _ = try pick(&stage)
    #expect(stage.log == [["c", [1]], ["b", [2]]])
  }

  @Test func `C2: what lets messages go on reads and writes the same document`() throws {
    let json: JSON = [
      "perform": [
        ["op": "continue", "arguments": "[1]"], ["op": "continue", "when": "true"],
        ["op": "processMessages"],
        ["op": "message", "message": "'a'", "to": "chain", "queue": true],
      ], "continues": true,
    ]
    #expect(try handler(json).json == json)
  }
}
