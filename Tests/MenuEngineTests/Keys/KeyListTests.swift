import JSONText
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine

/// The keys that mean something now (K7).
@Suite struct KeyListTests {
  private func stage(
    near: JSON = [], far: JSON = [], commands: JSON = [], handlers: JSON = ["a": [:], "b": [:]],
    state: JSON = ["on": true]
  ) throws -> Stage {
    try Stage(
      commands: commands,
      responders: [
        "near": ["kind": "view", "superview": "far", "keyCommands": near],
        "far": ["kind": "view", "next": "app", "keyCommands": far, "handlers": handlers],
        "app": ["kind": "application"],
      ], focus: "near", state: state)
  }

  private func key(_ action: String, _ input: String, _ more: JSONObject = [:]) -> JSON {
    var object: JSONObject = ["input": .string(input), "action": .string(action)]
    for member in more.members { object[member.name] = member.value }
    return .object(object)
  }

  private func command(_ id: String, _ key: JSON, _ more: JSONObject = [:]) -> JSON {
    var object: JSONObject = [
      "id": .string(id), "title": .string(id), "action": .string(id), "key": key,
    ]
    for member in more.members { object[member.name] = member.value }
    return .object(object)
  }

  @Test func `K7: keys stand in the order of K1, those that cannot be performed too`() throws {
    let stage = try stage(
      near: [key("b", "k"), key("nobody", "n")],
      far: [key("a", "j", ["wantsPriorityOverSystemBehavior": true])],
      commands: [command("c", ["input": "m"]), command("a", ["input": "i"])])
    #expect(
      try stage.keys() == [
        "j: far a: enabled -> far", "k: near b: enabled -> far", "n: near nobody: noTarget",
        "m: c: noTarget", "i: a: enabled -> far",
      ])
  }

  @Test func `K7: what is hidden by an enabled key is left out, by a disabled one it is not`()
    throws
  {
    let pad: JSON = ["input": "k", "modifiers": ["numericPad"]]
    let hiding = try stage(
      near: [key("a", "k")], far: [key("b", "K")], commands: [command("b", pad)])
    #expect(try hiding.keys() == ["k: near a: enabled -> far"])
    let passing = try stage(near: [key("nobody", "k")], commands: [command("b", ["input": "k"])])
    #expect(try passing.keys() == ["k: near nobody: noTarget", "k: b: enabled -> far"])
    // The numeric pad's key alone is taken, so that the other one means what it did.
    let narrow = try stage(
      near: [key("a", "k", ["modifiers": ["numericPad"]])], commands: [command("b", ["input": "k"])]
    )
    #expect(
      try narrow.keys() == ["numericPad-k: near a: enabled -> far", "k: b: enabled -> far"])
  }

  @Test func `K5, K7: a key command whose rule is false is not there, or cannot be performed`()
    throws
  {
    let stage = try stage(
      near: [
        key("a", "w", ["when": "!state.on"]), key("b", "e", ["enabled": "!state.on"]),
        key("c", "f", ["enabled": "state.missing"]),
      ])
    #expect(try stage.keys() == ["e: near b: ruleFalse", "f: near c: ruleError"])
  }

  @Test func `K7, M2: the keys are those of the platform`() throws {
    let key: JSON = ["apple": ["input": "k"], "other": ["input": "o"]]
    let stage = try stage(commands: [command("a", key)])
    #expect(try stage.keys() == ["k: a: enabled -> far"])
    #expect(try stage.keys(on: .other) == ["o: a: enabled -> far"])
  }

  @Test func `K7: an unknown start is refused`() throws {
    let stage = try stage()
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      try stage.session.keys(KeyListRequest(from: "ghost"), in: stage.catalog)
    }
  }

  /// Law: who holds the list decides as `resolve` does, of several strokes and with a keymap too.
  @Test(arguments: Seeds.first(20))
  func `K7, K8, K9: the first enabled key that matches is performed, a longer one awaited`(
    seed: UInt64
  ) throws {
    var random = RandomKeys(seed: seed)
    var stage = try stage(
      near: random.keyCommands(), far: random.keyCommands(), commands: random.commands(),
      handlers: random.handlers())
    if seed % 2 == 0 {
      try stage.put(random.entries())
      try stage.apply(.useKeymap("ada"))
    }
    for isOn in [true, false] {
      _ = try stage.apply(.mergeState(["on": .bool(isOn)]))
      for platform in KeyPlatform.allCases {
        for from in [nil, "far", "app"] as [ResponderID?] {
          let keys = try stage.session.keys(
            KeyListRequest(on: platform, from: from), in: stage.catalog)
          for pressed in try RandomKeys.pressed + random.sequences() {
            for isFinal in [false, true] {
              let press = KeyPress(pressed, isFinal: isFinal, on: platform, from: from)
              let resolved = try stage.session.resolve(press, in: stage.catalog)
              let enabled = keys.filter(\.isEnabled)
              let found = enabled.first { $0.claim.key?.matches(pressed) == true }
              let longer =
                isFinal ? [] : enabled.filter { $0.claim.key?.match(pressed) == .beginning }
              let place: Comment = "seed \(seed), \(pressed.line) on \(platform), \(isFinal)"
              #expect(resolved.continuations == longer, place)
              #expect(resolved.chosen == (longer.isEmpty ? found : nil), place)
            }
          }
        }
      }
    }
  }
}

/// Random declarations of few keys, so that many match.
private struct RandomKeys {
  private var generator: SeededGenerator

  private static let inputs = ["k", "K", "5"]
  private static let modifiers = ["command", "shift", "alphaShift", "numericPad"]
  private static let rules: [JSON] = [true, "state.on", "!state.on", "state.missing"]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// All keys that can be pressed.
  static var pressed: [KeySequence] {
    get throws {
      try inputs.flatMap { input in
        try (0..<16).map { bits in
          let names = modifiers.indices.filter { bits >> $0 & 1 == 1 }
            .compactMap { KeyModifiers.Name(rawValue: modifiers[$0]) }
          return try #require(
            KeySequence(input: input, modifiers: KeyModifiers(names)))
        }
      }
    }
  }

  private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }

  private mutating func key() -> JSONObject {
    guard roll(3) == 0 else { return combination() }
    return ["strokes": .array((0...roll(3)).map { _ in .object(combination()) })]
  }

  /// Keys of several strokes, most of which are those of declarations.
  mutating func sequences() throws -> [KeySequence] {
    try (0..<20).map { _ in
      let strokes = try (0...1 + roll(2)).map { _ in
        let names = Self.modifiers[..<3].filter { _ in roll(4) == 0 }
          .compactMap(KeyModifiers.Name.init)
        return try #require(
          KeyCombination(input: Self.inputs[roll(3)], modifiers: KeyModifiers(names)))
      }
      return try #require(KeySequence(strokes))
    }
  }

  /// The entries of a keymap, with keys and commands of the declarations.
  mutating func entries() -> JSON {
    .array(
      (0..<8).map { _ in
        let strokes = (0...roll(2)).map { _ in
          ["", "", "shift+", "cmd+", "ctrl+"][roll(5)] + ["k", "5"][roll(2)]
        }
        let isRemoval = roll(3) == 0
        let name = ["a", "b", "c", "nobody", "ghost"][roll(5)]
        var entry: JSONObject = ["command": .string((isRemoval ? "-" : "") + name)]
        if !isRemoval || roll(2) == 0 { entry["key"] = .string(strokes.joined(separator: " ")) }
        if roll(2) == 0 { entry["when"] = Self.rules[roll(4)] }
        return .object(entry)
      })
  }

  private mutating func combination() -> JSONObject {
    let names = Self.modifiers.filter { _ in roll(4) == 0 }
    return [
      "input": .string(Self.inputs[roll(3)]), "modifiers": .array(names.map(JSON.string)),
    ]
  }

  mutating func keyCommands() -> JSON {
    let all = (0..<4).map { index in
      var command = key()
      command["propertyList"] = .int(Int64(index))
      command["action"] = .string(["a", "b", "nobody"][roll(3)])
      if roll(4) == 0 { command["wantsPriorityOverSystemBehavior"] = true }
      if roll(2) == 0 { command["when"] = Self.rules[roll(3)] }
      if roll(2) == 0 { command["enabled"] = Self.rules[roll(4)] }
      return command
    }
    // A list has each key once, and each action with its property list (M1).
    var met: Set<JSON> = []
    return .array(all.filter { met.insert(lowered($0)).inserted }.map(JSON.object))
  }

  mutating func commands() -> JSON {
    var met: Set<JSON> = []
    let all = ["a", "b", "c", "nobody"].compactMap { name -> JSON? in
      let (apple, other) = (key(), key())
      guard met.insert(["apple", lowered(apple)]).inserted,
        met.insert(["other", lowered(other)]).inserted
      else { return nil }
      var command: JSONObject = [
        "id": .string(name), "title": .string(name), "action": .string(name),
        "key": ["apple": declared(apple), "other": declared(other)],
      ]
      if roll(3) == 0 {
        command["alternates"] = [
          ["modifiers": ["alternate"], "title": "Other", "action": .string(["a", "b"][roll(2)])]
        ]
      }
      if roll(4) == 0 { command["wantsPriorityOverSystemBehavior"] = true }
      return .object(command)
    }
    return .array(all)
  }

  /// The key of a command: its strokes are the key itself.
  private func declared(_ key: JSONObject) -> JSON { key["strokes"] ?? .object(key) }

  /// A key as commands have it at most once.
  private func lowered(_ key: JSONObject) -> JSON {
    if case .array(let strokes)? = key["strokes"] {
      // A list of one is that stroke.
      if strokes.count == 1, let only = strokes[0].object { return lowered(only) }
      return .array(strokes.map { $0.object.map(lowered) ?? .null })
    }
    guard case .string(let input)? = key["input"] else { return .null }
    return [.string(input.lowercased()), key["modifiers"] ?? .null]
  }

  mutating func handlers() -> JSON {
    var handlers = JSONObject()
    for name in ["a", "b", "c"] where roll(4) > 0 {
      handlers[name] = roll(2) == 0 ? [:] : ["validate": ["enabled": Self.rules[roll(4)]]]
    }
    return .object(handlers)
  }
}

extension Stage {
  fileprivate func keys(on platform: KeyPlatform = .apple) throws -> [String] {
    try session.keys(KeyListRequest(on: platform), in: catalog).map { match in
      let key = try #require(match.claim.key)
      return "\(key.line): \(match.claim.line): \(match.reason)"
        + (match.target.map { " -> \($0)" } ?? "")
    }
  }
}
