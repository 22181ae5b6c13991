import JSONText
import Testing

@testable import MenuEngine

@Suite struct KeyPressTests {
  private func stage(
    _ command: JSONObject = [:], handler: JSON = logging("done"), keyCommands: JSON = [],
    state: JSON = ["log": []]
  ) throws -> Stage {
    var declared: JSONObject = ["action": "copy:", "title": "Copy", "key": ["input": "c"]]
    for member in command.members { declared[member.name] = member.value }
    return try Stage(
      commands: [.object(declared)],
      responders: [
        "view": [
          "kind": "view", "keyCommands": keyCommands, "handlers": ["copy:": handler],
        ]
      ], focus: "view", state: state)
  }

  @Test func `K1: a command matched by its key is performed as a command, with events`() throws {
    var stage = try stage()
    let outcome = try stage.press("C")
    #expect(stage.log == ["done"])
    #expect(
      outcome.events == [
        .willSendAction("copy:", "copy:", target: .responder("view")),
        .didSendAction("copy:", "copy:", target: .responder("view"), isPerformed: true),
      ])
    let invocation = try #require(outcome.performance?.invocation)
    #expect(invocation.sender?.command?.id == "copy:")
    let sender = stage.session.value(of: invocation.sender).object
    #expect(sender?["kind"] == "key")
    #expect(sender?["input"] == "c")
    #expect(sender?["modifiers"] == [])
    #expect(sender?["id"] == "copy:")
    #expect(outcome.resolution?.chosen?.target == .responder("view"))
    #expect(stage.session.revision == 1)
  }

  @Test func `K1: a responder's key command sends its action, with a sender that describes it`()
    throws
  {
    var stage = try stage(
      handler: ["perform": [["op": "add", "path": "/log/-", "value": "sender"]]],
      keyCommands: [
        [
          "input": "UIKeyInputUpArrow", "modifiers": ["control"], "action": "copy:",
          "title": "Up", "propertyList": ["by": 1],
        ]
      ])
    let outcome = try stage.press("UIKeyInputUpArrow", .control, .numericPad)
    #expect(outcome.events == [])
    #expect(
      stage.log == [
        [
          "kind": "key", "input": "UIKeyInputUpArrow", "modifiers": ["control"],
          "action": "copy:", "title": "Up", "propertyList": ["by": 1], "declaredBy": "view",
        ]
      ])
  }

  @Test func `M6: a hidden command's key works, a disabled one's does not`() throws {
    var hidden = try stage(["attributes": ["hidden"]])
    try hidden.press("c")
    #expect(hidden.log == ["done"])
    var ruledHidden = try stage(handler: ["validate": ["hidden": true]])
    #expect(try ruledHidden.press("c").performance?.isPerformed == true)
    let disabled = try stage(["attributes": ["disabled"]])
    let fault = disabled.refusal(of: .pressKey(KeyPress(try pressed("c"))))
    guard case .command(.keyNotPerformed(let resolution))? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(resolution.lines == ["copy:: declaredDisabled -> view"])
  }

  @Test func `K3: a key that nothing matches is refused, and nothing is changed`() throws {
    let stage = try stage()
    let fault = stage.refusal(of: .pressKey(KeyPress(try pressed("x"))))
    guard case .command(.keyNotPerformed(let resolution))? = fault else {
      Issue.record("'resolution' is not the fault of a key")
      return
    }
    #expect(resolution.tried == [])
    #expect(resolution.shadowed == [])
  }

  @Test func `K3: a chosen match whose effects fail is not passed over, and changes nothing`()
    throws
  {
    let stage = try stage(
      handler: ["perform": [["op": "remove", "path": "/missing"]]],
      keyCommands: [["input": "c", "action": "copy:"]])
    guard case .effect(.patch)? = stage.refusal(of: .pressKey(KeyPress(try pressed("c")))) else {
      Issue.record("accepted")
      return
    }
  }

  @Test func `K1: what is pressed is what is resolved`() throws {
    for input in ["c", "d"] {
      var stage = try stage(keyCommands: [["input": "d", "action": "copy:"]])
      let press = KeyPress(try pressed(input))
      let resolution = try stage.resolution(press)
      let outcome = try stage.apply(.pressKey(press))
      #expect(outcome.resolution == resolution)
      #expect(outcome.performance?.target == resolution.chosen?.target)
    }
  }

  @Test func `K2: a key reaches the handler of a coordinator, through the forwarder`() throws {
    var stage = try Stage(
      responders: [
        "view": [
          "kind": "view", "superview": "host",
          "keyCommands": [["input": "k", "action": "go:"], ["input": "j", "action": "stop:"]],
        ],
        "host": ["kind": "view", "coordinator": ["handlers": ["go:": logging("went")]]],
      ], focus: "view")
    #expect(try stage.matches("k") == ["view go:: enabled -> host/forwarder"])
    try stage.press("k")
    #expect(stage.log == ["went"])
    #expect(try stage.matches("j") == ["view stop:: noTarget"])
  }

  @Test func `K1: the keys pressed in one list count together`() throws {
    let commands = try (0..<3000).map { number -> JSON in
      let character = try #require(UnicodeScalar(0x4E00 + number))
      return [
        "action": "a\(number)", "title": "A", "key": ["input": "\(Character(character))"],
      ]
    }
    var stage = try Stage(
      commands: .array(commands),
      responders: ["view": ["kind": "view", "handlers": ["copy:": [:]]]], focus: "view")
    let keyCommands = try FaultLog.collecting {
      KeyCommand.list(reading: [["input": "k", "action": "copy:"]], at: .root, log: $0)
    }
    try stage.apply(
      .putKeyCommands(Array(repeating: keyCommands[0], count: 3000), of: "view"))
    var session = stage.session
    let press = Mutation.pressKey(KeyPress(try pressed("k")))
    let fault = #expect(throws: MutationFault.self) {
      try session.apply(Array(repeating: press, count: 20_000), in: stage.catalog)
    }
    guard case .inList(index: _, .tooMuchEffort)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test func `what a key changes in the state is written anew, what it leaves is not`() throws {
    let perform = logging("done")[JSONPointer(["perform"])] ?? []
    let stage = PlanStage(
      try stage(handler: ["perform": perform, "validate": ["checked": "size(state.log) > 0"]]))
    #expect(try stage.changes { try $0.stage.press("c") } == ["copy:"])
    #expect(try stage.changes { try $0.apply(.putKeyCommands([], of: "view")) } == [])
  }

  @Test func `K5: key commands are put in place of a responder's own`() throws {
    var stage = try stage(keyCommands: [["input": "d", "action": "copy:"]])
    let keyCommands = try FaultLog.collecting {
      KeyCommand.list(reading: [["input": "e", "action": "copy:"]], at: .root, log: $0)
    }
    let outcome = try stage.apply(.putKeyCommands(keyCommands, of: "view"))
    #expect(outcome.changes == [.keyCommands("view", keyCommands)])
    #expect(try stage.matches("d") == [])
    #expect(try stage.matches("e") == ["view copy:: enabled -> view"])
    try stage.apply(.putKeyCommands([], of: "view"))
    #expect(try stage.matches("e") == [])
    #expect(
      stage.refusal(of: .putKeyCommands([], of: "ghost")) == .unknownResponder("ghost"))
  }
}
