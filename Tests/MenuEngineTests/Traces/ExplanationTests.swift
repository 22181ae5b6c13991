import CEL
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

/// With `explain`, a step has the rules that were asked and what their parts were worth, as the engine had them
/// (M10).
struct ExplainedRuleTests {
  private func rules(_ stage: Stage, _ command: CommandID = "a:") throws -> [String] {
    try stage.item(command).trace.rules
  }

  @Test func `M5: each rule of a validator has its value and those of its parts`() throws {
    let validate: JSON = ["enabled": "state.n > 2", "title": "'N' + string(state.n)"]
    let stage = try Stage(
      commands: [["action": "a:", "title": "A"]],
      responders: [
        "v": ["kind": "view", "handlers": ["a:": ["canPerform": "true", "validate": validate]]]
      ], focus: "v", state: ["n": 3])
    #expect(
      try rules(stage) == [
        "v canPerform = true", "v validate/enabled = true: state.n is 3",
        #"v validate/title = "N3": state.n is 3"#,
      ])
  }

  @Test func `D4: a rule that names its deliveries is explained with those`() throws {
    let handler: JSON = [
      "validate": ["enabled": "size(command.deliveries) == 0"], "perform": [["op": "deliver"]],
    ]
    var stage = try Stage(
      commands: [["action": "a:", "title": "A"]],
      responders: ["v": ["kind": "view", "handlers": ["a:": handler]]], focus: "v")
    try stage.apply(.perform(ActionRequest(.command("a:"))))
    let item = try stage.item("a:")
    #expect(item.reason == .ruleFalse)
    #expect(
      item.trace.steps.last?.explanation == [
        "size(command.deliveries) == 0 is false: size(command.deliveries) is 1"
      ])
    #expect(item.trace.rules.first?.hasPrefix("v validate/enabled = false") == true)
  }

  @Test func `M5: the rules end with the one that failed`() throws {
    let validate: JSON = ["enabled": "state.n > 2", "checked": "state.m", "title": "'N'"]
    let stage = try Stage(
      commands: [["action": "a:", "title": "A"]],
      responders: ["v": ["kind": "view", "handlers": ["a:": ["validate": validate]]]],
      focus: "v", state: ["n": 3])
    let rules = try rules(stage)
    #expect(rules.count == 2)
    #expect(rules.last?.hasPrefix("v validate/checked fails: ") == true)
  }

  @Test func `K5: the rules of a key command are there too`() throws {
    let keyCommand: JSON = ["input": "x", "action": "a:", "title": "A", "when": "state.n == 3"]
    let stage = try Stage(
      responders: ["v": ["kind": "view", "handlers": ["a:": [:]], "keyCommands": [keyCommand]]],
      focus: "v", state: ["n": 3])
    let trace = try stage.resolution(KeyPress(try pressed("x"), from: nil)).trace
    #expect(trace.rules.contains("v keyCommands/0/when = true: state.n is 3"))
  }

  @Test func `a question that is not explained evaluates no rule for it`() throws {
    let stage = try Stage(
      commands: [["action": "a:", "title": "A"]],
      responders: ["v": ["kind": "view", "handlers": ["a:": ["canPerform": "state.n > 2"]]]],
      focus: "v", state: ["n": 3])
    let items = try stage.session.validate(ValidationRequest(), in: stage.catalog)
    #expect(items.allSatisfy { $0.trace.steps.isEmpty })
  }
}

extension Trace {
  /// The rules of all steps, each with its value and those of the places that it reads.
  fileprivate var rules: [String] {
    steps.flatMap { step in
      step.rules.map { rule in
        let values = rule.explanation.parts.filter {
          !$0.isLiteral && $0.range.start > 0 || $0.isDecisive
        }
        .compactMap { part -> String? in
          let text = String(
            decoding: Array(rule.explanation.source.utf8)[part.range.start..<part.range.end],
            as: UTF8.self)
          guard text.hasPrefix("state.") && !text.contains(" "),
            case .success(let value) = part.outcome
          else { return nil }
          return "\(text) is \(value.description)"
        }
        let worth =
          switch rule.explanation.outcome {
          case .success(let value): "= \(value.description)"
          case .failure(let fault): "fails: \(fault.message)"
          }
        let told = values.isEmpty ? "" : ": " + values.joined(separator: ", ")
        return "\(step.asked) \(rule.place) \(worth)\(told)"
      }
    }
  }

  fileprivate var explained: [String] {
    steps.flatMap { step in
      step.explanation.map { "\(step.asked) \(step.question): \($0)" }
    }
  }
}
