import JSONText
import Testing

@testable import MenuEngine

@Suite struct InvocationTests {
  private func invocation() throws -> Invocation {
    try Invocation(
      target: .responder("v"), selector: "set:at:", arguments: [1, "two"], sender: nil, when: 9)
  }

  @Test func `F9: a message has no result before its answer, and null is one`() throws {
    var invocation = try invocation()
    #expect(invocation.result == nil)
    #expect(invocation.answer == .null)
    invocation.result = .some(.null)
    #expect(invocation.result == .some(.null))
    #expect(invocation.result != nil)
  }

  @Test func `F9: as many arguments as the selector has colons, else an error`() {
    #expect(throws: MutationFault.message(.argumentCount("a:b:", given: 1))) {
      _ = try Invocation(target: nil, selector: "a:b:", arguments: [1], sender: nil)
    }
    #expect(throws: MutationFault.message(.argumentCount("a", given: 1))) {
      _ = try Invocation(target: nil, selector: "a", arguments: [1], sender: nil)
    }
  }

  @Test func `F9: changing the selector touches neither arguments nor the original`() throws {
    var invocation = try invocation()
    invocation.selector = "other"
    #expect(invocation.originalSelector == "set:at:")
    #expect(invocation.arguments == [1, "two"])
    #expect(invocation.when == 9)
  }

  @Test func `F9: a recorded invocation can be invoked again, given another target or selector`()
    throws
  {
    func view(_ id: String) -> JSON {
      [
        "kind": "view",
        "handlers": [
          "set:": [
            "perform": [["op": "add", "path": "/log/-", "value": "'\(id)' + arguments[0]"]]
          ], "other:": logging("\(id) other"),
        ],
      ]
    }
    var stage = try Stage(responders: ["a": view("a"), "b": view("b")], focus: "a")
    let outcome = try stage.apply(
      .perform(ActionRequest(.action("set:"), arguments: ["!"], when: 3)))
    var invocation = try #require(outcome.performance?.invocation)
    try stage.apply(.invoke(invocation))
    invocation.target = .responder("b")
    try stage.apply(.invoke(invocation))
    invocation.selector = "other:"
    try stage.apply(.invoke(invocation))
    #expect(stage.log == ["a!", "a!", "b!", "b other"])
    invocation.target = nil
    let searched = try stage.apply(.invoke(invocation))
    #expect(searched.performance?.target == .responder("a"))
    #expect(searched.performance?.invocation.target == .responder("a"))
    #expect(searched.performance?.invocation.when == 3)
    invocation.target = .responder("ghost")
    #expect(stage.refusal(of: .invoke(invocation)) == .unknownResponder("ghost"))
    invocation.target = nil
    invocation.selector = "nobody:"
    #expect(stage.reason(for: .invoke(invocation)) == .noTarget)
  }

  @Test func `F9: a sender that is gone does not end the search for a target`() throws {
    var stage = try Stage(
      responders: [
        "window": ["kind": "window", "handlers": ["set:": logging("window")]],
        "button": ["kind": "view", "superview": "window"],
      ], key: "window")
    let outcome = try stage.apply(
      .perform(ActionRequest(.action("set:"), sender: SenderDescription(responder: "button"))))
    var invocation = try #require(outcome.performance?.invocation)
    invocation.target = nil
    try stage.apply(.removeResponder("button"))
    try stage.apply(.invoke(invocation))
    #expect(stage.log == ["window", "window"])
  }

  @Test func `F9: a document of an invocation reads back as the same`() throws {
    let stage = try Stage(commands: [["action": "rate:", "title": "Rate"]])
    var invocation = try Invocation(
      target: .forwarder(host: "h"), selector: "set:at:", arguments: [1, nil],
      sender: Sender(
        command: stage.catalog.command("rate:"),
        description: SenderDescription(responder: "b", members: ["kind": "key"])), when: 4)
    invocation.selector = "other:"
    let read = try FaultLog.collecting {
      Invocation(reading: invocation.json, at: .root, log: $0, in: stage.catalog)
    }
    #expect(read == invocation)
  }

  @Test func `F9: a handler's answer is the result, the last one if there are more`() throws {
    var stage = try Stage(
      responders: [
        "v": [
          "kind": "view",
          "handlers": [
            "count:": [
              "perform": [
                ["op": "answer", "value": "'early'"],
                ["op": "answer", "value": "arguments[0] + 1"],
              ]
            ],
            "quiet:": [:], "broken:": ["perform": [["op": "answer", "value": "state.missing"]]],
          ],
        ]
      ], focus: "v")
    func send(_ invocation: Invocation) throws -> Invocation {
      try #require(try stage.apply(.invoke(invocation)).performance?.invocation)
    }
    var invocation = try send(
      Invocation(target: nil, selector: "count:", arguments: [4], sender: nil))
    #expect(invocation.result == 5)
    #expect(invocation.json.object?["result"] == 5)
    let read = try FaultLog.collecting {
      Invocation(reading: invocation.json, at: .root, log: $0, in: stage.catalog)
    }
    #expect(read == invocation)
    invocation.selector = "quiet:"
    invocation = try send(invocation)
    #expect(invocation.result == nil)
    #expect(invocation.json.object?["result"] == nil)
    let fault = stage.refusal(of: .perform(ActionRequest(.action("broken:"))))
    guard case .effect(.rule(.responder("v"), "broken:", let rule))? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(rule.place == "perform/0/value")
  }

  @Test func `F9: an answer of null is a result`() throws {
    var stage = try Stage(
      responders: [
        "v": [
          "kind": "view", "handlers": ["a": ["perform": [["op": "answer", "value": "null"]]]],
        ]
      ], focus: "v")
    let outcome = try stage.apply(.perform(ActionRequest(.action("a"))))
    #expect(outcome.performance?.invocation.result == .some(.null))
    #expect(outcome.performance?.invocation.json.object?["result"] == .null)
  }
}
