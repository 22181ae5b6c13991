import CEL
import JSONText
import Languages
import Testing

@testable import MenuEngine

/// The contents of resources and prompts at a moment of a session.
struct ContentReaderTests {
  private static let resources: JSON = [
    "fixed": ["uri": "a:fixed", "text": "A text."],
    "count": ["uri": "a:count", "content": "'Count: %d'.format([state.count])"],
    "value": ["uri": "a:value", "content": "{'count': state.count}"],
    "item": [
      "uriTemplate": "a:item/{id}", "content": "state.items[parameters.id]",
      "variables": ["id": ["choices": "state.items.map(id, id)"]],
    ],
    "listed": [
      "uriTemplate": "a:listed/{id}", "content": "parameters.id",
      "variables": ["id": ["enum": ["1", "2"]]],
    ],
    "any": [
      "uriTemplate": "a:any/{id}", "content": "parameters.id", "mimeType": "text/x",
      "variables": ["id": ["examples": ["1"]]],
    ],
    "all": [
      "uriTemplate": "a:all/{h}/{g}/{f}/{e}/{d}/{c}/{b}/{a}", "content": "parameters",
    ],
    "who": ["uri": "a:who", "content": "sender.actor.label"],
    "failing": ["uri": "a:failing", "content": "state.count / 0"],
    "words": ["uri": "a:words", "content": "tr('hello')"],
    "large": ["uri": "a:large", "content": "state.large + state.large"],
    "endless": [
      "uri": "a:endless",
      "content": "state.many.all(a, state.many.all(b, state.many.all(c, a + b + c >= 0)))",
    ],
  ]

  private static let prompts: JSON = [
    "plan": [
      "arguments": [
        ["name": "id", "required": true, "choices": "state.items.map(id, id)"],
        ["name": "size", "enum": ["s", "m"]], ["name": "note"],
      ],
      "messages": [
        ["role": "user", "text": "Plan {id}, {{size}} '{size}'{note}."],
        ["role": "assistant", "content": "'Count %d, '.format([state.count]) + parameters.id"],
        ["role": "user", "resource": "item"],
        ["role": "user", "image": "a.svg"],
      ],
    ],
    "at": [
      "arguments": [["name": "uri", "required": true]],
      "messages": [["role": "user", "resourceAt": "parameters.uri"]],
    ],
    "long": [
      "arguments": [["name": "a"]],
      "messages": [
        ["role": "user", "text": "{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}"]
      ],
    ],
    "all": [
      "arguments": .array(
        "xabcdefgh".map { ["name": .string("\($0)"), "required": true] }),
      "messages": [["role": "user", "resource": "all"]],
    ],
    "number": ["messages": [["role": "user", "content": "dyn(1)"]]],
  ]

  private let catalog: Catalog
  private let session: Session

  init() throws {
    var document = ContentDocumentTests.document(
      Self.resources, Self.prompts, files: ["a.svg": Array("<svg/>".utf8)])
    let many = JSON.array((0..<200).map { .int($0) })
    document.parts[.session] = [
      "state": [
        "count": 3, "items": ["x": ["n": 1], "y y": ["n": 2]], "many": many,
        "large": .string(String(repeating: "a", count: 200_000)),
      ]
    ]
    document.parts[.strings] = ["de": ["strings": ["hello": "Hallo"]]]
    catalog = try document.catalog()
    session = try Session("s", opening: #require(catalog.template), in: catalog)
  }

  private func reader(
    for actor: Principal = .local, of other: Session? = nil
  ) -> ContentReader {
    ContentReader(of: other ?? session, in: catalog, for: actor, spending: Effort())
  }

  private func read(_ uri: String, by reader: ContentReader? = nil) -> Result<String, ContentFault>
  {
    guard let (resource, values) = catalog.resource(at: uri, where: { _ in true }) else {
      return .failure(.unknownResource(uri))
    }
    do throws(ContentFault) {
      let read = try (reader ?? self.reader()).contents(of: resource, values, at: uri)
      guard case .text(let text) = read.contents else { return .success("") }
      return .success("\(read.type.text) \(text)")
    } catch {
      return .failure(error)
    }
  }

  private func messages(
    _ name: String, _ arguments: JSONObject = [:],
    embedding isShown: (ApplicationResource) -> Bool = { _ in true }
  ) throws(ContentFault) -> [PromptMessage] {
    guard let prompt = catalog.prompts.first(where: { $0.name.rawValue == name }) else { return [] }
    return try reader().messages(of: prompt, arguments, embedding: isShown)
  }

  @Test(arguments: [
    ("a:fixed", "text/plain A text."), ("a:count", "text/plain Count: 3"),
    ("a:value", #"application/json {"count":3}"#), ("a:item/x", #"application/json {"n":1}"#),
    ("a:item/y%20y", #"application/json {"n":2}"#), ("a:listed/2", "text/plain 2"),
    ("a:any/z", "text/x z"), ("a:who", "text/plain local"), ("a:words", "text/plain hello"),
  ])
  func `a resource is its text, or what its rule answers`(uri: String, text: String) throws {
    #expect(try read(uri).get() == text)
  }

  @Test func `parameters are in the order of the template, also for a prompt`() throws {
    let text = #"{"h":"1","g":"1","f":"1","e":"1","d":"1","c":"1","b":"1","a":"1"}"#
    #expect(try read("a:all/1/1/1/1/1/1/1/1").get() == "application/json " + text)
    let given = JSONObject("xabcdefgh".map { .init(name: "\($0)", value: "1") })
    guard case .resource(let resource)? = try messages("all", #require(given)).first?.content,
      case .text(let embedded) = resource.contents
    else {
      Issue.record("no resource")
      return
    }
    #expect(embedded == text)
  }

  @Test(arguments: ["a:nothing", "a:item/z", "a:item/", "a:listed/3", "a:item/x/y"])
  func `a URI that no template has, or a value that is no choice, is unknown`(uri: String) {
    #expect(read(uri) == .failure(.unknownResource(uri)))
  }

  @Test func `T4: rules read who asks`() throws {
    let ada = try #require(Principal(.agent, "ada"))
    #expect(try read("a:who", by: reader(for: ada)).get() == "text/plain ada")
  }

  @Test func `M14: rules read the texts of the language`() throws {
    var german = session
    german.parts.value.locale = LanguageTag("de")
    let text = try read("a:words", by: reader(of: german)).get()
    #expect(text == "text/plain Hallo")
  }

  @Test func `a rule that fails is a fault, and so is a value that is too large`() {
    guard case .failure(.rule(let fault)) = read("a:failing") else {
      Issue.record("read")
      return
    }
    #expect(fault.place == "content")
    guard case .failure(.rule(let large)) = read("a:large") else {
      Issue.record("read")
      return
    }
    #expect(large.reason == .answered(.string, expected: .boundedValue))
  }

  @Test func `effort is bounded`() {
    guard case .failure(.rule(let fault)) = read("a:endless") else {
      Issue.record("read")
      return
    }
    #expect("\(fault.reason)".contains("maximumSteps"))
  }

  @Test func `a prompt is its messages with everything in its place`() throws {
    let messages = try messages("plan", ["id": "x", "note": "!"])
    #expect(messages.map(\.role) == [.user, .assistant, .user, .user])
    guard case .text(let first) = messages[0].content, case .text(let second) = messages[1].content,
      case .resource(let resource) = messages[2].content,
      case .image(let data, let type) = messages[3].content,
      case .text(let text) = resource.contents
    else {
      Issue.record("\(messages)")
      return
    }
    #expect(first == "Plan x, {size} ''!.")
    #expect(second == "Count 3, x")
    #expect(resource.uri == "a:item/x")
    #expect(text == #"{"n":1}"#)
    #expect(data == "PHN2Zy8+")
    #expect(type.text == "image/svg+xml")
  }

  @Test func `arguments are those of the prompt`() {
    #expect(throws: ContentFault.missingArgument("id")) { try messages("plan") }
    #expect(throws: ContentFault.unknownArgument("ID", known: ["id", "size", "note"])) {
      try messages("plan", ["id": "x", "ID": "x"])
    }
    #expect(throws: ContentFault.notAText("size")) { try messages("plan", ["id": "x", "size": 1]) }
    #expect(throws: ContentFault.notAChoice("id", "z", choices: ["x", "y y"])) {
      try messages("plan", ["id": "z"])
    }
    #expect(throws: ContentFault.notAChoice("size", "l", choices: ["s", "m"])) {
      try messages("plan", ["id": "x", "size": "l"])
    }
  }

  @Test func `a resource is embedded by its URI, if it exists`() throws {
    guard case .resource(let resource)? = try messages("at", ["uri": "a:any/1"]).first?.content
    else {
      Issue.record("no resource")
      return
    }
    #expect(resource.uri == "a:any/1")
    #expect(throws: ContentFault.unknownResource("a:none")) {
      try messages("at", ["uri": "a:none"])
    }
    #expect(throws: ContentFault.unknownResource("a:any/1")) {
      try messages("at", ["uri": "a:any/1"]) { _ in false }
    }
  }

  @Test func `messages are bounded before they are made`() {
    let long = JSON.string(String(repeating: "a", count: 1 << 17))
    #expect(throws: ContentFault.tooLarge(limit: Limits.promptSize)) {
      try messages("long", ["a": long])
    }
  }

  @Test func `a message is a text`() throws {
    do throws(ContentFault) {
      _ = try messages("number")
      Issue.record("made")
    } catch {
      guard case .rule(let fault) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(fault.place == "messages/0/content")
    }
  }

  @Test func `T3: what reads more than parameters, texts and who asks reads the session`() {
    let reading = catalog.resources.filter(\.readsSession).map(\.name.rawValue)
    #expect(reading == ["count", "value", "item", "failing", "large", "endless"])
    #expect(catalog.prompts.filter(catalog.readsSession).map(\.name.rawValue) == ["plan"])
  }
}
