import MenuEngine
import MicroHTTP
import StoreSupport
import Synchronization
import Testing

@testable import MenuAPI
@testable import MenuStore

/// The metrics of answers that wait for the disk.
@Suite(.inOneProcess("Counters are of one process."))
struct PromisedAnswerTests {
  @Test func `an answer that comes later is counted and timed when it comes`() throws {
    let journal = HeldJournal()
    defer { journal.close() }
    let store = try SessionStore(recovering: journal, catalog: SampleCatalog.catalog())
    try store.open(Session("demo", opening: SessionTemplate(), in: store.catalog))
    let time = Atomic(0)
    var dependencies = Service.Dependencies(
      now: { 0 }, newSessionID: { "new" }, newToken: { "token" }, nonce: "run1")
    dependencies.nanoseconds = { time.load(ordering: .relaxed) }
    let service = Service(store: store, dependencies)
    let labels = #"route="/sessions/{session}",method="GET""#
    let page = { String(decoding: service.metricsPage, as: UTF8.self) }

    let answer = service.answer(to: try Request(.get, "/sessions/demo"))
    guard case .promise(let promise) = answer else {
      Issue.record("It waits for nothing.")
      return
    }
    #expect(!page().contains(labels))
    time.store(4_000_000, ordering: .relaxed)
    let end = Monitor(false)
    promise.whenFulfilled { _ in
      end.withLock { $0 = true }
      end.signal()
    }
    journal.letGo()
    _ = end.wait { $0 ? true : nil }
    #expect(page().contains("menud_http_requests_total{\(labels),status=\"200\"} 1\n"))
    #expect(page().contains("menud_http_request_duration_seconds_sum{\(labels)} 0.004\n"))
    #expect(page().contains("menud_journal_flush_changes_sum 2\n"))
  }
}

/// A journal that keeps nothing, and makes nothing durable before it is let go.
private final class HeldJournal: Journal {
  let figures = JournalFigures()
  let clock = RetentionClock { 0 }
  private let isLetGo: Monitor<Bool>
  private let commits: GroupCommit

  init() {
    let isLetGo = Monitor(false)
    self.isLetGo = isLetGo
    commits = GroupCommit(figures) { (_) throws(JournalFault) in
      _ = isLetGo.wait { $0 ? true : nil }
      return false
    }
  }

  var fault: JournalFault? { commits.fault }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try commits.start(after: nil)
    return JournalRecovery()
  }

  func append(_ write: JournalWrite) throws(JournalFault) -> Ticket { try commits.append(write) }

  func startWriting() { commits.startWriting() }

  func letGo() {
    isLetGo.withLock { $0 = true }
    isLetGo.signal()
  }

  func close() {
    letGo()
    commits.close()
  }
}
