import JSONText
import Locks
import MenuEngine
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuStore

/// Answers while others' changes wait for the disk or are taken back: none shows what never was, and none
/// denies what was done.
@Suite(.inOneProcess("The test says when its journal writes, and what fails."))
struct TakenBackTests {
  private let journal = ScriptedJournal()
  private let moment = Moment()
  private let sample: SampleService
  private static let zoom =
    #"{"mutations":[{"op":"patchState","patch":[{"op":"add","path":"/photos/-","value":"owl"}]}]}"#
  private static let mutations = "/sessions/demo/mutations"

  init() throws {
    sample = try SampleService(journal: journal, now: { [moment] in moment.now })
    journal.succeed()
  }

  @Test func `a change that is kept is acknowledged, though what it saw before was taken back`()
    throws
  {
    let declared = try sample.ask(.put, "/commands/new:", #"{"title":"New","action":"new:"}"#)
    // It reads the catalogue, then the time, and then changes the session.
    moment.act { [journal] in journal.fail() }
    let performed = try sample.ask(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:"}"#)
    #expect(declared.status == .insufficientStorage)
    #expect(performed.response == nil)
    journal.succeed()
    #expect(performed.status == .ok)
    #expect(sample.service.store.session("demo")?.revision == 1)
  }

  @Test func `a session that the catalogue refuses is refused once that catalogue is durable`()
    throws
  {
    let declared = try sample.ask(.put, "/commands/new:", #"{"title":"New","action":"new:"}"#)
    let refused = try sample.ask(
      .post, "/sessions",
      #"{"id":"x","template":false,"responders":{"a":{"kind":"view","class":"Nobody"}}}"#)
    #expect(declared.response == nil)
    #expect(refused.response == nil)
    journal.succeed()
    #expect(declared.status == .created)
    #expect(refused.response.map { $0.status.rawValue >= 400 } == true)
  }

  @Test func `what is asked again after a failed write does not hold up the journal`() throws {
    let work = Lock<[@Sendable () -> Void]>([])
    let sample = try SampleService(
      journal: journal,
      runLater: { part in
        work.withLock { $0.append(part) }
        return true
      })
    journal.succeed()
    _ = try sample.ask(.post, Self.mutations, Self.zoom)
    let asked = try sample.ask(
      .post, "/commands/validate", #"{"session":"demo","commands":["copy:"]}"#)
    journal.fail()
    #expect(asked.response == nil)
    #expect(work.withLock(\.count) == 1)
    for part in work.withLock(\.self) { part() }
    #expect(asked.status == .ok)
  }

  @Test func `when too much waits what would be asked again is told of the fault`() throws {
    let sample = try SampleService(journal: journal, runLater: { _ in false })
    journal.succeed()
    _ = try sample.ask(.post, Self.mutations, Self.zoom)
    let asked = try sample.ask(
      .post, "/commands/validate", #"{"session":"demo","commands":["copy:"]}"#)
    journal.fail()
    #expect(asked.status == .insufficientStorage)
  }

  @Test func `a change that is taken back is refused`() throws {
    let changed = try sample.ask(.post, Self.mutations, Self.zoom)
    #expect(changed.response == nil)
    journal.fail()
    #expect(changed.status == .insufficientStorage)
    #expect(sample.service.store.session("demo")?.revision == 0)
  }

  @Test(arguments: RefusedRequest.all)
  func `a refusal waits until what it shows is durable`(_ refusal: RefusedRequest) throws {
    let changed = try sample.ask(refusal.change)
    let refused = try sample.ask(refusal.request, refusal.fields)
    #expect(changed.response == nil)
    #expect(refused.response == nil)
    journal.succeed()
    #expect(refused.status == refusal.status)
    #expect(changed.response.map { $0.status.rawValue < 300 } == true)
  }

  @Test(arguments: RefusedRequest.all)
  func `a refusal is looked at anew when what it was for is taken back`(_ refusal: RefusedRequest)
    throws
  {
    let changed = try sample.ask(refusal.change)
    let refused = try sample.ask(refusal.request, refusal.fields)
    journal.fail()
    #expect(changed.status == .insufficientStorage)
    journal.succeed()
    #expect(refused.status == refusal.statusWithout)
  }

  @Test func `a dry run is looked at anew when what it saw is taken back`() throws {
    _ = try sample.ask(.post, Self.mutations, Self.zoom)
    let dry = try sample.ask(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:","dryRun":true}"#)
    #expect(dry.response == nil)
    journal.fail()
    #expect(dry.status == .ok)
    #expect(try dry.response?.value("/revision") == 0)
  }

  @Test func `while several changes are taken back a session is not shown in between`() throws {
    for _ in 0..<3 { _ = try sample.ask(.post, Self.mutations, Self.zoom) }
    let asked = try lookingInBetween(.get, "/sessions/demo")
    #expect(asked.atOnce == [nil, nil, 0])
    #expect(asked.last == [0, 0, 0])
  }

  @Test func `while several changes are taken back the catalogue is not shown in between`() throws {
    let revision = Int64(sample.service.store.catalog.revision)
    for name in ["a:", "b:"] {
      _ = try sample.ask(.put, "/commands/\(name)", #"{"title":"New","action":"\#(name)"}"#)
    }
    let asked = try lookingInBetween(.get, "/commands", "/catalogRevision")
    #expect(asked.atOnce == [nil, revision])
    #expect(asked.last == [revision, revision])
  }

  @Test func `while several closings are taken back no session is said to be closed`() throws {
    try sample.openPhone()
    journal.succeed()
    for id in ["demo", "phone"] { _ = try sample.ask(.delete, "/sessions/\(id)") }
    let asked = try lookingInBetween(.get, "/sessions/demo")
    #expect(asked.atOnce == [nil, 0])
    #expect(asked.last == [0, 0])
  }

  @Test func `an edition that was rolled back is never taken for another one of its revision`()
    throws
  {
    let before = try #require(sample.service.snapshot("demo")).version
    _ = try sample.ask(.post, Self.mutations, Self.zoom)
    let first = try #require(sample.service.snapshot("demo")).version
    journal.fail()
    #expect(sample.service.snapshot("demo")?.version == before)
    _ = try sample.ask(.post, Self.mutations, Self.zoom)
    let second = try #require(sample.service.snapshot("demo")).version
    #expect(Set([before, first, second]).count == 3)
  }

  @Test func `a repetition waits for the commit of the request that it repeats`() throws {
    let store = sample.service.store
    let entry = IdempotencyEntry(
      key: [1], fingerprint: [2], status: 200, headers: [], body: [], expiry: .max)
    let (first, second) = (Waiting(), Waiting())
    for waiting in [first, second] {
      _ = try RequestStore(store: store, waiting: waiting)
        .commit(.keep(entry, under: store.catalogEdition))
    }
    #expect(first.hasCommitted && !second.hasCommitted)
    #expect(first.tickets.count == 1)
    #expect(first.tickets.map(ObjectIdentifier.init) == second.tickets.map(ObjectIdentifier.init))
  }

  /// Returns the answers to a request after each step of a rollback: the number at a place, at once
  /// and in the end.
  private func lookingInBetween(
    _ method: MicroHTTP.Method, _ target: String, _ pointer: String = "/revision"
  ) throws -> (atOnce: [Int64?], last: [Int64?]) {
    var (asked, atOnce): ([Asked], [Int64?]) = ([], [])
    journal.fail {
      guard let look = try? sample.ask(method, target) else {
        Issue.record("\(target) cannot be asked")
        return
      }
      asked.append(look)
      atOnce.append(look.number(pointer))
    }
    return (atOnce, asked.map { $0.number(pointer) })
  }
}

extension Asked {
  /// A number of the body; nil as long as there is none.
  fileprivate func number(_ pointer: String) -> Int64? {
    guard case .int(let number)? = try? response?.value(pointer) else { return nil }
    return number
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

/// A clock that stands still, and does something when it is read the next time.
private final class Moment: Sendable {
  private let action = Lock<(@Sendable () -> Void)?>(nil)

  var now: Int64 {
    action.withLock { $0.take() }?()
    return 1_795_250_000_123
  }

  func act(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }
}
