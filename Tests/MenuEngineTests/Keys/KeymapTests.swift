import CEL
import Foundation
import JSONText
import Testing

@testable import MenuEngine

/// The user's own keys (K9).
@Suite struct KeymapTests {
  private static let commands: JSON = [
    [
      "id": "save:", "title": "Save", "action": "save:",
      "key": ["input": "s", "modifiers": ["command"]],
    ],
    [
      "id": "find:", "title": "Find", "action": "find:",
      "key": ["input": "f", "modifiers": ["command"]],
    ],
    [
      "id": "off:", "title": "Off", "action": "off:",
      "key": ["input": "o", "modifiers": ["command"]],
    ],
    ["id": "plain:", "title": "Plain", "action": "plain:"],
    [
      "id": "first:", "title": "First", "action": "first:", "wantsPriorityOverSystemBehavior": true,
      "key": ["input": "p", "modifiers": ["command"]],
    ],
  ]

  /// A session with a keymap `ada` of these entries.
  private func stage(_ entries: JSON, keyCommands: JSON = []) throws -> Stage {
    var stage = try Stage(
      commands: Self.commands,
      menus: [
        [
          "identifier": "file", "title": "File",
          "children": ["save:", "find:", "off:", "plain:", "first:"],
        ]
      ],
      responders: [
        "near": ["kind": "view", "superview": "far", "keyCommands": keyCommands],
        "far": [
          "kind": "view",
          "handlers": [
            "save:": [:], "find:": [:], "plain:": [:], "first:": [:],
            "off:": ["validate": ["enabled": false]],
          ],
        ],
      ], focus: "near", state: ["on": true])
    try stage.put(entries)
    try stage.apply(.useKeymap("ada"))
    return stage
  }

  @Test func `K9: an entry whose rule only raised limits allow is stored`() throws {
    let rule = Array(repeating: "state.on", count: 1001).joined(separator: " || ")
    let document: JSON = [
      "entries": [
        ["command": "-save:"], ["key": "ctrl+k", "command": "save:", "when": .string(rule)],
      ]
    ]
    let log = FaultLog(
      ruleLimits: ProgramLimits(maximumSourceLength: 1 << 16, maximumNodes: 10_000))
    let keymap = try #require(Keymap("ada", reading: document, at: .root, log: log))
    #expect(log.faults.isEmpty)
    let stored = try JSONEncoder().encode(keymap)
    #expect(try JSONDecoder().decode(Keymap.self, from: stored) == keymap)
  }

  private func key(_ text: String, on platform: KeyPlatform = .apple) throws -> KeySequence {
    let strokes = try KeyText.strokes(of: text, on: platform).compactMap { stroke in
      if case .key(let key) = stroke { key } else { nil }
    }
    return try #require(KeySequence(strokes))
  }

  /// The keys of the items in the menu.
  private func keys(in stage: Stage) throws -> [String] {
    var request = ValidationRequest()
    request.menu = "file"
    return try stage.session.validate(request, in: stage.catalog).compactMap { item in
      item.key?.apple.map { "\(item.command) \($0.line)" }
    }
  }

  private func meaning(
    of text: String, in stage: Stage, on platform: KeyPlatform = .apple
  ) throws -> [String] {
    try stage.resolution(KeyPress(key(text, on: platform), on: platform)).lines
  }

  @Test func `K9: entries stand behind priority commands and before responders`() throws {
    let nearKeys: JSON = [
      ["input": "s", "modifiers": ["command"], "action": "find:"],
      ["input": "p", "modifiers": ["command"], "action": "find:", "propertyList": 1],
    ]
    let stage = try stage(
      [["key": "cmd+s", "command": "plain:"], ["key": "cmd+p", "command": "plain:"]],
      keyCommands: nearKeys)
    #expect(
      try meaning(of: "cmd+s", in: stage) == [
        "ada/0 plain:: enabled -> far", "near find: behind", "save: behind",
      ])
    #expect(
      try meaning(of: "cmd+p", in: stage) == [
        "first:: enabled -> far", "ada/1 plain: behind", "near find: behind",
      ])
  }

  @Test func `K9: the last entry that matches wins`() throws {
    let stage = try stage([
      ["key": "cmd+s", "command": "plain:"], ["key": "cmd+s", "command": "find:"],
      ["key": "cmd+s", "command": "save:", "when": "!state.on"],
    ])
    #expect(
      try meaning(of: "cmd+s", in: stage) == [
        "ada/1 find:: enabled -> far", "ada/0 plain: behind", "save: behind",
      ])
  }

  @Test func `K3, K9: an entry that cannot be performed passes the key on`() throws {
    let stage = try stage([
      ["key": "cmd+s", "command": "off:"], ["key": "cmd+s", "command": "unknown:"],
      ["key": "cmd+s", "command": "plain:", "when": "state.missing"],
    ])
    #expect(
      try meaning(of: "cmd+s", in: stage) == [
        "ada/2 plain:: ruleError", "ada/0 off:: ruleFalse -> far", "save:: enabled -> far",
      ])
  }

  @Test func `K9: the sign takes a key away from the command's declarations`() throws {
    let stage = try stage(
      [
        ["key": "cmd+s", "command": "-save:"], ["command": "-find:"],
        ["key": "cmd+o", "command": "-off:", "when": "!state.on"],
      ],
      keyCommands: [["input": "s", "modifiers": ["command"], "action": "save:"]])
    #expect(try meaning(of: "cmd+s", in: stage) == [])
    #expect(try meaning(of: "cmd+f", in: stage) == [])
    #expect(try meaning(of: "cmd+o", in: stage) == ["off:: ruleFalse -> far"])
    // Another key of the same command stays, and so does one that the user gave.
    let other = try self.stage(
      [
        ["key": "cmd+s", "command": "save:"], ["key": "cmd+x", "command": "-save:"],
        ["key": "cmd+s", "command": "-save:"],
      ])
    #expect(try meaning(of: "cmd+s", in: other) == ["ada/0 save:: enabled -> far"])
  }

  @Test func `K9: parameters are performed with`() throws {
    var stage = try Stage(
      commands: [
        [
          "id": "zoom:", "title": "Zoom", "action": "zoom:",
          "parameters": [
            "type": "object", "properties": ["by": ["type": "integer"]], "required": ["by"],
          ],
        ]
      ],
      responders: [
        "app": [
          "kind": "application",
          "handlers": [
            "zoom:": [
              "validate": ["enabled": "has(parameters.by)"],
              "perform": [["op": "add", "path": "/by", "value": "parameters.by"]],
            ]
          ],
        ]
      ], state: [:])
    try stage.put([
      ["key": "ctrl+k 2", "command": "zoom:", "parameters": ["by": 2]],
      ["key": "ctrl+k 3", "command": "zoom:", "parameters": ["by": "three"]],
    ])
    try stage.apply(.useKeymap("ada"))
    #expect(try meaning(of: "ctrl+k 2", in: stage) == ["ada/0 zoom:: enabled -> app"])
    try stage.apply(.pressKey(KeyPress(key("ctrl+k 2"))))
    #expect(stage.session.state == ["by": 2])
    let refused = stage.refusal(of: .pressKey(KeyPress(try key("ctrl+k 3"))))
    guard case .command(.keyNotPerformed)? = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
  }

  @Test func `K9: the text names the keys of the keyboard, on each platform`() throws {
    let stage = try stage([
      ["key": "ctrl+y", "command": "plain:"], ["key": "meta+u", "command": "plain:"],
    ])
    #expect(try meaning(of: "ctrl+y", in: stage) == ["ada/0 plain:: enabled -> far"])
    #expect(try meaning(of: "ctrl+y", in: stage, on: .other) == ["ada/0 plain:: enabled -> far"])
    let control = try #require(KeyCombination(input: "y", modifiers: KeyModifiers([.control])))
    let command = try #require(KeyCombination(input: "y", modifiers: KeyModifiers([.command])))
    #expect(try key("ctrl+y") == KeySequence(control))
    #expect(try key("ctrl+y", on: .other) == KeySequence(command))
    #expect(try key("cmd+u").first.modifiers == KeyModifiers([.command]))
    #expect(try key("win+u", on: .other).first.modifiers == KeyModifiers([.control]))
  }

  @Test func `K9: conflicts have the keymap, with the reasons`() throws {
    let stage = try stage([
      ["key": "cmd+s", "command": "plain:"], ["key": "cmd+s", "command": "find:"],
      ["command": "-off:"], ["key": "cmd+o", "command": "find:"],
    ])
    #expect(
      try stage.conflicts() == [
        "command-s on apple: ada/1 find:, ada/0 plain: (lastEntry), save: (keymap)",
        "control-s on other: ada/1 find:, ada/0 plain: (lastEntry)",
      ])
  }

  @Test func `K9: items show the keys that hold`() throws {
    func keys(_ entries: JSON, _ mutation: Mutation? = nil) throws -> [String] {
      var stage = try stage(entries)
      if let mutation { try stage.apply(mutation) }
      var request = ValidationRequest()
      request.menu = "file"
      let items = try stage.session.validate(request, in: stage.catalog)
      var plan = ValidationPlan { _, _ in }
      let moment = PlanMoment(stage.session, in: stage.catalog)
      #expect(try plan.validate(request, at: moment) == items)
      #expect(try plan.answer(to: request, aboutMenu: "file", at: moment) { _ in } == nil)
      let found = try plan.find(CommandQuery("", limit: 10, includesDisabled: true), at: moment)
      for found in found.commands {
        #expect(found.item.key == items.first { $0.command == found.item.command }?.key)
      }
      return items.compactMap { item in item.key?.apple.map { "\(item.command) \($0.line)" } }
    }
    let declared = ["save: command-s", "find: command-f", "off: command-o", "first: command-p"]
    #expect(try keys([]) == declared)
    // The last entry of a command, not one with parameters.
    #expect(
      try keys([
        ["key": "cmd+1", "command": "plain:"], ["key": "cmd+2", "command": "plain:"],
        ["key": "cmd+3", "command": "plain:", "parameters": ["x": 1]],
      ]) == declared[..<3] + ["plain: command-2"] + declared[3...])
    // A key that another command has is not shown, and neither is one that is taken away.
    #expect(
      try keys([["key": "cmd+s", "command": "find:"], ["command": "-off:"]])
        == ["find: command-s", "first: command-p"])
    // Rules decide now.
    let entries: JSON = [["key": "cmd+9", "command": "find:", "when": "!state.on"]]
    #expect(try keys(entries) == declared)
    #expect(
      try keys(entries, .mergeState(["on": false]))
        == ["save: command-s", "find: command-9", "off: command-o", "first: command-p"])
  }

  @Test func `K1, K9: a command with priority keeps its key, in menus too`() throws {
    let stage = try stage([["key": "cmd+p", "command": "plain:"]])
    #expect(try meaning(of: "cmd+p", in: stage).first == "first:: enabled -> far")
    #expect(
      try keys(in: stage) == [
        "save: command-s", "find: command-f", "off: command-o", "first: command-p",
      ])
    // Once it is taken away, the entry has it.
    let taken = try self.stage([["key": "cmd+p", "command": "plain:"], ["command": "-first:"]])
    #expect(try meaning(of: "cmd+p", in: taken) == ["ada/0 plain:: enabled -> far"])
    #expect(
      try keys(in: taken) == [
        "save: command-s", "find: command-f", "off: command-o", "plain: command-p",
      ])
  }

  @Test func `K9: an entry with parameters takes the key from the item`() throws {
    let stage = try stage([["key": "cmd+s", "command": "save:", "parameters": ["x": 1]]])
    #expect(try keys(in: stage).first == "find: command-f")
  }

  @Test func `K9: conflicts are those of each platform`() throws {
    // On others, cmd+s is another key than that of the command.
    let stage = try stage([
      ["key": "cmd+s", "command": "find:"], ["key": "cmd+s", "command": "-save:"],
      ["key": "f5", "command": "find:"], ["key": "f5", "command": "plain:"],
    ])
    #expect(
      try stage.conflicts() == [
        "UIKeyInputF5: ada/3 plain:, ada/2 find: (lastEntry)"
      ])
  }

  @Test func `K9: rules do not see who presses`() throws {
    let stage = try stage([
      ["key": "cmd+s", "command": "-save:", "when": "has(sender.kind)"],
      ["key": "cmd+f", "command": "plain:", "when": "responder.id == 'near'"],
    ])
    #expect(try meaning(of: "cmd+s", in: stage) == ["save:: enabled -> far"])
    #expect(try meaning(of: "cmd+f", in: stage).first == "ada/1 plain:: enabled -> far")
  }

  @Test func `K9: many entries and many commands are within the effort, costly rules are not`()
    throws
  {
    func stage(_ rule: String) throws -> Stage {
      let commands = (0..<1500).map { index -> JSON in
        [
          "id": .string("c\(index)"), "title": "", "action": .string("a\(index)"),
          "key": [
            ["input": "k"], ["input": .string(String(UnicodeScalar(0x4E00 + index) ?? "x"))],
          ],
        ]
      }
      let entries = (0..<1000).map { index -> JSON in
        ["command": .string("-c\(index % 10)"), "when": .string(rule)]
      }
      var stage = try Stage(
        commands: .array(commands), responders: ["app": ["kind": "application"]],
        state: ["all": .array((0..<10_000).map { .int($0) })])
      try stage.put(.array(entries))
      try stage.apply(.useKeymap("ada"))
      return stage
    }
    let cheap = try stage("false")
    #expect(try cheap.session.keys(KeyListRequest(), in: cheap.catalog).count == 1500)
    let costly = try stage("state.all.exists(x, x == -1)")
    #expect(throws: MutationFault.self) {
      try costly.session.keys(KeyListRequest(), in: costly.catalog)
    }
    let effort = Effort()
    _ = try? costly.session.keys(KeyListRequest(), in: costly.catalog, spending: effort)
    #expect(effort.spent < 4 << 20)
  }

  @Test func `K9: a session names a keymap, which need not be there`() throws {
    var stage = try stage([["key": "cmd+s", "command": "find:"]])
    #expect(stage.session.keymap == "ada")
    _ = try stage.catalog.apply(.removeKeymap("ada"))
    #expect(try meaning(of: "cmd+s", in: stage) == ["save:: enabled -> far"])
    try stage.put([["key": "cmd+s", "command": "plain:"]])
    #expect(try meaning(of: "cmd+s", in: stage).first == "ada/0 plain:: enabled -> far")
    let outcome = try stage.apply(.useKeymap(nil))
    #expect(outcome.changes == [.keymap(nil)])
    #expect(outcome.documentEdits.map(\.operation) == [.remove(path: JSONPointer(["keymap"]))])
    #expect(try stage.apply(.useKeymap(nil)).isNothing)
    #expect(throws: CatalogMutationFault(.keymap(.unknownKeymap("eve")))) {
      try stage.catalog.apply(.removeKeymap("eve"))
    }
  }

  @Test func `K9: what an entry does not mean is accepted and told`() throws {
    let keymap = try FaultLog.collecting {
      Keymap(
        "ada",
        reading: [
          "entries": [
            ["key": "cmd+1", "command": "sav:"], ["key": "insert", "command": "save:"],
            ["key": "cmd+[KeyA]", "command": "-zzzzzzz"],
          ]
        ], at: .root, log: $0)
    }
    let stage = try stage([])
    #expect(
      keymap.remarks(in: stage.catalog) == [
        Keymap.Remark(entry: 0, reason: .unknownCommand("sav:", nearest: "save:")),
        Keymap.Remark(entry: 1, reason: .keyWithoutInput),
        Keymap.Remark(entry: 2, reason: .unknownCommand("zzzzzzz", nearest: nil)),
        Keymap.Remark(entry: 2, reason: .keyWithoutInput),
      ])
  }

  @Test(
    arguments: [
      (["key": "cmd+"], "/entries/0/command /entries/0/key"),
      (["key": "cmd+nokey", "command": "a"], "/entries/0/key"),
      (["key": "a b c d e", "command": "a"], "/entries/0/key"),
      (["key": " ", "command": "a"], "/entries/0/key"),
      (["command": "a"], "/entries/0"),
      (["key": "a", "command": "-"], "/entries/0/command"),
      (["key": "a", "command": "-a", "parameters": [:]], "/entries/0/parameters"),
      (["key": "UIKeyInputHome", "command": "a"], "/entries/0/key"),
      (["key": "a", "command": "a", "when": "1 +"], "/entries/0/when"),
      (["key": 7, "command": "a"], "/entries/0/key"),
      (["key": "a", "command": "a", "args": 1], "/entries/0/args"),
    ] as [(JSON, String)])
  func `K9: a fault has its place`(entry: JSON, places: String) {
    let log = FaultLog()
    _ = Keymap("ada", reading: ["entries": [entry]], at: .root, log: log)
    let found = log.faults.map { fault -> String in
      if case .missingMember(let name, _) = fault.reason, name == "command" {
        return fault.pointer.appending(name).description
      }
      return fault.pointer.description
    }
    #expect(Set(found) == Set(places.split(separator: " ").map(String.init)), "\(log.faults)")
  }

  @Test func `K9: a keymap is stored and read as it was written`() throws {
    var stage = try stage([
      ["key": "Ctrl+K  ctrl-S", "command": "save:", "parameters": ["a": 1.50], "when": "state.on"],
      ["command": "-find:"],
    ])
    let bytes = try StoredFormat.bytes(of: stage.catalog)
    let stored = try StoredFormat.value(Catalog.self, from: bytes)
    #expect(stored.keymaps == stage.catalog.keymaps)
    #expect(stored.keymaps.first?.entries.first?.text == "Ctrl+K  ctrl-S")
    // A reload keeps the keymaps.
    let replacement = try Catalog()
    _ = try stage.catalog.apply(.replace(replacement))
    #expect(stage.catalog.keymaps == stored.keymaps)
    #expect(try Catalog().keymaps.isEmpty)
  }

  @Test func `K9: the keys of the catalogue are a keymap of the same format`() throws {
    let stage = try stage([])
    let keymap = stage.catalog.defaultKeymap(on: .apple)
    #expect(
      keymap.json
        == [
          "entries": [
            ["key": "cmd+p", "command": "first:"], ["key": "cmd+o", "command": "off:"],
            ["key": "cmd+f", "command": "find:"], ["key": "cmd+s", "command": "save:"],
          ]
        ])
    #expect(stage.catalog.defaultKeymap(on: .other).entries.first?.text == "ctrl+p")
    let read = Keymap("ada", reading: keymap.json, at: .root, log: FaultLog())
    #expect(read?.entries == keymap.entries)
  }

  /// Law: what is written is read as the same key, for every key that can be written.
  @Test func `K9: the text of a key is read as this key`() throws {
    let inputs =
      KeyInput.named + [
        "a", "Z", "é", "+", "-", " ", "\t", "\r", "\u{8}", "[", "\\", "0", "*", "ß",
      ]
    let modifiers = KeyModifiers.Name.allCases
    var written = 0
    for platform in KeyPlatform.allCases {
      for input in inputs {
        for bits in 0..<64 {
          let held = KeyModifiers(
            modifiers.indices.filter { bits >> $0 & 1 == 1 }.map { modifiers[$0] })
          let stroke = try #require(KeyCombination(input: input, modifiers: held))
          let key = try #require(KeySequence([stroke, stroke]))
          guard let text = KeyText.text(of: key, on: platform) else { continue }
          written += 1
          let read = try self.key(text, on: platform)
          #expect(read.normalized == key.normalized, "\(text)")
          #expect(KeyText.text(of: read, on: platform) == text)
        }
      }
    }
    #expect(written > 1000)
  }
}

extension Stage {
  /// Puts the keymap `ada`.
  mutating func put(_ entries: JSON) throws {
    let keymap = try FaultLog.collecting {
      Keymap("ada", reading: ["entries": entries], at: .root, log: $0)
    }
    _ = try catalog.apply(.putKeymap(keymap))
  }
}
