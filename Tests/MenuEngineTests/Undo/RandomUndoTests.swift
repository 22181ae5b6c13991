import JSONText
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine

/// Undo under random commands with all kinds of effects on the state (U1, U2).
@Suite struct RandomUndoTests {
  /// A session whose view has new handlers for each command, so that effects are as random as their
  /// order.
  struct Play {
    var stage: Stage
    var generator: SeededGenerator

    init(seed: UInt64) throws {
      generator = SeededGenerator(seed: seed)
      stage = try Stage(
        undoing: [:],
        commands: [
          ["title": "Do", "action": "do:"], ["title": "Undo", "action": "undo:"],
          ["title": "Redo", "action": "redo:"],
        ],
        state: [
          "a": 1, "b": ["c": "é", "d": [1, 2.0, nil]], "list": [[], ["x": true]], "e": nil,
        ],
        others: ["inner": ["kind": "view", "superview": "view", "handlers": Self.inner]])
    }

    /// One handler changes the state and records a message; what that does is recorded again when it
    /// is undone and done again, and leaves the state alone.
    private static let inner: JSON = [
      "set:": [
        "perform": [
          ["op": "add", "path": "/set", "value": "arguments[0]"],
          ["op": "send", "to": "'inner'", "action": "'touch:'"],
        ]
      ],
      "touch:": [
        "perform": [
          ["op": "registerUndo", "target": "'inner'", "action": "'touch:'"],
          [
            "op": "properties",
            "value": "{'touched': responder.properties.?touched.orValue(0) + 1}",
          ],
        ]
      ],
    ]

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }

    /// A place in the state: one that is there, or beside one.
    mutating func place() -> JSONPointer {
      var tokens: [String] = []
      var current = stage.session.state
      for _ in 0...roll(3) {
        switch current {
        case .object(let object):
          let known = object.members.randomElement(using: &generator)?.name ?? "k"
          tokens.append(roll(4) > 0 ? known : "n\(roll(6))")
        case .array(let elements):
          let index = roll(elements.count + 1)
          tokens.append(index == elements.count ? "-" : "\(index)")
        case .null, .bool, .int, .double, .string: return JSONPointer(tokens)
        }
        guard let next = stage.session.state[JSONPointer(tokens)] else { break }
        current = next
      }
      return JSONPointer(tokens)
    }

    mutating func rule() -> JSON {
      let rules = [
        "1", "2.0", "null", "'é'", "[1, {'z': 0}]", "{'x': {'y': []}, 'w': 1}", "state.a",
        "state.?b.orValue({})", "{'n0': state.?b.orValue(0), 'n1': [state.?list.orValue(0)]}",
      ]
      return .string(rules[roll(rules.count)])
    }

    mutating func effect() -> JSON {
      let path = JSON.string(place().description)
      switch roll(7) {
      case 0: return ["op": "add", "path": path, "value": rule()]
      case 1: return ["op": "replace", "path": path, "value": rule()]
      case 2: return ["op": "remove", "path": path]
      case 3: return ["op": "move", "from": path, "path": .string(place().description)]
      case 4: return ["op": "copy", "from": path, "path": .string(place().description)]
      case 5:
        return [
          "op": "send", "to": "'inner'", "action": "'set:'", "arguments": .string("[\(roll(3))]"),
        ]
      default: return ["op": "setActionName", "name": "'name \(roll(9))'"]
      }
    }

    /// Changes the state without undo, or so that it can be undone; what is not possible changes nothing.
    mutating func patch() {
      let operation: JSON =
        switch roll(4) {
        case 0: ["op": "remove", "path": .string(place().description)]
        case 1:
          [
            "op": "move", "from": .string(place().description),
            "path": .string(place().description),
          ]
        case 2: ["op": "add", "path": .string(place().description), "value": .int(Int64(roll(3)))]
        default: ["op": "replace", "path": .string(place().description), "value": ["y": []]]
        }
      guard let patch = try? JSONPatch(.array([operation])) else { return }
      let undo = roll(3) == 0 ? UndoRegistration(actionName: "P", coalesce: "k\(roll(2))") : nil
      _ = try? stage.apply(.patchState(patch, undo: undo))
    }

    mutating func handlerOfEffects() throws -> Handler {
      let effects = (0...roll(4)).map { _ in effect() }
      return try handler(["perform": .array(effects)])
    }

    /// Performs a command with some effects; what is not possible changes nothing.
    mutating func perform() throws {
      try stage.apply(.putHandler(try handlerOfEffects(), for: "do:", of: "view"))
      let before = stage.session.document
      do throws(MutationFault) {
        _ = try stage.session.apply(
          .perform(ActionRequest(.command("do:"))), in: stage.catalog)
      } catch {
        #expect(stage.session.document == before)
      }
    }
  }

  @Test(arguments: Seeds.first(6))
  func `U1: undo of everything gives the first state, redo of everything the last`(
    seed: UInt64
  ) throws {
    var play = try Play(seed: seed)
    let first = play.stage.text
    var texts: [String] = []
    for _ in 0..<40 {
      let count = try play.stage.manager().undoGroups.count
      let before = play.stage.text
      try play.perform()
      if try play.stage.manager().undoGroups.count > count { texts.append(before) }
      #expect(
        try play.stage.manager().undoGroups.count > count || play.stage.text == before)
    }
    let last = play.stage.text
    for _ in 0..<2 {
      for text in texts.reversed() {
        #expect(try play.stage.apply(.undo()).isUndone)
        #expect(play.stage.text == text)
      }
      #expect(play.stage.text == first)
      #expect(try !play.stage.manager().can(.undo))
      #expect(try play.stage.goAll(.redo) == texts.count)
      #expect(play.stage.text == last)
    }
  }

  /// The model is the list of texts that undo, and redo, give one after the other.
  @Test(arguments: Seeds.first(6))
  func `U1: undo and redo go back and forth among commands and groups`(seed: UInt64) throws {
    var play = try Play(seed: seed)
    var (past, future, start): ([String], [String], String?) = ([], [], nil)
    for _ in 0..<120 {
      let before = play.stage.text
      let registered = try registered(play.stage)
      switch play.roll(9) {
      case 0, 1:
        if let start, try openActions(play.stage) > 0 { past.append(start) }
        start = nil
        #expect(try play.stage.apply(.undo()).isUndone == !past.isEmpty)
        if let text = past.popLast() {
          future.append(before)
          #expect(play.stage.text == text)
        }
      case 2 where start == nil, 3 where start == nil:
        #expect(try play.stage.apply(.redo()).isUndone == !future.isEmpty)
        if let text = future.popLast() {
          past.append(before)
          #expect(play.stage.text == text)
        }
      case 4 where start == nil:
        try play.stage.apply(.beginUndoGrouping())
        start = before
      case 5 where start != nil:
        if let start, try openActions(play.stage) > 0 { past.append(start) }
        try play.stage.apply(.endUndoGrouping())
        start = nil
      default:
        try play.perform()
        let isRegistered = try self.registered(play.stage) > registered
        if isRegistered { future = [] }
        if isRegistered, start == nil { past.append(before) }
      }
      #expect(try play.stage.manager().redoGroups.count == future.count)
      #expect(try play.stage.manager().undoGroups.count == past.count)
    }
  }

  /// Patches that nothing registers, among commands (U4).
  @Test(arguments: Seeds.first(6))
  func `U4: whatever is patched between, undo is enabled exactly when it changes something`(
    seed: UInt64
  ) throws {
    var play = try Play(seed: seed)
    var (taken, kept) = (0, 0)
    for step in 0..<120 {
      switch play.roll(6) {
      case 0, 1: try play.perform()
      case 2, 3: play.patch()
      default:
        let mutation: Mutation = play.roll(3) == 0 ? .redo() : .undo()
        let outcome = try play.stage.apply(mutation)
        if outcome.isUndone { taken += 1 }
        if outcome.keepsSomething { kept += 1 }
      }
      try expectForeseen(play.stage, "seed \(seed), step \(step)")
    }
    #expect(taken > 0 && kept >= 0)
    // Nothing is ever stuck.
    var copy = play.stage
    _ = try copy.goAll(.undo)
    #expect(try !copy.manager().can(.undo))
  }

  private func expectForeseen(_ stage: Stage, _ comment: String) throws {
    for direction in UndoManager.Direction.allCases {
      var copy = stage
      let outcome = try copy.apply(direction == .undo ? .undo() : .redo())
      let manager = try stage.manager()
      let item = try stage.item(direction == .undo ? "undo:" : "redo:")
      try #require(item.isEnabled == !outcome.changes.isEmpty, "\(comment)")
      try #require(item.isEnabled == manager.can(direction), "\(comment)")
      try #require(item.title == manager.menuItemTitle(direction), "\(comment)")
      let name = outcome.undoneName
      if item.isEnabled { try #require(manager.turn(direction).actionName == name, "\(comment)") }
    }
  }

  private func openActions(_ stage: Stage) throws -> Int {
    try stage.manager().openGroups.reduce(0) { $0 + $1.actionCount }
  }

  private func registered(_ stage: Stage) throws -> Int {
    try stage.manager().undoGroups.reduce(openActions(stage)) { $0 + $1.actionCount }
  }
}

extension Outcome {
  /// True if undoing left a place as it is.
  fileprivate var keepsSomething: Bool {
    events.contains { event in
      if case .didUndoChange(_, _, actionName: _, let kept) = event { !kept.isEmpty } else { false }
    }
  }

  /// The name of the group that was undone.
  fileprivate var undoneName: String? {
    for case .didUndoChange(_, _, let name, kept: _) in events { return name }
    return nil
  }
}
