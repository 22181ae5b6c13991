import JSONText
import Testing

@testable import MenuEngine

@Suite struct AlternateTests {
  private let reject: JSON = [
    "action": "reject:", "title": "Reject", "subtitle": "S", "image": "I",
    "discoverabilityTitle": "D", "propertyList": 1, "attributes": ["destructive"],
    "state": "mixed", "key": ["input": "x", "modifiers": ["command"]],
    "alternates": [
      ["modifiers": ["alternate"], "title": "Reject and Next", "action": "rejectNext:"],
      [
        "modifiers": ["shift", "alternate"], "title": "Reject All", "subtitle": "s",
        "discoverabilityTitle": "d", "action": "rejectAll:",
      ],
    ],
  ]

  private func stage(_ handlers: JSON = ["reject:": logging("one")]) throws -> Stage {
    try Stage(
      commands: [reject],
      menus: [["identifier": "m", "options": ["singleSelection"], "children": ["reject:"]]],
      responders: [
        "near": ["kind": "view", "superview": "far", "handlers": handlers],
        "far": ["kind": "view", "handlers": ["rejectNext:": logging("next")]],
      ], focus: "near")
  }

  private func item(
    _ stage: Stage, _ modifiers: KeyModifiers.Name..., explain: Bool = false
  ) throws -> ValidatedItem {
    var request = ValidationRequest()
    request.modifiers = KeyModifiers(modifiers)
    request.isExplaining = explain
    return try #require(try stage.session.validate(request, in: stage.catalog).first)
  }

  @Test func `M11: while its modifiers are held an item has the alternate's title and target`()
    throws
  {
    let stage = try stage()
    let plain = try item(stage)
    #expect([plain.title, plain.target?.description] == ["Reject", "near"])
    #expect(plain.alternate == nil)
    let held = try item(stage, .alternate)
    #expect(held.command == "reject:")
    #expect([held.title, held.target?.description] == ["Reject and Next", "far"])
    #expect(held.alternate?.action == "rejectNext:")
    let nobody = try item(stage, .alternate, .shift)
    #expect(nobody.title == "Reject All")
    #expect(nobody.reason == .noTarget)
  }

  @Test func `M11: what belongs to the title is the alternate's, the rest the command's`() throws {
    let command = try command(reject)
    let next = command.whileHolding(KeyModifiers([.alternate]))
    #expect([next.subtitle, next.discoverabilityTitle] == [nil, nil])
    #expect(next.image == "I")
    #expect(next.propertyList == 1)
    #expect(next.attributes == .destructive)
    #expect(next.state == .mixed)
    #expect(next.id == "reject:")
    #expect(next.key?.apple?.first.modifiers == KeyModifiers([.command, .alternate]))
    let all = command.whileHolding(KeyModifiers([.alternate, .shift]))
    #expect([all.subtitle, all.discoverabilityTitle] == ["s", "d"])
  }

  @Test(
    arguments: [
      ([], "Reject"), ([.alternate], "Reject and Next"), ([.shift], "Reject"),
      ([.shift, .alternate], "Reject All"), ([.command, .alternate], "Reject"),
      ([.alternate, .alphaShift], "Reject and Next"),
    ] as [([KeyModifiers.Name], String)])
  func `M11: other modifiers than an alternate's change nothing`(
    names: [KeyModifiers.Name], title: String
  ) throws {
    #expect(try command(reject).whileHolding(KeyModifiers(names)).title == title)
  }

  @Test func `M11: the alternate is validated by its own target with its own action`() throws {
    let stage = try stage([
      "reject:": ["validate": ["enabled": false]],
      "rejectNext:": [
        "validate": [
          "title": "command.title + '!'", "checked": "sender.action == 'rejectNext:'",
          "enabled": "command.propertyList == 1 && sender.id == 'reject:'",
        ]
      ],
    ])
    #expect(try item(stage).reason == .ruleFalse)
    let held = try item(stage, .alternate, explain: true)
    #expect(held.isEnabled)
    #expect(held.title == "Reject and Next!")
    #expect(held.state == .on)
    #expect(held.trace.lines.first == #"near alternate ["alternate"]"#)
    #expect(held.trace.steps.first?.rule == "M11")
    #expect(try item(stage, explain: true).trace.steps.first?.question == .respondsToSelector)
  }

  @Test func `M11: performed with modifiers held, the alternate's action is sent`() throws {
    var stage = try stage()
    let held = KeyModifiers([.alternate])
    let outcome = try stage.apply(
      .perform(ActionRequest(.command("reject:"), modifiers: held)))
    #expect(stage.log == ["next"])
    #expect(
      outcome.events.first
        == .willSendAction("reject:", "rejectNext:", target: .responder("far")))
    #expect(outcome.performance?.invocation.sender?.action == "rejectNext:")
    try stage.apply(.perform(ActionRequest(.command("reject:"))))
    #expect(stage.log == ["next", "one"])
    let all = ActionRequest(.command("reject:"), modifiers: KeyModifiers([.alternate, .shift]))
    #expect(stage.reason(for: .perform(all)) == .noTarget)
  }

  @Test func `M11: an alternate's key is the command's with its modifiers held too`() throws {
    var stage = try stage()
    #expect(try stage.matches("x", .command) == ["reject:: enabled -> near"])
    #expect(try stage.matches("x", .command, .alternate) == ["reject:+alternate: enabled -> far"])
    #expect(try stage.matches("x", .alternate) == [])
    try stage.press("x", .command, .alternate)
    #expect(stage.log == ["next"])
  }

  @Test
  func `M11: an alternate whose modifiers are those of the key already has no key of its own`()
    throws
  {
    let stage = try Stage(commands: [
      [
        "action": "a", "title": "A", "key": ["input": "x", "modifiers": ["command"]],
        "alternates": [["modifiers": ["command"], "title": "B", "action": "b"]],
      ]
    ])
    #expect(try stage.matches("x", .command) == ["a: noTarget"])
  }

  @Test func `M9: with alternates, the first that is on stays the only one`() throws {
    func declared(_ id: String) -> JSON {
      [
        "id": .string(id), "action": "plain", "title": "P", "propertyList": .string(id),
        "alternates": [["modifiers": ["alternate"], "title": "H", "action": "held"]],
      ]
    }
    let stage = try Stage(
      commands: [declared("a"), declared("b")],
      menus: [["identifier": "m", "options": ["singleSelection"], "children": ["a", "b"]]],
      responders: [
        "v": [
          "kind": "view",
          "handlers": [
            "plain": ["validate": ["checked": "command.propertyList == 'b'"]],
            "held": ["validate": ["checked": true]],
          ],
        ]
      ], focus: "v")
    func states(_ modifiers: KeyModifiers) throws -> [CommandState] {
      var request = ValidationRequest()
      request.modifiers = modifiers
      let menu = try #require(stage.catalog.menu("m"))
      return try stage.session.validate(menu, request, in: stage.catalog).items.map(\.state)
    }
    #expect(try states([]) == [.off, .on])
    #expect(try states(KeyModifiers([.alternate])) == [.on, .off])
  }

  @Test func `M11: alternates are read and written, and left out where there are none`() throws {
    let json = try command(reject).json.object
    #expect(json?["alternates"] == reject.object?["alternates"])
    #expect(try command(["action": "a", "title": "A"]).json.object?["alternates"] == nil)
  }

  @Test(
    arguments: [
      ([["title": "A", "action": "a"]], ["/alternates/0"]),
      ([["modifiers": ["shift"], "title": "A"]], ["/alternates/0"]),
      ([["modifiers": ["shift"], "action": "a"]], ["/alternates/0"]),
      ([["modifiers": [], "title": "A", "action": "a"]], ["/alternates/0/modifiers"]),
      (
        [
          ["modifiers": ["shift", "command"], "title": "A", "action": "a"],
          ["modifiers": ["command", "shift"], "title": "B", "action": "b"],
        ], ["/alternates/1/modifiers"]
      ),
      ([["modifiers": ["shift"], "title": "A", "action": "a", "key": [:]]], ["/alternates/0/key"]),
    ] as [(JSON, [String])])
  func `M11: mistakes in alternates are reported with their places`(
    alternates: JSON, places: [String]
  ) {
    let json: JSON = ["action": "z", "title": "Z", "alternates": alternates]
    let found = faults { Command(reading: json, at: .root, log: $0) }
    #expect(found.map(\.pointer.description) == places)
  }
}
