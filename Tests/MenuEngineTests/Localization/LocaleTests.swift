import Foundation
import JSONText
import Languages
import Testing

@testable import MenuEngine

/// The language of a session (M14).
struct LocaleTests {
  static let commands: JSON = [
    [
      "id": "copy:", "title": "Copy", "action": "copy:", "subtitle": "To the clipboard",
      "unavailable": "Nothing to copy.",
      "alternates": [["modifiers": ["alternate"], "title": "Copy All", "action": "copyAll:"]],
    ],
    [
      "id": "delete:", "title": "Delete", "action": "delete:",
      "confirmation": ["title": "Delete?", "button": "Delete"],
    ],
    ["id": "find:", "title": "Find", "action": "find:", "unavailable": "Open a document."],
    ["id": "count:", "title": "Count", "action": "count:"],
  ]

  static let german: JSON = [
    "commands": [
      "copy:": [
        "title": "Kopieren", "unavailable": "Nichts zu kopieren.", "alternates": ["Alles kopieren"],
      ],
      "delete:": ["title": "Löschen", "confirmation": ["title": "Löschen?"]],
      "find:": ["title": "Suchen", "subtitle": "Not declared"],
    ],
    "menus": ["edit": "Bearbeiten", "list": "Zeilen"],
    "strings": [
      "selected": ["one": "{count} Foto", "other": "{count} Fotos"],
      "Select a photo first.": "Wählen Sie zuerst ein Foto.",
      "Reason: {why}": "Grund: {why}",
    ],
  ]

  static func catalog(of locale: JSON = nil) throws -> Catalog {
    try CatalogDocument([
      .commands: commands,
      .menus: [
        [
          "identifier": "edit", "title": "Edit",
          "children": ["copy:", "delete:", "find:", "count:"],
        ],
        [
          "identifier": "list", "title": "Rows",
          "children": [
            [
              "forEach": "state.?rows.orValue([])", "key": "item", "title": "item",
              "command": "count:",
            ]
          ],
        ],
      ],
      .session: [
        "locale": locale, "firstResponder": "grid", "state": ["n": 2, "can": false],
        "responders": [
          "grid": [
            "kind": "view",
            "handlers": [
              "copy:": [
                "validate": ["requires": [["if": "state.can", "else": "Select a photo first."]]]
              ],
              "delete:": [
                "validate": [
                  "requires": [
                    [
                      "if": "state.n > 0",
                      "else": ["rule": "tr('Reason: {why}', {'why': state.n})"],
                    ]
                  ]
                ]
              ],
              "count:": ["validate": ["title": "tr('selected', {'count': state.n})"]],
            ],
          ]
        ],
      ],
      .strings: [
        "de": german, "de-AT": ["menus": ["edit": "Bearbeitung"]],
        "en": ["strings": ["selected": ["one": "{count} photo", "other": "{count} photos"]]],
      ],
    ]).catalog()
  }

  var catalog: Catalog
  var session: Session

  init() throws {
    catalog = try Self.catalog()
    session = try Session("s", opening: try #require(catalog.template), in: catalog)
  }

  private mutating func use(_ locale: String?) throws {
    _ = try session.apply(.setLocale(locale.flatMap { LanguageTag($0) }), in: catalog)
  }

  private func items() throws -> [ValidatedItem] {
    let items = try session.validate(ValidationRequest(), in: catalog)
    var plan = ValidationPlan { _, _ in }
    #expect(try plan.validate(ValidationRequest(), at: PlanMoment(session, in: catalog)) == items)
    return items
  }

  private func titles() throws -> [String] { try items().map(\.title) }

  private func menuTitle() -> String? { catalog.localized(for: session).menu("edit")?.title }

  @Test mutating func `M14: items come in the language of the session`() throws {
    #expect(try titles() == ["Copy", "Delete", "Find", "selected"])
    try use("de")
    let items = try items()
    #expect(items.map(\.title) == ["Kopieren", "Löschen", "Suchen", "2 Fotos"])
    #expect(items.map(\.subtitle) == ["To the clipboard", nil, nil, nil])
    #expect(
      items.map(\.explanation)
        == ["Wählen Sie zuerst ein Foto.", nil, "Open a document.", nil])
    #expect(items[1].confirmation == Confirmation(title: "Löschen?", button: "Delete"))
    let copy = catalog.localized(for: session).command("copy:")
    #expect(copy?.alternates.map(\.title) == ["Alles kopieren"])
    #expect(menuTitle() == "Bearbeiten")
  }

  @Test mutating func `M14: a tag is truncated, and each text falls back on its own`() throws {
    try use("de-AT-1996")
    #expect(try titles() == ["Kopieren", "Löschen", "Suchen", "2 Fotos"])
    #expect(menuTitle() == "Bearbeitung")
    try use("fr")
    #expect(try titles() == ["Copy", "Delete", "Find", "selected"])
    try use("en-GB")
    #expect(try titles() == ["Copy", "Delete", "Find", "2 photos"])
    try use(nil)
    #expect(try titles() == ["Copy", "Delete", "Find", "selected"])
    #expect(session.locale == nil)
  }

  @Test mutating func `M14: what is missing falls back to the language of the declarations`() throws
  {
    catalog = try Self.catalog(of: "en")
    session = try Session("s", opening: try #require(catalog.template), in: catalog)
    #expect(session.locale?.text == "en")
    #expect(try titles() == ["Copy", "Delete", "Find", "2 photos"])
    try use("fr")
    #expect(try titles() == ["Copy", "Delete", "Find", "2 photos"])
  }

  @Test mutating func `M14: rules are asked anew in another language`() throws {
    var plan = ValidationPlan { _, _ in }
    for locale in ["de", "en", nil, "de", "fr", "en-XA", "de-AT"] {
      try use(locale)
      for count in [nil, 1, 2, 0] {
        // In another language they are asked at once, too.
        if let count {
          _ = try session.apply(
            .patchState(
              JSONPatch([.replace(path: JSONPointer(["n"]), value: .int(Int64(count)))])),
            in: catalog)
        }
        let moment = PlanMoment(session, in: catalog)
        var naive = ValidationPlan { _, _ in }
        let items = try session.validate(ValidationRequest(), in: catalog)
        #expect(try plan.validate(ValidationRequest(), at: moment) == items)
        #expect(try naive.validate(ValidationRequest(), at: moment) == items)
      }
    }
    #expect(try items()[1].explanation == "Grund: 0")
  }

  @Test mutating func `M14: the pseudo language needs no file`() throws {
    try use("en-XA")
    #expect(try titles() == ["[Çöþý~~]", "[Đéļéţé~~~]", "[Ƒîñđ~~]", "[šéļéçţéđ~~~~]"])
    #expect(menuTitle() == "[Éđîţ~~]")
  }

  @Test mutating func `M14: performing refuses in the language of the session`() throws {
    try use("de")
    let request = ActionRequest(.command("copy:"), sender: nil)
    #expect {
      _ = try session.apply(.perform(request), in: catalog)
    } throws: { fault in
      "\(fault)".contains("Wählen Sie zuerst ein Foto.")
    }
  }

  @Test mutating func `M14: a list of mutations goes on in the language that it sets`() throws {
    let outcomes = try session.apply(
      [.setLocale(LanguageTag("de")), .setLocale(LanguageTag("de")), .setLocale(nil)],
      in: catalog)
    #expect(outcomes.map(\.isNothing) == [false, true, false])
  }

  @Test mutating func `M14, S8: a search finds by both languages`() throws {
    try use("de")
    func found(_ text: String) throws -> [CommandID] {
      var plan = ValidationPlan { _, _ in }
      return try plan.find(
        CommandQuery(text, limit: 10, includesDisabled: true), at: PlanMoment(session, in: catalog)
      ).commands.map(\.item.command)
    }
    #expect(try found("kopier") == ["copy:"])
    #expect(try found("copy").first == "copy:")
    #expect(try found("Find") == ["find:"])
    _ = try session.apply(.mergeState(["rows": ["a", "b"]]), in: catalog)
    #expect(try found("Zeilen") == ["count:", "count:"])
    #expect(try found("Rows") == ["count:", "count:"])
    try use(nil)
    #expect(try found("kopier") == [])
  }

  @Test func `M14: a limited catalogue is in the language too`() throws {
    let limited = catalog.limited(to: [try #require(CommandPattern("copy:"))])
    let german = limited.localized(for: LanguageTag("de"))
    #expect(german.commands.map(\.title) == ["Kopieren"])
    #expect(german.menu("edit")?.title == "Bearbeiten")
    #expect(german.localized(for: nil).commands == limited.commands)
    #expect(german.localized(for: LanguageTag("de-AT")).menu("edit")?.title == "Bearbeitung")
  }

  @Test mutating func `M14: sessions and catalogues with a language are stored`() throws {
    try use("de-AT")
    let coded = try JSONDecoder().decode(
      Session.self, from: try JSONEncoder().encode(session))
    #expect(coded.locale == LanguageTag("de-AT"))
    let stored = try JSONDecoder().decode(Catalog.self, from: try JSONEncoder().encode(catalog))
    #expect(stored.strings.map(\.json) == catalog.strings.map(\.json))
    #expect(
      stored.localized(for: session).commands == catalog.localized(for: session).commands)
  }

  @Test func `M14: faults of strings are told with their places`() throws {
    let findings = CatalogDocument([
      .strings: [
        "de_AT": [:], "de": ["commands": ["copy:": 1], "strings": ["a": ["one": "x"]], "x": 1],
        "DE": [:],
      ]
    ]).findings()
    #expect(
      Set(findings.faults.map(\.fault.pointer.description)) == [
        "/de_AT", "/de/commands/copy:", "/de/strings/a", "/de/x", "/DE",
      ])
  }

  @Test(arguments: [
    (nil, ["de", "fr"]), ("en", ["de", "en", "fr"]), ("fr", ["de", "fr"]),
  ])
  func `M14: the languages to choose from include that of the declarations`(
    own: String?, languages: [String]
  ) throws {
    let session: JSON = own.map { ["locale": .string($0)] } ?? [:]
    let strings: JSON = ["fr": [:], "de": [:]]
    let catalog = try CatalogDocument([.session: session, .strings: strings]).catalog()
    #expect(catalog.locales == languages)
    #expect(try CatalogDocument([.session: session]).catalog().locales == [])
  }

  @Test func `M14: what is missing in a language is found`() throws {
    let findings = catalog.stringsFindings(of: []).filter { $0.language.text == "de" }
    #expect(
      findings.map(\.reason) == [
        .useless("subtitle", of: "find:"),
        .missing("'subtitle' of the command 'copy:'"),
        .missing("'confirmation/button' of the command 'delete:'"),
        .missing("'unavailable' of the command 'find:'"),
        .missing("'title' of the command 'count:'"),
      ])
  }
}
