import JSONText
import Locks
import MenuEngine
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuStore

/// Answers while changes wait for the disk, or cannot be made durable: none shows what can still be lost, and none
/// denies what was done.
@Suite(.inOneProcess("The test says when its journal writes, and what fails."))
struct UncommittedTests {
  private let journal = ScriptedJournal()
  private let sample: SampleService
  private static let zoom =
    #"{"mutations":[{"op":"patchState","patch":[{"op":"add","path":"/photos/-","value":"owl"}]}]}"#
  private static let mutations = "/sessions/demo/mutations"

  init() throws {
    sample = try SampleService(journal: journal)
    journal.succeed()
  }

  @Test func `a change is shown to nobody before it is durable`() throws {
    let changed = try sample.ask(.post, Self.mutations, Self.zoom)
    let dry = try sample.ask(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:","dryRun":true}"#)
    #expect(changed.response == nil)
    #expect(try dry.response?.value("/revision") == 0)
    #expect(try sample.ask(.get, "/sessions/demo").response?.value("/revision") == 0)
    journal.succeed()
    #expect(changed.status == .ok)
    #expect(try sample.ask(.get, "/sessions/demo").response?.value("/revision") == 1)
  }

  @Test func `a change that cannot be made durable is refused, and nothing is left of it`() throws {
    let before = try #require(sample.service.snapshot("demo")).version
    let changed = try sample.ask(.post, Self.mutations, Self.zoom)
    journal.fail()
    #expect(changed.status == .insufficientStorage)
    #expect(sample.service.snapshot("demo")?.version == before)
    #expect(sample.service.store.session("demo")?.revision == 0)
    _ = try sample.ask(.post, Self.mutations, Self.zoom)
    journal.succeed()
    #expect(try #require(sample.service.snapshot("demo")).version != before)
  }

  @Test func `changes that gather stand on each other, and each answer tells of its own`() throws {
    let asked = try (0..<3).map { _ in try sample.ask(.post, Self.mutations, Self.zoom) }
    journal.succeed()
    #expect(try asked.map { try $0.response?.value("/revision") } == [1, 2, 3])
    #expect(sample.service.store.figures.remade.value == 2)
  }

  @Test(arguments: RefusedRequest.all)
  func `a request is refused for a change that came first, once that is durable`(
    _ refusal: RefusedRequest
  ) throws {
    let changed = try sample.ask(refusal.change)
    let refused = try sample.ask(refusal.request, refusal.fields)
    #expect(changed.response == nil && refused.response == nil)
    journal.succeed()
    #expect(refused.status == refusal.status)
    #expect(changed.response.map { $0.status.rawValue < 300 } == true)
  }

  @Test(arguments: RefusedRequest.all)
  func `nothing is refused for a change that was not made`(_ refusal: RefusedRequest) throws {
    let changed = try sample.ask(refusal.change)
    journal.fail()
    #expect(changed.status == .insufficientStorage)
    let asked = try sample.ask(refusal.request, refusal.fields)
    journal.succeed()
    #expect(asked.status == refusal.statusWithout)
  }

  @Test func `a repetition in the same batch gets the first one's answer`() throws {
    let asked = try (0..<2).map { _ in
      try sample.ask(
        .post, Self.mutations, Self.zoom, headers: [("Idempotency-Key", "\"once\"")])
    }
    journal.succeed()
    #expect(try asked.map { try $0.response?.value("/revision") } == [1, 1])
    #expect(asked.map { $0.response?.headers["idempotent-replayed"] } == [nil, "true"])
    #expect(sample.service.store.session("demo")?.revision == 1)
  }
}

extension SampleService {
  fileprivate func ask(
    _ question: Question, _ headers: [(String, String)] = []
  ) throws -> Asked {
    try ask(question.method, question.target, question.body, headers: headers)
  }
}

/// A request that is refused because of another one's change, which comes first.
struct RefusedRequest: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let change: Question
  let request: Question
  var fields: [(String, String)] = []
  let status: Status
  /// Its status when that change was not made.
  let statusWithout: Status

  private static let zoom = Question(
    .post, "/sessions/demo/mutations",
    #"{"mutations":[{"op":"patchState","patch":[{"op":"add","path":"/photos/-","value":"owl"}]}]}"#)
  private static let declare = Question(.put, "/commands/new:", #"{"title":"New","action":"new:"}"#)
  private static let close = Question(.delete, "/sessions/demo")

  static let all = [
    RefusedRequest(
      testDescription: "a change of an older revision", change: zoom,
      request: zoom, fields: [("If-Match", "\"run1.1.0\"")], status: .preconditionFailed,
      statusWithout: .ok),
    RefusedRequest(
      testDescription: "the closing of an older revision", change: zoom,
      request: close, fields: [("If-Match", "\"run1.1.0\"")], status: .preconditionFailed,
      statusWithout: .noContent),
    RefusedRequest(
      testDescription: "a declaration of what is there", change: declare,
      request: declare, fields: [("If-None-Match", "*")], status: .preconditionFailed,
      statusWithout: .created),
    RefusedRequest(
      testDescription: "a change of what is closed", change: close, request: zoom,
      status: .notFound, statusWithout: .ok),
    RefusedRequest(
      testDescription: "an opening of what is open",
      change: Question(.post, "/sessions", #"{"id":"tablet"}"#),
      request: Question(.post, "/sessions", #"{"id":"tablet"}"#),
      status: .conflict, statusWithout: .created),
  ]
}
