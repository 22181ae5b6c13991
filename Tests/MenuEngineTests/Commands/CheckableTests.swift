import JSONText
import Testing

@testable import MenuEngine

/// M2: items say what they can show before anything is checked, and whether they need parameters.
@Suite struct CheckableTests {
  private static func stage() throws -> Stage {
    try Stage(
      commands: [
        ["title": "Plain", "action": "plain:"], ["title": "Wrap", "action": "wrap:"],
        ["title": "Mixed", "action": "mixed:", "state": "mixed"],
        ["title": "Left", "action": "left:"], ["title": "Inline", "action": "inline:"],
        ["title": "Broken", "action": "broken:"],
        [
          "title": "Export…", "action": "export:",
          "parameters": ["type": "object", "required": ["name"]],
        ],
        [
          "title": "Print…", "action": "print:",
          "parameters": ["type": "object", "properties": ["copies": ["type": "integer"]]],
        ],
      ],
      menus: [
        [
          "identifier": "side", "title": "Side", "options": ["singleSelection"],
          "children": [
            "left:",
            ["identifier": "group", "options": ["displayInline"], "children": ["inline:"]],
            ["identifier": "below", "title": "Below", "children": ["plain:"]],
          ],
        ]
      ],
      responders: [
        "view": [
          "kind": "view",
          "handlers": [
            "plain:": [:], "left:": [:], "inline:": [:], "export:": [:], "print:": [:],
            "wrap:": ["validate": ["checked": "state.wraps"]],
            "broken:": ["validate": ["checked": "state.nothing"]],
          ],
        ],
        "other": ["kind": "view"],
      ], focus: "view", state: ["wraps": false])
  }

  private func items(_ stage: Stage) throws -> [CommandID: ValidatedItem] {
    let items = try stage.session.validate(ValidationRequest(), in: stage.catalog)
    return Dictionary(uniqueKeysWithValues: items.map { ($0.command, $0) })
  }

  @Test(
    arguments: [
      ("plain:", false), ("wrap:", true), ("mixed:", true), ("left:", true), ("inline:", true),
      ("broken:", false),
    ] as [(CommandID, Bool)])
  func `M2: an item is checkable by its declaration, by rules, or in a single selection`(
    command: CommandID, expected: Bool
  ) throws {
    let item = try #require(try items(Self.stage())[command])
    #expect(item.isCheckable == expected)
    #expect(item.state == (command == "mixed:" ? .mixed : .off))
  }

  @Test func `M2: rules count of the target that there is`() throws {
    var stage = try Self.stage()
    try stage.apply(.becomeFirstResponder("other"))
    #expect(try items(stage)["wrap:"]?.isCheckable == false)
    #expect(try items(stage)["left:"]?.isCheckable == true)
  }

  @Test func `M2: a command that moves out of a single selection is not checkable`() throws {
    var stage = try Self.stage()
    #expect(try items(stage)["left:"]?.isCheckable == true)
    try stage.catalog.make([.remove(menu: "side")])
    #expect(try items(stage)["left:"]?.isCheckable == false)
  }

  @Test func `M2: an item needs parameters if its schema refuses an empty object`() throws {
    let items = try items(Self.stage())
    #expect(items["export:"]?.needsParameters == true)
    #expect(items["print:"]?.needsParameters == false)
    #expect(items["plain:"]?.needsParameters == false)
  }

  @Test func `M2: what is false is absent, and the plan writes the same`() throws {
    let stage = try Self.stage()
    var plan = ValidationPlan { _, writer in writer.null() }
    for isOtherFocused in [false, true, false] {
      var changed = stage
      if isOtherFocused { try changed.apply(.becomeFirstResponder("other")) }
      let body = try plan.answer(
        to: ValidationRequest(), at: PlanMoment(changed.session, in: changed.catalog),
        opening: { _ in })
      guard case .array(let written)? = try JSON(parsing: body)[JSONPointer(["items"])] else {
        Issue.record("no items")
        return
      }
      let items = try items(changed)
      for json in written {
        guard case .string(let name)? = json[JSONPointer(["command"])],
          let item = CommandID(name).flatMap({ items[$0] })
        else { continue }
        #expect(json[JSONPointer(["checkable"])] == (item.isCheckable ? true : nil))
        #expect(json[JSONPointer(["needsParameters"])] == (item.needsParameters ? true : nil))
      }
    }
  }
}
