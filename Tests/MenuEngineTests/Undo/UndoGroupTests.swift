import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Groups, levels and action names (U2).
@Suite struct UndoGroupTests {
  private static let handlers: JSON = [
    "log:": ["perform": [["op": "add", "path": "/log/-", "value": "size(state.log)"]]],
    "twice:": [
      "perform": [
        ["op": "send", "action": "'log:'"], ["op": "add", "path": "/log/-", "value": "'and'"],
        ["op": "send", "action": "'log:'"],
      ]
    ],
    "grouped:": [
      "perform": [
        ["op": "beginUndoGrouping"], ["op": "send", "action": "'log:'"], ["op": "endUndoGrouping"],
        ["op": "beginUndoGrouping"], ["op": "send", "action": "'log:'"], ["op": "endUndoGrouping"],
      ]
    ],
    "open:": [
      "perform": [["op": "send", "action": "'log:'"], ["op": "beginUndoGrouping"]]
    ],
    "close:": ["perform": [["op": "endUndoGrouping"]]],
    "named:": [
      "perform": [
        ["op": "setActionName", "name": "'Naming'"], ["op": "send", "action": "'log:'"],
      ]
    ],
    "nameless:": [
      "perform": [["op": "send", "action": "'log:'"], ["op": "setActionName", "name": "''"]]
    ],
    "silent:": [
      "perform": [
        ["op": "disableUndoRegistration"], ["op": "send", "action": "'log:'"],
        ["op": "enableUndoRegistration"],
      ]
    ],
  ]
  private static let commands: JSON = [
    [
      "title": "Log", "action": "log:", "key": ["input": "l"],
      "alternates": [["modifiers": ["shift"], "title": "Log Twice", "action": "twice:"]],
    ],
    ["title": "Named", "action": "named:"], ["title": "Nameless", "action": "nameless:"],
    ["title": "Grouped", "action": "grouped:"], ["title": "Silent", "action": "silent:"],
    ["title": "Declared", "action": "titled:"], ["title": "Open", "action": "open:"],
  ]

  private func stage(_ view: JSONObject = [:]) throws -> Stage {
    try Stage(undoing: Self.handlers, commands: Self.commands, view: view)
  }

  private func titles(_ stage: Stage) throws -> [String] {
    let manager = try stage.manager()
    return [manager.menuItemTitle(.undo), manager.menuItemTitle(.redo)]
  }

  @Test(arguments: ["twice:", "grouped:"] as [Selector])
  func `U2: one performed command is one group, whatever it sends and groups`(
    action: Selector
  ) throws {
    var stage = try stage()
    try stage.send(action)
    #expect(try stage.manager().undoGroups.count == 1)
    #expect(try stage.manager().groupingLevel == 0)
    try stage.apply(.undo())
    #expect(stage.log == [])
    #expect(try stage.manager().redoGroups.count == 1)
  }

  @Test func `U2: a pressed key is one group, named as its command or key command`() throws {
    var stage = try stage([
      "keyCommands": [
        ["input": "k", "action": "log:", "title": "Key"],
        ["input": "j", "action": "log:", "when": true],
      ]
    ])
    for (key, title) in [("l", "Undo Log"), ("k", "Undo Key"), ("j", "Undo")] {
      try stage.press(key)
      #expect(try titles(stage)[0] == title)
    }
    #expect(try stage.goAll(.undo) == 3)
  }

  @Test func `U2: commands in an open group are one group`() throws {
    var stage = try stage()
    try stage.apply(.beginUndoGrouping())
    try stage.perform("log:")
    try stage.apply(.beginUndoGrouping())
    try stage.perform("log:")
    #expect(try stage.manager().groupingLevel == 2)
    try stage.apply(.endUndoGrouping())
    try stage.apply(.endUndoGrouping())
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [2])
    #expect(try titles(stage) == ["Undo", "Redo"])
    try stage.apply(.undo())
    #expect(stage.log == [])
    try stage.apply(.redo())
    #expect(stage.log == [0, 1])
  }

  @Test func `U2: an empty group is not pushed`() throws {
    var stage = try stage()
    try stage.apply(.beginUndoGrouping())
    try stage.apply(.beginUndoGrouping())
    try stage.apply(.endUndoGrouping())
    try stage.apply(.endUndoGrouping())
    #expect(try stage.manager().undoGroups.isEmpty)
    #expect(try !stage.manager().can(.undo))
  }

  @Test func `U2: a group cannot be closed that was not opened`() throws {
    var stage = try stage()
    #expect(stage.refusal(of: .endUndoGrouping()) == .undo(.noGroup))
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("close:"))))
        == .effect(.mutation(.responder("view"), "close:", index: 0, .undo(.noGroup))))
    try stage.apply(.beginUndoGrouping())
    try stage.send("close:")
    #expect(try stage.manager().groupingLevel == 0)
  }

  @Test func `U2: a group that a command leaves open stays open with all the command did`() throws {
    var stage = try stage()
    try stage.perform("open:")
    try stage.perform("log:")
    #expect(try stage.manager().groupingLevel == 1)
    #expect(try titles(stage)[0] == "Undo Open")
    try stage.apply(.endUndoGrouping())
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [2])
    try stage.apply(.undo())
    #expect(stage.log == [])
  }

  @Test func `U2: undo closes the one group that is open, and refuses with more`() throws {
    var stage = try stage()
    try stage.perform("log:")
    try stage.apply(.beginUndoGrouping())
    try stage.perform("log:")
    try stage.apply(.beginUndoGrouping())
    #expect(try !stage.manager().can(.undo))
    #expect(stage.refusal(of: .undo()) == .undo(.groupsOpen(2)))
    #expect(stage.refusal(of: .redo()) == .undo(.groupsOpen(2)))
    try stage.apply(.endUndoGrouping())
    #expect(try stage.manager().can(.undo))
    try stage.apply(.undo())
    #expect(stage.log == [0])
    #expect(try stage.manager().groupingLevel == 0)
    try stage.apply(.beginUndoGrouping())
    try stage.apply(.undo())
    #expect(stage.log == [])
  }

  @Test func `U2: groups stand only so deep inside each other`() throws {
    var stage = try stage()
    for _ in 0..<Limits.undoNesting { try stage.apply(.beginUndoGrouping()) }
    #expect(
      stage.refusal(of: .beginUndoGrouping())
        == .undo(.groupsTooDeep(limit: Limits.undoNesting)))
  }

  @Test func `U2: the oldest groups are dropped beyond the levels of undo, at once`() throws {
    var stage = try stage()
    for _ in 0..<5 { try stage.perform("log:") }
    try stage.apply(.undo())
    try stage.apply(.undo())
    try stage.apply(.setLevelsOfUndo(1))
    #expect(try stage.manager().undoGroups.count == 1)
    #expect(try stage.manager().redoGroups.count == 1)
    #expect(try stage.goAll(.redo) == 1)
    #expect(stage.log == [0, 1, 2, 3])
    #expect(try stage.goAll(.undo) == 1)
    try stage.apply(.setLevelsOfUndo(0))
    for _ in 0..<5 { try stage.perform("log:") }
    #expect(try stage.manager().undoGroups.count == 5)
  }

  @Test func `U2: without levels of undo there is a bound all the same`() throws {
    var stage = try stage()
    for _ in 0..<Limits.undoGroups + 3 { try stage.perform("log:") }
    #expect(try stage.manager().undoGroups.count == Limits.undoGroups)
    #expect(try stage.goAll(.undo) == Limits.undoGroups)
    #expect(stage.log == [0, 1, 2])
  }

  @Test func `U2: a group is named as the command that was performed, or its alternate`() throws {
    var stage = try stage()
    #expect(try titles(stage) == ["Undo", "Redo"])
    try stage.perform("log:")
    #expect(try titles(stage) == ["Undo Log", "Redo"])
    try stage.apply(.perform(ActionRequest(.command("log:"), modifiers: KeyModifiers([.shift]))))
    #expect(try titles(stage) == ["Undo Log Twice", "Redo"])
    try stage.apply(.undo())
    #expect(try titles(stage) == ["Undo Log", "Redo Log Twice"])
    try stage.apply(.redo())
    #expect(try titles(stage) == ["Undo Log Twice", "Redo"])
  }

  @Test func `U2: a group is named as the item was when it was performed`() throws {
    var stage = try stage([
      "handlers": [
        "titled:": [
          "validate": ["title": "size(state.log) == 0 ? 'First Entry' : 'Entry'"],
          "perform": [["op": "add", "path": "/log/-", "value": "1"]],
        ]
      ]
    ])
    try stage.perform("titled:")
    #expect(try titles(stage)[0] == "Undo First Entry")
  }

  @Test func `U2: an action without a command is named as its sender, else not at all`() throws {
    var stage = try stage()
    try stage.send("log:")
    #expect(try titles(stage)[0] == "Undo")
    let sender = SenderDescription(members: ["title": "Button"])
    try stage.apply(.perform(ActionRequest(.action("log:"), sender: sender)))
    #expect(try titles(stage)[0] == "Undo Button")
  }

  @Test func `U2: handlers and front ends name the action`() throws {
    var stage = try stage()
    try stage.perform("log:")
    try stage.perform("named:")
    #expect(try stage.manager().undoGroups.map(\.actionName) == ["Log", "Naming"])
    try stage.apply(.setUndoActionName("Front End"))
    #expect(try titles(stage)[0] == "Undo Front End")
    try stage.apply(.setUndoActionName(""))
    #expect(try titles(stage)[0] == "Undo")
    try stage.perform("nameless:")
    #expect(try titles(stage)[0] == "Undo")
    try stage.apply(.beginUndoGrouping())
    try stage.apply(.setUndoActionName("Group"))
    try stage.perform("log:")
    #expect(try titles(stage)[0] == "Undo Group")
    try stage.apply(.undo())
    #expect(try titles(stage) == ["Undo", "Redo Group"])
  }

  @Test func `U2: a name with nothing to undo has no effect`() throws {
    var stage = try stage()
    try stage.apply(.setUndoActionName("Nothing"))
    #expect(try titles(stage) == ["Undo", "Redo"])
  }

  @Test func `U2: names count as what a stack holds`() throws {
    let half = String(repeating: "n", count: Limits.undoSize / 2)
    var stage = try stage()
    for _ in 0..<3 {
      try stage.perform("log:")
      try stage.apply(.setUndoActionName(half))
    }
    #expect(try stage.manager().undoGroups.count == 1)
    #expect(
      stage.refusal(of: .setUndoActionName(half + half))
        == .undo(.groupFull(limit: Limits.undoSize)))
    try stage.apply(.beginUndoGrouping())
    #expect(
      stage.refusal(of: .setUndoActionName(half + half + "n"))
        == .undo(.groupFull(limit: Limits.undoSize)))
    try stage.apply(.setUndoActionName(half + half))
    #expect(
      stage.refusal(of: .perform(ActionRequest(.command("log:"))))
        == .undo(.groupFull(limit: Limits.undoSize)))
  }

  @Test func `U2: nothing is registered while registration is disabled, however often`() throws {
    var stage = try stage()
    try stage.perform("silent:")
    #expect(stage.log == [0])
    #expect(try !stage.manager().can(.undo))
    try stage.apply(.disableUndoRegistration())
    try stage.apply(.disableUndoRegistration())
    try stage.apply(.enableUndoRegistration())
    try stage.perform("log:")
    #expect(try !stage.manager().isUndoRegistrationEnabled)
    #expect(try !stage.manager().can(.undo))
    try stage.apply(.enableUndoRegistration())
    try stage.perform("log:")
    #expect(try stage.goAll(.undo) == 1)
    #expect(
      stage.refusal(of: .enableUndoRegistration()) == .undo(.registrationEnabled))
  }

  @Test func `U1: undoing while registration is disabled cannot be done again`() throws {
    var stage = try stage()
    try stage.perform("log:")
    try stage.apply(.disableUndoRegistration())
    try stage.apply(.undo())
    #expect(stage.log == [])
    #expect(try !stage.manager().can(.redo))
    try stage.apply(.removeAllUndoActions())
    #expect(try stage.manager().isUndoRegistrationEnabled)
  }

  @Test func `U2: a group that holds too much is refused, and older ones make room`() throws {
    let large = JSON.string(String(repeating: "x", count: Limits.undoSize / 2 - 1000))
    var stage = try Stage(
      undoing: [
        "swap:": [
          "perform": [
            ["op": "move", "from": "/a", "path": "/other"],
            ["op": "move", "from": "/other", "path": "/a"],
          ]
        ],
        "dropA:": ["perform": [["op": "remove", "path": "/a"]]],
        "dropB:": ["perform": [["op": "remove", "path": "/b"]]],
        "dropC:": ["perform": [["op": "remove", "path": "/c"]]],
      ], state: ["a": large, "b": large, "c": large], limits: .unlimited)
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("swap:"))))
        == .undo(.groupFull(limit: Limits.undoSize)))
    try stage.apply(.disableUndoRegistration())
    try stage.send("swap:")
    try stage.apply(.enableUndoRegistration())
    for action: Selector in ["dropA:", "dropB:", "dropC:"] { try stage.send(action) }
    #expect(try stage.goAll(.undo) == 2)
    guard case .object(let state) = stage.session.state else {
      Issue.record("'state' is not an object")
      return
    }
    #expect(state.members.map(\.name) == ["b", "c"])
  }
}
