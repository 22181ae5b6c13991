import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

struct EntityTagTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  /// Questions about one session, each with an answer of its own.
  static let questions: [Question] = [
    Question(.get, "/sessions/demo/menu"), Question(.get, "/sessions/demo/menu?explain"),
    Question(.get, "/sessions/demo/menu?from=photoHost"),
    Question(.get, "/sessions/demo/diagnostics"),
    Question(.post, "/commands/validate", #"{"session":"demo"}"#),
    Question(.post, "/commands/validate", #"{"session":"demo","explain":true}"#),
    Question(.post, "/commands/validate", #"{"session":"demo","menu":"edit"}"#),
  ]

  /// Replicas share the nonce, so the rest is the same in every process.
  @Test func `the tag of a declaration is the beginning of its SHA-256 in base 36`() {
    #expect(EntityTag(declared: Array("{}".utf8), nonce: "run1").text == #""run1.d119oemiadtrwq""#)
  }

  @Test(arguments: questions)
  func `an answer that the client has is not given again`(_ question: Question) throws {
    let first = try ask(question)
    let tag = try #require(first.headers["etag"])
    let second = try ask(question, having: tag)
    #expect(second.status == .notModified)
    #expect(second.body.isEmpty)
    #expect(second.headers["etag"] == tag)
    #expect(try ask(question, having: "\"other\", W/\(tag)").status == .notModified)
    #expect(try ask(question, having: "*").status == .notModified)
    #expect(try ask(question, having: "\"other\"").status == .ok)
  }

  @Test func `tags may come in several fields`() throws {
    let tag = try #require(try sample.send(.get, "/sessions/demo").headers["etag"])
    let having = [("If-None-Match", "\"other\""), ("If-None-Match", tag)]
    #expect(try sample.send(.get, "/sessions/demo", headers: having).status == .notModified)
    let supposing = [("If-Match", "\"other\""), ("If-Match", tag)]
    let response = try sample.send(
      .put, "/sessions/demo/key-window", #"{"window":null}"#, headers: supposing)
    #expect(response.status == .ok)
  }

  @Test func `each question has a tag of its own`() throws {
    let tags = try Self.questions.map { try #require(try ask($0).headers["etag"]) }
    #expect(Set(tags).count == tags.count)
  }

  @Test(arguments: questions)
  func `a change of the session changes the tag`(_ question: Question) throws {
    let tag = try #require(try ask(question).headers["etag"])
    _ = try sample.send(.put, "/sessions/demo/key-window", #"{"window":null}"#)
    #expect(try ask(question, having: tag).status == .ok)
  }

  @Test(arguments: questions)
  func `a change of the catalogue changes the tag`(_ question: Question) throws {
    let tag = try #require(try ask(question).headers["etag"])
    _ = try sample.send(.put, "/commands/new:", #"{"title":"New","action":"new:"}"#)
    #expect(try ask(question, having: tag).status == .ok)
  }

  @Test(arguments: questions + [Question(.get, "/sessions/demo")])
  func `a session opened again under the same name has another tag`(_ question: Question) throws {
    let tag = try #require(try ask(question).headers["etag"])
    _ = try sample.send(.delete, "/sessions/demo")
    _ = try sample.send(.post, "/sessions", #"{"id":"demo"}"#)
    #expect(try ask(question, having: tag).status == .ok)
  }

  @Test(arguments: questions + [Question(.get, "/sessions/demo")])
  func `another run of the program has other tags`(_ question: Question) throws {
    let tag = try #require(try SampleService(nonce: "run0").send(question).headers["etag"])
    #expect(try ask(question, having: tag).status == .ok)
  }

  @Test func `a tag is compared before anything is evaluated`() throws {
    let question = Question(.get, "/sessions/demo/menu?from=ghost")
    let snapshot = try #require(sample.service.snapshot("demo"))
    let tag = EntityTag(
      snapshot, nonce: "run1",
      parameters: "m0ghost")
    #expect(try ask(question).status == .badRequest)
    #expect(try ask(question, having: tag.text).status == .notModified)
  }

  @Test func `a mutation goes through when the session is as supposed`() throws {
    let tag = try #require(try sample.send(.get, "/sessions/demo").headers["etag"])
    let response = try change(tag)
    #expect(response.status == .ok)
    #expect(response.headers["etag"] == "\"run1.1.1\"")
    #expect(try sample.send(.get, "/sessions/demo").headers["etag"] == "\"run1.1.1\"")
  }

  @Test func `a mutation of a session that is not as supposed is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/key-window", #"{"window":null}"#,
      headers: [("If-Match", "\"run1.1.7\"")],
      with: """
        412 /problems/precondition-failed
        The session 'demo' is at "run1.1.0", not at '"run1.1.7"'; GET it again and decide anew.
        """)
    #expect(try change("W/\"run1.1.0\"").status == .preconditionFailed)
    #expect(try change("*").status == .ok)
  }

  @Test(arguments: [
    Question(.delete, "/sessions/demo"),
    Question(.post, "/commands/perform", #"{"session":"demo","command":"copy:"}"#),
    Question(.post, "/sessions/demo/mutations", #"{"mutations":[]}"#),
    Question(.put, "/sessions/demo/responders/a", #"{"kind":"view"}"#),
    Question(.delete, "/sessions/demo/responders/photoGrid"),
    Question(.put, "/sessions/demo/responders/photoGrid/handlers/a:", "{}"),
    Question(.delete, "/sessions/demo/responders/photoGrid/handlers/copy:"),
    Question(
      .post, "/sessions/demo/responders/photoHost/coordinator/handlers",
      #"{"selector":"a:","handler":{}}"#),
    Question(
      .put, "/sessions/demo/responders/photoHost/coordinator/handlers/1", #"{"selector":"a:"}"#),
    Question(.delete, "/sessions/demo/responders/photoHost/coordinator/handlers/1"),
    Question(.put, "/sessions/demo/first-responder", #"{"responder":null}"#),
  ])
  func `every mutation heeds If-Match`(_ mutation: Question) throws {
    let before = try sample.send(.get, "/sessions/demo").text
    let stale = try sample.send(mutation, [("If-Match", "\"run1.1.9\"")])
    #expect(stale.status == .preconditionFailed)
    #expect(try sample.send(.get, "/sessions/demo").text == before)
    #expect(try sample.send(mutation, [("If-Match", "\"run1.1.0\"")]).status.rawValue < 300)
  }

  private func ask(_ question: Question, having tag: String? = nil) throws -> Response {
    try sample.send(question, tag.map { [("If-None-Match", $0)] } ?? [])
  }

  private func change(_ tag: String) throws -> Response {
    try sample.send(
      .put, "/sessions/demo/key-window", #"{"window":null}"#, headers: [("If-Match", tag)])
  }
}

/// A request without its fields.
struct Question: Sendable, CustomTestStringConvertible {
  let method: MicroHTTP.Method
  let target: String
  let body: String?

  init(_ method: MicroHTTP.Method, _ target: String, _ body: String? = nil) {
    self.method = method
    self.target = target
    self.body = body
  }

  var testDescription: String { "\(method.rawValue) \(target) \(body ?? "")" }
}

extension SampleService {
  func send(_ question: Question, _ headers: [(String, String)] = []) throws -> Response {
    try send(question.method, question.target, question.body, headers: headers)
  }
}
