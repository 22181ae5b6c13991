import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Recorded messages that fail when they are undone (U4).
@Suite struct UndoFailureTests {
  private static let handlers: JSON = [
    "log:": ["perform": [["op": "add", "path": "/log/-", "value": "size(state.log)"]]],
    "unlog:": ["perform": [["op": "add", "path": "/log/-", "value": "'undone'"]]],
    "fail:": [
      "perform": [
        ["op": "add", "path": "/log/-", "value": "'partial'"],
        ["op": "properties", "value": "{'partial': true}"],
        ["op": "add", "path": "/log/-", "value": "state.gone"],
      ]
    ],
    "many:": [
      "perform": .array(
        Array(repeating: ["op": "add", "path": "/log/-", "value": "1"], count: 9))
    ],
    "mixed:": [
      "perform": [
        ["op": "add", "path": "/log/-", "value": "'mixed'"],
        ["op": "registerUndo", "target": "'view'", "action": "'unlog:'"],
        ["op": "registerUndo", "target": "'view'", "action": "'fail:'"],
      ]
    ],
  ]

  private func stage() throws -> Stage {
    try Stage(
      undoing: Self.handlers,
      commands: [["title": "Undo", "action": "undo:"], ["title": "Redo", "action": "redo:"]])
  }

  private func failures(_ outcome: Outcome) -> [String] {
    outcome.failedMessages.map { "\($0.selector) to \($0.target)" }
  }

  @Test func `U4: a message that fails receives nothing, and the next group is undone`() throws {
    var stage = try stage()
    try stage.send("log:")
    try stage.apply(.registerUndo(target: "view", "fail:"))
    let outcome = try stage.apply(.undo())
    #expect(stage.log == [])
    #expect(stage.session.graph["view"]?.properties == [:])
    #expect(failures(outcome) == ["fail: to view"])
    guard case .effect(.rule(.responder("view"), "fail:", _))? = outcome.failedMessages.first?.fault
    else {
      Issue.record("another fault")
      return
    }
    #expect(outcome.isUndone)
    #expect(outcome.changes.last == .undoManager(nil))
    #expect(
      outcome.trace.says.suffix(3).first
        == "U4: 'view/undoManager' drops what 'fail:' to 'view' did, since it failed.")
    #expect(try !stage.manager().can(.undo))
    #expect(try stage.goAll(.redo) == 1)
    #expect(stage.log == [0])
  }

  @Test func `U4: a group of nothing but messages that fail is dropped`() throws {
    var stage = try stage()
    try stage.apply(.registerUndo(target: "view", "fail:"))
    let before = stage.session.revision
    let outcome = try stage.perform("undo:")
    #expect(stage.session.revision == before + 1)
    #expect(!outcome.isUndone)
    #expect(failures(outcome) == ["fail: to view"])
    #expect(outcome.changes == [.undoManager(nil)])
    #expect(try !stage.item("undo:").isEnabled)
    #expect(try !stage.manager().can(.redo))
    #expect(try stage.apply(.undo()).changes == [])
  }

  @Test func `U4: what else the group has is taken back, and can be redone`() throws {
    var stage = try stage()
    try stage.send("mixed:")
    let outcome = try stage.apply(.undo())
    #expect(failures(outcome) == ["fail: to view"])
    #expect(stage.log == ["undone"])
    #expect(try stage.manager().redoGroups.map(\.actionCount) == [2])
    try stage.apply(.redo())
    #expect(stage.log == ["mixed"])
  }

  @Test func `U4: a message that fails is dropped by redo as well`() throws {
    var stage = try stage()
    try stage.send("log:")
    try stage.put(
      "view",
      [
        "kind": "view", "superview": "window",
        "handlers": [
          "back:": [
            "perform": [["op": "registerUndo", "target": "'view'", "action": "'fail:'"]]
          ],
          "fail:": ["perform": [["op": "remove", "path": "/nowhere"]]],
        ],
      ])
    try stage.apply(.registerUndo(target: "view", "back:"))
    try stage.apply(.undo())
    try stage.apply(.undo())
    #expect(stage.log == [])
    #expect(try stage.manager().redoGroups.count == 2)
    try stage.apply(.redo())
    #expect(stage.log == [0])
    let outcome = try stage.perform("redo:")
    #expect(failures(outcome) == ["fail: to view"])
    #expect(try !stage.manager().can(.redo))
  }

  @Test func `U4: a message whose target has no handler for it any more stops nobody`() throws {
    var stage = try stage()
    try stage.send("log:")
    try stage.apply(.registerUndo(target: "view", "fail:"))
    try stage.apply(.removeHandler(for: "fail:", of: "view"))
    let outcome = try stage.apply(.undo())
    guard
      case .message(.doesNotRecognizeSelector(.responder("view"), "fail:", _, _))? =
        outcome.failedMessages.first?.fault
    else {
      Issue.record("another fault")
      return
    }
    #expect(stage.log == [])
  }

  @Test func `U4: a limit of the request fails it, and everything is as it was`() throws {
    var stage = try stage()
    try stage.send("log:")
    try stage.apply(.registerUndo(target: "view", "many:"))
    var limits = SessionLimits()
    limits.effects = 8
    let text = stage.text
    let catalog = stage.catalog
    #expect(throws: MutationFault.effect(.tooManyEffects(limit: 8))) {
      _ = try stage.session.apply(.undo(), in: catalog, limits: limits)
    }
    #expect(stage.text == text)
    #expect(try stage.manager().undoGroups.count == 2)
    try stage.apply(.undo())
    #expect(stage.log == [0, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  }

  @Test func `U4: of many messages that fail, as many are listed as places`() throws {
    var stage = try stage()
    try stage.apply(.beginUndoGrouping())
    for _ in 0..<300 { try stage.apply(.registerUndo(target: "view", "fail:")) }
    try stage.apply(.endUndoGrouping())
    #expect(try stage.apply(.undo()).failedMessages.count == Limits.keptPlaces)
    #expect(try !stage.manager().can(.undo))
  }
}
