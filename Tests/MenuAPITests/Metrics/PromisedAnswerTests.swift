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
    let journal = ScriptedJournal()
    let store = try SessionStore(
      recovering: journal, catalog: SampleCatalog.catalog(), by: journal)
    _ = try store.submit(
      .open(
        Session("demo", opening: SessionTemplate(), in: store.catalog), as: store.newOpening(),
        under: store.catalogEdition))
    let time = Atomic(0)
    var dependencies = Service.Dependencies(
      now: { 0 }, newSessionID: { "new" }, newToken: { "token" }, nonce: "run1")
    dependencies.nanoseconds = { time.load(ordering: .relaxed) }
    let service = Service(store: store, dependencies)
    let labels = #"route="/sessions/{session}",method="DELETE""#
    let page = { String(decoding: service.metricsPage, as: UTF8.self) }
    journal.succeed()
    guard case .promise = service.answer(to: try Request(.delete, "/sessions/demo")) else {
      Issue.record("It waits for nothing.")
      return
    }
    #expect(!page().contains(labels))
    time.store(4_000_000, ordering: .relaxed)
    journal.succeed()
    #expect(page().contains("menud_http_requests_total{\(labels),status=\"204\"} 1\n"))
    #expect(page().contains("menud_http_request_duration_seconds_sum{\(labels)} 0.004\n"))
    #expect(page().contains("menud_journal_flush_changes_sum 3\n"))
  }
}
