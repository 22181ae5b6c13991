import JSONSchema
import JSONText
import Languages
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// The language of a session over HTTP (M14).
struct LocaleRoutesTests {
  private let sample: SampleService

  init() throws {
    sample = try SampleService()
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/paste:",
      #"""
      {"validate": {"requires": [{"if": "state.rating > 9", "else": "Nothing to paste."}],
                    "title": "tr('paste', {'count': state.rating + 1})"}}
      """#)
  }

  private func use(_ locale: String) throws {
    let response = try sample.send(.put, "/sessions/demo/locale", #"{"locale":"\#(locale)"}"#)
    #expect(response.status == .ok, "\(response.text)")
  }

  private func items(_ commands: String...) throws -> [JSON] {
    let list = commands.map { "\"\($0)\"" }.joined(separator: ",")
    return try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":[\#(list)]}"#
    ).value("/items")?.items ?? []
  }

  private func titles(_ commands: String...) throws -> [JSON?] {
    try commands.map { try items($0).first?[JSONPointer(["title"])] }
  }

  @Test func `M14: items and explanations follow each change of the language at once`() throws {
    for (locale, titles, words) in [
      ("de", ["Löschen", "1 Foto einsetzen"], "Nichts einzusetzen."),
      ("fr", ["Delete", "Coller 1 photo"], "Rien à coller."),
      ("de-AT", ["Löschen", "1 Foto einsetzen"], "Nichts einzusetzen."),
      ("it", ["Delete", "paste"], "Nothing to paste."),
      ("en-XA", ["[Đéļéţé~~~]", "[þåšţé~~]"], "[Ñöţĥîñĝ ţö þåšţé.~~~~~~]"),
    ] {
      try use(locale)
      #expect(try self.titles("delete:", "paste:") == titles.map(JSON.string), "\(locale)")
      #expect(try items("paste:")[0][JSONPointer(["explanation"])] == .string(words))
      let menu = try sample.send(.get, "/sessions/demo/menu?menu=edit")
      let title = ["de": "Bearbeiten", "de-AT": "Bearbeiten", "en-XA": "[Éđîţ~~]"][locale]
      #expect(try menu.value("/menu/title") == .string(title ?? "Edit"))
    }
  }

  @Test func `M14: a session does not answer in the language of another one`() throws {
    try use("fr")
    #expect(try titles("paste:") == ["Coller 1 photo"])
    try sample.openPhone()
    let phone = try sample.send(
      .post, "/commands/validate", #"{"session":"phone","commands":["copy:","delete:"]}"#)
    #expect(try phone.value("/items/1/title") == "Delete")
    _ = try sample.send(.put, "/sessions/phone/locale", #"{"locale":"de"}"#)
    let german = try sample.send(
      .post, "/commands/validate", #"{"session":"phone","commands":["copy:","delete:"]}"#)
    #expect(try german.value("/items/1/title") == "Löschen")
    #expect(try titles("delete:") == ["Delete"])
  }

  @Test func `M14: the languages are listed`() throws {
    let answer = try sample.send(.get, "/locales")
    #expect(try answer.value("/locales") == ["de", "fr"])
  }

  @Test func `M14: entity tags change with the language`() throws {
    let menu = try sample.send(.get, "/sessions/demo/menu")
    let tag = try #require(menu.headers["etag"])
    func again(_ tag: String) throws -> Response {
      try sample.send(.get, "/sessions/demo/menu", headers: [("If-None-Match", tag)])
    }
    #expect(try again(tag).status == .notModified)
    try use("de")
    let german = try again(tag)
    #expect(german.status == .ok)
    #expect(try again(try #require(german.headers["etag"])).status == .notModified)
    try use("fr")
    #expect(try again(try #require(german.headers["etag"])).status == .ok)
  }

  @Test func `M14: events tell items and menus in the new language`() throws {
    let query = "/sessions/demo/changes?menu=edit&commands=delete:"
    let id = try #require(sample.send(.get, query).value("/0/id")?.word)
    try use("de")
    let events = try sample.send(.get, "\(query)&since=\(id)").text
    #expect(events.contains("Löschen") && events.contains("Bearbeiten"), "\(events)")
  }

  @Test func `M14, T5: a history has the titles that things had when they were done`() throws {
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"sortedBy":{"key":"date"}}"#,
      type: "application/merge-patch+json")
    try use("de")
    for command in ["sortByDate", "sortByTitle"] {
      let done = try sample.send(
        .post, "/commands/perform", #"{"session":"demo","command":"\#(command)"}"#)
      #expect(done.status == .ok, "\(done.text)")
      try use("fr")
    }
    let history = try sample.send(.get, "/sessions/demo/history").value("/entries")?.items ?? []
    let commands = history.filter { $0[JSONPointer(["kind"])] == "command" }
    #expect(commands.map { $0[JSONPointer(["title"])] } == ["Title", "Datum"])
  }

  @Test func `M14, T7: agents get tools and explanations in the language`() throws {
    try use("de")
    _ = try sample.send(
      .put, "/commands/gone:", #"{"title":"Gone","action":"gone:","unavailable":"Nobody can."}"#)
    let path = "/sessions/demo/mcp?tools=find"
    let explained = try sample.call("explain_command", #"{"command":"paste:"}"#, to: path)
    #expect(explained.firstText?.contains("Nichts einzusetzen.") == true, "\(explained)")
    let absent = try sample.call("explain_command", #"{"command":"gone:"}"#, to: path)
    #expect(absent.firstText?.contains("Niemand kann das.") == true, "\(absent)")
    #expect(absent[JSONPointer(["structuredContent", "explanation"])] == "Niemand kann das.")
    let refused = try sample.call("perform_command", #"{"command":"gone:"}"#, to: path)
    #expect(refused.firstText?.contains("Niemand kann das.") == true, "\(refused)")
    let all = try sample.result(of: "tools/list", to: "/sessions/demo/mcp?tools=all").text()
    #expect(all.contains("Löschen") && !all.contains("Delete"))
  }

  @Test func `M14, M13: a language is assumed`() throws {
    let answer = try sample.send(
      .post, "/commands/validate",
      #"""
      {"session":"demo","commands":["delete:","paste:"],
       "assuming":[[{"op":"setLocale","locale":"de"}],[{"op":"setLocale","locale":"fr"}],[]]}
      """#)
    #expect(try answer.value("/items/0/title") == "Delete")
    #expect(try answer.value("/assumed/0/items/0/title") == "Löschen")
    #expect(try answer.value("/assumed/0/items/1/title") == "1 Foto einsetzen")
    #expect(try answer.value("/assumed/1/items/1/title") == "Coller 1 photo")
    #expect(try answer.value("/assumed/2/items/1/title") == "paste")
    #expect(try titles("paste:") == ["paste"])
  }

  @Test func `M14, T3: whoever moves focus chooses the language`() throws {
    let tokens = try TokenSample()
    for (rights, status) in [([Right.items, .focus], 200), ([.items, .read, .perform], 403)] {
      let fields = try tokens.make(rights).fields
      let answer = try tokens.sample.send(
        .put, "/sessions/own/locale", #"{"locale":"de"}"#, headers: fields)
      #expect(answer.status.rawValue == status, "\(answer.text)")
      #expect(try tokens.sample.send(.get, "/locales", headers: fields).status == .ok)
    }
  }

  @Test(arguments: [
    "de", "de-AT", "x-mine", "en-a-bb-x-cc", "zh-Hant-TW", "i-klingon", "d", "de-", "de-x", "1de",
    "abcdefghi", "de_AT", "de--AT", "", "x", "a-1", "de-a-b", "x-a", "X-a-b", "en-XA-x-a", "de-x-",
    "dex-a", "de-x-ä", "i-x",
    String(repeating: "ab-", count: 11) + "abc",
  ])
  func `M14: the schema of a tag accepts what the server accepts`(tag: String) throws {
    let schema = try #require(OpenAPIFiles().schemas.first { $0.name == "Locale" }).value
    var steps = 0
    let faults = try Schema(schema).faults(of: .string(tag), addingStepsTo: &steps).faults
    #expect(faults.isEmpty == (LanguageTag(tag) != nil), "\(tag)")
  }
}
