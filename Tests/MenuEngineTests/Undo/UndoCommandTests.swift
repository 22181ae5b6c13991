import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// `undo:` and `redo:` as commands like all others, validated and performed through the chain (U2,
/// M5).
@Suite struct UndoCommandTests {
  private static let handlers: JSON = [
    "log:": ["perform": [["op": "add", "path": "/log/-", "value": "size(state.log)"]]]
  ]
  private static let commands: JSON = [
    ["title": "Log", "action": "log:"],
    ["title": "Back", "action": "undo:", "key": ["input": "z", "modifiers": ["command"]]],
    ["title": "Forth", "action": "redo:", "attributes": ["disabled"]],
  ]

  private func stage(view: JSONObject = [:], others: JSONObject = [:]) throws -> Stage {
    try Stage(undoing: Self.handlers, commands: Self.commands, others: others, view: view)
  }

  /// Returns the items of `undo:` and `redo:`, each as title, reason and target.
  private func items(_ stage: Stage, from: ResponderID? = nil) throws -> [String] {
    try (["undo:", "redo:"] as [CommandID]).map { command in
      let item = try stage.item(command, from: from)
      return "\(item.title) \(item.reason) \(item.target?.description ?? "")"
    }
  }

  @Test func `M5: the titles say what would be undone, and nothing to undo is disabled`() throws {
    var stage = try stage()
    #expect(try items(stage) == ["Undo ruleFalse window", "Redo ruleFalse window"])
    try stage.perform("log:")
    #expect(try items(stage) == ["Undo Log enabled window", "Redo ruleFalse window"])
    try stage.perform("undo:")
    #expect(stage.log == [])
    #expect(try items(stage) == ["Undo ruleFalse window", "Redo Log enabled window"])
    try stage.perform("redo:")
    #expect(stage.log == [0])
    #expect(try items(stage) == ["Undo Log enabled window", "Redo ruleFalse window"])
  }

  @Test func `M7: a disabled undo performs nothing, and says so`() throws {
    let stage = try stage()
    #expect(stage.reason(for: .perform(ActionRequest(.command("undo:")))) == .ruleFalse)
    #expect(stage.reason(for: .perform(ActionRequest(.command("redo:")))) == .ruleFalse)
  }

  @Test func `M7: undoing is told between the events of the command`() throws {
    var stage = try stage()
    try stage.perform("log:")
    let outcome = try stage.perform("undo:")
    #expect(
      outcome.events == [
        .willSendAction("undo:", "undo:", target: .responder("window")),
        .willUndoChange(.undo, nil, actionName: "Log"),
        .didUndoChange(.undo, nil, actionName: "Log"),
        .didSendAction("undo:", "undo:", target: .responder("window"), isPerformed: true),
      ])
    #expect(
      outcome.changes == [.state(.remove(path: JSONPointer(["log", "0"]))), .undoManager(nil)])
  }

  @Test func `undo as a key`() throws {
    var stage = try stage()
    try stage.perform("log:")
    try stage.press("z", .command)
    #expect(stage.log == [])
  }

  @Test func `M5: the nearest manager on the chain wins, and its no ends the matter`() throws {
    var stage = try stage(
      view: ["undoManager": [:]],
      others: ["inner": ["kind": "view", "superview": "view", "undoManager": [:]]])
    try stage.perform("log:")
    #expect(try items(stage)[0] == "Undo Log enabled view")
    #expect(try items(stage, from: "inner")[0] == "Undo ruleFalse inner")
    #expect(try items(stage, from: "window")[0] == "Undo ruleFalse window")
    #expect(
      try stage.item("undo:").trace.says == [
        "R3: 'view' responds to 'undo:': it or its class has a handler.",
        "R4: 'view' can perform 'undo:'.",
        "U1: 'view/undoManager' is that of 'view'.",
        "M5: 'view' validates the item: enabled true, title \"Undo Log\".",
      ])
  }

  @Test func `the application undoes where there is no window`() throws {
    var stage = try Stage(
      commands: Self.commands,
      responders: ["app": ["kind": "application", "handlers": Self.handlers]])
    try stage.perform("log:")
    #expect(try items(stage)[0] == "Undo Log enabled app")
    try stage.perform("undo:")
    #expect(stage.log == [])
  }

  @Test
  func `a handler of a responder's own, or its class's, is asked in place of the built-in one`()
    throws
  {
    var stage = try stage(view: ["undoManager": [:]])
    try stage.apply(.putHandler(try handler(logging("mine")), for: "undo:", of: "view"))
    #expect(try items(stage)[0] == "Back enabled view")
    try stage.perform("undo:")
    #expect(stage.log == ["mine"])
  }

  @Test func `with several groups open undo is disabled`() throws {
    var stage = try stage()
    try stage.perform("log:")
    try stage.apply(.beginUndoGrouping())
    #expect(try items(stage)[0] == "Undo Log enabled window")
    try stage.apply(.beginUndoGrouping())
    #expect(try items(stage)[0] == "Undo Log ruleFalse window")
  }

  @Test func `U4: an undo sent while undoing is dropped`() throws {
    var stage = try stage()
    try stage.apply(.registerUndo(target: "window", "undo:"))
    let outcome = try stage.apply(.undo())
    #expect(outcome.failedMessages.map(\.fault) == [.undo(.inProgress)])
    #expect(try !stage.manager().can(.undo))
  }

  @Test func `an undo sent by a handler undoes what the handler did before`() throws {
    var stage = try stage(view: [
      "handlers": [
        "log:": [
          "perform": [
            ["op": "add", "path": "/log/-", "value": "1"], ["op": "send", "action": "'undo:'"],
          ]
        ]
      ]
    ])
    try stage.perform("log:")
    #expect(stage.log == [])
    #expect(try items(stage) == ["Undo ruleFalse window", "Redo Log enabled window"])
  }

  @Test func `U4: what cannot be taken back is disabled, and enabled again when it can`() throws {
    var stage = try stage()
    try stage.perform("log:")
    try stage.apply(.mergeState(["log": ["other"]]))
    #expect(try items(stage)[0] == "Undo ruleFalse window")
    #expect(stage.reason(for: .perform(ActionRequest(.command("undo:")))) == .ruleFalse)
    try stage.apply(.mergeState(["log": [0]]))
    #expect(try items(stage)[0] == "Undo Log enabled window")
    try stage.perform("undo:")
    #expect(stage.log == [])
  }

  @Test func `diagnostics know who undoes`() throws {
    var stage = try stage(view: ["undoManager": [:]])
    #expect(stage.session.diagnostics(in: stage.catalog).unhandled.commands == [])
    #expect(stage.session.diagnostics(in: stage.catalog).shadowed == [])
    try stage.apply(.putHandler(try handler(logging("mine")), for: "undo:", of: "window"))
    let diagnostics = stage.session.diagnostics(in: stage.catalog)
    #expect(
      diagnostics.shadowed == [
        .init(action: .undo, winner: .responder("view"), shadowed: .responder("window"))
      ])
  }
}
