import CEL
import JSONText
import Testing

@testable import MenuEngine

/// The diagnostics of a session.
@Suite struct DiagnosticsTests {
  private func failing(_ stage: Stage) -> [String] {
    stage.session.diagnostics(in: stage.catalog).failing.rules.map { rule in
      let action = rule.action?.rawValue ?? "-"
      return "\(rule.receiver) \(action) \(rule.command?.rawValue ?? "-") \(rule.fault.place)"
    }
  }

  @Test func `a rule that fails as the state is now is reported, wherever its handler is`() throws {
    let stage = try Stage(
      commands: [["action": "rate:", "title": "Rate"]],
      classes: [
        "Grid": [
          "superclass": "UIView", "handlers": ["inherited": ["canPerform": "state.gone"]],
        ]
      ],
      responders: [
        "v": [
          "kind": "view", "class": "Grid", "canBecomeFirstResponder": "dyn(1)",
          "canResignFirstResponder": "state.gone",
          "handlers": [
            "rate:": [
              "canPerform": "dyn(1)",
              "validate": ["enabled": "state.n > 0", "title": "state.gone"],
            ]
          ],
          "coordinator": ["handlers": ["rate:": ["validate": ["checked": "'maybe'"]]]],
        ]
      ], state: ["n": 1])
    #expect(
      failing(stage) == [
        "v - - canBecomeFirstResponder", "v - - canResignFirstResponder",
        "v inherited - canPerform", "v rate: rate: canPerform", "v rate: rate: validate/title",
        "v/forwarder rate: rate: validate/checked",
      ])
  }

  @Test(arguments: [("view", true), ("viewController", true), ("delegate", false)])
  func `R2: a delegate of the application that the chain leaves out is named`(
    kind: String, isIgnored: Bool
  ) throws {
    var stage = try Stage(responders: [
      "app": ["kind": "application", "delegate": "d"], "d": ["kind": .string(kind)],
    ])
    let found = stage.session.diagnostics(in: stage.catalog).ignoredDelegates
    #expect(found == (isIgnored ? ["d"] : []))
    try stage.put("app", ["kind": "application", "delegate": "d", "next": "d"])
    #expect(stage.session.diagnostics(in: stage.catalog).ignoredDelegates == [])
  }

  @Test func `every rule of a validation is tried, not only up to the first that fails`() throws {
    var validate = JSONObject()
    let names = [
      "enabled", "checked", "title", "subtitle", "image", "discoverabilityTitle", "hidden",
      "destructive", "keepsMenuPresented",
    ]
    for name in names { validate[name] = "state.gone" }
    let stage = try Stage(
      responders: ["v": ["kind": "view", "handlers": ["a": ["validate": .object(validate)]]]])
    #expect(failing(stage) == names.map { "v a - validate/\($0)" })
  }

  @Test func `a rule is tried with each command of its action as sender`() throws {
    let stage = try Stage(
      commands: [
        ["id": "one", "action": "sort:", "title": "1", "propertyList": ["key": "a"]],
        ["id": "two", "action": "sort:", "title": "2"],
      ],
      responders: [
        "v": [
          "kind": "view",
          "handlers": ["sort:": ["validate": ["checked": "command.propertyList.key == 'a'"]]],
        ]
      ])
    #expect(failing(stage) == ["v sort: two validate/checked"])
  }

  @Test func `trying rules stops when it takes too long, and says so`() throws {
    let stage = try Stage(
      responders: [
        "v": ["kind": "view", "handlers": ["a": ["canPerform": "[1, 2, 3].all(x, x < 9)"]]],
        "w": ["kind": "view", "handlers": ["a": ["canPerform": "state.gone"]]],
      ])
    func failing(_ effort: Effort) -> FailingRules {
      stage.session.inquiry(in: SessionContext(stage.catalog, effort: effort)).failingRules
    }
    #expect(failing(Effort(limit: 3)) == FailingRules(rules: [], isComplete: false))
    #expect(failing(Effort()).rules.map(\.receiver) == [.responder("w")])
    #expect(failing(Effort()).isComplete)
  }

  @Test func `rules that answer are not reported`() throws {
    let stage = try Stage(
      responders: [
        "v": [
          "kind": "view", "canBecomeFirstResponder": false,
          "handlers": ["a": ["canPerform": false, "validate": ["enabled": false]]],
        ]
      ])
    #expect(failing(stage) == [])
  }

  @Test func `R10: in AppKit's search a coordinator handles nothing, and the order is another`()
    throws
  {
    let responders: JSON = [
      "w": ["kind": "window", "delegate": "d"],
      "d": ["kind": "responder", "handlers": ["a": [:]]],
      "v": [
        "kind": "view", "superview": "w", "coordinator": ["handlers": ["b": [:]]],
        "handlers": ["a": [:]],
      ],
    ]
    let commands: JSON = [["action": "a", "title": "A"], ["action": "b", "title": "B"]]
    let uikit = try Stage(commands: commands, responders: responders, focus: "v")
    let appkit = try Stage(
      commands: commands, responders: responders, focus: "v", search: "appkit")
    let chain = uikit.session.diagnostics(in: uikit.catalog)
    #expect(chain.chain == ["v", "w"])
    #expect(chain.unhandled.commands == [])
    #expect(chain.shadowed == [])
    let windows = appkit.session.diagnostics(in: appkit.catalog)
    #expect(windows.chain == ["v", "w", "d"])
    #expect(windows.unhandled.commands == ["b"])
    #expect(
      windows.shadowed == [
        .init(action: "a", winner: .responder("v"), shadowed: .responder("d"))
      ])
  }

  @Test func `F10: what is only forwarded counts as handled by nobody (R3)`() throws {
    let stage = try Stage(
      commands: [["action": "a", "title": "A"]],
      responders: ["v": ["kind": "view", "catchAll": ["selector": "any"]]], focus: "v")
    #expect(stage.session.diagnostics(in: stage.catalog).unhandled.commands == ["a"])
  }
}
