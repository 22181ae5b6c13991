import JSONText
import Testing

@testable import MenuEngine

/// Keys of several strokes (K8).
@Suite struct KeySequenceTests {
  private static let command: JSON = ["command"]

  /// `[near]` stands in `[far]`, which performs `a`, `b` and `save`.
  private func stage(near: JSON = [], far: JSON = [], commands: JSON = []) throws -> Stage {
    try Stage(
      commands: commands,
      responders: [
        "near": ["kind": "view", "superview": "far", "keyCommands": near],
        "far": [
          "kind": "view", "keyCommands": far,
          "handlers": [
            "a": [:], "b": [:], "save:": [:], "off": ["validate": ["enabled": false]],
          ],
        ],
      ], focus: "near")
  }

  private func key(_ action: String, _ inputs: String...) -> JSON {
    [
      "action": .string(action),
      "strokes": .array(inputs.map { ["input": .string($0), "modifiers": []] }),
    ]
  }

  private func strokes(_ inputs: String...) throws -> KeySequence {
    try #require(KeySequence(inputs.compactMap { KeyCombination(input: $0, modifiers: []) }))
  }

  /// The meaning of strokes as text: `chosen a`, `pending a, b`, `pending b, then a`, `nothing`.
  private func meaning(
    of key: KeySequence, in stage: Stage, isFinal: Bool? = nil
  ) throws -> String {
    let found = try stage.resolution(KeyPress(key, isFinal: isFinal))
    func name(_ match: KeyMatch) -> String { match.claim.action?.rawValue ?? "" }
    if found.isPending {
      #expect(found.reason == .pending)
      #expect(found.chosen == nil)
      return "pending \(found.continuations.map(name).joined(separator: ", "))"
        + (found.whole.map { ", if final \(name($0))" } ?? "")
    }
    return found.chosen.map { "chosen \(name($0))" } ?? "nothing"
  }

  @Test func `K8: a sequence is pending until its last stroke`() throws {
    let stage = try stage(near: [key("a", "g", "i"), key("b", "g", "x", "y", "z")])
    #expect(try meaning(of: strokes("g"), in: stage) == "pending a, b")
    #expect(try meaning(of: strokes("g", "i"), in: stage) == "chosen a")
    #expect(try meaning(of: strokes("g", "x"), in: stage) == "pending b")
    #expect(try meaning(of: strokes("g", "x", "y", "z"), in: stage) == "chosen b")
  }

  @Test func `K8: a stroke that continues nothing means nothing, whatever it means alone`() throws {
    let stage = try stage(near: [key("a", "g", "i"), key("b", "x")])
    #expect(try meaning(of: strokes("x"), in: stage) == "chosen b")
    #expect(try meaning(of: strokes("g", "x"), in: stage) == "nothing")
    #expect(try meaning(of: strokes("g", "i", "x"), in: stage) == "nothing")
  }

  @Test func `K8: the beginning of a longer key is performed if it is final`() throws {
    let stage = try stage(near: [key("a", "g")], far: [key("b", "g", "i")])
    #expect(try meaning(of: strokes("g"), in: stage) == "pending b, if final a")
    #expect(try meaning(of: strokes("g"), in: stage, isFinal: true) == "chosen a")
    #expect(try meaning(of: strokes("g"), in: stage, isFinal: false) == "pending b, if final a")
    #expect(try meaning(of: strokes("g", "i"), in: stage) == "chosen b")
  }

  @Test func `K3, K8: nothing waits for a key that cannot be performed`() throws {
    let stage = try stage(
      near: [key("a", "g"), key("off", "g", "i"), key("nobody", "g", "x")])
    #expect(try meaning(of: strokes("g"), in: stage) == "chosen a")
    #expect(try meaning(of: strokes("g", "i"), in: stage) == "nothing")
    let found = try stage.resolution(KeyPress(strokes("g", "i")))
    #expect(found.lines == ["near off: ruleFalse -> far"])
  }

  @Test func `K1, K8: of two equal sequences the nearer one is continued, once`() throws {
    let stage = try stage(near: [key("b", "g", "i")], far: [key("a", "g", "I")])
    #expect(try meaning(of: strokes("g"), in: stage) == "pending b")
    #expect(try meaning(of: strokes("g", "i"), in: stage) == "chosen b")
  }

  @Test func `K4, K8: each stroke is matched as a key alone`() throws {
    let strokes: JSON = [
      ["input": "K", "modifiers": Self.command], ["input": "s", "modifiers": ["numericPad"]],
    ]
    let stage = try stage(
      commands: [["id": "save:", "title": "Save", "action": "save:", "key": strokes]])
    func pressed(_ modifiers: KeyModifiers.Name...) throws -> KeySequence {
      let first = try #require(
        KeyCombination(input: "k", modifiers: KeyModifiers([.command, .alphaShift])))
      let second = try #require(KeyCombination(input: "S", modifiers: KeyModifiers(modifiers)))
      return try #require(KeySequence([first, second]))
    }
    #expect(try meaning(of: pressed(.numericPad), in: stage) == "chosen save:")
    #expect(try meaning(of: pressed(), in: stage) == "nothing")
    #expect(try meaning(of: pressed(.numericPad, .shift), in: stage) == "nothing")
  }

  @Test func `K8: pressing the beginning changes nothing and tells the continuations`() throws {
    var stage = try stage(near: [key("a", "g"), key("b", "g", "i")])
    let press = KeyPress(try strokes("g"))
    guard case .command(.keyNotPerformed(let found))? = stage.refusal(of: .pressKey(press)) else {
      Issue.record("performed")
      return
    }
    #expect(found.isPending)
    #expect(found.continuations.map(\.claim.line) == ["near b"])
    let alone = try stage.apply(.pressKey(KeyPress(try strokes("g"), isFinal: true)))
    #expect(alone.performance?.invocation.selector == "a")
    let both = try stage.apply(.pressKey(KeyPress(try strokes("g", "i"))))
    #expect(
      both.performance?.invocation.sender?.json(in: stage.session.graph).text()
        == #"{"kind":"key","input":"i","modifiers":[],"strokes":[{"input":"g","modifiers":[]},{"input":"i","modifiers":[]}],"action":"b","declaredBy":"near"}"#
    )
  }

  @Test func `M11, K8: an alternate's modifiers are held with the last stroke`() throws {
    let stage = try stage(
      commands: [
        [
          "id": "a", "title": "A", "action": "a",
          "key": [["input": "g"], ["input": "i", "modifiers": Self.command]],
          "alternates": [["modifiers": ["alternate"], "title": "B", "action": "b"]],
        ]
      ])
    let keys = try stage.session.keys(KeyListRequest(), in: stage.catalog)
    #expect(keys.compactMap { $0.claim.key?.line } == ["g command-i", "g command-alternate-i"])
  }

  @Test func `K8: a key has one to four strokes`() throws {
    for count in [0, 5] {
      let strokes: JSON = .array(Array(repeating: ["input": "g"], count: count))
      let log = FaultLog()
      #expect(KeySequence(reading: strokes, at: .root, log: log) == nil)
      #expect(log.faults.map(\.reason) == [.expected(.strokes, found: strokes)])
    }
    let log = FaultLog()
    #expect(KeySequence(reading: [["input": "g"], ["input": "gg"]], at: .root, log: log) == nil)
    #expect(log.faults.map(\.pointer) == [JSONPointer(["1", "input"])])
    // An array of one is that stroke.
    let one = KeySequence(reading: [["input": "g"]], at: .root, log: log)
    #expect(one?.json == ["input": "g", "modifiers": []])
  }

  @Test func `M1, K8: a sequence is declared once, its beginning does not repeat it`() throws {
    let log = FaultLog()
    let other = key("b", "g")
    let list: JSON = [key("a", "g", "i"), other, key("save:", "G", "I")]
    _ = KeyCommand.list(reading: list, at: .root, log: log)
    #expect(log.faults.map(\.pointer) == [JSONPointer(["2"])])
  }

  @Test func `K6, K8: conflicts are between whole sequences`() throws {
    let stage = try stage(
      near: [key("a", "g", "i")], far: [key("b", "g", "i"), key("save:", "g")])
    #expect(try stage.conflicts() == ["g i: near a, far b (nearer)"])
  }

  @Test func `K8: the stored form of one stroke is that of a combination`() throws {
    let one = try strokes("g")
    let stroke = try #require(KeyCombination(input: "g", modifiers: []))
    #expect(try StoredFormat.bytes(of: one) == StoredFormat.bytes(of: stroke))
    for key in [one, try strokes("g", "i"), try strokes("g", "i", "x", "y")] {
      #expect(try StoredFormat.value(KeySequence.self, from: StoredFormat.bytes(of: key)) == key)
    }
  }

  @Test func `K8: an effect presses a whole key`() throws {
    var stage = try Stage(
      responders: [
        "app": [
          "kind": "application",
          "keyCommands": [key("a", "g"), key("b", "g", "i")],
          "handlers": [
            "a": ["perform": [["op": "add", "path": "/log/-", "value": "'a'"]]],
            "b": ["perform": [["op": "add", "path": "/log/-", "value": "'b'"]]],
            "both": [
              "perform": [
                ["op": "pressKey", "key": "{'input': 'g'}"],
                ["op": "pressKey", "key": "[{'input': 'g'}, {'input': 'i'}]"],
              ]
            ],
          ],
        ]
      ])
    try stage.apply(.perform(ActionRequest(.action("both"))))
    #expect(stage.log == ["a", "b"])
  }
}
