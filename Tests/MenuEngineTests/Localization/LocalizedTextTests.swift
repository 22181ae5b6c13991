import JSONText
import Languages
import Testing

@testable import MenuEngine

/// The texts that come in the language of a session, one by one (M14).
struct LocalizedTextTests {
  static let german: JSON = [
    "commands": ["paste:": "Einsetzen", "undo:": "Rückgängig"],
    "strings": [
      "No": "Nein", "Nein": "wrong", "Braces {{here}}": "Klammern {{hier}}",
      "Plural": ["one": "Einzahl", "other": "Mehrzahl"], "Zoom": "Zoomen", "Zoom In": "Vergrößern",
      "Hide": "Ausblenden", "Show": "Einblenden", "Undo": "Widerrufen",
      "Undo {name}": "{name} widerrufen", "Redo {name}": "{name} wiederholen", "yes": "ja",
    ],
  ]

  static let responders: JSON = [
    "app": [
      "kind": "application",
      "keyCommands": [
        ["input": "z", "title": "Zoom", "discoverabilityTitle": "Zoom In", "action": "paste:"]
      ],
      "touchBar": ["items": [["identifier": "zoom", "title": "Zoom"]]],
    ],
    "window": ["kind": "window"],
    "view": [
      "kind": "view", "superview": "window",
      "canBecomeFirstResponder": "tr('yes') == 'ja' || tr('yes') == 'yes'",
      "canResignFirstResponder": "tr('yes') != 'ja'",
      "handlers": [
        "paste:": ["perform": [["op": "replace", "path": "/on", "value": "!state.on"]]],
        "declared:": ["validate": ["requires": [["if": "false", "else": "No"]]]],
        "ruled:": [
          "validate": ["requires": [["if": "false", "else": ["rule": "state.word"]]]]
        ],
        "braced:": ["validate": ["requires": [["if": "false", "else": "Braces {{here}}"]]]],
        "plural:": ["validate": ["requires": [["if": "false", "else": "Plural"]]]],
        "toggle:": [
          "validate": ["title": "state.on ? tr('Hide') : tr('Show')"],
          "perform": [["op": "replace", "path": "/on", "value": "!state.on"]],
        ],
        "compose:": [
          "validate": ["title": "state.on ? tr('Hide') : state.word"],
          "perform": [["op": "replace", "path": "/on", "value": "!state.on"]],
        ],
      ],
    ],
  ]

  var catalog: Catalog
  var session: Session

  init() throws {
    let actions = ["paste:", "declared:", "ruled:", "braced:", "plural:", "toggle:", "compose:"]
    catalog = try CatalogDocument([
      .commands: .array(
        (actions + ["undo:", "redo:"]).map {
          ["title": .string($0.hasPrefix("undo") ? "Undo" : $0), "action": .string($0)]
        }),
      .menus: [
        [
          "identifier": "edit", "title": "Edit {all}",
          "children": .array(actions.map(JSON.string)),
        ]
      ],
      .session: [
        "state": ["on": true, "word": "No"], "firstResponder": "view",
        "keyWindow": "window", "responders": Self.responders,
      ],
      .strings: ["de": Self.german, "fr": ["menus": ["edit": "Édition"]]],
    ]).catalog()
    session = try Session("s", opening: try #require(catalog.template), in: catalog)
  }

  private mutating func use(_ locale: String?) throws {
    _ = try session.apply(.setLocale(locale.flatMap { LanguageTag($0) }), in: catalog)
  }

  /// The item, which a plan must know, too.
  private func item(_ command: CommandID) throws -> ValidatedItem {
    var request = ValidationRequest()
    request.commands = [command]
    let items = try session.validate(request, in: catalog)
    var plan = ValidationPlan { _, _ in }
    let moment = PlanMoment(session, in: catalog)
    #expect(try plan.validate(request, at: moment) == items)
    let text = try plan.answer(to: request, at: moment) { _ in }
    let explanation = try JSON(parsing: text)[JSONPointer(["items", "0", "explanation"])]
    #expect(explanation == items[0].explanation.map(JSON.string))
    return items[0]
  }

  @Test(
    arguments: [
      ("declared:", "Nein"), ("ruled:", "No"), ("braced:", "Klammern {hier}"),
      ("plural:", "Mehrzahl"),
    ] as [(CommandID, String)])
  func `M14: declared words are translated once, and those of rules are not`(
    command: CommandID, words: String
  ) throws {
    var copy = self
    try copy.use("de")
    #expect(try copy.item(command).explanation == words)
  }

  @Test mutating func `M14: undoing and redoing have titles in the language`() throws {
    try use("de")
    #expect(try item("undo:").title == "Widerrufen")
    _ = try session.apply(.perform(ActionRequest(.command("paste:"))), in: catalog)
    #expect(try item("undo:").title == "Einsetzen widerrufen")
    _ = try session.apply(.undo(), in: catalog)
    #expect(try item("redo:").title == "Einsetzen wiederholen")
    #expect(try item("undo:").title == "Widerrufen")
    try use(nil)
    #expect(try item("redo:").title == "Redo Einsetzen")
    #expect(session.undoManager(ownedBy: nil)?.menuItemTitle(.redo) == "Redo Einsetzen")
  }

  @Test mutating func `F9, M14: a message sent again has its command in the language`() throws {
    try use("de")
    let performed = try session.apply(.perform(ActionRequest(.command("paste:"))), in: catalog)
    let json = try #require(performed.performance?.invocation.json)
    let read = try FaultLog.collecting {
      Invocation(reading: json, at: .root, log: $0, in: catalog)
    }
    let again = try session.apply(.invoke(read), in: catalog)
    #expect(again.performance?.invocation.sender?.title == "Einsetzen")
    #expect(try item("undo:").title == "Einsetzen widerrufen")
  }

  @Test mutating func `M14, U2: a title by a literal key names a group, another one does not`()
    throws
  {
    try use("de")
    func name(after command: CommandID) throws -> String? {
      var copy = session
      _ = try copy.apply(.perform(ActionRequest(.command(command))), in: catalog)
      return copy.undoManager(ownedBy: nil)?.turn(.undo).actionName
    }
    #expect(try name(after: "toggle:") == "Ausblenden")
    #expect(try name(after: "compose:") == "Ausblenden")
    _ = try session.apply(.mergeState(["on": false]), in: catalog)
    #expect(try name(after: "toggle:") == "Einblenden")
    #expect(try name(after: "compose:") == "compose:")
  }

  @Test mutating func `M14: key commands and touch bars have titles in the language`() throws {
    try use("de")
    let keys = try session.keys(KeyListRequest(), in: catalog)
    #expect(keys.map(\.title) == ["Zoomen"])
    #expect(keys.map(\.discoverabilityTitle) == ["Vergrößern"])
    let bar = try session.touchBar(from: "app", in: catalog)
    #expect(bar.items.map(\.item.title) == ["Zoomen"])
    try use("fr")
    #expect(try session.keys(KeyListRequest(), in: catalog).map(\.title) == ["Zoom"])
  }

  @Test mutating func `M14: rules about focus translate, too`() throws {
    try use("de")
    #expect {
      _ = try session.apply(.resignFirstResponder, in: catalog)
    } throws: { "\($0)".contains("firstResponderRefused") }
    try use(nil)
    _ = try session.apply(.resignFirstResponder, in: catalog)
  }

  @Test mutating func `M14: a program that embeds the engine gets menus in the language`() throws {
    try use("fr")
    #expect(try session.menu("edit", in: catalog).title == "Édition")
    #expect(try session.menu(Menu.rootIdentifier, in: catalog).title == "")
  }

  @Test mutating func `M14: titles in the pseudo language keep their braces`() throws {
    try use("en-XA-x-a")
    #expect(try session.menu("edit", in: catalog).title == "[Éđîţ {åļļ}~~~]")
    #expect(try item("braced:").explanation == "[Ɓŕåçéš {ĥéŕé}~~~~]")
  }

  @Test mutating func `M14, S8: a search finds by the declared titles of menus`() throws {
    try use("fr")
    func found(_ text: String) throws -> [CommandID] {
      var plan = ValidationPlan { _, _ in }
      return try plan.find(
        CommandQuery(text, limit: 10, includesDisabled: true), at: PlanMoment(session, in: catalog)
      ).commands.map(\.item.command)
    }
    #expect(try found("Edition paste") == ["paste:"])
    #expect(try found("Edit paste").contains("paste:"))
    #expect(try found("edit").contains("toggle:"))
  }

  @Test func `M14: a catalogue that is limited in a language stays limited`() throws {
    let limited = catalog.localized(for: LanguageTag("de"))
      .limited(to: [try #require(CommandPattern("paste:"))])
    for locale in [nil, "de", "fr", "en-XA"] {
      let localized = limited.localized(for: locale.flatMap { LanguageTag($0) })
      #expect(localized.commands.map(\.id) == ["paste:"])
    }
    #expect(limited.localized(for: LanguageTag("de")).commands.map(\.title) == ["Einsetzen"])
    #expect(limited.localized(for: nil).commands.map(\.title) == ["paste:"])
  }
}

/// The pseudo language where there are no strings (M14).
struct PseudoLanguageTests {
  @Test(arguments: ["en-XA", "en-XA-x-a"])
  func `M14: the pseudo language needs no strings at all`(locale: String) throws {
    var stage = try Stage(commands: [["title": "Copy", "action": "copy:"]])
    try stage.apply(.setLocale(LanguageTag(locale)))
    #expect(try stage.item("copy:").title == "[Çöþý~~]")
    try stage.put(
      "grid",
      [
        "kind": "view",
        "keyCommands": [["input": "c", "action": "copy:", "title": "Copy it"]],
        "handlers": [
          "copy:": [
            "validate": [
              "title": "tr('Copy {n}', {'n': 2})",
              "requires": [["if": "state.n > 0", "else": "Nothing {here}."]],
            ]
          ]
        ],
      ])
    try stage.apply(.becomeFirstResponder("grid"))
    try stage.apply(.mergeState(["n": 0]))
    #expect(try stage.item("copy:").title == "[Çöþý 2~~]")
    #expect(try stage.item("copy:").explanation == "[Ñöţĥîñĝ {here}.~~~]")
    let keys = try stage.session.keys(KeyListRequest(), in: stage.catalog)
    #expect(keys.map(\.claim.title) == ["[Çöþý îţ~~~]"])
    #expect(
      UndoTurn(direction: .undo, canBeTaken: true, actionName: "X")
        .menuItemTitle(in: stage.catalog.localized(for: LanguageTag(locale)).translations)
        == "[Ûñđö X~~]")
    try stage.apply(.setLocale(LanguageTag("en")))
    #expect(try stage.item("copy:").title == "Copy 2")
    let pseudo = stage.catalog.localized(for: LanguageTag(locale))
    #expect(pseudo.localized(for: nil).commands == stage.catalog.commands)
  }
}

/// The life of localizations (M14).
struct LocalizationLifeTests {
  private final class Probe {
    weak var localization: Localization?
    weak var commands: CommandIndex?
  }

  private func use(_ probe: Probe) throws {
    let catalog = try LocaleTests.catalog().localized(for: LanguageTag("de"))
    probe.localization = catalog.localization
    probe.commands = catalog.commandIndex(whileHolding: [])
    _ = (catalog.searchIndex, catalog.menuLayout, catalog.selectableCommands)
    #expect(probe.localization != nil)
    #expect(probe.commands != nil)
  }

  @Test func `M14: a localization and its indexes last as long as their catalogue`() throws {
    let probe = Probe()
    try use(probe)
    #expect(probe.localization == nil)
    #expect(probe.commands == nil)
  }
}

/// Plans of sessions in languages that differ in free keys alone (M14).
struct LocalizedPlanTests {
  private let catalog: Catalog
  private var session: Session
  private var plan = ValidationPlan { _, _ in }

  init() throws {
    catalog = try CatalogDocument([
      .commands: [["title": "Copy", "action": "copy:"], ["title": "Count", "action": "count:"]],
      .session: [
        "state": ["n": 2], "firstResponder": "view",
        "responders": [
          "view": [
            "kind": "view",
            "handlers": [
              "copy:": ["validate": ["requires": [["if": "false", "else": "Select."]]]],
              "count:": ["validate": ["title": "tr('n', {'n': state.n})"]],
            ],
          ]
        ],
      ],
      .strings: [
        "de": ["strings": ["Select.": "Wählen.", "n": "{n} Fotos"]],
        "en": ["strings": ["n": "{n} photos"]],
      ],
    ]).catalog()
    session = try Session("s", opening: try #require(catalog.template), in: catalog)
  }

  private mutating func use(_ locale: String?) throws {
    _ = try session.apply(.setLocale(locale.flatMap { LanguageTag($0) }), in: catalog)
  }

  private mutating func ask() throws -> [String?] {
    let moment = PlanMoment(session, in: catalog)
    let items = try plan.validate(ValidationRequest(), at: moment)
    #expect(try session.validate(ValidationRequest(), in: catalog) == items)
    let text = try plan.answer(to: ValidationRequest(), at: moment) { _ in }
    var naive = ValidationPlan { _, _ in }
    #expect(try naive.answer(to: ValidationRequest(), at: moment) { _ in } == text)
    return [items[0].explanation, items[1].title]
  }

  @Test mutating func `M14: a plan follows the language, although no command differs in it`()
    throws
  {
    #expect(try ask() == ["Select.", "n"])
    try use("de")
    #expect(try ask() == ["Wählen.", "2 Fotos"])
    try use("en")
    #expect(try ask() == ["Select.", "2 photos"])
    try use("de-AT")
    #expect(try ask() == ["Wählen.", "2 Fotos"])
    try use(nil)
    #expect(try ask() == ["Select.", "n"])
  }

  @Test mutating func `M14: a plan for another session does not bring its language`() throws {
    let other = session
    try use("de")
    #expect(try ask() == ["Wählen.", "2 Fotos"])
    let german = catalog.localized(for: session)
    #expect(plan.resemblance(to: session, in: german) == ValidationPlan.fullResemblance)
    #expect(plan.resemblance(to: other, in: catalog) == 0)
    plan = plan.forAnotherSession()
    session = other
    #expect(try ask() == ["Select.", "n"])
  }
}
