import JSONText
import Testing

@testable import MenuEngine

/// The touch bar and the user activity of a chain (L13).
struct TouchBarTests {
  private func stage(near: JSON? = nil, late: JSON? = nil, far: JSON? = nil) throws -> Stage {
    func document(_ bar: JSON?, _ members: JSONObject) -> JSON {
      var object = members
      object["touchBar"] = bar
      return .object(object)
    }
    return try Stage(
      commands: [["title": "Zoom", "action": "zoom:", "image": "loupe"]],
      responders: [
        "window": document(far, ["kind": "window"]),
        "view": document(
          near,
          [
            "kind": "view", "superview": "window", "lateResponders": ["responders": ["late"]],
            "handlers": ["zoom:": [:]],
          ]),
        "late": document(late, ["kind": "responder"]),
      ], focus: "view")
  }

  private func bar(_ items: JSON...) -> JSON { ["items": .array(items)] }

  private func item(_ name: String) -> JSON { ["identifier": .string(name)] }

  private func names(_ stage: Stage, from: ResponderID? = nil) throws -> [String] {
    try stage.session.touchBar(from: from, in: stage.catalog).items.map {
      "\($0.responder) \($0.item.identifier)"
    }
  }

  @Test func `L13: without bars there are no items`() throws {
    #expect(try names(stage()) == [])
  }

  @Test func `L13: items of farther bars follow those of nearer ones`() throws {
    let stage = try stage(near: bar(item("a")), late: bar(item("b")), far: bar(item("c")))
    #expect(try names(stage) == ["view a", "late b", "window c"])
    #expect(try names(stage, from: "late") == ["late b", "window c"])
  }

  @Test func `L13: the slot of a nearer bar takes all that is farther`() throws {
    let stage = try stage(
      near: bar(item("a"), "otherItems", item("z")), late: bar(item("b")),
      far: bar("otherItems", item("c")))
    #expect(try names(stage) == ["view a", "late b", "window c", "view z"])
  }

  @Test func `L13: slots inside slots are filled in turn`() throws {
    let stage = try stage(
      near: bar("otherItems", item("a")), late: bar("otherItems", item("b")), far: bar(item("c")))
    #expect(try names(stage) == ["window c", "late b", "view a"])
  }

  @Test func `L13: a slot that nothing fills is not there`() throws {
    #expect(try names(stage(near: bar(item("a"), "otherItems"))) == ["view a"])
  }

  @Test func `L13: items of different bars can have the same identifier, and all are there`() throws
  {
    let stage = try stage(near: bar(item("a")), late: bar(item("a")), far: bar(item("a")))
    #expect(try names(stage) == ["view a", "late a", "window a"])
  }

  @Test func `L13: the items of commands are explained`() throws {
    let stage = try stage(near: bar(["command": "zoom:"], item("own")))
    let explained = try stage.session.touchBar(isExplaining: true, in: stage.catalog)
    #expect(
      explained.items[0].validated?.trace.says.first?.hasPrefix("R3: 'view' responds") == true)
    let plain = try stage.session.touchBar(in: stage.catalog)
    #expect(plain.items[0].validated?.trace.steps == [])
  }

  @Test func `L13: an item with a command is as that command is now`() throws {
    let stage = try stage(near: bar(["command": "zoom:"], ["command": "fly:"], item("own")))
    let items = try stage.session.touchBar(in: stage.catalog).items
    #expect(items.map(\.item.identifier.rawValue) == ["zoom:", "fly:", "own"])
    #expect(items[0].validated?.isEnabled == true)
    #expect(items[0].validated?.image == "loupe")
    #expect(items[1].validated?.reason == .unknownCommand)
    #expect(items[2].validated == nil)
  }

  @Test func `L13: the trace shows who was asked`() throws {
    let stage = try stage(late: bar(item("b")))
    let trace = try stage.session.touchBar(isExplaining: true, in: stage.catalog).trace
    #expect(
      trace.lines == [
        "view touchBar null", "view/late-initial touchBar null",
        #"late touchBar {"items":[{"identifier":"b"}]}"#, "view/late-last touchBar null",
        "window touchBar null",
      ])
    #expect(trace.steps.allSatisfy { $0.rule == "L13" })
  }

  @Test func `L13: the first user activity on the chain counts`() throws {
    var stage = try stage()
    try stage.put("window", ["kind": "window", "userActivity": ["activityType": "far"]])
    #expect(try stage.session.userActivity().activity?.activityType == "far")
    try stage.put("late", ["kind": "responder", "userActivity": ["activityType": "late"]])
    let answer = try stage.session.userActivity(isExplaining: true)
    #expect(answer.responder == "late")
    #expect(answer.trace.lines.last == #"late userActivity {"activityType":"late","userInfo":{}}"#)
    #expect(try stage.session.userActivity(from: "window").responder == "window")
  }

  @Test func `L13: without focus the chain begins at the key window`() throws {
    var stage = try stage(far: bar(item("c")))
    try stage.apply(.resignFirstResponder)
    #expect(try names(stage) == [])
    try stage.apply(.makeWindow("window", .key))
    #expect(try names(stage) == ["window c"])
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      try stage.session.userActivity(from: "ghost")
    }
  }

  @Test(arguments: [
    (#"{}"#, [""]), (#"{"items":["other"]}"#, ["/items/0"]), (#"{"items":[1]}"#, ["/items/0"]),
    (#"{"items":[{"title":"A"}]}"#, ["/items/0"]),
    (#"{"items":["otherItems","otherItems"]}"#, ["/items/1"]),
    (#"{"items":[{"command":"a"},{"identifier":"a"}]}"#, ["/items/1"]),
    (#"{"items":[{"identifier":"a","colour":"red"}]}"#, ["/items/0/colour"]),
  ])
  func `a mistake in a touch bar is reported with its place`(
    text: String, places: [String]
  ) throws {
    let json = try JSON(parsing: text)
    let noted = faults { TouchBar(reading: json, at: .root, log: $0) }
    #expect(noted.map(\.pointer.description) == places)
  }

  @Test func `a touch bar and a user activity are written as they were read`() throws {
    let text = #"""
      {"kind":"view","class":"UIView","properties":{},"handlers":{},\#
      "userActivity":{"activityType":"a.b","title":"T","userInfo":{"id":1},\#
      "webpageURL":"https://example.com"},\#
      "touchBar":{"items":[{"identifier":"x","title":"X","image":"x"},"otherItems",\#
      {"identifier":"y","command":"copy:"}]}}
      """#
    #expect(try responder("v", JSON(parsing: text)).json.text() == text)
  }
}
