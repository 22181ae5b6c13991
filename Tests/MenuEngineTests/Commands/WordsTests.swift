import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// The words of a disabled item for people (W1, W2).
@Suite struct WordsTests {
  private let select: JSON = ["if": "size(state.selection) > 0", "else": "Select a photo first."]
  private let single: JSON = [
    "if": "size(state.selection) == 1",
    "else": ["rule": "'Select one photo, not ' + string(size(state.selection)) + '.'"],
  ]

  private func stage(
    _ validate: JSON, command: JSON = [:], selection: JSON = [], isHandled: Bool = true
  ) throws -> Stage {
    var declared: JSONObject = ["action": "rename:", "title": "Rename"]
    for member in command.object?.members ?? [] { declared[member.name] = member.value }
    let handlers: JSON =
      isHandled
      ? [
        "rename:": [
          "validate": validate,
          "perform": [["op": "add", "path": "/renamed", "value": "true"]],
        ]
      ] : [:]
    return try Stage(
      commands: [.object(declared)],
      responders: ["grid": ["kind": "view", "handlers": handlers]], focus: "grid",
      state: ["selection": selection, "isLocked": false])
  }

  /// The item, which a plan must give too, to the byte.
  private func words(_ stage: Stage) throws -> String {
    var planned = PlanStage(stage)
    try planned.ask()
    let item = try stage.item("rename:")
    let requirement = item.requirement.map { " \($0)" } ?? ""
    return "\(item.reason)\(requirement): \(item.explanation ?? "nothing")"
  }

  @Test func `W1: the first precondition that is false explains the item`() throws {
    let validate: JSON = ["requires": [select, single]]
    #expect(try words(stage(validate)) == "ruleFalse 0: Select a photo first.")
    #expect(
      try words(stage(validate, selection: [1, 2])) == "ruleFalse 1: Select one photo, not 2.")
    #expect(try words(stage(validate, selection: [1])) == "enabled: nothing")
  }

  @Test func `W1: preconditions are asked after enabled, whatever it says`() throws {
    let validate: JSON = ["enabled": "!state.isLocked && false", "requires": [select]]
    #expect(try words(stage(validate)) == "ruleFalse 0: Select a photo first.")
    #expect(try words(stage(validate, selection: [1])) == "ruleFalse: nothing")
  }

  @Test func `W1: preconditions that are true do not enable what is declared disabled`() throws {
    let command: JSON = ["attributes": ["disabled"], "unavailable": "Not in this version."]
    let validate: JSON = ["requires": [select]]
    #expect(
      try words(stage(validate, command: command, selection: [1]))
        == "declaredDisabled: Not in this version.")
    #expect(try words(stage(validate, command: command)) == "ruleFalse 0: Select a photo first.")
    let enabling: JSON = ["enabled": true, "requires": [select]]
    #expect(try words(stage(enabling, command: command, selection: [1])) == "enabled: nothing")
  }

  @Test(arguments: [
    ["if": "state.nothing", "else": "x"] as JSON,
    ["if": "size(state.selection) > 0", "else": ["rule": "state.nothing"]],
  ])
  func `W1: a precondition that fails is a rule error, and later ones are not asked`(
    failing: JSON
  ) throws {
    let stage = try stage(["requires": [failing, select]], command: ["unavailable": "Never."])
    #expect(try words(stage) == "ruleError: nothing")
    let item = try stage.item("rename:")
    let place = failing[JSONPointer(["if"])] == "state.nothing" ? "if" : "else/rule"
    #expect(item.fault?.place == "validate/requires/0/\(place)")
    let trace = try #require(item.trace.steps.last { $0.question == .validate })
    #expect(!trace.rules.contains { $0.place.contains("requires/1") })
  }

  @Test func `W1: words are evaluated only when they are needed`() throws {
    let words: JSON = ["if": "size(state.selection) > 0", "else": ["rule": "state.nothing"]]
    #expect(
      try self.words(stage(["requires": [words]], selection: [1])) == "enabled: nothing")
  }

  @Test func `W1: the trace names the precondition that refuses`() throws {
    let item = try stage(["enabled": true, "requires": [select, single]], selection: [1, 2])
      .item("rename:")
    let step = try #require(item.trace.steps.last)
    #expect(
      step.rules.map(\.place) == [
        "validate/enabled", "validate/requires/0/if", "validate/requires/1/if",
        "validate/requires/1/else/rule",
      ])
    #expect(
      step.explanation == [
        "size(state.selection) == 1 is false: size(state.selection) is 2"
      ])
  }

  @Test func `W1: diagnostics try no rule that is not asked`() throws {
    let stage = try Stage(
      commands: [["action": "crop:", "title": "Crop"]],
      responders: [
        "grid": [
          "kind": "view",
          "handlers": [
            "crop:": [
              "validate": [
                "requires": [
                  ["if": "state.sel != null", "else": "Select."],
                  ["if": "size(state.sel) > 0", "else": ["rule": "'No ' + state.sel.name"]],
                ],
                "confirmation": [
                  "if": "state.sel != null", "title": "'Crop ' + string(size(state.sel))",
                ],
              ],
              "perform": [["op": "add", "path": "/cropped", "value": "state.sel.name"]],
            ]
          ],
        ]
      ], focus: "grid", state: ["sel": nil])
    #expect(stage.session.diagnostics(in: stage.catalog).failing.rules.isEmpty)
  }

  @Test func `W2: what nobody handles is explained by its command`() throws {
    let command: JSON = ["unavailable": "Open an album first."]
    #expect(
      try words(stage([:], command: command, isHandled: false)) == "noTarget: Open an album first.")
    #expect(try words(stage([:], isHandled: false)) == "noTarget: nothing")
    #expect(try words(stage(["enabled": false], command: command)) == "ruleFalse: nothing")
    #expect(try words(stage([:], command: command)) == "enabled: nothing")
  }

  @Test func `W2: what is declared disabled is explained by its command`() throws {
    let command: JSON = ["attributes": ["disabled"], "unavailable": "Not in this version."]
    #expect(
      try words(stage([:], command: command)) == "declaredDisabled: Not in this version.")
  }

  @Test func `W2: the built-in undo is explained by its command`() throws {
    let stage = try Stage(
      commands: [["action": "undo:", "title": "Undo", "unavailable": "There is nothing to undo."]],
      responders: ["grid": ["kind": "view", "undoManager": [:]]], focus: "grid")
    let item = try stage.item("undo:")
    #expect(item.reason == .ruleFalse && item.explanation == "There is nothing to undo.")
  }

  @Test func `W3: a refused command is explained, and nothing happens`() throws {
    let stage = try stage(["requires": [select]])
    let refusal = stage.refusal(of: .perform(ActionRequest(.command("rename:"))))
    guard case .command(.notPerformed(let told))? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(told.item?.explanation == "Select a photo first." && told.item?.requirement == 0)
  }

  @Test func `W1: words survive a round trip through documents and journals`() throws {
    let validate: JSON = [
      "enabled": "true", "requires": [select, single], "title": "'T'",
      "confirmation": ["if": "state.isLocked", "title": "'Sure?'", "button": "'Yes'"],
    ]
    let document: JSON = ["validate": validate, "perform": []]
    let handler = try FaultLog.collecting { Handler(reading: document, at: .root, log: $0) }
    #expect(handler.json[JSONPointer(["validate"])]?.text() == validate.text())
    let again = try FaultLog.collecting { Handler(reading: handler.json, at: .root, log: $0) }
    #expect(again == handler)
    let stored: Handler = try StoredFormat.value(from: try StoredFormat.bytes(of: handler))
    #expect(stored == handler)
    #expect(stored.validate.rules.map(\.place) == handler.validate.rules.map(\.place))
  }

  @Test(
    arguments: [
      ("x", "/validate/requires: array"), (["x"], "/validate/requires/0: object"),
      ([["else": "x"]], "/validate/requires/0: if"),
      ([["if": true]], "/validate/requires/0: else"),
      ([["if": true, "else": 5]], "/validate/requires/0/else: words"),
      ([["if": true, "else": ["rule": "1"]]], "/validate/requires/0/else/rule: rule"),
      ([["if": "1", "else": "x"]], "/validate/requires/0/if: rule"),
      ([["if": true, "else": "x", "also": 1]], "/validate/requires/0/also: also"),
    ] as [(JSON, String)])
  func `W1: preconditions that cannot be read are refused with their place`(
    requires: JSON, place: String
  ) throws {
    let log = FaultLog()
    _ = Handler(reading: ["validate": ["requires": requires]], at: .root, log: log)
    let pointer = String(place.prefix { $0 != ":" })
    #expect(log.faults.map(\.pointer.description) == [pointer])
  }
}

/// The question before a command is performed (W4).
@Suite struct ConfirmationTests {
  private func stage(
    validate: JSON = [:], confirmation: JSON? = nil, state: JSON = ["count": 3]
  ) throws -> Stage {
    var command: JSONObject = [
      "action": "delete:", "title": "Delete", "key": ["input": "d", "modifiers": ["command"]],
    ]
    command["confirmation"] = confirmation
    return try Stage(
      commands: [.object(command), ["action": "sweep:", "title": "Sweep"]],
      responders: [
        "grid": [
          "kind": "view",
          "keyCommands": [["input": "x", "action": "delete:", "title": "Delete"]],
          "handlers": [
            "delete:": [
              "validate": validate,
              "perform": [["op": "add", "path": "/deleted", "value": "true"]],
            ],
            "sweep:": ["perform": [["op": "perform", "command": "'delete:'"]]],
          ],
        ]
      ], focus: "grid", state: state)
  }

  private let declared: JSON = ["title": "Delete?", "message": "For good.", "button": "Delete"]
  private let byRules: JSON = [
    "confirmation": [
      "if": "state.count > 1", "title": "'Delete ' + string(state.count) + ' photos?'",
    ]
  ]

  private func confirmation(_ stage: Stage) throws -> JSON? {
    var planned = PlanStage(stage)
    try planned.ask()
    return try stage.item("delete:").confirmation?.json
  }

  /// The texts with which a mutation is refused; nil if it is performed.
  private func question(_ mutation: Mutation, _ stage: Stage, isDry: Bool = false) throws -> String?
  {
    var copy = stage.session
    do throws(MutationFault) {
      _ = try copy.apply(mutation, in: stage.catalog, isDry: isDry)
      #expect(copy.state[JSONPointer(["deleted"])] == true)
      return nil
    } catch {
      #expect(copy.document == stage.session.document)
      guard case .command(.needsConfirmation(let item, let confirmation)) = error else {
        throw error
      }
      #expect(item.isEnabled)
      return confirmation.title
    }
  }

  @Test func `W4: an item shows the confirmation that its command declares`() throws {
    #expect(try confirmation(stage(confirmation: declared)) == declared)
    #expect(try confirmation(stage()) == nil)
  }

  @Test func `W4: rules of the target replace or remove it`() throws {
    #expect(
      try confirmation(stage(validate: byRules, confirmation: declared)) == [
        "title": "Delete 3 photos?", "message": "For good.", "button": "Delete",
      ])
    #expect(
      try confirmation(stage(validate: byRules, confirmation: declared, state: ["count": 1])) == nil
    )
    #expect(try confirmation(stage(validate: byRules)) == ["title": "Delete 3 photos?"])
  }

  @Test func `W4: performing without being confirmed does nothing`() throws {
    let stage = try stage(confirmation: declared)
    #expect(try question(.perform(ActionRequest(.command("delete:"))), stage) == "Delete?")
    #expect(
      try question(.perform(ActionRequest(.command("delete:"), confirmed: true)), stage) == nil)
  }

  @Test func `W4: a key needs it too, that of a command and that of a responder`() throws {
    let stage = try stage(validate: byRules)
    for key in [try pressed("d", [.command]), try pressed("x")] {
      #expect(try question(.pressKey(KeyPress(key)), stage) == "Delete 3 photos?")
      #expect(try question(.pressKey(KeyPress(key, confirmed: true)), stage) == nil)
    }
  }

  @Test func `W4: a dry run and effects ask nobody`() throws {
    let stage = try stage(confirmation: declared)
    let request = ActionRequest(.command("delete:"))
    #expect(try question(.perform(request), stage, isDry: true) == nil)
    #expect(try question(.perform(ActionRequest(.command("sweep:"))), stage) == nil)
  }

  @Test func `W4: what is disabled is refused before it asks`() throws {
    let stage = try stage(
      validate: ["requires": [["if": false, "else": "No."]]], confirmation: declared)
    #expect(stage.reason(for: .perform(ActionRequest(.command("delete:")))) == .ruleFalse)
  }

  @Test func `W4: a key command asks what the command with its identity declares`() throws {
    let stage = try stage(confirmation: declared)
    let press = KeyPress(try pressed("x"))
    #expect(try question(.pressKey(press), stage) == "Delete?")
    #expect(try question(.pressKey(KeyPress(press.key, confirmed: true)), stage) == nil)
  }

  @Test func `W4: the mutations of a reply are no effects`() throws {
    var stage = try stage(confirmation: declared)
    try stage.put(
      "worker",
      ["kind": "view", "handlers": ["work:": ["perform": [["op": "deliver", "value": "1"]]]]])
    try stage.apply(.perform(ActionRequest(.action("work:"), to: .responder("worker"))))
    try stage.apply(.claimDelivery(1, until: 1000))
    func reply(_ confirmed: Bool) -> Mutation {
      .replyToDelivery(
        1, claim: 1,
        mutations: [.perform(ActionRequest(.command("delete:"), confirmed: confirmed))], at: 1)
    }
    guard case .inList(_, .command(.needsConfirmation))? = stage.refusal(of: reply(false)) else {
      Issue.record("\(String(describing: stage.refusal(of: reply(false))))")
      return
    }
    try stage.apply(reply(true))
    #expect(stage.session.state[JSONPointer(["deleted"])] == true)
  }

  @Test func `M11: an alternate has words and a confirmation of its own`() throws {
    let alternate: JSON = [
      "modifiers": ["shift"], "title": "Archive", "action": "archive:",
      "unavailable": "Nobody archives.",
    ]
    let stage = try Stage(commands: [
      [
        "action": "delete:", "title": "Delete", "confirmation": declared,
        "unavailable": "Nobody deletes.", "alternates": [alternate],
      ]
    ])
    var request = ValidationRequest()
    request.commands = ["delete:"]
    request.modifiers = KeyModifiers([KeyModifiers.Name.shift])
    let item = try stage.session.validate(request, in: stage.catalog)[0]
    #expect(item.confirmation == nil && item.explanation == "Nobody archives.")
    #expect(try stage.item("delete:").confirmation?.json == declared)
  }

  @Test func `W4: what never asks needs no question`() throws {
    let validate: JSON = ["confirmation": ["if": false]]
    #expect(try confirmation(stage(validate: validate, confirmation: declared)) == nil)
    for (condition, faults) in [("false", 0), ("1 > 2", 1)] {
      let log = FaultLog()
      _ = Handler(
        reading: ["validate": ["confirmation": ["if": .string(condition)]]], at: .root, log: log)
      #expect(log.faults.count == faults, "\(condition)")
    }
  }

  @Test func `W4: an action has nothing to confirm`() throws {
    let log = FaultLog()
    var reader = try #require(
      ObjectReader(["action": "delete:", "confirmed": true], at: .root, log: log))
    _ = ActionRequest(&reader)
    #expect(log.faults.count == 1)
  }
}

/// Plans in the engine: each is performed once (T6).
@Suite struct PlanUseTests {
  @Test func `T6: a session performs a plan once, whatever became of the answer`() throws {
    var stage = try Stage(
      commands: [["action": "turn:", "title": "Turn"]],
      responders: [
        "grid": [
          "kind": "view",
          "handlers": ["turn:": ["perform": [["op": "replace", "path": "/n", "value": "5"]]]],
        ]
      ], focus: "grid", state: ["n": 1])
    func request(_ nonce: String, at time: Int64) -> Mutation {
      .perform(
        ActionRequest(.command("turn:"), when: time)
          .performed(by: PlanUse(nonce: nonce, expiry: 100)))
    }
    try stage.apply(request("one", at: 50))
    #expect(stage.refusal(of: request("one", at: 60)) == .command(.planPerformed))
    let stored: Session = try StoredFormat.value(from: try StoredFormat.bytes(of: stage.session))
    var restored = stage
    restored.session = stored
    #expect(restored.refusal(of: request("one", at: 70)) == .command(.planPerformed))
    try stage.apply(request("two", at: 100))
    // Those that have expired are forgotten.
    try stage.apply(request("three", at: 101))
    #expect(stage.session.parts.value.performedPlans.keys.sorted() == ["three"])
  }
}
