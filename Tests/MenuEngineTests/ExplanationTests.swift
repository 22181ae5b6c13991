import JSONText
import Testing

@testable import MenuEngine

/// With `explain`, a question that was answered with no has the parts of the rule that made it
/// false, for every kind of question (M10).
struct ExplanationTests {
  private let commands: JSON = [["action": "a:", "title": "A"]]

  /// Returns the reasons for false rules in the trace of the command's item: who was asked, what,
  /// and why.
  private func reasons(_ stage: Stage) throws -> [String] {
    try stage.item("a:").trace.explained
  }

  private let rule: JSON = "state.n > 0 && state.n > 5"
  private let reason = "state.n > 5 is false: state.n is 3"

  @Test func `R4: a responder's own canPerform`() throws {
    let stage = try Stage(
      commands: commands,
      responders: ["v": ["kind": "view", "handlers": ["a:": ["canPerform": rule]]]], focus: "v",
      state: ["n": 3])
    #expect(try reasons(stage) == ["v canPerformAction: \(reason)"])
  }

  @Test func `R4: the canPerform of a class`() throws {
    let stage = try Stage(
      commands: commands,
      classes: ["Grid": ["superclass": "UIView", "handlers": ["a:": ["canPerform": rule]]]],
      responders: ["v": ["kind": "view", "class": "Grid"]], focus: "v", state: ["n": 3])
    #expect(try reasons(stage) == ["v canPerformAction: \(reason)"])
  }

  @Test func `R4: everybody on the chain who says no`() throws {
    let stage = try Stage(
      commands: commands,
      responders: [
        "v": ["kind": "view", "superview": "w", "handlers": ["a:": ["canPerform": rule]]],
        "w": ["kind": "view", "handlers": ["a:": ["canPerform": "state.n == 4"]]],
      ], focus: "v", state: ["n": 3])
    #expect(
      try reasons(stage) == [
        "v canPerformAction: \(reason)",
        "w canPerformAction: state.n == 4 is false: state.n is 3",
      ])
  }

  @Test func `M5: the rule enabled of a class`() throws {
    let stage = try Stage(
      commands: commands,
      classes: [
        "Grid": ["superclass": "UIView", "handlers": ["a:": ["validate": ["enabled": rule]]]]
      ], responders: ["v": ["kind": "view", "class": "Grid"]], focus: "v", state: ["n": 3])
    #expect(try reasons(stage) == ["v validate: \(reason)"])
  }

  @Test func `F7: the rule enabled of a coordinator's handler`() throws {
    let stage = try Stage(
      commands: commands,
      responders: [
        "v": [
          "kind": "view", "coordinator": ["handlers": ["a:": ["validate": ["enabled": rule]]]],
        ]
      ], focus: "v", state: ["n": 3])
    #expect(try reasons(stage) == ["v/forwarder validate: \(reason)"])
  }

  @Test func `L8: the canPerform of a proxied responder`() throws {
    let stage = try Stage(
      commands: commands,
      responders: [
        "host": ["kind": "view", "lateResponders": [:]],
        "p": ["kind": "responder", "proxied": "other"],
        "other": ["kind": "view", "handlers": ["a:": ["canPerform": rule]]],
      ], focus: "host", state: ["n": 3])
    var late = stage
    try late.apply(.registerLate("p", from: "host"))
    #expect(try reasons(late) == ["other canPerformAction: \(reason)"])
  }

  @Test func `R10: the rule enabled in AppKit's search`() throws {
    let stage = try Stage(
      commands: commands,
      responders: [
        "w": ["kind": "window"],
        "v": [
          "kind": "view", "superview": "w", "handlers": ["a:": ["validate": ["enabled": rule]]],
        ],
      ], focus: "v", key: "w", state: ["n": 3], search: "appkit")
    let found = try reasons(stage)
    #expect(found == ["v validate: \(reason)"])
  }

  @Test(arguments: ["when", "enabled"])
  func `K5: the rules of a key command`(member: String) throws {
    var keyCommand: JSONObject = ["input": "x", "action": "a:", "title": "A"]
    keyCommand[member] = rule
    let stage = try Stage(
      responders: [
        "v": [
          "kind": "view", "handlers": ["a:": [:]],
          "keyCommands": [.object(keyCommand)],
        ]
      ], focus: "v", state: ["n": 3])
    let trace = try stage.resolution(KeyPress(try pressed("x"), from: nil)).trace
    #expect(trace.explained == ["v \(member): \(reason)"])
  }

  @Test func `what is true, or fails, has no such parts`() throws {
    let stage = try Stage(
      commands: commands,
      responders: [
        "v": ["kind": "view", "superview": "w", "handlers": ["a:": ["canPerform": "state.m > 1"]]],
        "w": ["kind": "view", "handlers": ["a:": ["canPerform": "state.n == 3"]]],
      ], focus: "v", state: ["n": 3])
    #expect(try reasons(stage) == [])
  }
}

extension Trace {
  fileprivate var explained: [String] {
    steps.flatMap { step in
      step.explanation.map { "\(step.asked) \(step.question): \($0)" }
    }
  }
}
