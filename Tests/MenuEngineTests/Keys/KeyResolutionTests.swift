import JSONText
import Testing

@testable import MenuEngine

@Suite struct KeyResolutionTests {
  /// A view in a view in a window in an application, each with key commands and handlers.
  private func stage(
    near: JSON = [], far: JSON = [], commands: JSON = [], menus: JSON = [], classes: JSON = [:],
    nearHandlers: JSON = [:], farHandlers: JSON = ["a": ["perform": []], "b": [:], "c": [:]],
    nearClass: String = "UIView", focus: String? = "near", state: JSON = ["log": []]
  ) throws -> Stage {
    try Stage(
      commands: commands, menus: menus, classes: classes,
      responders: [
        "near": [
          "kind": "view", "superview": "far", "class": .string(nearClass), "keyCommands": near,
          "handlers": nearHandlers,
        ],
        "far": ["kind": "view", "next": "app", "keyCommands": far, "handlers": farHandlers],
        "app": ["kind": "application"],
      ], focus: focus, state: state)
  }

  private func key(_ action: String, _ more: JSONObject = [:], input: String = "k") -> JSON {
    var object: JSONObject = ["input": .string(input), "action": .string(action)]
    for member in more.members { object[member.name] = member.value }
    return .object(object)
  }

  private func command(_ id: String, _ more: JSONObject = [:]) -> JSON {
    var object: JSONObject = [
      "id": .string(id), "title": .string(id), "action": .string(id), "key": ["input": "k"],
    ]
    for member in more.members { object[member.name] = member.value }
    return .object(object)
  }

  @Test func `K1: the nearest responder's key command wins, and the menu's comes last`() throws {
    let stage = try stage(near: [key("a")], far: [key("b")], commands: [command("c")])
    #expect(try stage.matches("k") == ["near a: enabled -> far", "far b behind", "c behind"])
    #expect(try stage.matches("k", from: "far") == ["far b: enabled -> far", "c behind"])
    #expect(try stage.matches("k", from: "app") == ["c: noTarget"])
    #expect(try stage.matches("x") == [])
  }

  @Test func `K1: priority comes first, of responders by nearness, then of the menu`() throws {
    let priority: JSONObject = ["wantsPriorityOverSystemBehavior": true]
    var urgent = priority
    urgent["when"] = true
    let stage = try stage(
      near: [key("a"), key("b", urgent)], far: [key("c", priority)],
      commands: [
        command("d", priority), command("e", ["key": ["input": "k", "modifiers": ["numericPad"]]]),
      ],
      farHandlers: ["e": [:]])
    #expect(
      try stage.matches("k", .numericPad) == [
        "near b: noTarget", "far c: noTarget", "d: noTarget", "near a: noTarget",
        "e: enabled -> far",
      ])
  }

  @Test
  func `K1: without priority, as is the default, a menu's command comes after all responders`()
    throws
  {
    let stage = try stage(far: [key("a")], commands: [command("b")])
    #expect(try stage.matches("k") == ["far a: enabled -> far", "b behind"])
    let first = try self.stage(
      far: [key("a")], commands: [command("b", ["wantsPriorityOverSystemBehavior": true])])
    #expect(try first.matches("k") == ["b: enabled -> far", "far a behind"])
  }

  @Test func `K1: of one responder the first in its list, then those of its class and superclass`()
    throws
  {
    let stage = try stage(
      near: [key("a"), key("b", ["when": true])],
      classes: [
        "Base": ["superclass": "UIView", "keyCommands": [key("d")]],
        "Derived": ["superclass": "Base", "keyCommands": [key("c")]],
      ], nearClass: "Derived")
    #expect(
      try stage.matches("k")
        == ["near a: enabled -> far", "near b behind", "near c behind", "near d behind"])
  }

  @Test func `K1: the menu's are in menu order, and those in no menu come last`() throws {
    func numeric(_ id: String, _ modifiers: JSON) -> JSON {
      command(id, ["key": ["input": "k", "modifiers": modifiers]])
    }
    let stage = try stage(
      commands: [
        command("alone"), numeric("first", ["numericPad"]), numeric("second", ["alphaShift"]),
      ],
      menus: [
        ["children": [["children": ["second"]]]], ["children": ["first", "second"]],
      ], farHandlers: [:])
    #expect(
      try stage.matches("k", .numericPad, .alphaShift)
        == ["second: noTarget", "first: noTarget", "alone: noTarget"])
  }

  @Test func `K1: the order of the menu's follows edits and declarations`() throws {
    func numeric(_ id: String, _ modifiers: JSON) -> JSON {
      command(id, ["key": ["input": "k", "modifiers": modifiers]])
    }
    var stage = try stage(
      commands: [numeric("a", ["numericPad"]), numeric("b", ["alphaShift"])], farHandlers: [:])
    func order() throws -> [String] { try stage.matches("k", .numericPad, .alphaShift) }
    #expect(try order() == ["a: noTarget", "b: noTarget"])
    let menu = Menu(
      identifier: "m", title: "", image: nil, options: [], children: [.command(CommandPlace("b"))])
    try stage.catalog.make([.insertChildAtEnd(of: "root", menu)])
    #expect(try order() == ["b: noTarget", "a: noTarget"])
    _ = try stage.catalog.declare(try MenuEngineTests.command(command("c")))
    #expect(try order() == ["b: noTarget", "a: noTarget", "c: noTarget"])
    try stage.catalog.remove("a")
    #expect(try order() == ["b: noTarget", "c: noTarget"])
    try stage.catalog.make([.remove(menu: "m")])
    #expect(try order() == ["b: noTarget", "c: noTarget"])
  }

  @Test func `K1: without focus the walk begins where a search does`() throws {
    let stage = try stage(near: [key("a")], commands: [command("b")], focus: nil)
    #expect(try stage.matches("k") == ["b: noTarget"])
    let sender = SenderDescription(responder: "near")
    let press = KeyPress(try pressed("k"), sender: sender)
    #expect(try stage.resolution(press).lines == ["near a: enabled -> far", "b behind"])
    let empty = try Stage(commands: [command("b")])
    #expect(try empty.matches("k") == ["b: noTarget"])
    #expect(try empty.resolution(KeyPress(try pressed("k"))).trace.lines == [])
  }

  @Test func `K2: who handles the action may be nearer than who declares the key`() throws {
    let stage = try stage(
      far: [key("a")], nearHandlers: ["a": ["validate": ["enabled": "sender.kind == 'key'"]]])
    #expect(try stage.matches("k") == ["far a: enabled -> near"])
    #expect(try stage.matches("k", from: "far") == ["far a: enabled -> far"])
  }

  @Test func `K3: a match without target or disabled does not swallow the key`() throws {
    let stage = try stage(
      near: [
        key("nobody"), key("no", ["when": "1 < 2"]), key("fails", ["when": "2 < 3"]),
        key("last", ["when": true, "enabled": false]),
      ],
      commands: [
        command("declared", ["attributes": ["disabled"]]),
        command("b", ["key": ["input": "k", "modifiers": ["numericPad"]]]),
      ],
      farHandlers: [
        "no": ["validate": ["enabled": false]], "fails": ["validate": ["title": "state.x"]],
        "last": [:], "declared": [:], "b": [:],
      ])
    #expect(
      try stage.matches("k", .numericPad) == [
        "near nobody: noTarget", "near no: ruleFalse -> far", "near fails: ruleError -> far",
        "near last: ruleFalse", "declared: declaredDisabled -> far", "b: enabled -> far",
      ])
  }

  @Test func `K3: the trace says who was asked, and why a match was passed over`() throws {
    let stage = try stage(
      near: [key("nobody", ["when": true])], commands: [command("a")])
    #expect(
      try stage.resolution(KeyPress(try pressed("k"))).trace.lines == [
        #"near keyCommands ["nobody"]"#, "far keyCommands []", "app keyCommands []",
        #"app menuKeys ["a"]"#, "near when true",
        "near respondsToSelector false", #"near next "far""#, "far respondsToSelector false",
        #"far next "app""#, "app respondsToSelector false", "app next null",
        #"near passOver "noTarget""#,
        "near respondsToSelector false", #"near next "far""#, "far respondsToSelector true",
        "far canPerformAction true", "far validate null",
      ])
  }

  @Test func `K5: whether a key command is there is asked at each press`() throws {
    var stage = try stage(
      near: [key("a", ["when": "state.on"]), key("b", ["when": "!state.on"])],
      state: ["on": true])
    #expect(try stage.matches("k") == ["near a: enabled -> far", "near b behind"])
    try stage.apply(.mergeState(["on": false]))
    #expect(try stage.matches("k") == ["near b: enabled -> far"])
  }

  @Test func `K5: whether one can be performed is asked at each press`() throws {
    var stage = try stage(
      near: [key("a", ["enabled": "responder.id == 'near' && state.on"])], far: [key("b")],
      state: ["on": true])
    #expect(try stage.matches("k") == ["near a: enabled -> far", "far b behind"])
    try stage.apply(.mergeState(["on": false]))
    #expect(try stage.matches("k") == ["near a: ruleFalse", "far b: enabled -> far"])
  }

  @Test(arguments: ["when", "enabled"])
  func `K5: a rule that fails enables nothing and says where`(rule: String) throws {
    let stage = try stage(
      near: [key("b", ["when": true]), key("a", [rule: "state.x"])], farHandlers: ["a": [:]])
    let tried = try stage.resolution(KeyPress(try pressed("k"))).tried
    #expect(tried.map(\.reason) == [.noTarget, .ruleError])
    #expect(tried.last?.fault?.place == "keyCommands/1/\(rule)")
    #expect(tried.last?.target == nil)
  }

  @Test func `K5: rules read what is sent: the key, the action, the property list, who declares`()
    throws
  {
    let rule = """
      sender.kind == 'key' && sender.input == 'k' && sender.modifiers == ['shift'] \
      && sender.action == 'a' && sender.propertyList.n == 1 && sender.declaredBy == 'near' \
      && sender.by == 'hand' && command == null
      """
    let stage = try stage(
      near: [
        key(
          "a",
          [
            "modifiers": ["shift"], "propertyList": ["n": 1], "when": .string(rule),
            "enabled": .string(rule),
          ])
      ],
      farHandlers: [
        "a": ["canPerform": .string(rule), "validate": ["enabled": .string(rule)]]
      ])
    let sender = SenderDescription(members: ["by": "hand", "kind": "x", "propertyList": 2])
    let press = KeyPress(try pressed("K", [.shift, .alphaShift]), sender: sender)
    #expect(try stage.resolution(press).lines == ["near a: enabled -> far"])
  }

  @Test func `K3: the matches that are tried count together`() throws {
    let ten = "[0,1,2,3,4,5,6,7,8,9]"
    let loops = ["a", "b", "c", "d"].map { "\(ten).all(\($0), " }.joined()
    let listed = (0..<1500).map { number in
      let costly = loops + "\(number) >= 0" + String(repeating: ")", count: 4)
      return key("nobody", ["when": .string(costly)])
    }
    let stage = try stage(near: .array(listed))
    #expect(throws: MutationFault.tooMuchEffort) { try stage.matches("k") }
    #expect(throws: MutationFault.tooMuchEffort) { try stage.conflicts() }
    #expect(try stage.matches("x") == [])
  }

  @Test func `K1: a responder or sender that is not there is refused`() throws {
    let stage = try stage()
    let key = try pressed("k")
    let ghost = SenderDescription(responder: "ghost")
    for press in [KeyPress(key, from: "ghost"), KeyPress(key, sender: ghost)] {
      #expect(throws: MutationFault.unknownResponder("ghost")) { try stage.resolution(press) }
    }
  }

  @Test func `K1: the walk is that of the session's search, in AppKit's also the main window's`()
    throws
  {
    func stage(_ search: String) throws -> Stage {
      let keys: JSON = [key("a")]
      var stage = try Stage(
        responders: [
          "app": ["kind": "application", "delegate": "appDelegate", "keyCommands": keys],
          "appDelegate": ["kind": "delegate", "keyCommands": keys],
          "scene": ["kind": "scene", "keyCommands": keys],
          "panel": ["kind": "window", "delegate": "panelDelegate", "windowScene": "scene"],
          "panelDelegate": ["kind": "responder", "keyCommands": keys],
          "field": ["kind": "view", "superview": "panel"],
          "document": ["kind": "window", "firstResponder": "text"],
          "text": [
            "kind": "view", "superview": "document", "keyCommands": keys, "handlers": ["a": [:]],
          ],
        ], focus: "field", key: "panel", search: search)
      try stage.apply(.makeWindow("document", .main))
      return stage
    }
    #expect(
      try stage("appkit").matches("k") == [
        "panelDelegate a: enabled -> text", "text a behind", "app a behind", "appDelegate a behind",
      ])
    #expect(
      try stage("appkit").conflicts() == [
        "k: panelDelegate a, text a (nearer), app a (nearer), appDelegate a (nearer)"
      ])
    #expect(
      try stage("uikit").matches("k") == [
        "scene a: noTarget", "app a: noTarget", "appDelegate a: noTarget",
      ])
  }

  @Test func `K1: a modal window's keys come in place of the main window's`() throws {
    var stage = try Stage(
      responders: [
        "panel": ["kind": "window"],
        "document": ["kind": "window", "keyCommands": [key("a")]],
        "sheet": ["kind": "window", "keyCommands": [key("b")]],
      ], key: "panel", search: "appkit")
    try stage.apply(.makeWindow("document", .main))
    #expect(try stage.matches("k") == ["document a: noTarget"])
    try stage.apply(.makeWindow("sheet", .modal))
    #expect(try stage.matches("k") == ["sheet b: noTarget"])
  }
}
