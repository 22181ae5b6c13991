import JSONText
import Testing

@testable import MenuEngine

/// Rules that fail now, of effects, key commands and supplemental targets.
@Suite struct FailingRulesTests {
  private func failing(_ stage: Stage) -> [String] {
    stage.session.diagnostics(in: stage.catalog).failing.rules.map { rule in
      let action = rule.action?.rawValue ?? "-"
      let always = rule.isConstant ? " always" : ""
      return
        "\(rule.receiver) \(action) \(rule.command?.rawValue ?? "-") \(rule.fault.place)\(always)"
    }
  }

  private func view(_ handlers: JSON, _ more: JSONObject = [:]) -> JSON {
    var view = more
    view["kind"] = "view"
    view["handlers"] = handlers
    return ["v": .object(view)]
  }

  private let rate: JSON = [["action": "rate:", "title": "Rate", "propertyList": 5]]

  private func setting(_ value: JSON) -> JSON {
    [["op": "replace", "path": "/n", "value": value]]
  }

  @Test func `a rule of an effect is tried for each command that the handler could perform`() throws
  {
    let stage = try Stage(
      commands: rate, responders: view(["rate:": ["perform": setting("state.gone")]]),
      state: ["n": 1])
    #expect(failing(stage) == ["v rate: rate: perform/0/value"])
    #expect(stage.session.state == ["n": 1])
  }

  @Test func `effects see what effects before them did, the command and its arguments`() throws {
    let stage = try Stage(
      commands: rate,
      responders: view([
        "rate:": [
          "perform": [
            ["op": "add", "path": "/m", "value": "command.propertyList"],
            ["op": "replace", "path": "/n", "value": "state.m + arguments[0].propertyList"],
            ["op": "replace", "path": "/n", "value": "state.gone"],
            ["op": "replace", "path": "/n", "value": "state.lost"],
          ]
        ]
      ]), state: ["n": 1])
    #expect(failing(stage) == ["v rate: rate: perform/2/value"])
  }

  @Test(
    arguments: [
      ["canPerform": "state.n > 1"], ["validate": ["enabled": "state.n > 1"]],
    ] as [JSON])
  func `effects are not tried while the handler would not perform`(handler: JSON) throws {
    var handler = try #require(handler.object)
    handler["perform"] = setting("state.gone")
    var stage = try Stage(
      commands: rate, responders: view(["rate:": .object(handler)]), state: ["n": 1])
    #expect(failing(stage) == [])
    try stage.apply(.mergeState(["n": 2]))
    #expect(failing(stage) == ["v rate: rate: perform/0/value"])
  }

  @Test func `effects of what is declared disabled are not tried, unless its target enables it`()
    throws
  {
    let disabled: JSON = [["action": "rate:", "title": "Rate", "attributes": ["disabled"]]]
    let effects = setting("state.gone")
    let plain = try Stage(
      commands: disabled, responders: view(["rate:": ["perform": effects]]), state: ["n": 1])
    #expect(failing(plain) == [])
    let enabled = try Stage(
      commands: disabled,
      responders: view(["rate:": ["perform": effects, "validate": ["enabled": true]]]),
      state: ["n": 1])
    #expect(failing(enabled) == ["v rate: rate: perform/0/value"])
  }

  @Test func `a handler without a command is tried, unless its effects read their sender`() throws {
    let stage = try Stage(
      responders: view([
        "a": ["perform": setting("state.gone")],
        "b:": ["perform": setting("sender.kind")],
        "c:": ["perform": setting("arguments[0].n")],
      ]), state: ["n": 1])
    #expect(failing(stage) == ["v a - perform/0/value"])
  }

  @Test func `a rule that fails in what an effect sends to is told where it is`() throws {
    let stage = try Stage(
      commands: rate,
      responders: [
        "v": [
          "kind": "view",
          "handlers": ["rate:": ["perform": [["op": "send", "action": "'log:'", "to": "'w'"]]]],
        ],
        "w": [
          "kind": "view", "handlers": ["log:": ["perform": setting("sender.gone")]],
        ],
      ], state: ["n": 1])
    #expect(failing(stage) == ["w log: rate: perform/0/value"])
  }

  @Test func `an effect that fails without its rule failing is not reported`() throws {
    let stage = try Stage(
      commands: rate,
      responders: view(["rate:": ["perform": [["op": "remove", "path": "/gone"]]]]))
    #expect(failing(stage) == [])
  }

  @Test func `a coordinator's effects are tried as its host`() throws {
    let stage = try Stage(
      commands: rate,
      responders: view(
        [:],
        [
          "coordinator": ["handlers": ["rate:": ["perform": setting("responder.gone")]]]
        ]), state: ["n": 1])
    #expect(failing(stage) == ["v/forwarder rate: rate: perform/0/value"])
  }

  @Test func `K5: rules of key commands are tried, those of classes too, with the key as sender`()
    throws
  {
    let stage = try Stage(
      classes: [
        "Grid": [
          "superclass": "UIView",
          "keyCommands": [["input": "n", "action": "next:", "when": "state.gone"]],
        ]
      ],
      responders: view(
        ["next:": [:]],
        [
          "class": "Grid",
          "keyCommands": [
            [
              "input": "a", "action": "next:", "propertyList": 1,
              "enabled": "sender.input == 'a'",
            ],
            ["input": "b", "action": "next:", "enabled": "sender.propertyList > 0"],
          ],
        ]))
    #expect(
      failing(stage) == ["v next: - keyCommands/1/enabled", "v next: - keyCommands/2/when"])
  }

  @Test func `R10: a rule that names a supplemental target is tried up to the first failure`()
    throws
  {
    let stage = try Stage(
      commands: [
        ["action": "a", "title": "A"], ["action": "b", "title": "B"],
        ["action": "c", "title": "C"],
      ],
      responders: view([:], ["supplementalTargetRule": "arguments[0] == 'a' ? null : state.gone"]))
    #expect(failing(stage) == ["v b b supplementalTargetRule"])
  }

  @Test func `what reads nothing fails always`() throws {
    let stage = try Stage(
      responders: view(
        ["a": ["canPerform": "dyn(1)"], "b": ["canPerform": "state.gone"]],
        ["canBecomeFirstResponder": "dyn('no')"]))
    #expect(
      failing(stage) == [
        "v - - canBecomeFirstResponder always", "v a - canPerform always", "v b - canPerform",
      ])
  }

  @Test func `handlers with closures are not performed`() throws {
    var stage = try Stage(commands: rate, responders: view([:]))
    let handler = Handler(perform: { _ throws(HandlerFailure) in throw HandlerFailure("no") })
    try stage.apply(.putHandler(handler, for: "rate:", of: "v"))
    #expect(failing(stage) == [])
  }
}
