import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Handlers that are code, for programs that embed the engine.
@Suite struct HandlerClosuresTests {
  private func stage(_ handler: Handler) throws -> Stage {
    var stage = try Stage(
      commands: [["action": "rate:", "title": "Rate", "attributes": ["hidden"]]],
      responders: ["v": ["kind": "view", "properties": ["n": 3]], "w": ["kind": "view"]],
      focus: "v", state: ["rating": 0, "log": []])
    try stage.apply(.putHandler(handler, for: "rate:", of: "v"))
    return stage
  }

  private let perform = Mutation.perform(ActionRequest(.command("rate:")))

  @Test func `R4: canPerform decides who is the target, and sees what rules see`() throws {
    let stage = try stage(
      Handler(canPerform: { call in
        #expect(call.action == "rate:")
        #expect(call.arguments == [])
        #expect(call.responder[JSONPointer(["properties", "n"])] == 3)
        return call.state[JSONPointer(["rating"])] == 0
          && call.sender[JSONPointer(["kind"])] != "request"
      }))
    #expect(try stage.item("rate:").target == .responder("v"))
    #expect(try stage.target("rate:") == "noTarget")
    #expect(try stage.trace("rate:")[1] == "v canPerformAction false")
  }

  @Test func `M5: validate changes the item from what was declared`() throws {
    let stage = try stage(
      Handler(validate: { call, item in
        #expect(call.command?.id == "rate:")
        #expect(item.attributes == [.hidden])
        item.title = "Rated"
        item.subtitle = "a photo"
        item.image = "star"
        item.discoverabilityTitle = "Rating"
        item.state = .mixed
        item.attributes = [.destructive]
      }))
    let item = try stage.item("rate:")
    #expect(item.isEnabled)
    #expect(item.title == "Rated")
    #expect(item.subtitle == "a photo")
    #expect(item.image == "star")
    #expect(item.discoverabilityTitle == "Rating")
    #expect(item.state == .mixed)
    #expect(item.attributes == [.destructive])
    #expect(
      item.trace.says.last == """
        M5: 'v' validates the item: enabled true, checked "mixed", title "Rated", subtitle \
        "a photo", image "star", discoverabilityTitle "Rating", attributes ["destructive"].
        """)
  }

  @Test func `M6: a closure that disables is a no of the target`() throws {
    let stage = try stage(Handler(validate: { $1.isEnabled = false }))
    let item = try stage.item("rate:")
    #expect(item.reason == .ruleFalse)
    #expect(item.attributes == [.disabled, .hidden])
    #expect(stage.reason(for: perform) == .ruleFalse)
  }

  @Test func `M7: what perform answers happens in order, all or nothing`() throws {
    var stage = try stage(
      Handler(perform: { call in
        #expect(call.arguments.count == 1)
        return [
          .state(.replace(path: JSONPointer(["rating"]), value: 5)),
          .properties(merging: ["n": 4]), .firstResponder("w"), .answer("done"),
        ]
      }))
    let outcome = try stage.apply(perform)
    #expect(
      outcome.changes == [
        .state(.replace(path: JSONPointer(["rating"]), value: 5)), .properties("v", ["n": 4]),
        .firstResponder("w"),
      ])
    #expect(outcome.performance?.invocation.result == "done")
    try stage.apply(
      .putHandler(
        Handler(perform: { _ in
          [
            .state(.replace(path: JSONPointer(["rating"]), value: 1)),
            .state(.remove(path: JSONPointer(["ghost"]))),
          ]
        }), for: "rate:", of: "v"))
    try stage.apply(.becomeFirstResponder("v"))
    guard case .effect(.patch(.responder("v"), "rate:", index: 1, _))? = stage.refusal(of: perform)
    else {
      Issue.record("no patch fault")
      return
    }
  }

  @Test func `R7: a closure sends on, within the same bounds`() throws {
    var stage = try stage(
      Handler(perform: { _ in [.send("log:", to: .responder("w"), arguments: ["!"])] }))
    let log: JSON = ["perform": [["op": "add", "path": "/log/-", "value": "arguments[0]"]]]
    try stage.apply(.putHandler(Handler(log), for: "log:", of: "w"))
    try stage.apply(perform)
    #expect(stage.log == ["!"])
    try stage.apply(
      .putHandler(Handler(perform: { _ in [.send("rate:")] }), for: "rate:", of: "v"))
    #expect(stage.refusal(of: perform).map { "\($0)".contains("sendsTooDeep") } == true)
  }

  @Test func `M10: a closure that fails is as a rule that fails: nothing is enabled`() throws {
    let fault = RuleFault(place: "validate", source: "", reason: .closure("no printer"))
    let item = try stage(
      Handler(validate: { (_, _) throws(HandlerFailure) in throw HandlerFailure("no printer") })
    ).item("rate:")
    #expect(!item.isEnabled)
    #expect(item.reason == .ruleError)
    #expect(item.fault == fault)
    let asking = try stage(
      Handler(canPerform: { (_) throws(HandlerFailure) in throw HandlerFailure("busy") }))
    #expect(try asking.target("rate:") == "ruleError")
    let performing = try stage(
      Handler(perform: { _ in throw HandlerFailure("jam") }))
    #expect(
      performing.refusal(of: perform)
        == .effect(
          .rule(
            .responder("v"), "rate:",
            RuleFault(place: "perform", source: "", reason: .closure("jam")))))
  }

  @Test func `F2: a coordinator takes closures too`() throws {
    var stage = try Stage(
      commands: [["action": "rate:", "title": "Rate"]],
      responders: ["h": ["kind": "view", "coordinator": [:]]], focus: "h")
    try stage.apply(
      .register(
        Handler(
          validate: { $1.title = "Coordinated" },
          perform: { _ in [.state(.add(path: JSONPointer(["log", "-"]), value: "h"))] }),
        for: "rate:", with: "h"))
    #expect(try stage.item("rate:").title == "Coordinated")
    try stage.apply(perform)
    #expect(stage.log == ["h"])
  }

  @Test func `closures cannot be written: the document says so and is read by nobody`() throws {
    let handler = Handler(canPerform: { _ in true }, perform: { _ in [] })
    #expect(handler.json == ["perform": [], "closures": ["canPerform", "perform"]])
    #expect(
      faults { Handler(reading: handler.json, at: .root, log: $0) } == [
        DocumentFault(
          .unknownMember("closures", known: ["validate", "canPerform", "perform", "continues"]),
          at: JSONPointer(["closures"]))
      ])
    #expect(Handler().closures.isEmpty)
    #expect(Handler().json == ["perform": []])
  }

  @Test func `closures are equal to copies of themselves only`() {
    let handler = Handler(canPerform: { _ in true })
    let copy = handler
    #expect(copy == handler)
    #expect(Handler(canPerform: { _ in true }) != handler)
    #expect(Handler() == Handler())
  }
}
