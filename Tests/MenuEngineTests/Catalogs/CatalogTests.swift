import JSONText
import ProcessorTime
import RandomSessions
import Testing

@testable import MenuEngine

@Suite struct CatalogTests {
  private let rate: JSON = ["action": "rate:", "title": "Rate"]

  private func catalog(_ commands: JSON..., menus: JSON = []) throws -> Catalog {
    try CatalogDocument([.commands: .array(commands), .menus: menus]).catalog()
  }

  /// The fault of declaring one more command.
  private func refusal(_ json: JSON, in catalog: Catalog) throws -> DeclarationFault? {
    var copy = catalog
    let command = try command(json)
    do throws(DeclarationFault) {
      _ = try copy.declare(command)
      return nil
    } catch {
      #expect(copy.commands == catalog.commands)
      #expect(copy.revision == catalog.revision)
      return error
    }
  }

  @Test func `M1: a command's id is its selector unless it gives one`() throws {
    #expect(try command(rate).id == "rate:")
    #expect(
      try command(["id": "five", "action": "rate:", "title": "Rate"]).id == "five")
  }

  @Test func `M1: a command without action must have an id`() {
    #expect(
      faults { Command(reading: ["title": "Rate"], at: .root, log: $0) }
        == [DocumentFault(.missingMember("id"), at: .root)])
  }

  @Test func `M1: the same declaration again changes nothing`() throws {
    var catalog = try catalog(rate)
    #expect(try !catalog.declare(command(rate)))
    #expect(catalog.revision == 0)
    #expect(try catalog.declare(command(["action": "b", "title": "B"])))
    #expect(catalog.revision == 1)
    #expect(catalog.commands.map(\.id) == ["rate:", "b"])
  }

  @Test func `M1: a declaration that differs is refused, in a single byte even`() throws {
    let catalog = try catalog(["action": "rate:", "title": "Caf\u{E9}"])
    #expect(
      try refusal(["action": "rate:", "title": "Cafe\u{301}"], in: catalog)
        == .command(.duplicateCommand("rate:")))
    #expect(
      try refusal(["action": "rate:", "title": "Caf\u{E9}", "propertyList": 1], in: catalog)
        == .command(.duplicateCommand("rate:")))
  }

  @Test func `M1: the same pair of action and property list twice is refused`() throws {
    let five: JSON = [
      "id": "five", "action": "rate:", "title": "5", "propertyList": ["a": 5, "b": []],
    ]
    let catalog = try catalog(rate, five)
    #expect(
      try refusal(["id": "other", "action": "rate:", "title": "R"], in: catalog)
        == .command(.duplicateIdentity("other", "rate:", other: "rate:")))
    #expect(
      try refusal(
        ["id": "other", "action": "rate:", "title": "R", "propertyList": ["b": [], "a": 5.0]],
        in: catalog) == .command(.duplicateIdentity("other", "rate:", other: "five")))
    #expect(
      try refusal(
        ["id": "other", "action": "rate:", "title": "R", "propertyList": ["a": 4, "b": []]],
        in: catalog) == nil)
  }

  @Test(
    arguments: [
      ("a", ["command"], "A", ["command"]), ("\u{E9}", ["shift"], "\u{C9}", ["shift"]),
      ("5", ["command", "shift"], "5", ["shift", "command"]),
      ("UIKeyInputF1", [], "UIKeyInputF1", []),
    ] as [(String, [String], String, [String])])
  func `M1: the same key twice is refused, letters without regard to case`(
    first: String, held: [String], second: String, heldThen: [String]
  ) throws {
    func document(_ id: JSON, _ input: String, _ modifiers: [String]) -> JSON {
      [
        "action": id, "title": "T",
        "key": ["input": .string(input), "modifiers": .array(modifiers.map(JSON.string))],
      ]
    }
    let catalog = try catalog(document("a", first, held))
    let key = KeySequence(
      input: second, modifiers: KeyModifiers(heldThen.compactMap(KeyModifiers.Name.init)))
    #expect(
      try refusal(document("b", second, heldThen), in: catalog)
        == .command(.duplicateKey("b", try #require(key), other: "a")))
    #expect(try refusal(document("b", second, heldThen + ["control"]), in: catalog) == nil)
  }

  @Test func `M1: a key command without input or without action is refused`() {
    #expect(
      faults {
        Command(reading: ["action": "a", "title": "A", "key": [:]], at: .root, log: $0)
      } == [DocumentFault(.missingMember("input"), at: JSONPointer(["key"]))])
    #expect(
      faults {
        Command(
          reading: ["id": "a", "title": "A", "key": ["input": "a"]], at: .root, log: $0)
      } == [DocumentFault(.missingMember("action"), at: .root)])
  }

  @Test func `M1: the same menu identifier twice is refused, naming both places`() throws {
    #expect(
      throws: CatalogDocument.Faults(faults: [
        CatalogDocument.Fault(
          part: .menus,
          fault: DocumentFault(
            .declaration(
              .menu(.duplicateMenu("file")), other: JSONPointer(["0", "identifier"])),
            at: JSONPointer(["1", "children", "0", "identifier"]))),
        CatalogDocument.Fault(
          part: .menus,
          fault: DocumentFault(
            .declaration(.menu(.duplicateMenu("root"))), at: JSONPointer(["2", "identifier"]))),
      ])
    ) {
      _ = try catalog(menus: [
        ["identifier": "file"], ["identifier": "edit", "children": [["identifier": "file"]]],
        ["identifier": "root"],
      ])
    }
  }

  @Test func `M1: every contradiction of a document is reported, with both places`() throws {
    let key: JSON = ["input": "r"]
    let document = CatalogDocument([
      .commands: [
        ["action": "rate:", "title": "Rate", "key": key],
        ["action": "rate:", "title": "Again"],
        ["id": "other", "action": "rate:", "title": "Other"],
        ["action": "third:", "title": "Third", "key": ["input": "R"]],
        ["action": "rate:", "title": "Rate", "key": key],
      ],
      // All of them are declared, if badly: no fault of the menus.
      .menus: ["rate:", "other", "third:"],
    ])
    func fault(_ problem: DeclarationFault, _ index: String) -> CatalogDocument.Fault {
      CatalogDocument.Fault(
        part: .commands,
        fault: DocumentFault(
          .declaration(problem, other: JSONPointer(["0"])), at: JSONPointer([index])))
    }
    let combination = try #require(KeySequence(input: "R", modifiers: []))
    #expect(
      throws: CatalogDocument.Faults(faults: [
        fault(.command(.duplicateCommand("rate:")), "1"),
        fault(.command(.duplicateIdentity("other", "rate:", other: "rate:")), "2"),
        fault(.command(.duplicateKey("third:", combination, other: "rate:")), "3"),
        fault(.command(.identicalCommand("rate:")), "4"),
      ])
    ) {
      _ = try document.catalog()
    }
  }

  @Test func `M1: a removed command frees its name, its pair and its key`() throws {
    let json: JSON = ["action": "a", "title": "A", "key": ["input": "a"]]
    var catalog = try catalog(json, rate)
    try catalog.remove("a")
    #expect(catalog.commands.map(\.id) == ["rate:"])
    #expect(catalog.command("rate:")?.title == "Rate")
    #expect(catalog.command("a") == nil)
    #expect(catalog.revision == 1)
    #expect(throws: DeclarationFault.command(.unknownCommand("a"))) { try catalog.remove("a") }
    #expect(catalog.revision == 1)
    _ = try catalog.declare(try command(json))
    #expect(catalog.commands.map(\.id) == ["rate:", "a"])
  }

  @Test func `M1: a command that stands in menus is not removed, and the menus are named`() throws {
    var catalog = try catalog(
      rate,
      menus: ["rate:", ["identifier": "image", "children": ["rate:", "rate:"]]])
    #expect(throws: DeclarationFault.command(.standsInMenus("rate:", ["root", "image"]))) {
      try catalog.remove("rate:")
    }
    #expect(catalog.revision == 0)
  }
}

@Suite struct CommandTests {
  @Test func `M2: absent members have their defaults`() throws {
    let command = try command(["action": "a", "title": "A"])
    #expect(
      command
        == Command(
          Command.Content(
            id: "a", title: "A", subtitle: nil, image: nil, discoverabilityTitle: nil, action: "a",
            propertyList: nil, attributes: [], state: .off, key: nil,
            wantsPriorityOverSystemBehavior: false, allowsAutomaticLocalization: true,
            allowsAutomaticMirroring: true)))
  }

  @Test func `M2: every field is read and written`() throws {
    let json: JSON = [
      "id": "a", "title": "A", "subtitle": "s", "image": "i", "discoverabilityTitle": "d",
      "action": "act:", "propertyList": ["n": nil],
      "attributes": ["disabled", "destructive", "hidden", "keepsMenuPresented"], "state": "mixed",
      "key": [
        "input": "a",
        "modifiers": ["command", "shift", "alternate", "control", "alphaShift", "numericPad"],
      ],
      "wantsPriorityOverSystemBehavior": true, "allowsAutomaticLocalization": true,
      "allowsAutomaticMirroring": false,
    ]
    let command = try command(json)
    #expect(command.json == json)
    #expect(command.json.text() == json.text())
    #expect(try MenuEngineTests.command(command.json) == command)
  }

  @Test(arguments: [(true, true, true), (true, false, false), (false, true, false)])
  func `M2: mirroring is off whenever localization is`(
    localized: Bool, mirrored: Bool, isMirrored: Bool
  ) throws {
    let command = try command([
      "action": "a", "title": "A", "allowsAutomaticLocalization": .bool(localized),
      "allowsAutomaticMirroring": .bool(mirrored),
    ])
    #expect(command.allowsAutomaticMirroring == isMirrored)
    #expect(command.allowsAutomaticLocalization == localized)
  }

  @Test func `M2: named inputs are UIKit's`() {
    let names =
      ["UpArrow", "DownArrow", "LeftArrow", "RightArrow", "Escape", "PageUp", "PageDown", "Home"]
      + ["End", "Delete"] + (1...12).map { "F\($0)" }
    #expect(KeyInput.named == names.map { "UIKeyInput\($0)" })
    for name in names {
      #expect(
        KeyCombination(input: "UIKeyInput\(name)", modifiers: [])?.normalized.input
          == "UIKeyInput\(name)")
    }
  }

  @Test(arguments: ["", "ab", "UIKeyInputF13", "UIKeyInputuparrow", "e\u{301}x", "\u{1F1E9}a"])
  func `M2: an input is one grapheme cluster or a name`(input: String) {
    #expect(
      faults {
        Command(
          reading: ["action": "a", "title": "A", "key": ["input": .string(input)]], at: .root,
          log: $0)
      } == [
        DocumentFault(
          .expected(.keyInput, found: .string(input)), at: JSONPointer(["key", "input"]))
      ])
  }

  @Test(arguments: [
    "e\u{301}", "\u{1F469}\u{200D}\u{1F680}", "\u{1F1E9}\u{1F1EA}", "\r\n", " ",
  ])
  func `M2: a grapheme cluster is one key, however many code points it has`(input: String) throws {
    let key = try #require(KeySequence(input: input, modifiers: []))
    #expect(key.first.input.hasSameBytes(as: input))
  }

  @Test(arguments: [
    ("\u{E9}", "e\u{301}"), ("\u{212B}", "\u{C5}"), ("\u{C9}", "e\u{301}"),
    ("\u{1E69}", "s\u{307}\u{323}"),
    ("\u{AC00}", "\u{1100}\u{1161}"),
  ])
  func `M1, M2: canonically equivalent inputs are the same key`(one: String, other: String) throws {
    let pressed = try #require(KeySequence(input: other, modifiers: []))
    let key = try #require(KeySequence(input: one, modifiers: []))
    #expect(key.matches(pressed) && pressed.matches(key))
    #expect(key.normalized == pressed.normalized)
    let first: JSON = ["action": "a", "title": "A", "key": ["input": .string(one)]]
    var catalog = try CatalogDocument([.commands: [first]]).catalog()
    let second = try command(["action": "b", "title": "B", "key": ["input": .string(other)]])
    #expect(throws: DeclarationFault.command(.duplicateKey("b", pressed, other: "a"))) {
      try catalog.declare(second)
    }
    #expect(try JSON(encoding: key).decoded(as: KeyCombination.self).input.hasSameBytes(as: one))
  }

  @Test func `M2: a combination that was stored with its folded input is read`() throws {
    let stored: JSON = ["folded": "\u{212B}", "input": "\u{212B}", "modifiers": 1]
    let key = try stored.decoded(as: KeyCombination.self)
    #expect(key == KeyCombination(input: "\u{212B}", modifiers: KeyModifiers([.command])))
    #expect(key.folded.hasSameBytes(as: "\u{E5}"))
  }

  @Test func `M1: a property list of null is none`() throws {
    let command = try command(["action": "rate:", "title": "Rate", "propertyList": nil])
    #expect(command.propertyList == nil)
    #expect(command.json[JSONPointer(["propertyList"])] == nil)
    let first: JSON = ["id": "r", "action": "rate:", "title": "Rate"]
    var catalog = try CatalogDocument([.commands: [first]]).catalog()
    #expect(throws: DeclarationFault.command(.duplicateIdentity("rate:", "rate:", other: "r"))) {
      try catalog.declare(command)
    }
    let keyCommands = try FaultLog.collecting {
      KeyCommand.list(
        reading: [["input": "a", "action": "a", "propertyList": nil]], at: .root, log: $0)
    }
    #expect(keyCommands.map(\.propertyList) == [nil])
  }

  @Test func `M2: a command has a description, which rules see`() throws {
    let json: JSON = [
      "id": "rate:", "title": "Rate", "description": "Gives the selected photos a rating.",
      "action": "rate:", "attributes": [], "state": "off",
      "wantsPriorityOverSystemBehavior": false, "allowsAutomaticLocalization": true,
      "allowsAutomaticMirroring": true,
    ]
    let command = try command(json)
    #expect(command.json.text() == json.text())
    #expect(try JSON(encoding: command).decoded(as: Command.self) == command)
    #expect(
      faults { Command(reading: ["title": "A", "id": "a", "description": 1], at: .root, log: $0) }
        == [DocumentFault(.expected(.string, found: 1), at: JSONPointer(["description"]))])
  }

  @Test(.processorTime(seconds: 60))
  func `M2: an input of many combining marks is refused at once`() {
    // Comparing it as text would normalise it, which takes minutes.
    let input = "e" + String(repeating: "\u{301}\u{323}\u{302}\u{316}", count: 50_000)
    #expect(KeyCombination(input: input, modifiers: []) == nil)
  }
}
