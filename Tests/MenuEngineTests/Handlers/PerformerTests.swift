import CEL
import Testing

@testable import JSONText
@testable import MenuEngine

private let perform = Mutation.perform(ActionRequest(.action("go:"), arguments: ["argument"]))

/// A view whose handler for `go:` has these effects.
private func stage(
  _ effects: JSON..., others: JSONObject = [:], state: JSON = ["n": 1, "log": []],
  properties: JSON = [:]
) throws -> Stage {
  var responders: JSONObject = [
    "v": [
      "kind": "view", "properties": properties,
      "handlers": ["go:": ["perform": .array(effects)]],
    ]
  ]
  for member in others.members { responders[member.name] = member.value }
  return try Stage(responders: .object(responders), focus: "v", state: state)
}

@Suite struct PerformerTests {
  @Test(
    arguments: [
      (
        ["op": "add", "path": "/new", "value": "state.n + 1"], ["n": 1, "log": [], "new": 2],
        .add(path: JSONPointer(["new"]), value: 2)
      ),
      (["op": "remove", "path": "/log"], ["n": 1], .remove(path: JSONPointer(["log"]))),
      (
        ["op": "replace", "path": "/n", "value": "arguments"], ["n": ["argument"], "log": []],
        .replace(path: JSONPointer(["n"]), value: ["argument"])
      ),
      (
        ["op": "move", "from": "/n", "path": "/log/0"], ["log": [1]],
        .move(from: JSONPointer(["n"]), path: JSONPointer(["log", "0"]))
      ),
      (
        ["op": "copy", "from": "/n", "path": "/log/-"], ["n": 1, "log": [1]],
        .copy(from: JSONPointer(["n"]), path: JSONPointer(["log", "-"]))
      ),
      (
        ["op": "test", "path": "/n", "value": "1.0"], ["n": 1, "log": []],
        .test(path: JSONPointer(["n"]), value: 1.0)
      ),
    ] as [(JSON, JSON, JSONPatch.Operation)])
  func `a state effect is a patch operation with a rule's value`(
    effect: JSON, state: JSON, operation: JSONPatch.Operation
  ) throws {
    var stage = try stage(effect)
    let outcome = try stage.apply(perform)
    #expect(stage.session.state == state)
    #expect(outcome.changes == [.state(operation)])
  }

  @Test func `effects happen in order, each seeing what the ones before it did`() throws {
    var stage = try stage(
      ["op": "replace", "path": "/n", "value": "state.n + 1"],
      ["op": "properties", "value": "{'n': state.n}"],
      ["op": "add", "path": "/log/-", "value": "responder.properties.n * 10"])
    try stage.apply(perform)
    #expect(stage.session.state == ["n": 2, "log": [20]])
  }

  @Test func `R8: an effect moves focus, or fails when somebody refuses`() throws {
    let other: JSONObject = [
      "w": ["kind": "view", "canBecomeFirstResponder": "state.n == 1"]
    ]
    var stage = try stage(
      ["op": "firstResponder", "responder": "'w'"], others: other)
    #expect(try stage.apply(perform).changes == [.firstResponder("w")])
    #expect(stage.session.firstResponder == "w")
    let refusing = try MenuEngineTests.stage(
      ["op": "replace", "path": "/n", "value": "2"],
      ["op": "firstResponder", "responder": "'w'"], others: other)
    #expect(
      refusing.refusal(of: perform)
        == .effect(
          .mutation(
            .responder("v"), "go:", index: 1,
            .focus(
              .firstResponderRefused(
                candidate: "w", by: "w", .canBecomeFirstResponder,
                because: ["state.n == 1 is false: state.n is 2"])))))
    let nowhere = try MenuEngineTests.stage(["op": "firstResponder", "responder": "'ghost'"])
    #expect(
      nowhere.refusal(of: perform)
        == .effect(.mutation(.responder("v"), "go:", index: 0, .unknownResponder("ghost"))))
  }

  @Test func `properties merge into the receiver's, or another responder's`() throws {
    var stage = try stage(
      ["op": "properties", "value": "{'a': null, 'b': {'c': 1}}"],
      ["op": "properties", "responder": "'w'", "value": "{'seen': responder.id}"],
      others: ["w": ["kind": "view"]], properties: ["a": 1, "b": ["d": 2]])
    let outcome = try stage.apply(perform)
    #expect(stage.session.graph["v"]?.properties == ["b": ["d": 2, "c": 1]])
    #expect(stage.session.graph["w"]?.properties == ["seen": "v"])
    #expect(
      outcome.changes == [
        .properties("v", ["a": nil, "b": ["c": 1]]), .properties("w", ["seen": "v"]),
      ])
    let nowhere = try MenuEngineTests.stage(
      ["op": "properties", "responder": "'ghost'", "value": "{}"])
    #expect(
      nowhere.refusal(of: perform)
        == .effect(.mutation(.responder("v"), "go:", index: 0, .unknownResponder("ghost"))))
  }

  @Test func `a send goes along the chain, its sender the responder with the action it sends`()
    throws
  {
    let record: JSON = [
      "perform": [["op": "add", "path": "/log/-", "value": "[responder.id, sender, arguments]"]]
    ]
    let others: JSONObject = [
      "w": ["kind": "view", "handlers": ["note:": record]],
      "app": ["kind": "application", "handlers": ["note:": record]],
    ]
    var stage = try stage(
      ["op": "firstResponder", "responder": "'w'"], ["op": "send", "action": "'note:'"],
      ["op": "send", "action": "'note:'", "to": "'app'", "arguments": "[state.n]"],
      ["op": "send", "action": "'nobody:'"], others: others)
    try stage.apply(perform)
    let sender: JSON = [
      "action": "note:", "kind": "responder",
      "responder": ["id": "v", "kind": "view", "class": "UIView", "properties": [:]],
    ]
    #expect(
      stage.log == [["w", sender, [sender]], ["app", sender, [1]]])
  }

  @Test func `F5: a send reaches a coordinator's handler of the action it sends`() throws {
    var stage = try stage(
      ["op": "send", "action": "'note:'"],
      ["op": "send", "action": "'note:'", "to": "'h/forwarder'"],
      others: [
        "app": ["kind": "application"],
        "h": ["kind": "view", "coordinator": ["handlers": ["note:": logging("noted")]]],
      ])
    try stage.apply(perform)
    #expect(stage.log == ["noted"])
  }

  @Test func `a send that cannot be delivered fails the effect`() throws {
    func fault(_ effect: JSON) throws -> MutationFault? {
      try stage(effect, others: ["w": ["kind": "view", "handlers": ["a:": [:]]]])
        .refusal(of: perform)
    }
    #expect(
      try fault(["op": "send", "action": "'a:'", "to": "'ghost'"])
        == .effect(.mutation(.responder("v"), "go:", index: 0, .unknownResponder("ghost"))))
    #expect(
      try fault(["op": "send", "action": "'b:'", "to": "'w'"])
        == .effect(
          .mutation(
            .responder("v"), "go:", index: 0,
            .message(.doesNotRecognizeSelector(.responder("w"), "b:")))))
    #expect(
      try fault(["op": "send", "action": "'a:'", "to": "'w'", "arguments": "[1, 2]"])
        == .effect(
          .mutation(.responder("v"), "go:", index: 0, .message(.argumentCount("a:", given: 2)))))
    #expect(
      try fault(["op": "send", "action": "'a:'", "to": "'w/forwarder'"])
        == .effect(.mutation(.responder("v"), "go:", index: 0, .handler(.noCoordinator("w")))))
  }

  @Test func `a failing effect leaves nothing of the ones before it`() throws {
    let stage = try stage(
      ["op": "add", "path": "/log/-", "value": "1"], ["op": "properties", "value": "{'a': 1}"],
      ["op": "send", "action": "'note:'", "to": "'w'"],
      ["op": "firstResponder", "responder": "'w'"],
      ["op": "test", "path": "/n", "value": "2"],
      others: ["w": ["kind": "view", "handlers": ["note:": logging("noted")]]])
    #expect(
      stage.refusal(of: perform)
        == .effect(
          .patch(
            .responder("v"), "go:", index: 4,
            JSONPatchFault(operation: nil, reason: .testFailed(JSONPointer(["n"]))))))
  }

  @Test func `the state stays an object`() throws {
    let stage = try stage(["op": "replace", "path": "", "value": "[state]"])
    #expect(
      stage.refusal(of: perform)
        == .effect(.mutation(.responder("v"), "go:", index: 0, .stateIsNoObject)))
  }

  @Test(
    arguments: [
      (["op": "send", "action": "dyn(1)"], "action", "dyn(1)", .int, .selector),
      (["op": "send", "action": "'a b'"], "action", "'a b'", .string, .selector),
      (["op": "send", "action": "'a:'", "to": "'/'"], "to", "'/'", .string, .receiver),
      (
        ["op": "send", "action": "'a:'", "arguments": "dyn({})"], "arguments", "dyn({})", .map,
        .array
      ),
      (
        ["op": "firstResponder", "responder": "dyn(null)"], "responder", "dyn(null)", .null,
        .identifier
      ),
      (["op": "properties", "value": "dyn([1])"], "value", "dyn([1])", .list, .object),
      (
        ["op": "properties", "responder": "''", "value": "{}"], "responder", "''", .string,
        .identifier
      ),
    ] as [(JSON, String, String, ValueType, RuleFault.Expectation)])
  func `a rule of the wrong type fails its effect`(
    effect: JSON, member: String, source: String, type: ValueType,
    expected: RuleFault.Expectation
  ) throws {
    let stage = try stage(effect)
    // A string is of the right type, and says something else.
    let reason: RuleFault.Reason =
      type == .string
      ? .misnamed(source.filter { $0 != "'" }, expected: expected)
      : .answered(type, expected: expected)
    #expect(
      stage.refusal(of: perform)
        == .effect(
          .rule(
            .responder("v"), "go:",
            RuleFault(place: "perform/0/\(member)", source: source, reason: reason))))
  }

  @Test(arguments: [
    ("1.0 / 0.0", Value.Unrepresentable.notFinite), ("dyn(type(1))", .type(.type)),
    ("18446744073709551615u", .largeInteger(.max)), ("{1: 2}", .key(.int)),
  ])
  func `a rule whose value JSON cannot carry fails its effect`(
    source: String, reason: Value.Unrepresentable
  ) throws {
    let stage = try stage(["op": "add", "path": "/n", "value": .string(source)])
    #expect(
      stage.refusal(of: perform)
        == .effect(
          .rule(
            .responder("v"), "go:",
            RuleFault(place: "perform/0/value", source: source, reason: .unrepresentable(reason)))))
  }

  @Test func `a rule that fails fails its effect`() throws {
    let stage = try stage(
      ["op": "remove", "path": "/log"], ["op": "add", "path": "/n", "value": "state.log"])
    guard case .effect(.rule(.responder("v"), "go:", let fault))? = stage.refusal(of: perform)
    else {
      Issue.record("no rule fault")
      return
    }
    #expect(fault.place == "perform/1/value")
    #expect(fault.source == "state.log")
  }

  @Test func `sends inside sends are bounded in depth`() throws {
    let stage = try stage(
      ["op": "add", "path": "/log/-", "value": "1"], ["op": "send", "action": "'go:'"])
    #expect(
      stage.refusal(of: perform)
        == .effect(.sendsTooDeep(.responder("v"), "go:", limit: Limits.sends)))
    // Just as deep as allowed: each one hands on, the last one does not.
    let handlers = (0..<Limits.sends).map { level -> (String, JSON) in
      let next = JSON.string("'l\(level + 1):'")
      return (
        "l\(level):",
        level == Limits.sends - 1
          ? logging("deepest") : ["perform": [["op": "send", "action": next]]]
      )
    }
    var object = JSONObject()
    for (selector, handler) in handlers { object[selector] = handler }
    var deep = try Stage(
      responders: ["v": ["kind": "view", "handlers": .object(object)]], focus: "v")
    try deep.apply(.perform(ActionRequest(.action("l0:"))))
    #expect(deep.log == ["deepest"])
  }

  @Test func `sends are bounded in number`() throws {
    // Each level sends twice; without a bound on the number that is 2 to the 15th.
    var object = JSONObject()
    for level in 0..<15 {
      let send: JSON = ["op": "send", "action": .string("'l\(level + 1):'")]
      object["l\(level):"] = ["perform": [send, send]]
    }
    let stage = try Stage(
      responders: ["v": ["kind": "view", "handlers": .object(object)]], focus: "v")
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("l0:"))))
        == .effect(.tooManyEffects(limit: Limits.effects)))
  }

  @Test func `F8: a coordinator's handler that hands back to it is bounded`() throws {
    let stage = try Stage(
      responders: [
        "h": [
          "kind": "view",
          "coordinator": ["handlers": ["go:": ["perform": [["op": "handleAction"]]]]],
        ]
      ], focus: "h")
    #expect(
      stage.refusal(
        of: .perform(
          ActionRequest(.action("go:"), sender: SenderDescription(members: ["action": "go:"]))))
        == .effect(.sendsTooDeep(.forwarder(host: "h"), "go:", limit: Limits.sends)))
  }

  @Test func `properties cannot outgrow the limits, however often an effect is performed`() throws {
    var stage = try stage(
      ["op": "properties", "value": "{'p': responder.properties}"])
    var fault: MutationFault?
    for _ in 0..<Limits.depth + 8 where fault == nil {
      do { try stage.apply(perform) } catch let error as MutationFault { fault = error }
    }
    #expect(
      fault == .effect(.mutation(.responder("v"), "go:", index: 0, .tooLarge(limit: Limits.work))))
    var growing = try MenuEngineTests.stage(
      ["op": "properties", "value": "{'a': responder.properties, 'b': responder.properties}"],
      properties: ["seed": "0123456789"])
    fault = nil
    for _ in 0..<40 where fault == nil {
      do { try growing.apply(perform) } catch let error as MutationFault { fault = error }
    }
    #expect(
      fault == .effect(.mutation(.responder("v"), "go:", index: 0, .tooLarge(limit: Limits.work))))
  }
}
