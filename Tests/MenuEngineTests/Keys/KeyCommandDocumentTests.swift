import JSONText
import Testing

@testable import MenuEngine

@Suite struct KeyCommandDocumentTests {
  private let full: JSON = [
    "input": "UIKeyInputF5", "modifiers": ["command", "numericPad"], "action": "a:",
    "title": "T", "discoverabilityTitle": "D", "propertyList": ["n": 1],
    "wantsPriorityOverSystemBehavior": true, "when": "state.on", "enabled": "true",
  ]

  @Test func `K1: a key command reads and writes all its members`() throws {
    let keyCommands = try FaultLog.collecting {
      KeyCommand.list(reading: [full], at: .root, log: $0)
    }
    #expect(keyCommands.map(\.json) == [full])
  }

  @Test func `K1: what is left out has its default`() throws {
    let responder = try responder(
      "v", ["kind": "view", "keyCommands": [["input": "a", "action": "b"]]])
    let keyCommand = try #require(responder.keyCommands.first)
    #expect(keyCommand.key.first.modifiers == [])
    #expect(keyCommand.title == nil)
    #expect(keyCommand.discoverabilityTitle == nil)
    #expect(keyCommand.propertyList == nil)
    #expect(!keyCommand.wantsPriorityOverSystemBehavior)
    #expect(keyCommand.when == nil)
    #expect(keyCommand.enabled == nil)
    #expect(
      responder.json.object?["keyCommands"] == [
        [
          "input": "a", "modifiers": [], "action": "b", "wantsPriorityOverSystemBehavior": false,
        ]
      ])
    #expect(try self.responder("v", ["kind": "view"]).json.object?["keyCommands"] == nil)
  }

  @Test(
    arguments: [
      ([:], ["/0", "/0"]), (["input": "a"], ["/0"]), (["action": "a"], ["/0"]),
      (["input": "ab", "action": "a"], ["/0/input"]),
      (["input": "UIKeyInputF13", "action": "a"], ["/0/input"]),
      (["input": "", "action": "a b"], ["/0/input", "/0/action"]),
      (["input": "a", "action": "a", "modifiers": ["option"]], ["/0/modifiers/0"]),
      (["input": "a", "action": "a", "when": "state."], ["/0/when"]),
      (["input": "a", "action": "a", "enabled": 1], ["/0/enabled"]),
      (["input": "a", "action": "a", "hidden": true], ["/0/hidden"]),
    ] as [(JSON, [String])])
  func `K1: what is wrong with a key command is told with its place`(
    json: JSON, places: [String]
  ) {
    let found = faults { KeyCommand.list(reading: [json], at: .root, log: $0) }
    #expect(found.map(\.pointer.description) == places)
  }

  @Test(
    arguments: [
      (["input": "n", "action": "a:"], .identical),
      (["input": "N", "action": "a:", "title": "A"], .keyAndAction),
      (["input": "n", "action": "b:"], .key),
      (["input": "n", "action": "a:", "propertyList": 1], .key),
      (["input": "m", "action": "a:"], .action),
      (["input": "m", "action": "a:", "propertyList": 1], nil),
      (["input": "n", "modifiers": ["shift"], "action": "b:"], nil),
      (["input": "n", "action": "a:", "when": "state.on"], nil),
    ] as [(JSON, RepeatedKeyCommand.Sameness?)])
  func `M1: a key command that repeats another one of its list is refused, with both places`(
    json: JSON, sameness: RepeatedKeyCommand.Sameness?
  ) throws {
    let first: JSON = ["input": "n", "action": "a:"]
    let other: JSON = ["input": "x", "action": "x:"]
    let found = faults {
      KeyCommand.list(reading: [other, first, json], at: JSONPointer(["keyCommands"]), log: $0)
    }
    guard let sameness else { return #expect(found.isEmpty) }
    let fault = try #require(found.first)
    #expect(found.count == 1)
    #expect(fault.pointer == JSONPointer(["keyCommands", "2"]))
    #expect(fault.reason.other == JSONPointer(["keyCommands", "1"]))
    guard case .repeatedKeyCommand(let repeated, other: _) = fault.reason else {
      Issue.record("\(fault)")
      return
    }
    #expect(repeated.sameness == sameness)
    #expect(repeated.other.json == (try keyCommands([first]))[0].json)
  }

  @Test func `M1: key commands that repeat others are read from a journal`() throws {
    var stage = try Stage(responders: ["v": ["kind": "view"]])
    let repeated = try keyCommands([["input": "n", "action": "a:"]])
    let stored = try JSON(encoding: Mutation.putKeyCommands(repeated + repeated, of: "v"))
    try stage.apply(try stored.decoded(as: Mutation.self))
    #expect(stage.session.graph["v"]?.keyCommands == repeated + repeated)
  }

  private func keyCommands(_ json: JSON) throws -> [KeyCommand] {
    try FaultLog.collecting { KeyCommand.list(reading: json, at: .root, log: $0) }
  }

  @Test(arguments: [
    #"{"op":"pressKey","key":{"input":"a","modifiers":[]}}"#,
    #"{"op":"pressKey","key":{"input":"a","modifiers":["shift"]},"from":"b","sender":{"x":1},"when":5}"#,
    #"{"op":"putKeyCommands","responder":"a","keyCommands":[]}"#,
    #"{"op":"putKeyCommands","responder":"a","keyCommands":[{"input":"a","modifiers":[],"action":"b","wantsPriorityOverSystemBehavior":false,"when":"true"}]}"#,
    #"{"op":"perform","command":"copy:","modifiers":["alternate"]}"#,
    #"{"op":"invoke","invocation":{"selector":"all:","originalSelector":"all:","arguments":[null],"command":"copy:","modifiers":["alternate"]}}"#,
  ])
  func `a mutation about keys reads and writes the same document`(text: String) throws {
    let catalog = try CatalogDocument([
      .commands: [
        [
          "action": "copy:", "title": "Copy",
          "alternates": [["modifiers": ["alternate"], "title": "Copy All", "action": "all:"]],
        ]
      ]
    ]).catalog()
    let json = try JSON(parsing: text)
    let mutation = try FaultLog.collecting {
      Mutation(reading: json, at: .root, log: $0, in: catalog)
    }
    #expect(mutation.json.text() == text)
  }

  private func responder(_ id: ResponderID, _ json: JSON) throws -> Responder {
    try FaultLog.collecting { Responder(id, reading: json, at: .root, log: $0) }
  }
}
