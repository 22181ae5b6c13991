import JSONText
import Testing

@testable import MenuEngine

/// Keys of commands that differ by platform (M2).
@Suite struct KeyPlatformTests {
  private let save: JSON = [
    "apple": ["input": "s", "modifiers": ["control", "command"]],
    "other": ["input": "UIKeyInputF12"],
  ]

  private func command(_ id: String, _ key: JSON, _ more: JSONObject = [:]) -> JSON {
    var object: JSONObject = ["action": .string(id), "title": .string(id), "key": key]
    for member in more.members { object[member.name] = member.value }
    return .object(object)
  }

  private func stage(_ commands: JSON..., keyCommands: JSON = []) throws -> Stage {
    try Stage(
      commands: .array(commands),
      responders: [
        "v": [
          "kind": "view", "handlers": ["a": [:], "b": [:], "c": [:]], "keyCommands": keyCommands,
        ]
      ], focus: "v")
  }

  private func faults(of key: JSON) -> [String] {
    let log = FaultLog()
    _ = Command(reading: command("a", key), at: .root, log: log)
    return log.faults.map { "\($0.pointer)" }
  }

  @Test func `M2: a key means what it is declared to on the platform that it is pressed on`() throws
  {
    let stage = try stage(command("a", ["apple": ["input": "x"], "other": ["input": "y"]]))
    #expect(try stage.matches("x") == ["a: enabled -> v"])
    #expect(try stage.matches("y") == [])
    #expect(try stage.matches("x", on: .other) == [])
    #expect(try stage.matches("y", on: .other) == ["a: enabled -> v"])
  }

  @Test func `M2: where a platform is left out a command has no key`() throws {
    let stage = try stage(command("a", ["other": ["input": "y"]]))
    #expect(try stage.matches("y", on: .apple) == [])
    #expect(try stage.matches("y", on: .other) == ["a: enabled -> v"])
  }

  @Test func `M2: a key that is the same for both is one key`() throws {
    let stage = try stage(command("a", ["apple": ["input": "x"], "other": ["input": "x"]]))
    let declared = try #require(stage.catalog.command("a"))
    #expect(declared.key?.json == ["input": "x", "modifiers": []])
    #expect(stage.catalog.keyClaims.count == 1)
  }

  @Test func `M1: two commands may have one key on different platforms, and not on the same`()
    throws
  {
    let commands: [JSON] = [
      command("a", ["apple": ["input": "x"]]), command("b", ["other": ["input": "X"]]),
    ]
    let stage = try stage(commands[0], commands[1])
    #expect(try stage.matches("x", on: .apple) == ["a: enabled -> v"])
    #expect(try stage.matches("x", on: .other) == ["b: enabled -> v"])
    var catalog = stage.catalog
    let third = try #require(
      Command(reading: command("c", ["input": "x"]), at: .root, log: FaultLog()))
    #expect(throws: DeclarationFault.self) { try catalog.add(third) }
    try catalog.remove("a")
    #expect(throws: DeclarationFault.self) { try catalog.add(third) }
    try catalog.remove("b")
    try catalog.add(third)
  }

  @Test func `M11: alternates have the key of each platform with their modifiers`() throws {
    let alternates: JSONObject = [
      "alternates": [["modifiers": ["alternate"], "title": "B", "action": "b"]]
    ]
    let stage = try stage(
      command("a", ["apple": ["input": "x"], "other": ["input": "y"]], alternates))
    #expect(try stage.matches("x", .alternate) == ["a+alternate: enabled -> v"])
    #expect(try stage.matches("y", .alternate, on: .other) == ["a+alternate: enabled -> v"])
    #expect(try stage.matches("y", .alternate) == [])
  }

  @Test func `K6: conflicts are of the platforms on which both have the key`() throws {
    let stage = try stage(
      command("a", ["apple": ["input": "x"], "other": ["input": "y"]]),
      keyCommands: [["input": "x", "action": "b"], ["input": "z", "action": "c"]])
    #expect(try stage.conflicts() == ["x on apple: v b, a (respondersFirst)"])
    let both = try self.stage(
      command("a", ["input": "x"]), keyCommands: [["input": "x", "action": "b"]])
    #expect(try both.conflicts() == ["x: v b, a (respondersFirst)"])
  }

  @Test func `M2: a declaration is written as it was read, and coded as that`() throws {
    let log = FaultLog()
    let read = try #require(Command(reading: command("a", save), at: .root, log: log))
    #expect(log.faults.isEmpty)
    #expect(
      read.key?.json == [
        "apple": ["input": "s", "modifiers": ["command", "control"]],
        "other": ["input": "UIKeyInputF12", "modifiers": []],
      ])
    let again = Command(reading: read.json, at: .root, log: log)
    #expect(again == read)
  }

  @Test func `M2: each fault of a key by platform names its place`() {
    #expect(faults(of: ["apple": ["input": ""]]) == ["/key/apple/input"])
    #expect(faults(of: ["apple": ["input": "x"], "linux": ["input": "x"]]) == ["/key/linux"])
    #expect(faults(of: ["apple": .null]) == ["/key/apple"])
    #expect(faults(of: ["input": "x", "other": ["input": "x"]]) == ["/key/other"])
    #expect(faults(of: [:]) == ["/key"])
  }
}
