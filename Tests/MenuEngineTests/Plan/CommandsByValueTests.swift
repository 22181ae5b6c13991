import JSONText
import Testing

@testable import MenuEngine

/// The items of a radio group that are asked about again.
@Suite struct CommandsByValueTests {
  private static let targets: [JSON] = [
    1, 2, "list", "grid", true, 2.5, "a text of more than sixteen bytes",
  ]

  private static func commands(_ source: String) throws -> CommandsByValue? {
    let catalog = try Stage(
      commands: .array(
        targets.enumerated().map { index, target in
          [
            "id": .string("c\(index)"), "title": "C", "action": "choose:",
            "propertyList": ["target": target],
          ]
        })
    ).catalog
    return CommandsByValue(
      try Rule(source), of: Array(targets.indices), command: { catalog.commands[$0] })
  }

  /// The last two are compared in other ways.
  @Test(
    arguments: [
      (1, 2, [0, 1, 5, 6]), (1, 3, [0, 5, 6]), ("list", "grid", [2, 3, 5, 6]),
      ("list", 1, [0, 2, 5, 6]), (true, "none", [4, 5, 6]), (2, 2, [5, 6]),
    ] as [(JSON, JSON, [Int])])
  func `the old value's and the new value's commands are told`(
    old: JSON, new: JSON, told: [Int]
  ) throws {
    for source in [
      "state.view.mode == command.propertyList.target",
      "command.propertyList.target == state.view.mode",
    ] {
      let commands = try #require(try Self.commands(source))
      let answer = commands.commands(
        told: ["view": ["mode": old]], then: ["view": ["mode": new], "other": 1])
      #expect(answer?.sorted() == told)
    }
  }

  @Test(
    arguments: [
      [:], ["view": [:]], ["view": ["mode": 1.0]], ["view": ["mode": .null]],
      ["view": ["mode": []]],
      ["view": ["mode": "a text of more than sixteen bytes"]], ["view": 1],
    ] as [JSON])
  func `all are told of a value that is compared in other ways, or is not there`(
    state: JSON
  ) throws {
    let commands = try #require(
      try Self.commands("state.view.mode == command.propertyList.target"))
    #expect(commands.commands(told: state, then: ["view": ["mode": 1]]) == nil)
    #expect(commands.commands(told: ["view": ["mode": 1]], then: state) == nil)
  }

  @Test(
    arguments: [
      "state.mode == 1", "state.mode != command.propertyList.target",
      "state.mode == state.other", "state.mode == sender.kind", "command.id == command.title",
      "state.mode == command.propertyList.target || state.on",
      "state.?mode == command.propertyList.?target",
      "state.modes.exists(mode, mode == command.propertyList.target)",
    ])
  func `a rule that does anything else has no such commands`(source: String) throws {
    #expect(try Self.commands(source) == nil)
  }
}
