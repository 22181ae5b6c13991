import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Messages that are recorded for when they are undone (U1, U3), and several undo managers.
@Suite struct UndoInvocationTests {
  /// Sets a property, and registers how to set it back.
  private static let handlers: JSON = [
    "set:": [
      "perform": [
        [
          "op": "registerUndo", "target": "responder.id", "action": "'set:'",
          "arguments": "[responder.properties.?value.orValue(0)]",
        ],
        ["op": "properties", "value": "{'value': arguments[0]}"],
      ]
    ],
    "prepared:": [
      "perform": [
        ["op": "prepareWithInvocationTarget", "target": "'view'"],
        [
          "op": "send", "to": "responder.id + '/undoManager'", "action": "'set:'",
          "arguments": "[7]",
        ],
        ["op": "send", "to": "'view'", "action": "'log:'"],
      ]
    ],
    "log:": ["perform": [["op": "add", "path": "/log/-", "value": "size(state.log)"]]],
    "unprepared:": [
      "perform": [["op": "send", "to": "'view/undoManager'", "action": "'log:'"]]
    ],
    "wrong:": ["perform": [["op": "registerUndo", "target": "'view'", "action": "'nowhere:'"]]],
    "recordUndo:": [
      "perform": [["op": "registerUndo", "target": "'view'", "action": "'log:'"]]
    ],
  ]

  private func stage(others: JSONObject = [:], view: JSONObject = [:]) throws -> Stage {
    try Stage(undoing: Self.handlers, others: others, view: view)
  }

  private func value(_ stage: Stage) -> JSON? {
    stage.session.graph["view"]?.properties[JSONPointer(["value"])]
  }

  @Test func `U1: registrations during undo are redone, and those during redo undone`() throws {
    var stage = try stage()
    for number in 1...3 { try stage.send("set:", arguments: [.int(Int64(number))]) }
    for _ in 0..<2 {
      #expect(try stage.goAll(.undo) == 3)
      #expect(value(stage) == 0)
      #expect(try stage.goAll(.redo) == 3)
      #expect(value(stage) == 3)
    }
    try stage.apply(.undo())
    #expect(value(stage) == 2)
    try stage.send("set:", arguments: [9])
    #expect(try !stage.manager().can(.redo))
  }

  @Test func `U1: a front end registers a message too`() throws {
    var stage = try stage()
    let outcome = try stage.apply(
      .registerUndo(target: "view", "set:", arguments: [5], of: "window"))
    #expect(outcome.changes == [.undoManager(nil)])
    #expect(
      outcome.trace.says == [
        "U1: 'window/undoManager' is the session's.",
        "U1: 'window/undoManager' records 'set:' against 'view', to be sent when it is undone.",
      ])
    #expect(value(stage) == nil)
    try stage.apply(.undo())
    #expect(value(stage) == 5)
    try stage.apply(.redo())
    #expect(value(stage) == 0)
  }

  /// A name of more than 15 bytes is on the heap: optimised builds of single files released it twice.
  @Test func `U2: a registered message has the name of its command, however long`() throws {
    let title = "Record How to Take It Back"
    var stage = try Stage(
      undoing: Self.handlers, commands: [["title": .string(title), "action": "recordUndo:"]])
    for _ in 0..<3 { try stage.perform("recordUndo:") }
    #expect(try stage.manager().undoGroups.map(\.actionName) == [title, title, title])
  }

  @Test func `U3: the next message to the undo manager is recorded and not run`() throws {
    var stage = try stage()
    try stage.apply(.prepareWithInvocationTarget("view"))
    #expect(try stage.manager().preparedTarget == "view")
    let request = ActionRequest(
      .action("set:"), to: Receiver("window/undoManager"), arguments: [4])
    let outcome = try stage.apply(.perform(request))
    #expect(outcome.performance?.isPerformed == false)
    #expect(outcome.performance?.reason == .recorded)
    #expect(outcome.changes == [.undoManager(nil)])
    #expect(value(stage) == nil)
    try stage.apply(.undo())
    #expect(value(stage) == 4)
  }

  @Test func `U3: one message is recorded for each time it is prepared`() throws {
    var stage = try stage()
    let message = Mutation.perform(
      ActionRequest(.action("log:"), to: Receiver("view/undoManager")))
    try stage.apply(.prepareWithInvocationTarget("view"))
    try stage.apply(message)
    guard
      case .message(.doesNotRecognizeSelector(.undoManager(of: "view"), "log:", _, _))? =
        stage.refusal(of: message)
    else {
      Issue.record("recorded without being prepared")
      return
    }
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [1])
  }

  /// Each sends `set:` with 6 to the undo manager.
  private static func ways() throws -> [Mutation] {
    let manager = Receiver.undoManager(of: "view")
    let message = try Invocation(target: manager, selector: "set:", arguments: [6], sender: nil)
    return [
      .perform(ActionRequest(.action("set:"), to: manager, arguments: [6])),
      .perform(ActionRequest(.command("set:"), to: manager, arguments: [6])),
      .perform(ActionRequest(.action("relay:"), arguments: [6])),
      .invoke(message),
    ]
  }

  @Test(arguments: try ways())
  func `U3: however it is sent, it is recorded with its arguments, once`(way: Mutation) throws {
    let relay: JSON = [
      "relay:": [
        "perform": [
          [
            "op": "send", "to": "'view/undoManager'", "action": "'set:'",
            "arguments": "arguments",
          ]
        ]
      ]
    ]
    var stage = try Stage(
      undoing: Self.handlers, commands: [["title": "Set", "action": "set:"]],
      others: ["window": ["kind": "window", "handlers": relay]])
    try stage.apply(.prepareWithInvocationTarget("view"))
    try stage.apply(way)
    #expect(value(stage) == nil)
    #expect(try stage.manager().preparedTarget == nil)
    #expect(stage.refusal(of: way) != nil)
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [1])
    try stage.apply(.undo())
    #expect(value(stage) == 6)
    try stage.apply(.redo())
    #expect(value(stage) == 0)
  }

  @Test func `U3: without arguments, the sender is recorded`() throws {
    var stage = try Stage(
      undoing: [
        "keep:": ["perform": [["op": "properties", "value": "{'by': arguments[0].title}"]]]
      ],
      commands: [["title": "Keep", "action": "keep:"]])
    try stage.apply(.prepareWithInvocationTarget("view"))
    try stage.apply(.perform(ActionRequest(.command("keep:"), to: .undoManager(of: "view"))))
    #expect(try stage.manager().menuItemTitle(.undo) == "Undo Keep")
    try stage.apply(.undo())
    #expect(stage.session.graph["view"]?.properties == ["by": "Keep"])
  }

  @Test func `U3: a message that its target has no method for is refused, and it stays prepared`()
    throws
  {
    var stage = try stage()
    try stage.apply(.prepareWithInvocationTarget("view"))
    #expect(
      stage.refusal(
        of: .perform(ActionRequest(.action("nowhere:"), to: .undoManager(of: "view"))))
        == .message(.doesNotRecognizeSelector(.responder("view"), "nowhere:")))
    #expect(try stage.manager().preparedTarget == "view")
  }

  @Test func `U3: other messages are run in between`() throws {
    var stage = try stage()
    try stage.apply(.prepareWithInvocationTarget("view"))
    try stage.send("log:")
    #expect(stage.log == [0])
    #expect(try stage.manager().preparedTarget == "view")
  }

  @Test func `U3: handlers prepare and send in one command, which is one group`() throws {
    var stage = try stage()
    try stage.send("prepared:")
    #expect(value(stage) == nil)
    #expect(stage.log == [0])
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [2])
    try stage.apply(.undo())
    #expect(value(stage) == 7)
    #expect(stage.log == [])
  }

  @Test func `U3: the last prepared target counts`() throws {
    var stage = try stage(others: ["other": ["kind": "view", "handlers": Self.handlers]])
    try stage.apply(.prepareWithInvocationTarget("view"))
    try stage.apply(.prepareWithInvocationTarget("other"))
    try stage.apply(
      .perform(ActionRequest(.action("set:"), to: Receiver("view/undoManager"), arguments: [1])))
    try stage.apply(.undo())
    #expect(value(stage) == nil)
    #expect(stage.session.graph["other"]?.properties == ["value": 1])
  }

  @Test func `U3: a prepared message is let go while registration is disabled`() throws {
    var stage = try stage()
    try stage.apply(.disableUndoRegistration())
    try stage.apply(.prepareWithInvocationTarget("view"))
    try stage.apply(.perform(ActionRequest(.action("log:"), to: Receiver("view/undoManager"))))
    #expect(try stage.manager().preparedTarget == nil)
    #expect(try !stage.manager().can(.undo))
    #expect(stage.log == [])
  }

  @Test func `U3: what cannot be recorded is refused`() throws {
    let stage = try stage()
    #expect(
      stage.refusal(of: .prepareWithInvocationTarget("nobody"))
        == .unknownResponder("nobody"))
    #expect(
      stage.refusal(of: .registerUndo(target: "nobody", "log:"))
        == .unknownResponder("nobody"))
    #expect(
      stage.refusal(of: .registerUndo(target: "view", "log:", arguments: []))
        == .message(.argumentCount("log:", given: 0)))
    #expect(
      stage.refusal(of: .registerUndo(target: "view", "nowhere:"))
        == .message(.doesNotRecognizeSelector(.responder("view"), "nowhere:")))
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("wrong:"))))
        == .effect(
          .mutation(
            .responder("view"), "wrong:", index: 0,
            .message(.doesNotRecognizeSelector(.responder("view"), "nowhere:")))))
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("unprepared:"))))
        == .effect(
          .mutation(
            .responder("view"), "unprepared:", index: 0,
            .message(.doesNotRecognizeSelector(.undoManager(of: "view"), "log:")))))
  }

  @Test func `U1: what was recorded against a responder goes with it`() throws {
    var stage = try stage(others: ["other": ["kind": "view", "handlers": Self.handlers]])
    try stage.apply(.beginUndoGrouping())
    try stage.send("log:")
    try stage.apply(.registerUndo(target: "other", "log:"))
    try stage.apply(.endUndoGrouping())
    try stage.apply(.registerUndo(target: "other", "log:"))
    try stage.apply(.prepareWithInvocationTarget("other"))
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [2, 1])
    try stage.apply(.removeResponder("other"))
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [1])
    #expect(try stage.manager().preparedTarget == nil)
    try stage.apply(.undo())
    #expect(stage.log == [])
  }

  @Test func `U1: only what was recorded against one responder is forgotten when asked so`() throws
  {
    var stage = try stage(others: ["other": ["kind": "view", "handlers": Self.handlers]])
    try stage.apply(.registerUndo(target: "other", "log:"))
    try stage.apply(.registerUndo(target: "view", "log:"))
    try stage.apply(.removeAllUndoActions(withTarget: "other"))
    #expect(try stage.goAll(.undo) == 1)
  }

  @Test func `U1: the nearest undo manager on the chain registers`() throws {
    var stage = try stage(
      others: [
        "inner": [
          "kind": "view", "superview": "view",
          "handlers": [
            "in:": [
              "perform": [
                ["op": "add", "path": "/log/-", "value": "'inner'"],
                ["op": "send", "action": "'log:'"],
              ]
            ]
          ],
        ],
        "window": [
          "kind": "window",
          "handlers": [
            "out:": [
              "perform": [
                ["op": "add", "path": "/log/-", "value": "'window'"]
              ]
            ]
          ],
        ],
      ], view: ["undoManager": ["levelsOfUndo": 2]])
    #expect(stage.session.undoManagerOwner(for: "inner") == "view")
    #expect(stage.session.undoManagerOwner(for: "window") == nil)
    try stage.apply(.perform(ActionRequest(.action("in:"), from: "inner")))
    try stage.send("out:")
    #expect(try stage.manager("view").undoGroups.map(\.actionCount) == [2])
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [1])
    #expect(try !stage.apply(.undo(of: "application")).changes.isEmpty)
    #expect(stage.log == ["inner", 1])
    try stage.apply(.undo(of: "inner"))
    #expect(stage.log == [])
    #expect(
      try stage.apply(.redo()).trace.says.first == "U1: 'view/undoManager' is that of 'view'.")
  }

  @Test func `U1: one manager's change is a change outside of another one's undo`() throws {
    var stage = try stage(
      others: [
        "window": [
          "kind": "window",
          "handlers": [
            "out:": [
              "perform": [
                ["op": "add", "path": "/log/-", "value": "'window'"]
              ]
            ]
          ],
        ]
      ],
      view: ["undoManager": [:]])
    try stage.send("log:")
    try stage.send("out:")
    var other = stage
    try other.apply(.undo(of: "window"))
    try other.apply(.undo(of: "view"))
    #expect(other.log == [])
    // What one manager took away moved what the other one registered (U4).
    try stage.apply(.undo(of: "view"))
    #expect(stage.log == ["window"])
    #expect(try !stage.manager().can(.undo))
  }

  @Test func `U2: a responder's manager keeps as many levels as its document says`() throws {
    var stage = try stage(view: ["undoManager": ["levelsOfUndo": 2]])
    for _ in 0..<3 { try stage.send("log:") }
    #expect(try stage.manager("view").undoGroups.count == 2)
    try stage.apply(.setLevelsOfUndo(1))
    #expect(try stage.manager("view").undoGroups.count == 1)
    #expect(stage.session.graph["view"]?.undoManager?.levelsOfUndo == 1)
    try stage.put(
      "view", ["kind": "view", "handlers": Self.handlers, "undoManager": ["levelsOfUndo": 5]])
    #expect(try stage.manager("view").levelsOfUndo == 5)
    #expect(try stage.manager("view").undoGroups.count == 1)
  }

  @Test func `U1: a responder that is gone, or has no manager any more, takes its stacks along`()
    throws
  {
    var stage = try stage(view: ["undoManager": [:]])
    try stage.send("log:")
    try stage.put("view", ["kind": "view", "handlers": Self.handlers])
    #expect(stage.session.undoManager(ownedBy: "view") == nil)
    try stage.put("view", ["kind": "view", "handlers": Self.handlers, "undoManager": [:]])
    #expect(try !stage.manager("view").can(.undo))
    try stage.apply(.becomeFirstResponder("view"))
    try stage.send("log:")
    #expect(try stage.manager("view").can(.undo))
    try stage.apply(.removeResponder("view"))
    #expect(stage.session.undoManagerOwners == [nil])
    try stage.put("view", ["kind": "view", "undoManager": [:]])
    #expect(try !stage.manager("view").can(.undo))
  }
}
