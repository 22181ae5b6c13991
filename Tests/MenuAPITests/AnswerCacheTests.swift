import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// Answers are kept as long as there is room for them, and the ones that nobody asked for go first.
@Suite(.inOneProcess("Kept answers are of one process."))
struct AnswerCacheTests {
  private let version: Snapshot.Version

  init() throws {
    let catalog = try CatalogDocument([:]).catalog()
    let session = try Session("s", opening: SessionTemplate(), in: catalog)
    let store = SessionStore(catalog: catalog)
    try store.open(session)
    version = try #require(store.snapshot("s")).version
  }

  private func answer(of size: Int, filledWith byte: UInt8 = 0) -> AnswerCache.KeptAnswer {
    AnswerCache.KeptAnswer(
      session: "s", request: ValidationRequest(), version: version,
      tag: EntityTag(catalogRevision: 0, nonce: "n", parameters: "p"),
      body: Array(repeating: byte, count: size))
  }

  private func request(_ number: Int) -> AnswerCache.HashedBody {
    AnswerCache.HashedBody(Array(#"{"session":"s\#(number)"}"#.utf8))
  }

  @Test func `the last answer to a request is found by its bytes`() {
    let cache = AnswerCache()
    #expect(cache.answer(to: request(1)) == nil)
    cache.keep(answer(of: 10, filledWith: 1), to: request(1))
    cache.keep(answer(of: 20, filledWith: 2), to: request(2))
    cache.keep(answer(of: 30, filledWith: 3), to: request(1))
    #expect(cache.answer(to: request(1))?.body == Array(repeating: 3, count: 30))
    #expect(cache.answer(to: request(2))?.body == Array(repeating: 2, count: 20))
    #expect(cache.answer(to: AnswerCache.HashedBody(Array(#"{"session": "s1"}"#.utf8))) == nil)
  }

  @Test func `closing a session releases its answers`() throws {
    let sample = try SampleService()
    let empty = sample.service.validations.size
    for number in 0..<20 {
      _ = try sample.send(.post, "/sessions", #"{"id":"s\#(number)"}"#)
      let body = #"{"session":"s\#(number)","commands":["copy:"]}"#
      #expect(try sample.send(.post, "/commands/validate", body).status == .ok)
    }
    #expect(sample.service.validations.size > empty)
    for number in 0..<20 {
      #expect(try sample.send(.delete, "/sessions/s\(number)").status == .noContent)
    }
    #expect(sample.service.validations.size == empty)
  }

  @Test func `what is kept of sessions that are closed otherwise is released by and by`() {
    let cache = AnswerCache()
    for number in 0..<10 { cache.keep(answer(of: 100), to: request(number)) }
    cache.forgetClosed(besides: ["s"])
    #expect(cache.answer(to: request(9)) != nil)
    cache.forgetClosed(besides: ["t"])
    #expect(cache.size == 0)
    #expect(cache.answer(to: request(9)) == nil)
  }

  @Test func `a thousand sessions that are asked in turn are all answered from what is kept`() {
    let cache = AnswerCache()
    for number in 0..<1000 { cache.keep(answer(of: 16_000), to: request(number)) }
    for _ in 0..<3 {
      let found = (0..<1000).count(where: { cache.answer(to: request($0)) != nil })
      #expect(found == 1000)
    }
  }

  @Test func `when there is no more room, what is asked for stays and what is not goes`() {
    let cache = AnswerCache(maximumSize: 16 * 100_000)
    cache.keep(answer(of: 1000, filledWith: 7), to: request(-1))
    for number in 0..<4000 {
      cache.keep(answer(of: 1000), to: request(number))
      #expect(cache.answer(to: request(-1))?.body.first == 7)
      #expect(cache.answer(to: request(number)) != nil)
    }
    // The last ones are asked first, since to ask keeps an answer at the expense of others.
    #expect((3900..<4000).allSatisfy { cache.answer(to: request($0)) != nil })
    let kept = (0..<4000).count(where: { cache.answer(to: request($0)) != nil })
    #expect(kept < 1600)
    #expect(kept > 400)
  }

  @Test func `replacing an answer takes no more room than the new one`() {
    let cache = AnswerCache(maximumSize: 16 * 100_000)
    cache.keep(answer(of: 1000), to: request(1))
    for number in 0..<1000 { cache.keep(answer(of: 9000 + number), to: request(2)) }
    #expect(cache.answer(to: request(1)) != nil)
    #expect(cache.answer(to: request(2))?.body.count == 9999)
  }

  @Test func `an answer that is too large is not kept, nor is the one that it replaces`() {
    let cache = AnswerCache(maximumSize: 16 * 100_000)
    cache.keep(answer(of: 5000), to: request(1))
    cache.keep(answer(of: 6000), to: request(2))
    cache.keep(answer(of: 13_000), to: request(1))
    #expect(cache.answer(to: request(1)) == nil)
    #expect(cache.answer(to: request(2)) != nil)
  }
}
