import CEL
import JSONText
import Testing

@testable import MenuEngine

/// Every mutation is an effect: a handler that does it leaves the session as the mutation does.
@Suite struct EffectMutationTests {
  /// The effect that does what a mutation tells, its values as rules.
  private func effect(_ mutation: Mutation) throws -> JSON {
    let members = try #require(mutation.json.object)
    let operation = try #require(
      OperationDescription.effects.first { $0.op == mutation.op }, "\(mutation.op)")
    var effect: JSONObject = ["op": .string(mutation.op)]
    for member in operation.members {
      guard let value = members[member.name] else { continue }
      effect[member.name] = member.schema == "Rule" ? .string(value.text()) : value
    }
    return .object(effect)
  }

  /// The document that a mutation and an effect leave alike: without what can be undone, and the helper
  /// whose handler has the effect.
  private func document(_ session: Session) throws -> String {
    var document = try #require(session.document.object)
    var responders = try #require(document["responders"]?.object)
    responders["helper"] = nil
    document["responders"] = .object(responders)
    document["revision"] = nil
    document["undo"] = nil
    return JSON.object(document).text()
  }

  @Test func `every mutation that is accepted has the same effect in a handler`() throws {
    var stage = try SessionTests.stage()
    var words: Set<String> = []
    for mutation in try SessionTests.mutations() {
      var other = stage
      try other.put("helper", ["kind": "responder"])
      let handler = try handler(["perform": [try effect(mutation)]])
      try other.apply(.putHandler(handler, for: "do:", of: "helper"))
      try stage.apply(mutation)
      do {
        let when: Int64? =
          if case .int(let when)? = mutation.json.object?["when"] { when } else { nil }
        try other.apply(
          .perform(ActionRequest(.action("do:"), to: .responder("helper"), when: when)))
      } catch {
        Issue.record("\(mutation.json.text()): \(error)")
      }
      words.insert(mutation.op)
      #expect(
        try document(other.session) == document(stage.session), "\(mutation.json.text())")
    }
    #expect(words == Set(Mutation.ops))
  }

  @Test(arguments: ["perform", "send"])
  func `a handler that performs its own action ends with the bound of sends`(op: String) throws {
    var stage = try SessionTests.stage()
    try stage.put("helper", ["kind": "responder"])
    let effect: JSON = ["op": .string(op), "action": "'do:'", "to": "'helper'"]
    try stage.apply(.putHandler(handler(["perform": [effect]]), for: "do:", of: "helper"))
    let request = ActionRequest(.action("do:"), to: .responder("helper"))
    let fault = #expect(throws: MutationFault.self) { try stage.apply(.perform(request)) }
    guard case .effect(.sendsTooDeep)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test(arguments: ["dealloc", "viewWillDisappear:"])
  func `V9: a view controller that removes itself while it is told of its end goes once`(
    method: Selector
  ) throws {
    var stage = try SessionTests.stage()
    try stage.put("leaving", ["kind": "viewController"])
    let effect: JSON = ["op": "removeResponder", "responder": "'leaving'"]
    try stage.apply(.putHandler(handler(["perform": [effect]]), for: method, of: "leaving"))
    try stage.apply(.removeResponder("leaving"))
    #expect(stage.session.responder("leaving") == nil)
  }

  @Test func `a patch in a handler has one bound of work for all its operations`() throws {
    var stage = try SessionTests.stage()
    let big: JSON = .array((0..<20_000).map { .int($0) })
    let copy: JSON = ["op": "copy", "from": "/big", "path": "/x"]
    let copies = JSON.array(Array(repeating: copy, count: 100))
    try stage.apply(.mergeState(["big": big, "copies": copies]))
    try stage.put("helper", ["kind": "responder"])
    let effect: JSON = ["op": "patchState", "patch": "state.copies"]
    try stage.apply(.putHandler(handler(["perform": [effect]]), for: "do:", of: "helper"))
    let request = ActionRequest(.action("do:"), to: .responder("helper"))
    let fault = #expect(throws: MutationFault.self) { try stage.apply(.perform(request)) }
    guard case .effect(.mutation(_, "do:", index: 0, .patch(let patch)))? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    // A dozen copies of twenty thousand elements are as much as one patch may take.
    #expect("\(patch)".hasPrefix("Operation 13 "))
  }

  @Test func `what a handler patches and merges can be undone`() throws {
    let effects: JSON = [
      ["op": "patchState", "patch": "[{'op': 'add', 'path': '/a', 'value': arguments[0]}]"],
      ["op": "mergeState", "patch": "{'b': {'c': 1, 'd': null}, 'e': null}"],
    ]
    var stage = try Stage(
      undoing: ["do:": ["perform": effects]], state: ["b": ["d": 2], "e": 3])
    try stage.send("do:", arguments: [1])
    #expect(stage.text == #"{"b":{"c":1},"a":1}"#)
    try stage.apply(.undo())
    #expect(stage.text == #"{"b":{"d":2},"e":3}"#)
    try stage.apply(.redo())
    #expect(stage.text == #"{"b":{"c":1},"a":1}"#)
  }

  @Test func `values are computed when the effect happens, and the receiver is the default`() throws
  {
    var stage = try Stage(
      undoing: [
        "take:": ["perform": [["op": "becomeFirstResponder", "when": "state.a"]]],
        "learn:": [
          "perform": [
            [
              "op": "putHandler", "selector": "'say' + string(arguments[0]) + ':'",
              "handler": logging("said"),
            ], ["op": "perform", "action": "'say1:'", "to": "responder.id"],
          ]
        ],
      ], state: ["log": [], "a": true], others: ["other": ["kind": "view", "superview": "window"]])
    try stage.apply(.becomeFirstResponder("other"))
    try stage.apply(.perform(ActionRequest(.action("take:"), to: .responder("view"))))
    #expect(stage.session.firstResponder == "view")
    try stage.send("learn:", arguments: [1])
    #expect(stage.log == ["said"])
    #expect(stage.session.graph["view"]?.handlers["say1:"] != nil)
  }

  @Test func `a value that is no document of what was expected is the effect's fault`() throws {
    let stage = try Stage(
      undoing: ["do:": ["perform": [["op": "pressKey", "key": "{'input': 1}"]]]])
    let refusal = stage.refusal(of: .perform(ActionRequest(.action("do:"))))
    guard case .effect(.rule(.responder("view"), "do:", let fault))? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(fault.place == "perform/0/key")
    #expect(fault.reason == .answered(.map, expected: .key))
  }
}
