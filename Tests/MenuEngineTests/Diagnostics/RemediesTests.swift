import JSONText
import Testing

@testable import MenuEngine

/// The suggestions for enabling a disabled command.
@Suite struct RemediesTests {
  /// A session with commands of these handlers, and one, `wanted:`, that can be performed if the state is so.
  private func stage(
    _ handlers: [(String, JSON)], parameters: JSON? = nil, wanting rule: String, state: JSON
  ) throws -> Stage {
    let names = handlers.map(\.0) + ["wanted:"]
    var methods: JSONObject = ["wanted:": ["validate": ["enabled": .string(rule)]]]
    for (name, effects) in handlers { methods[name] = ["perform": effects] }
    return try Stage(
      commands: .array(
        names.map { name in
          var command: JSONObject = [
            "id": .string(name), "title": .string(name), "action": .string(name),
          ]
          if name != "wanted:" { command["parameters"] = parameters }
          return .object(command)
        }),
      menus: [],
      responders: ["view": ["kind": "view", "handlers": .object(methods)]], focus: "view",
      state: state)
  }

  private func remedies(_ stage: Stage, from: ResponderID? = nil) throws -> Remedies {
    let wanted = try #require(stage.catalog.command("wanted:"))
    return stage.session.remedies(
      for: wanted, in: ActionRequest(.command("wanted:"), from: from), under: stage.catalog)
  }

  private static func write(_ path: String, _ value: String = "true") -> JSON {
    [["op": "add", "path": .string(path), "value": .string(value)]]
  }

  @Test func `commands are tried first that write what the rule reads`() throws {
    let idle = (0..<300).map { ("idle\($0):", Self.write("/other")) }
    let stage = try stage(
      idle + [("open:", Self.write("/photo/isOpen"))], wanting: "state.photo.isOpen",
      state: ["photo": ["isOpen": false], "other": false])
    let found = try remedies(stage)
    #expect(found.commands.map(\.command) == ["open:"])
    // Not all others were tried.
    #expect(!found.isComplete)
  }

  @Test func `a command that writes above what the rule reads is near, too`() throws {
    let idle = (0..<300).map { ("idle\($0):", Self.write("/other")) }
    let stage = try stage(
      idle + [("open:", Self.write("/photo", "{'isOpen': true}"))], wanting: "state.photo.isOpen",
      state: ["photo": ["isOpen": false], "other": false])
    #expect(try remedies(stage).commands.map(\.command) == ["open:"])
  }

  @Test func `a rule may name the place that is written`() throws {
    let idle = (0..<300).map { ("idle\($0):", Self.write("/other")) }
    let stage = try stage(
      idle + [("open:", [["op": "add", "pathRule": "'/photo/' + 'isOpen'", "value": "true"]])],
      wanting: "state.photo.isOpen", state: ["photo": ["isOpen": false], "other": false])
    #expect(try remedies(stage).commands.map(\.command) == ["open:"])
  }

  @Test func `one that only sends a message is tried before those that write elsewhere`() throws {
    let idle = (0..<300).map { ("idle\($0):", Self.write("/other")) }
    let stage = try stage(
      idle + [
        ("open:", Self.write("/photo/isOpen")),
        ("send:", [["op": "send", "action": "'open:'"]]),
      ], wanting: "state.photo.isOpen", state: ["photo": ["isOpen": false], "other": false])
    #expect(try remedies(stage).commands.map(\.command) == ["open:", "send:"])
  }

  @Test func `nothing is suggested that does not help`() throws {
    let stage = try stage(
      [("close:", Self.write("/photo/isOpen", "false")), ("zoom:", Self.write("/zoom"))],
      wanting: "state.photo.isOpen", state: ["photo": ["isOpen": false], "zoom": false])
    let found = try remedies(stage)
    #expect(found.commands.isEmpty && found.isComplete)
  }

  @Test func `a command is asked about from another place`() throws {
    let stage = try Stage(
      commands: [["id": "wanted:", "title": "W", "action": "wanted:"]], menus: [],
      responders: [
        "near": ["kind": "view"], "far": ["kind": "view", "handlers": ["wanted:": [:]]],
      ], focus: "near", state: [:])
    #expect(try remedies(stage).focuses.map(\.responder) == ["far"])
    #expect(try remedies(stage, from: "far").item.isEnabled)
    let there = try remedies(stage, from: "near")
    #expect(!there.item.isEnabled && there.focuses.isEmpty)
  }

  @Test func `focuses share an effort`() throws {
    let stage = try Stage(
      commands: [["id": "wanted:", "title": "W", "action": "wanted:"]], menus: [],
      responders: [
        "near": ["kind": "view"], "far": ["kind": "view", "handlers": ["wanted:": [:]]],
      ], focus: "near", state: [:])
    let wanted = try #require(stage.catalog.command("wanted:"))
    func focuses(_ effort: Effort) -> [ResponderID] {
      stage.session.focuses(
        enabling: wanted, in: ActionRequest(.command("wanted:")), under: stage.catalog,
        by: .local, spending: effort
      ).map(\.responder)
    }
    #expect(focuses(Remedies.newEffort()) == ["far"])
    #expect(focuses(Effort(limit: 1)).isEmpty)
  }

  /// A session of two views, of which the other one handles the command.
  private func place(
    _ handler: JSON, command: JSONObject = [:], state: JSON = [:], more: JSONObject = [:]
  ) throws -> Stage {
    var declared: JSONObject = ["id": "wanted:", "title": "W", "action": "wanted:"]
    declared.assign(membersOf: command)
    var other: JSONObject = ["kind": "view", "handlers": ["wanted:": handler]]
    other.assign(membersOf: more)
    return try Stage(
      commands: [.object(declared)], menus: [],
      responders: ["near": ["kind": "view"], "other": .object(other)], focus: "near",
      state: state)
  }

  @Test func `a responder that refuses is told with its reasons`() throws {
    let stage = try place(
      [
        "validate": [
          "enabled": "state.n < 10", "requires": [["if": "state.armed", "else": "Arm it."]],
        ]
      ], state: ["n": 12, "armed": false])
    let found = try remedies(stage)
    #expect(found.focuses.isEmpty)
    let refusing = try #require(found.refusing.first)
    #expect(refusing.responder == "other" && refusing.item.explanation == "Arm it.")
    // The rule that gave the words, and not the first one that is false.
    #expect(refusing.item.trace.steps.flatMap(\.explanation) == ["state.armed is false"])
  }

  @Test func `nobody is told who cannot perform it although it is enabled`() throws {
    let stage = try place(
      ["perform": [["op": "test", "path": "/n", "value": "1"]]], state: ["n": 2])
    let found = try remedies(stage)
    #expect(found.focuses.isEmpty && found.refusing.isEmpty)
  }

  @Test func `one that cannot have focus is asked from itself`() throws {
    let stage = try place([:], more: ["canBecomeFirstResponder": "false"])
    #expect(
      try remedies(stage).focuses == [
        Remedies.Focus(
          responder: "other", target: .responder("other"), isByFocus: false, isFrom: true)
      ])
  }

  @Test func `a request is explained with its parameters, and the key of its item`() throws {
    let stage = try Stage(
      commands: [
        [
          "id": "wanted:", "title": "W", "action": "wanted:",
          "parameters": ["type": "object", "properties": ["to": ["type": "string"]]],
        ]
      ],
      menus: [
        [
          "identifier": "places", "title": "Places",
          "children": [
            [
              "forEach": "state.places", "key": "item", "command": "wanted:", "title": "item",
              "parameters": "{'to': item}",
            ]
          ],
        ]
      ],
      responders: [
        "view": [
          "kind": "view",
          "handlers": ["wanted:": ["validate": ["enabled": "parameters.to != state.here"]]],
        ]
      ], focus: "view", state: ["places": ["a", "b"], "here": "a"])
    let wanted = try #require(stage.catalog.command("wanted:"))
    func causes(_ request: ActionRequest) -> [String] {
      stage.session.remedies(for: wanted, in: request, under: stage.catalog)
        .item.trace.steps.flatMap(\.explanation)
    }
    let told = ["parameters.to != state.here is false: parameters.to is \"a\", state.here is \"a\""]
    #expect(causes(ActionRequest(.command("wanted:"), parameters: ["to": "a"])) == told)
    #expect(causes(ActionRequest(.command("wanted:"), itemKey: ItemKey("a"))) == told)
    let gone = stage.session.remedies(
      for: wanted, in: ActionRequest(.command("wanted:"), itemKey: ItemKey("c")),
      under: stage.catalog)
    #expect(gone.item.reason == .unknownItem)
  }

  @Test(
    arguments: [
      (["enum": ["red", "blue"]], "blue"), (["oneOf": [["const": "blue"]]], "blue"),
    ] as [(JSON, JSON)])
  func `a command with one choice is tried with each`(property: JSON, value: JSON) throws {
    let stage = try stage(
      [("paint:", [["op": "add", "path": "/color", "value": "parameters.color"]])],
      parameters: [
        "type": "object", "properties": ["color": property], "required": ["color"],
      ], wanting: "state.color == 'blue'", state: ["color": "none"])
    let found = try remedies(stage)
    #expect(
      found.commands == [
        Remedies.Suggestion(command: "paint:", itemKey: nil, parameters: ["color": value])
      ])
    #expect(found.isComplete)
  }

  @Test func `what needs other parameters is not tried, and it says so`() throws {
    let stage = try stage(
      [("paint:", [["op": "add", "path": "/color", "value": "parameters.color"]])],
      parameters: [
        "type": "object", "properties": ["color": ["type": "string"]], "required": ["color"],
      ], wanting: "state.color == 'blue'", state: ["color": "none"])
    let found = try remedies(stage)
    #expect(found.commands.isEmpty && !found.isComplete)
  }

  @Test func `M12: a command of items is tried with these`() throws {
    let stage = try Stage(
      commands: [
        ["id": "wanted:", "title": "W", "action": "wanted:"],
        ["id": "open:", "title": "O", "action": "open:"],
      ],
      menus: [
        [
          "identifier": "places", "title": "Places",
          "children": [
            ["forEach": "['a', 'b']", "key": "item", "command": "open:", "title": "item"]
          ],
        ]
      ],
      responders: [
        "view": [
          "kind": "view",
          "handlers": [
            "wanted:": ["validate": ["enabled": "state.open == 'b'"]],
            "open:": ["perform": [["op": "add", "path": "/open", "value": "command.key"]]],
          ],
        ]
      ], focus: "view", state: ["open": "none"])
    #expect(
      try remedies(stage).commands == [
        Remedies.Suggestion(command: "open:", itemKey: ItemKey("b"), parameters: nil)
      ])
  }
}
