import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// Answers are kept as long as there is room for them, and the ones that nobody asked for go first.
@Suite(.inOneProcess("Kept answers are of one process."))
struct SessionAnswersTests {
  private let snapshot: Snapshot

  init() throws {
    let catalog = try CatalogDocument([:]).catalog()
    let session = try Session("s", opening: SessionTemplate(), in: catalog)
    let store = SessionStore(catalog: catalog)
    try store.open(session)
    snapshot = try #require(store.snapshot("s"))
  }

  private func answer(of size: Int, filledWith byte: UInt8 = 0) -> SessionAnswers.Answer {
    SessionAnswers.Answer(
      to: ValidationRequest(), at: snapshot.version,
      tag: EntityTag(catalogRevision: 0, nonce: "n", parameters: "p"),
      body: Array(repeating: byte, count: size))
  }

  private func request(_ number: Int) -> HashedBody {
    HashedBody(Array(#"{"session":"s\#(number)"}"#.utf8))
  }

  @Test func `the last answer to a request is found by its bytes`() {
    let cache = LiveSessions().live(snapshot)
    #expect(cache.answer(to: request(1)) == nil)
    cache.keep(answer(of: 10, filledWith: 1), to: request(1))
    cache.keep(answer(of: 20, filledWith: 2), to: request(2))
    cache.keep(answer(of: 30, filledWith: 3), to: request(1))
    #expect(cache.answer(to: request(1))?.body == Array(repeating: 3, count: 30))
    #expect(cache.answer(to: request(2))?.body == Array(repeating: 2, count: 20))
    #expect(cache.answer(to: HashedBody(Array(#"{"session": "s1"}"#.utf8))) == nil)
  }

  @Test func `an answer is found wherever its request names the session`() throws {
    let sample = try SampleService()
    let bodies = [
      #"{"session":"demo","commands":["copy:"]}"#, #"{ "session" : "demo" }"#,
      #"{"commands":["copy:"],"session":"demo"}"#,
      #"{"sender":{"title":"\"session\":\"other\""},"session":"demo"}"#,
    ]
    for body in bodies {
      #expect(SessionID(guessedFrom: Array(body.utf8)) == "demo", "\(body)")
      let answer = try sample.send(.post, "/commands/validate", body)
      #expect(answer.status == .ok, "\(body)")
      let opening = try #require(sample.service.store.opening(of: "demo"))
      let live = try #require(sample.service.sessions.known(opening.number))
      let kept = try #require(live.answer(to: HashedBody(Array(body.utf8))), "\(body)")
      #expect(kept.body == answer.body)
      #expect(try sample.send(.post, "/commands/validate", body).body == answer.body)
    }
    #expect(
      try sample.send(.post, "/commands/validate", #"{"session":"demo","session":"x"}"#).status
        == .badRequest)
  }

  @Test func `a body that seems to name another session is answered all the same`() throws {
    let sample = try SampleService()
    let other = #"{"id":"other","responders":{}}"#
    #expect(try sample.send(.post, "/sessions", other).status == .created)
    for body in [
      #"{"sender":{"session":"other"},"session":"demo"}"#,
      #"{"commands":["session","other"],"session":"demo"}"#,
      #"{"sender":{"session":"nobody"},"session":"demo"}"#,
      #"{"sender":{"title":"session"},"session":"demo","commands":["copy:"]}"#,
    ] {
      #expect(SessionID(guessedFrom: Array(body.utf8)) != "demo", "\(body)")
      let answers = try (0..<2).map { _ in try sample.send(.post, "/commands/validate", body) }
      #expect(answers[0].status == answers[1].status, "\(body)")
      #expect(answers[0].body == answers[1].body, "\(body)")
      #expect(!String(decoding: answers[0].body, as: UTF8.self).contains(#""session":"other""#))
    }
    let opening = try #require(sample.service.store.opening(of: "other"))
    // A guess leaves nothing behind.
    #expect(sample.service.sessions.known(opening.number) == nil)
  }

  @Test func `a thousand questions that are asked in turn are all answered from what is kept`() {
    let cache = LiveSessions().live(snapshot)
    for number in 0..<1000 { cache.keep(answer(of: 16_000), to: request(number)) }
    for _ in 0..<3 {
      let found = (0..<1000).count(where: { cache.answer(to: request($0)) != nil })
      #expect(found == 1000)
    }
  }

  @Test func `when there is no more room, what is asked for stays and what is not goes`() {
    let cache = LiveSessions(ofSession: 16 * 100_000).live(snapshot)
    cache.keep(answer(of: 1000, filledWith: 7), to: request(-1))
    for number in 0..<4000 {
      cache.keep(answer(of: 1000), to: request(number))
      #expect(cache.answer(to: request(-1))?.body.first == 7)
      #expect(cache.answer(to: request(number)) != nil)
    }
    // The last ones are asked first, since to ask keeps an answer at the expense of others.
    #expect((3900..<4000).allSatisfy { cache.answer(to: request($0)) != nil })
    let kept = (0..<4000).count(where: { cache.answer(to: request($0)) != nil })
    #expect(kept < 800)
    #expect(kept > 200)
  }

  @Test func `replacing an answer takes no more room than the new one`() {
    let cache = LiveSessions(ofSession: 16 * 100_000).live(snapshot)
    cache.keep(answer(of: 1000), to: request(1))
    for number in 0..<1000 { cache.keep(answer(of: 9000 + number), to: request(2)) }
    #expect(cache.answer(to: request(1)) != nil)
    #expect(cache.answer(to: request(2))?.body.count == 9999)
  }

  @Test func `an answer that is too large is not kept, nor is the one that it replaces`() {
    let cache = LiveSessions(ofSession: 16 * 100_000).live(snapshot)
    cache.keep(answer(of: 5000), to: request(1))
    cache.keep(answer(of: 6000), to: request(2))
    cache.keep(answer(of: 13_000), to: request(1))
    #expect(cache.answer(to: request(1)) == nil)
    #expect(cache.answer(to: request(2)) != nil)
  }
}
