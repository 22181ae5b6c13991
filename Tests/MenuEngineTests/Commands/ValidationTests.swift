import CEL
import JSONText
import Testing

@testable import MenuEngine

/// A command declared with everything set, and one view with a handler for it.
private func stage(_ handler: JSON, command: JSON = [:], state: JSON = ["log": []]) throws -> Stage
{
  var declared: JSONObject = ["action": "rate:", "title": "Rate"]
  for member in command.object?.members ?? [] { declared[member.name] = member.value }
  return try Stage(
    commands: [.object(declared)],
    responders: ["v": ["kind": "view", "handlers": ["rate:": handler]]], focus: "v", state: state)
}

@Suite struct ValidationTests {
  private let declared: JSON = [
    "subtitle": "s", "image": "i", "discoverabilityTitle": "d",
    "attributes": ["destructive", "keepsMenuPresented"], "state": "mixed",
    "key": ["input": "r", "modifiers": ["command"]],
  ]

  private func item(_ title: String, _ change: (inout ValidatedItem) -> Void = { _ in }) throws
    -> ValidatedItem
  {
    var document = declared.object ?? JSONObject()
    document["action"] = "rate:"
    document["title"] = "Rate"
    var item = ValidatedItem(declaredBy: try command(.object(document)))
    item.title = title
    item.isEnabled = true
    item.reason = .enabled
    item.target = .responder("v")
    change(&item)
    return item
  }

  private func validated(_ stage: Stage) throws -> ValidatedItem {
    var item = try stage.item("rate:")
    item.trace = Trace(isRecording: false)
    return item
  }

  @Test func `M5: without a validator the item is enabled as declared`() throws {
    let stage = try stage([:], command: declared)
    #expect(try validated(stage) == item("Rate"))
    #expect(try stage.item("rate:").trace.lines.last == "v validate null")
  }

  @Test func `M5: a validator changes every field it has a rule for`() throws {
    let stage = try stage(
      [
        "validate": [
          "enabled": true, "checked": "state.rating == 5", "title": "'T' + state.name",
          "subtitle": "'S'", "image": "'I'", "discoverabilityTitle": "'D'", "hidden": true,
          "destructive": "false",
        ]
      ], command: declared, state: ["rating": 5, "name": "!"])
    #expect(
      try validated(stage)
        == item("T!") {
          $0.subtitle = "S"
          $0.image = "I"
          $0.discoverabilityTitle = "D"
          $0.state = .on
          $0.attributes = [.hidden, .keepsMenuPresented]
        })
    #expect(
      try stage.item("rate:").trace.lines.last
        == #"v validate {"enabled":true,"checked":"on","title":"T!","subtitle":"S","image":"I","#
        + #""discoverabilityTitle":"D","hidden":true,"destructive":false}"#)
  }

  @Test(
    arguments: [
      (true, .on), (false, .off), ("'on'", .on), ("'off'", .off), ("'mixed'", .mixed),
      ("1 == 1", .on),
    ] as [(JSON, CommandState)])
  func `M5: a check mark is a bool or the name of a state`(rule: JSON, state: CommandState) throws {
    let stage = try stage(["validate": ["checked": rule]])
    #expect(try stage.item("rate:").state == state)
  }

  @Test func `M5: every validation starts from the declared values`() throws {
    var stage = try stage(
      ["validate": ["title": "state.on ? 'On' : command.title", "hidden": "state.on"]],
      command: declared, state: ["on": true])
    #expect(try validated(stage) == item("On") { $0.attributes.insert(.hidden) })
    try stage.apply(.mergeState(["on": false]))
    #expect(try validated(stage) == item("Rate"))
  }

  @Test func `M5: only the target validates, and its no ends the matter`() throws {
    let stage = try Stage(
      commands: [["action": "rate:", "title": "Rate"]],
      responders: [
        "near": [
          "kind": "view", "superview": "far",
          "handlers": ["rate:": ["validate": ["enabled": false]]],
        ],
        "far": ["kind": "view", "handlers": ["rate:": ["validate": ["title": "'far'"]]]],
      ], focus: "near")
    let item = try stage.item("rate:")
    #expect(item.isEnabled == false)
    #expect(item.reason == .ruleFalse)
    #expect(item.target == .responder("near"))
    #expect(item.title == "Rate")
    #expect(item.attributes == .disabled)
    #expect(!item.trace.lines.contains { $0.hasPrefix("far") })
  }

  @Test func `M5: validation rules read the sender, the command, its property list, no arguments`()
    throws
  {
    let stage = try stage(
      [
        "validate": [
          "enabled": .string(
            "sender.kind == 'menu' && sender.id == 'rate:' && command.propertyList.n == 5 "
              + "&& size(arguments) == 0 && responder.kind == 'view'")
        ]
      ], command: ["propertyList": ["n": 5]])
    #expect(try stage.item("rate:").reason == .enabled)
  }

  @Test func `M5: nobody to ask, or no action, is disabled as declared`() throws {
    let stage = try Stage(commands: [
      ["action": "rate:", "title": "Rate"], ["id": "none", "title": "None"],
    ])
    #expect(try stage.item("rate:").isEnabled == false)
    #expect(try stage.item("rate:").reason == .noTarget)
    #expect(try stage.item("none").isEnabled == false)
    #expect(try stage.item("none").reason == .noAction)
    #expect(stage.reason(for: .perform(ActionRequest(.command("none")))) == .noAction)
  }

  @Test func `M5: items come in the order asked for, or of declaration`() throws {
    let stage = try Stage(commands: [
      ["action": "a", "title": "A"], ["action": "b", "title": "B"],
    ])
    var request = ValidationRequest()
    let all = try stage.session.validate(request, in: stage.catalog)
    #expect(all.map(\.command) == ["a", "b"])
    request.commands = ["b", "ghost", "b"]
    let some = try stage.session.validate(request, in: stage.catalog)
    #expect(some.map(\.command) == ["b", "ghost", "b"])
    #expect(some.map(\.reason) == [.noTarget, .unknownCommand, .noTarget])
    request.from = "ghost"
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      _ = try stage.session.validate(request, in: stage.catalog)
    }
  }

  @Test func `M6: enabled needs a target and no disabled among the attributes`() throws {
    let declared = try stage([:], command: ["attributes": ["disabled"]])
    #expect(try declared.item("rate:").isEnabled == false)
    #expect(try declared.item("rate:").reason == .declaredDisabled)
    let other = try stage(
      ["validate": ["title": "'T'"]], command: ["attributes": ["disabled"]])
    #expect(try other.item("rate:").reason == .declaredDisabled)
    let allowed = try stage(
      ["validate": ["enabled": true]], command: ["attributes": ["disabled"]])
    #expect(try allowed.item("rate:").isEnabled)
    #expect(try allowed.item("rate:").attributes == [])
  }

  @Test func `M6: a hidden command is enabled and can be performed`() throws {
    var stage = try stage(
      ["perform": [["op": "add", "path": "/log/-", "value": "1"]]],
      command: ["attributes": ["hidden"]])
    #expect(try stage.item("rate:").isEnabled)
    #expect(try stage.item("rate:").attributes == .hidden)
    try stage.apply(.perform(ActionRequest(.command("rate:"))))
    #expect(stage.log == [1])
  }

  @Test func `M10: a rule that fails disables, says where, and leaves the item as declared`() throws
  {
    let stage = try stage(
      ["validate": ["title": "'changed'", "image": "'changed'", "hidden": "state.missing"]],
      command: declared)
    let found = try stage.item("rate:")
    let fault = try #require(found.fault)
    #expect(fault.place == "validate/hidden")
    #expect(fault.source == "state.missing")
    guard case .evaluation(let evaluation) = fault.reason else {
      Issue.record("no evaluation fault")
      return
    }
    #expect(
      evaluation.reason == .noSuchKey("\"missing\"", available: ["\"log\""], count: 1))
    #expect(
      try validated(stage)
        == item("Rate") {
          $0.isEnabled = false
          $0.attributes.insert(.disabled)
          $0.reason = .ruleError
          $0.fault = fault
        })
    #expect(found.trace.steps.last?.fault == fault)
  }

  @Test(
    arguments: [
      ("enabled", "dyn(1)", .int, .bool), ("checked", "'yes'", .string, .state),
      ("checked", "dyn(null)", .null, .state), ("title", "dyn(1)", .int, .string),
      ("subtitle", "dyn(null)", .null, .string), ("image", "dyn([])", .list, .string),
      ("discoverabilityTitle", "dyn({})", .map, .string),
      ("hidden", "dyn('true')", .string, .bool), ("destructive", "dyn(1.5)", .double, .bool),
    ] as [(String, String, ValueType, RuleFault.Expectation)])
  func `M10: a rule of the wrong type is a rule error`(
    member: String, rule: String, type: ValueType, expected: RuleFault.Expectation
  ) throws {
    let item = try stage(["validate": [member: .string(rule)]]).item("rate:")
    #expect(item.isEnabled == false)
    #expect(item.reason == .ruleError)
    #expect(
      item.fault
        == RuleFault(
          place: "validate/\(member)", source: rule, reason: .answered(type, expected: expected)))
  }

  @Test func `M10: the reasons are a closed list`() {
    #expect(
      ValidationReason.allCases.map(\.rawValue) == [
        "enabled", "noTarget", "noAction", "ruleFalse", "ruleError", "declaredDisabled", "cycle",
        "unknownCommand", "unknownItem", "noHandler", "recorded", "proxiedGone", "noMatch",
        "pending",
      ])
  }

  @Test(arguments: [(true, false), (false, true)])
  func `M5: a rule sets or clears keepsMenuPresented`(declared: Bool, ruled: Bool) throws {
    let stage = try Stage(
      commands: [
        ["action": "a", "title": "A", "attributes": declared ? ["keepsMenuPresented"] : []]
      ],
      responders: [
        "v": [
          "kind": "view",
          "handlers": ["a": ["validate": ["keepsMenuPresented": .bool(ruled)]]],
        ]
      ], focus: "v")
    let item = try stage.item("a")
    #expect(item.attributes.contains(.keepsMenuPresented) == ruled)
    #expect(item.trace.lines.last == "v validate {\"keepsMenuPresented\":\(ruled)}")
  }

  @Test func `M10: an item that was not to be explained has no trace`() throws {
    let stage = try stage([:])
    let items = try stage.session.validate(ValidationRequest(), in: stage.catalog)
    #expect(items.map(\.trace) == [Trace(isRecording: false)])
  }
}

@Suite struct ValidatedMenuTests {
  private func stage(_ children: JSON, options: JSON = ["singleSelection"]) throws -> Stage {
    try Stage(
      commands: .array(
        ["a", "b", "c", "d"].map { ["action": .string($0), "title": .string($0)] }),
      menus: [["identifier": "m", "options": options, "children": children]],
      responders: [
        "v": [
          "kind": "view",
          "handlers": [
            "a": ["validate": ["checked": true, "hidden": "has(state.hidesA)"]],
            "b": ["validate": ["checked": true]], "c": ["validate": ["checked": "'mixed'"]],
            "d": ["validate": ["checked": true]],
          ],
        ]
      ], focus: "v")
  }

  private func menu(_ children: JSON, options: JSON = ["singleSelection"]) throws -> ValidatedMenu {
    let stage = try stage(children, options: options)
    let menu = try #require(stage.catalog.menu("m"))
    return try stage.session.validate(menu, ValidationRequest(), in: stage.catalog)
  }

  private func marks(_ menu: ValidatedMenu) -> [String] { marks(menu.items) }

  private func marks(_ items: [ValidatedItem]) -> [String] {
    items.map { "\($0.command) \($0.state)\($0.lostSingleSelection ? " lost" : "")" }
  }

  @Test func `M9: the first in menu order keeps its mark, the rest are flagged`() throws {
    #expect(
      try marks(menu(["c", "a", "b", "d"])) == ["c mixed", "a on", "b off lost", "d off lost"])
    #expect(try marks(menu(["d", "a"])) == ["d on", "a off lost"])
  }

  @Test func `M9: without singleSelection all keep theirs`() throws {
    #expect(try marks(menu(["a", "b"], options: [])) == ["a on", "b on"])
  }

  @Test func `M9: items displayed inline count, those of a submenu do not`() throws {
    #expect(
      try marks(
        menu([
          ["options": ["displayInline"], "children": ["a", "b"]], ["children": ["d"]], "d",
        ])) == ["a on", "b off lost", "d on", "d off lost"])
  }

  @Test func `M9: a submenu with singleSelection is one of its own`() throws {
    #expect(
      try marks(
        menu([["options": ["singleSelection"], "children": ["a", "b"]], "d"])) == [
          "a on", "b off lost", "d on",
        ])
    #expect(
      try marks(
        menu([["options": ["singleSelection"], "children": ["a", "b"]], "d"], options: []))
        == ["a on", "b off lost", "d on"])
  }

  @Test func `M9: a hidden item is not displayed and takes no mark away`() throws {
    let stage = try Stage(
      commands: [
        ["action": "a", "title": "A", "state": "on", "attributes": ["hidden"]],
        ["action": "b", "title": "B", "state": "on"],
      ], menus: [["identifier": "m", "options": ["singleSelection"], "children": ["a", "b"]]])
    let menu = try #require(stage.catalog.menu("m"))
    let validated = try stage.session.validate(menu, ValidationRequest(), in: stage.catalog)
    #expect(marks(validated) == ["a on", "b on"])
  }

  @Test func `M9: a question about a menu has its items, in its order and with its marks`() throws {
    var stage = try stage(["c", "a", "b", ["options": ["displayInline"], "children": ["d"]]])
    var request = ValidationRequest()
    request.menu = "m"
    request.commands = ["b"]
    let items = try stage.session.validate(request, in: stage.catalog)
    #expect(marks(items) == ["c mixed", "a on", "b off lost", "d off lost"])
    request.kind = .context
    try stage.apply(.mergeState(["hidesA": true]))
    #expect(
      marks(try stage.session.validate(request, in: stage.catalog)) == [
        "c mixed", "b on", "d off lost",
      ])
    request.menu = "ghost"
    #expect(throws: MutationFault.unknownMenu("ghost")) {
      _ = try stage.session.validate(request, in: stage.catalog)
    }
  }

  @Test func `M9: each item of a menu depends on what any of them reads`() throws {
    var stage = PlanStage(try stage(["b", "a"]))
    var request = ValidationRequest()
    request.menu = "m"
    let before = try stage.ask(request)
    try stage.apply(.mergeState(["hidesA": true]))
    let hidden = try stage.ask(request)
    #expect(hidden != before)
    try stage.apply(.mergeState(["other": true]))
    #expect(try stage.ask(request) == hidden)
  }

  @Test func `M6: a submenu that holds only empty ones has children`() throws {
    let menu = try menu([["children": [["children": []]]]])
    guard case .menu(let outer) = menu.children[0], case .menu(let inner) = outer.children[0] else {
      Issue.record("\(menu.children)")
      return
    }
    #expect(outer.isEnabled)
    #expect(!inner.isEnabled)
  }

  @Test func `M6: a submenu is enabled unless it has no children`() throws {
    let menu = try menu([["children": []], ["children": ["a"]]])
    let enabled = menu.children.map { child in
      switch child {
      case .menu(let menu): menu.isEnabled
      case .item: false
      }
    }
    #expect(enabled == [false, true])
    #expect(menu.isEnabled)
  }

  @Test func `M8: a main menu shows what cannot be performed, disabled`() throws {
    let stage = try Stage(
      commands: [["action": "a", "title": "A"]], menus: ["a"])
    let menu = try stage.session.validate(
      stage.catalog.menus, ValidationRequest(), in: stage.catalog)
    #expect(menu.items.map(\.command) == ["a"])
    #expect(menu.items.map(\.isEnabled) == [false])
    #expect(menu.items.map(\.reason) == [.noTarget])
  }
}

@Suite struct PerformTests {
  private func stage(_ rule: JSON) throws -> Stage {
    try MenuEngineTests.stage([
      "validate": ["enabled": rule],
      "perform": [["op": "add", "path": "/log/-", "value": "[sender, arguments, command.id]"]],
    ])
  }

  @Test func `M7: enabled: will-event, action to the target with the command as sender, did-event`()
    throws
  {
    var stage = try stage(true)
    let outcome = try stage.apply(.perform(ActionRequest(.command("rate:"), when: 7)))
    #expect(
      outcome.events == [
        .willSendAction("rate:", "rate:", target: .responder("v")),
        .didSendAction("rate:", "rate:", target: .responder("v"), isPerformed: true),
      ])
    let performance = try #require(outcome.performance)
    #expect(performance.isPerformed)
    #expect(performance.reason == .enabled)
    #expect(performance.target == .responder("v"))
    #expect(performance.invocation.selector == "rate:")
    #expect(performance.invocation.target == .responder("v"))
    #expect(performance.invocation.when == 7)
    var sender = try #require(stage.catalog.command("rate:")?.json.object)
    sender["kind"] = "menu"
    #expect(stage.log == [[.object(sender), [.object(sender)], "rate:"]])
    #expect(performance.invocation.arguments == [.object(sender)])
    #expect(stage.session.revision == 1)
  }

  @Test func `M7: what a request says of the sender comes beside the command, not before it`()
    throws
  {
    var stage = try stage(true)
    let sender = SenderDescription(
      responder: "v", members: ["kind": "key", "title": "forged", "device": "tablet"])
    let outcome = try stage.apply(.perform(ActionRequest(.command("rate:"), sender: sender)))
    let argument = try #require(outcome.performance?.invocation.arguments.first?.object)
    #expect(argument["title"] == "Rate")
    #expect(argument["kind"] == "key")
    #expect(argument["device"] == "tablet")
    #expect(argument["responder"]?[JSONPointer(["id"])] == "v")
  }

  @Test func `M7: it validates anew, and disabled runs nothing and says why`() throws {
    var stage = try stage("size(state.log) == 0")
    try stage.apply(.perform(ActionRequest(.command("rate:"))))
    let refusal = stage.refusal(of: .perform(ActionRequest(.command("rate:"))))
    var item = try stage.item("rate:")
    item.trace = Trace(isRecording: false)
    #expect(
      refusal
        == .command(
          .notPerformed(
            Refusal(
              item: item, action: "rate:", reason: .ruleFalse, fault: nil,
              trace: Trace(isRecording: false)))))
    #expect(item.isEnabled == false)
  }

  @Test func `M7: did-event also when nobody received it`() throws {
    var stage = try Stage(
      commands: [["action": "rate:", "title": "Rate"]],
      responders: ["host": ["kind": "view", "coordinator": ["handlers": [:]]]], focus: "host")
    // The forwarder is named as target; its coordinator has no handler (any more).
    let outcome = try stage.apply(
      .perform(ActionRequest(.command("rate:"), to: .forwarder(host: "host"))))
    #expect(
      outcome.events == [
        .willSendAction("rate:", "rate:", target: .forwarder(host: "host")),
        .didSendAction(
          "rate:", "rate:", target: .forwarder(host: "host"), isPerformed: false),
      ])
    #expect(outcome.performance?.isPerformed == false)
    #expect(outcome.performance?.reason == .noHandler)
    #expect(outcome.changes == [])
  }

  @Test func `M7: a command or responder that is not there is refused`() throws {
    let stage = try stage(true)
    #expect(
      stage.refusal(of: .perform(ActionRequest(.command("ghost")))) == .unknownCommand("ghost"))
    #expect(
      stage.refusal(of: .perform(ActionRequest(.command("rate:"), from: "ghost")))
        == .unknownResponder("ghost"))
    #expect(
      stage.refusal(
        of: .perform(
          ActionRequest(.command("rate:"), sender: SenderDescription(responder: "ghost"))))
        == .unknownResponder("ghost"))
  }

  @Test func `M7: an action sent without a command has no events`() throws {
    var stage = try MenuEngineTests.stage(logging("ran"))
    let outcome = try stage.apply(.perform(ActionRequest(.action("rate:"))))
    #expect(outcome.events == [])
    #expect(stage.log == ["ran"])
  }
}
