import JSONText
import Testing

@testable import MenuEngine

@Suite struct KeyConflictTests {
  private func key(_ action: String, _ more: JSONObject = [:]) -> JSON {
    var object: JSONObject = ["input": "k", "action": .string(action)]
    for member in more.members { object[member.name] = member.value }
    return .object(object)
  }

  private func stage(
    near: JSON = [], far: JSON = [], commands: JSON = [], menus: JSON = [], classes: JSON = [:]
  ) throws -> Stage {
    try Stage(
      commands: commands, menus: menus, classes: classes,
      responders: [
        "near": ["kind": "view", "superview": "far", "keyCommands": near],
        "far": ["kind": "view", "keyCommands": far],
        "aside": ["kind": "view", "keyCommands": [key("aside")]],
      ], focus: "near", state: ["on": true])
  }

  @Test func `K6: what is claimed once, or on another chain, is no conflict`() throws {
    let stage = try stage(
      near: [key("a"), key("b", ["modifiers": ["shift"]])],
      commands: [["action": "c", "title": "C", "key": ["input": "c"]]])
    #expect(try stage.conflicts() == [])
    #expect(stage.catalog.keyConflicts == [])
    #expect(try stage.conflicts(from: "aside") == [])
  }

  @Test func `K6: each shadowed claim says why the winner goes before it`() throws {
    let stage = try stage(
      near: [key("a"), key("b", ["when": "state.on"])], far: [key("c", ["input": "K"])],
      commands: [["action": "d", "title": "D", "key": ["input": "k"]]])
    #expect(
      try stage.conflicts()
        == ["k: near a, near b (listOrder), far c (nearer), d (respondersFirst)"])
    #expect(try stage.conflicts(from: "far") == ["k: far c, d (respondersFirst)"])
  }

  @Test func `K6: who wants priority wins, whoever it is`() throws {
    let priority: JSONObject = ["wantsPriorityOverSystemBehavior": true]
    let stage = try stage(
      near: [key("a")], far: [key("b", priority)],
      commands: [
        [
          "action": "c", "title": "C", "key": ["input": "k"],
          "wantsPriorityOverSystemBehavior": true,
        ]
      ])
    #expect(
      try stage.conflicts() == ["k: far b, c (respondersFirst), near a (priority)"])
    #expect(try stage.conflicts(from: "aside") == ["k: c, aside aside (priority)"])
  }

  @Test func `K6: caps lock and numeric pad are told where more claims match with them`() throws {
    let stage = try stage(
      near: [key("a"), key("b", ["modifiers": ["numericPad"]])],
      far: [key("c", ["modifiers": ["alphaShift"]])])
    #expect(
      try stage.conflicts() == [
        "alphaShift-k: near a, far c (nearer)", "numericPad-k: near a, near b (listOrder)",
        "alphaShift-numericPad-k: near a, near b (listOrder), far c (nearer)",
      ])
  }

  @Test func `K6: of the menu the first in menu order wins`() throws {
    let stage = try stage(
      commands: [
        ["action": "a", "title": "A", "key": ["input": "5", "modifiers": ["numericPad"]]],
        ["action": "b", "title": "B", "key": ["input": "5"]],
      ], menus: [["children": ["b", "a"]]])
    #expect(try stage.conflicts() == ["numericPad-5: b, a (menuOrder)"])
    #expect(stage.catalog.keyConflicts.map(\.line) == ["numericPad-5: b, a (menuOrder)"])
  }

  @Test func `K6: the key of an alternate counts`() throws {
    let stage = try stage(
      commands: [
        [
          "action": "a", "title": "A", "key": ["input": "k", "modifiers": ["command"]],
          "alternates": [["modifiers": ["alternate"], "title": "B", "action": "b"]],
        ],
        [
          "action": "c", "title": "C",
          "key": ["input": "k", "modifiers": ["command", "alternate"]],
        ],
      ])
    #expect(
      stage.catalog.keyConflicts.map(\.line)
        == ["command-alternate-k: a+alternate, c (menuOrder)"])
  }

  @Test func `K6: on a chain only what is there now counts, and a failing rule counts as there`()
    throws
  {
    var stage = try stage(
      near: [key("a", ["when": "state.on"]), key("b", ["when": "!state.on"])],
      far: [key("c", ["when": "state.x"])])
    #expect(try stage.conflicts() == ["k: near a, far c (nearer)"])
    try stage.apply(.mergeState(["on": false]))
    #expect(try stage.conflicts() == ["k: near b, far c (nearer)"])
    try stage.apply(.removeResponder("far"))
    #expect(try stage.conflicts() == [])
  }

  @Test func `K6: in the catalogue a class's key commands conflict with each other and the menu`()
    throws
  {
    let stage = try stage(
      commands: [["action": "m", "title": "M", "key": ["input": "k"]]],
      classes: [
        "Base": ["superclass": "UIView", "keyCommands": [key("b", ["when": "state.on"])]],
        "Derived": ["superclass": "Base", "keyCommands": [key("d")]],
        "Silent": ["superclass": "Derived"],
        "Other": ["superclass": "Base", "keyCommands": [key("o", ["input": "o"])]],
      ])
    #expect(
      stage.catalog.keyConflicts.map(\.line) == [
        "k: Base* b, m (respondersFirst)",
        "k: Derived* d, Derived* b (listOrder), m (respondersFirst)",
      ])
    #expect(stage.catalog.keyConflicts.first?.winner.isConditional == true)
  }

  @Test func `K6: a responder that is not there is refused`() throws {
    let stage = try stage()
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      try stage.conflicts(from: "ghost")
    }
  }
}
