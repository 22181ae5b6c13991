import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Every window remembers its own first responder (R11).
@Suite struct WindowFocusTests {
  private func stage(search: String? = nil, _ more: JSON = [:]) throws -> Stage {
    var responders: JSONObject = [
      "app": ["kind": "application"], "left": ["kind": "window"], "right": ["kind": "window"],
      "leftList": view("left", "List"), "leftText": view("left", "Text"),
      "rightList": view("right", "List"), "rightText": view("right", "Text"),
      "free": ["kind": "responder"],
    ]
    for member in more.object?.members ?? [] { responders[member.name] = member.value }
    return try Stage(
      commands: [
        ["title": "Cut", "action": "cut:", "key": ["input": "x", "modifiers": ["command"]]],
        ["title": "Twice", "action": "twice:"],
      ],
      classes: [
        "List": ["superclass": "UIView"],
        "Text": [
          "superclass": "UIView",
          "handlers": [
            "cut:": [
              "validate": ["title": "'Cut in ' + responder.id"],
              "perform": [["op": "add", "path": "/log/-", "value": "responder.id"]],
            ],
            "twice:": [
              "perform": [
                ["op": "send", "action": "'cut:'"], ["op": "perform", "command": "'cut:'"],
                ["op": "pressKey", "key": "{'input': 'x', 'modifiers': ['command']}"],
              ]
            ],
            "leave:": ["perform": [["op": "resignFirstResponder"]]],
          ],
        ],
      ], responders: .object(responders), focus: "leftList", key: "left", search: search)
  }

  private func view(_ window: String, _ name: String) -> JSON {
    ["kind": "view", "superview": .string(window), "class": .string(name)]
  }

  private func focus(_ stage: Stage) throws -> [ResponderID?] {
    try [
      stage.session.firstResponder, stage.session.firstResponder(ofWindow: "left"),
      stage.session.firstResponder(ofWindow: "right"),
    ]
  }

  @Test func `R11: taking focus in a window that is not key changes that window's alone`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.becomeFirstResponder("rightText"))
    #expect(outcome.changes == [.link("right", .firstResponder, "rightText")])
    #expect(try focus(stage) == ["leftList", "leftList", "rightText"])
    #expect(try stage.apply(.becomeFirstResponder("rightText")).changes == [])
  }

  @Test(arguments: [("left", "free"), ("right", nil)])
  func `R11: focus outside of all windows is kept in the key window, and lost in another`(
    window: String, focus: String?
  ) throws {
    let host: JSON = [
      "kind": "view", "superview": .string(window), "lateResponders": ["responders": []],
    ]
    var stage = try stage(["host": host])
    try stage.apply(.becomeFirstResponder("free"))
    try stage.apply(.registerLate("free", from: "host"))
    #expect(stage.session.firstResponder?.rawValue == focus)
  }

  @Test func `R11: making another window key brings its first responder back`() throws {
    var stage = try stage()
    try stage.apply(.becomeFirstResponder("rightText"))
    let outcome = try stage.apply(.makeWindow("right", .key))
    #expect(
      outcome.changes == [
        .keyWindow("right"), .link("left", .firstResponder, "leftList"),
        .link("right", .firstResponder, nil), .firstResponder("rightText"),
      ])
    #expect(try focus(stage) == ["rightText", "leftList", "rightText"])
    try stage.apply(.becomeFirstResponder("leftText"))
    try stage.apply(.makeWindow("left", .key))
    #expect(try focus(stage) == ["leftText", "leftText", "rightText"])
  }

  @Test func `R11: a window without focus leaves the session without a first responder`() throws {
    var stage = try stage()
    try stage.apply(.makeWindow("right", .key))
    #expect(try focus(stage) == [nil, "leftList", nil])
    try stage.apply(.makeWindow(nil, .key))
    #expect(try focus(stage) == [nil, "leftList", nil])
    try stage.apply(.makeWindow("left", .key))
    try stage.apply(.resignFirstResponder)
    try stage.apply(.makeWindow("right", .key))
    #expect(try focus(stage) == [nil, nil, nil])
  }

  @Test func `R11: a responder outside of all windows has the session's focus`() throws {
    var stage = try stage()
    try stage.apply(.becomeFirstResponder("free"))
    try stage.apply(.makeWindow("right", .key))
    #expect(stage.session.firstResponder == "free")
    try stage.apply(.becomeFirstResponder("leftText"))
    try stage.apply(.makeWindow("left", .key))
    #expect(stage.session.firstResponder == "leftText")
  }

  @Test
  func `R11: rules of a window's own first responder are asked, not those of the key window's`()
    throws
  {
    var stage = try stage([
      "leftList": ["kind": "view", "superview": "left", "canResignFirstResponder": false],
      "rightText": [
        "kind": "view", "superview": "right", "class": "Text",
        "canResignFirstResponder": "!has(state.held)",
      ],
    ])
    try stage.apply(.becomeFirstResponder("rightText"))
    try stage.apply(.becomeFirstResponder("rightList"))
    try stage.apply(.becomeFirstResponder("rightText"))
    try stage.apply(.mergeState(["held": true]))
    guard
      case .focus(.firstResponderRefused("rightList", by: "rightText", _, because: _))? =
        stage.refusal(
          of: .becomeFirstResponder("rightList"))
    else { return #expect(Bool(false)) }
    guard
      case .focus(.firstResponderRefused(nil, by: "rightText", _, because: _))? = stage.refusal(
        of: .resignFirstResponder(in: "right"))
    else { return #expect(Bool(false)) }
  }

  @Test func `R11: focus of a window is given up in that window`() throws {
    var stage = try stage()
    try stage.apply(.becomeFirstResponder("rightText"))
    #expect(
      try stage.apply(.resignFirstResponder(in: "right")).changes
        == [.link("right", .firstResponder, nil)])
    #expect(try focus(stage) == ["leftList", "leftList", nil])
    #expect(
      try stage.apply(.resignFirstResponder(in: "left")).changes == [.firstResponder(nil)])
  }

  @Test func `R11: a responder is refused that is not in the window that is named`() throws {
    let stage = try stage()
    #expect(
      stage.refusal(of: .becomeFirstResponder("rightText", in: "left"))
        == .focus(.notInWindow("rightText", "left")))
    #expect(
      stage.refusal(of: .becomeFirstResponder("rightText", in: "free"))
        == .focus(.notAWindow("free", .responder, as: .key)))
    #expect(
      stage.refusal(of: .resignFirstResponder(in: "ghost")) == .unknownResponder("ghost"))
  }

  @Test
  func `R8: a window forgets a first responder that leaves it, leaves the screen or is deleted`()
    throws
  {
    var moved = try stage()
    try moved.apply(.becomeFirstResponder("rightText"))
    let outcome = try moved.put("rightText", view("left", "Text"))
    #expect(
      outcome.changes == [try moved.told("rightText"), .link("right", .firstResponder, nil)])
    try moved.put("rightText", view("right", "Text"))
    #expect(try focus(moved) == ["leftList", "leftList", nil])
    var deleted = try stage()
    try deleted.apply(.becomeFirstResponder("rightText"))
    try deleted.apply(.removeResponder("rightText"))
    #expect(try focus(deleted) == ["leftList", "leftList", nil])
    var passing = try stage()
    try passing.apply(.becomeFirstResponder("rightText"))
    _ = try passing.session.apply(
      [
        .putResponder(try responder("rightText", view("left", "Text"))),
        .putResponder(try responder("rightText", view("right", "Text"))),
      ], in: passing.catalog)
    #expect(try focus(passing) == ["leftList", "leftList", "rightText"])
    #expect(passing.session.givenFocus.isEmpty)
  }

  @Test func `R8: focus that is given and lost in one list of mutations is lost`() throws {
    var stage = try stage()
    _ = try stage.session.apply(
      [
        .becomeFirstResponder("rightText"), .makeWindow("right", .key), .makeWindow("left", .key),
        .putResponder(try responder("rightText", ["kind": "view"])),
      ], in: stage.catalog)
    #expect(try focus(stage) == ["leftList", "leftList", nil])
  }

  @Test(arguments: [nil, "appkit"])
  func `R11: a question is answered as if the window were key`(search: String?) throws {
    var stage = try stage(search: search)
    try stage.apply(.becomeFirstResponder("rightText"))
    let left = try #require(
      stage.session.withKeyWindow("left").validate(.all, in: stage.catalog).first)
    let right = try stage.session.withKeyWindow("right").validate(.all, in: stage.catalog)[0]
    #expect(left.reason == .noTarget)
    #expect(right.title == "Cut in rightText" && right.target?.description == "rightText")
    var request = ValidationRequest()
    request.window = "right"
    #expect(try stage.session.validate(request, in: stage.catalog)[0].title == "Cut in rightText")
    let key = KeyPress(try key("x"), window: "right")
    #expect(
      try stage.session.resolve(key, in: stage.catalog).chosen?.target?.description == "rightText")
    #expect(
      try stage.session.withKeyWindow("right").chain(in: stage.catalog).steps.first?.responder
        == "rightText")
    #expect(throws: MutationFault.focus(.notAWindow("free", .responder, as: .key))) {
      _ = try stage.session.withKeyWindow("free")
    }
  }

  private func key(_ input: String) throws -> KeySequence {
    try FaultLog.collecting {
      KeySequence(
        reading: ["input": .string(input), "modifiers": ["command"]], at: .root, log: $0)
    }
  }

  @Test func `R11: AppKit's search finds the main window's focus behind the window that is asked`()
    throws
  {
    var stage = try stage(search: "appkit")
    try stage.apply(.becomeFirstResponder("leftText"))
    try stage.apply(.makeWindow("left", .main))
    let asked = try stage.session.withKeyWindow("right").target(for: "cut:", in: stage.catalog)
    try stage.apply(.makeWindow("right", .key))
    let keyed = try stage.session.target(for: "cut:", in: stage.catalog)
    #expect(asked.target?.description == "leftText")
    #expect(asked.trace.lines == keyed.trace.lines)
  }

  @Test func `R10: a search from elsewhere finds the focus of a key window that is main or modal`()
    throws
  {
    for role in [WindowRole.main, .modal] {
      var stage = try stage(search: "appkit")
      try stage.apply(.becomeFirstResponder("leftText"))
      try stage.apply(.makeWindow("left", role))
      #expect(try stage.target("cut:", from: "free") == "leftText")
      var plan = PlanStage(stage)
      var request = ValidationRequest()
      request.from = "free"
      try plan.ask(request)
      try plan.stage.apply(.becomeFirstResponder("leftList"))
      try plan.ask(request)
    }
  }

  @Test func `R10: without a key window, the session's focus is that of its window`() throws {
    var stage = try stage(search: "appkit")
    try stage.apply(.becomeFirstResponder("leftText"))
    try stage.apply(.makeWindow("left", .main))
    try stage.apply(.makeWindow(nil, .key))
    try stage.apply(.becomeFirstResponder("leftText"))
    #expect(try stage.target("cut:", from: "free") == "leftText")
  }

  @Test func `R11: a key window whose focus is elsewhere remembers none behind another one`() throws
  {
    var stage = try stage(search: "appkit")
    try stage.apply(.becomeFirstResponder("free"))
    try stage.apply(.makeWindow("left", .main))
    try stage.put("left", ["kind": "window", "firstResponder": "leftText"])
    let asked = try stage.session.withKeyWindow("right").target(for: "cut:", in: stage.catalog)
    try stage.apply(.makeWindow("right", .key))
    let keyed = try stage.session.target(for: "cut:", in: stage.catalog)
    #expect(asked.trace.lines == keyed.trace.lines)
  }

  /// Lists that move a responder to another window and give it focus: the focus of the session and of the right window
  /// before, and the responder, its view and the windows of that.
  @Test(arguments: [
    ("leftText", nil, "leftText", ["right"]), ("free", nil, "free", ["right"]),
    ("leftList", "rightText", "rightText", ["left"]), ("leftList", nil, "new", [nil, "right"]),
  ])
  func `R8, R11: a list that moves a responder with focus does what its mutations do one by one`(
    session: ResponderID, right: ResponderID?, id: ResponderID, windows: [String?]
  ) throws {
    var stage = try stage()
    try stage.apply(.becomeFirstResponder(session))
    if let right { try stage.apply(.becomeFirstResponder(right)) }
    var list: [Mutation] = []
    for (index, window) in windows.enumerated() {
      var view: JSONObject = ["kind": "view"]
      view["superview"] = window.map(JSON.string)
      list.append(.putResponder(try responder(id, .object(view))))
      if index == 0 { list.append(.becomeFirstResponder(id)) }
    }
    var oneByOne = stage
    for mutation in list { try oneByOne.apply(mutation) }
    _ = try stage.session.apply(list, in: stage.catalog)
    #expect(try focus(stage) == focus(oneByOne))
    #expect(stage.session.document == oneByOne.session.document)
  }

  @Test func `R11: whatever is performed in a window begins there, nested sends and keys too`()
    throws
  {
    var stage = try stage()
    try stage.apply(.becomeFirstResponder("rightText"))
    #expect(stage.reason(for: .perform(ActionRequest(.command("cut:")))) == .noTarget)
    try stage.apply(.perform(ActionRequest(.command("cut:"), window: "right")))
    try stage.apply(.perform(ActionRequest(.command("twice:"), window: "right")))
    try stage.apply(.pressKey(KeyPress(try key("x"), window: "right")))
    #expect(stage.log == .array(Array(repeating: "rightText", count: 5)))
    #expect(try focus(stage) == ["leftList", "leftList", "rightText"])
    try stage.apply(.perform(ActionRequest(.action("leave:"), window: "right")))
    #expect(try focus(stage) == ["leftList", "leftList", nil])
    #expect(
      stage.refusal(of: .perform(ActionRequest(.command("cut:"), window: "free")))
        == .focus(.notAWindow("free", .responder, as: .key)))
  }

  @Test func `R11: windows of a template remember, and the key window's focus is the session's`()
    throws
  {
    let stage = try Stage(
      responders: [
        "left": ["kind": "window", "firstResponder": "a"],
        "right": ["kind": "window", "firstResponder": "b"],
        "a": ["kind": "view", "superview": "left"], "b": ["kind": "view", "superview": "right"],
      ], key: "left")
    #expect(try focus(stage) == ["a", "a", "b"])
  }
}

extension ValidationRequest {
  fileprivate static var all: ValidationRequest { ValidationRequest() }
}
