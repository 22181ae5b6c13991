import JSONText
import Testing

@testable import MenuEngine

/// The suggestions for enabling a disabled command.
@Suite struct RemediesTests {
  /// A session with commands of these handlers, and one, `wanted:`, that can be performed if the state is so.
  private func stage(
    _ handlers: [(String, JSON)], wanting rule: String, state: JSON
  ) throws -> Stage {
    let names = handlers.map(\.0) + ["wanted:"]
    var methods: JSONObject = ["wanted:": ["validate": ["enabled": .string(rule)]]]
    for (name, effects) in handlers { methods[name] = ["perform": effects] }
    return try Stage(
      commands: .array(
        names.map { ["id": .string($0), "title": .string($0), "action": .string($0)] }),
      menus: [],
      responders: ["view": ["kind": "view", "handlers": .object(methods)]], focus: "view",
      state: state)
  }

  private func remedies(_ stage: Stage, from: ResponderID? = nil) throws -> Remedies {
    let wanted = try #require(stage.catalog.command("wanted:"))
    return stage.session.remedies(for: wanted, from: from, in: stage.catalog)
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
    #expect(found.commands == ["open:"])
    // Not all others were tried.
    #expect(!found.isComplete)
  }

  @Test func `a command that writes above what the rule reads is near, too`() throws {
    let idle = (0..<300).map { ("idle\($0):", Self.write("/other")) }
    let stage = try stage(
      idle + [("open:", Self.write("/photo", "{'isOpen': true}"))], wanting: "state.photo.isOpen",
      state: ["photo": ["isOpen": false], "other": false])
    #expect(try remedies(stage).commands == ["open:"])
  }

  @Test func `a rule may name the place that is written`() throws {
    let idle = (0..<300).map { ("idle\($0):", Self.write("/other")) }
    let stage = try stage(
      idle + [("open:", [["op": "add", "pathRule": "'/photo/' + 'isOpen'", "value": "true"]])],
      wanting: "state.photo.isOpen", state: ["photo": ["isOpen": false], "other": false])
    #expect(try remedies(stage).commands == ["open:"])
  }

  @Test func `one that only sends a message is tried before those that write elsewhere`() throws {
    let idle = (0..<300).map { ("idle\($0):", Self.write("/other")) }
    let stage = try stage(
      idle + [
        ("open:", Self.write("/photo/isOpen")),
        ("send:", [["op": "send", "action": "'open:'"]]),
      ], wanting: "state.photo.isOpen", state: ["photo": ["isOpen": false], "other": false])
    #expect(try remedies(stage).commands == ["open:", "send:"])
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
        enabling: wanted, in: stage.catalog, by: .local, spending: effort
      ).map(\.responder)
    }
    #expect(focuses(Remedies.newEffort()) == ["far"])
    #expect(focuses(Effort(limit: 1)).isEmpty)
  }
}
