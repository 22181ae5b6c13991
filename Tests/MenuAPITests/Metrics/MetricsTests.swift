import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Synchronization
import Testing

@testable import MenuAPI

/// The metrics of requests, read from the page.
@Suite(.inOneProcess("Counters are of one process."))
struct MetricsTests {
  private let service: Service
  private let clock = Clock()

  /// A service over the sample with a journal in memory, whose clock goes on by 3 ms with each look.
  init() throws {
    let clock = clock
    let catalog = try SampleCatalog.catalog()
    let store = try SessionStore(
      recovering: MemoryJournal(clock: RetentionClock { 0 }), catalog: catalog)
    try store.open(Session("demo", opening: catalog.template ?? SessionTemplate(), in: catalog))
    var dependencies = Service.Dependencies(
      now: { 0 }, newSessionID: { "new" }, newToken: { "token" }, nonce: "run1")
    dependencies.nanoseconds = { clock.next() }
    dependencies.version = "1.2.3"
    dependencies.process = {
      ProcessFigures(
        processorTime: 1_250_000_000, residentMemory: 4096, virtualMemory: 8192,
        startTime: 1_795_250_000_123, openDescriptors: 7, maximumDescriptors: 1024)
    }
    service = Service(store: store, dependencies)
  }

  @Test func `requests are counted by route, method and status, and timed`() throws {
    for _ in 0..<2 { _ = try ask(.get, "/commands/copy:") }
    _ = try ask(.get, "/commands/nothing:")
    _ = try ask(.head, "/commands/copy:")
    _ = try ask(.get, "/no/where")
    _ = try ask(.patch, "/commands", "{}")
    let page = try page()
    #expect(
      page.filter { $0.hasPrefix("menud_http_requests_total") } == [
        #"menud_http_requests_total{route="/commands/{command}",method="GET",status="200"} 2"#,
        #"menud_http_requests_total{route="/commands/{command}",method="GET",status="404"} 1"#,
        #"menud_http_requests_total{route="/commands/{command}",method="HEAD",status="200"} 1"#,
        #"menud_http_requests_total{route="none",method="GET",status="404"} 1"#,
        #"menud_http_requests_total{route="none",method="PATCH",status="405"} 1"#,
      ])
    let times = page.filter {
      $0.hasPrefix("menud_http_request_duration")
        && $0.contains("/commands/{command}\",method=\"GET")
    }
    let name = "menud_http_request_duration_seconds"
    let labels = #"route="/commands/{command}",method="GET""#
    #expect(times.count == 20)
    #expect(times.contains(#"\#(name)_bucket{\#(labels),le="0.0025"} 0"#))
    #expect(times.contains(#"\#(name)_bucket{\#(labels),le="0.005"} 3"#))
    #expect(times.suffix(2) == ["\(name)_sum{\(labels)} 0.009", "\(name)_count{\(labels)} 3"])
  }

  @Test func `the page counts itself the next time`() throws {
    #expect(try !page().contains { $0.contains(#"route="/metrics""#) })
    let count = #"menud_http_requests_total{route="/metrics",method="GET",status="200"} 1"#
    #expect(try page().contains(count))
  }

  @Test func `what the server refuses itself is counted by its reason`() throws {
    for _ in 0..<2 { _ = service.respond(to: .malformed(.repeatedHost), with: [:]) }
    let refusals = try page().filter { $0.hasPrefix("menud_http_refusals_total") }
    #expect(refusals.count == RequestRefusal.allCases.count)
    #expect(
      refusals.filter { !$0.hasSuffix(" 0") } == [
        #"menud_http_refusals_total{reason="repeatedHost"} 2"#
      ])
  }

  @Test func `sessions and mutations are counted`() throws {
    _ = try ask(.post, "/sessions", #"{"id":"a"}"#)
    _ = try ask(.post, "/sessions", #"{"id":"a"}"#)
    _ = try ask(.delete, "/sessions/a")
    let list =
      #"{"mutations":[{"op":"mergeState","patch":{"x":1}},{"op":"becomeFirstResponder","responder":"photoGrid"}]}"#
    #expect(try ask(.post, "/sessions/demo/mutations", list).status == .ok)
    let wrong =
      #"{"mutations":[{"op":"mergeState","patch":{"x":1}},{"op":"becomeFirstResponder","responder":"nobody"}]}"#
    _ = try ask(.post, "/sessions/demo/mutations", wrong)
    let dry = #"{"session":"demo","command":"applyFiveStarRating:","dryRun":true}"#
    #expect(try ask(.post, "/commands/perform", dry).status == .ok)
    _ = try ask(.post, "/commands/perform", #"{"session":"demo","command":"paste:"}"#)
    let page = try page()
    for line in [
      "menud_sessions 1", "menud_sessions_opened_total 2", "menud_sessions_closed_total 1",
      "menud_sessions_expired_total 0",
    ] { #expect(page.contains(line), "\(line)") }
    #expect(
      page.filter { $0.hasPrefix("menud_mutations") && !$0.hasSuffix(" 0") } == [
        #"menud_mutations_accepted_total{kind="mergeState"} 1"#,
        #"menud_mutations_accepted_total{kind="becomeFirstResponder"} 1"#,
        #"menud_mutations_refused_total{kind="becomeFirstResponder"} 1"#,
        #"menud_mutations_refused_total{kind="perform"} 1"#,
      ])
  }

  @Test func `a session that nobody asks any more is an expired one`() throws {
    let clock = Atomic<Int64>(0)
    let store = SessionStore(catalog: try SampleCatalog.catalog()) {
      clock.load(ordering: .relaxed)
    }
    try store.open(Session("a", opening: SessionTemplate(), in: store.catalog))
    clock.store(10, ordering: .relaxed)
    #expect(store.closeIdle(forMoreThan: 5).closed == ["a"])
    #expect((store.figures.expired.value, store.figures.closed.value) == (1, 0))
  }

  @Test func `rules that fail are counted once for each time they are asked`() throws {
    let handler = #"{"validate":{"enabled":"state.missing"},"perform":[]}"#
    _ = try ask(.put, "/sessions/demo/responders/photoGrid/handlers/paste:", handler)
    let question = #"{"session":"demo","commands":["paste:","copy:"]}"#
    for _ in 0..<3 { #expect(try ask(.post, "/commands/validate", question).status == .ok) }
    // The second and third time the answer is the one that was kept.
    #expect(try page().contains("menud_rule_errors_total 1"))
    _ = try ask(.post, "/commands/perform", #"{"session":"demo","command":"paste:"}"#)
    #expect(try page().contains("menud_rule_errors_total 2"))
    let action = #"{"session":"demo","action":"paste:"}"#
    #expect(try ask(.post, "/targets/resolve", action).status == .ok)
    let effect = #"{"perform":[{"op":"replace","path":"/x","value":"state.missing"}]}"#
    _ = try ask(.put, "/sessions/demo/responders/photoGrid/handlers/paste:", effect)
    _ = try ask(.post, "/commands/perform", #"{"session":"demo","command":"paste:"}"#)
    #expect(try page().contains("menud_rule_errors_total 3"))
  }

  @Test func `the journal, the recovery and the process are there`() throws {
    _ = try ask(
      .patch, "/sessions/demo/state", #"{"zoom":300}"#, type: "application/merge-patch+json")
    service.measureServer {
      ServerFigures(
        requestsInFlight: 2, connections: 5, evictedConnections: 3, unsentBytes: 70_000)
    }
    let page = try page()
    for line in [
      "menud_http_requests_in_flight 2", "menud_http_connections 5",
      "menud_http_connections_evicted_total 3", "menud_http_unsent_bytes 70000", "menud_ready 1",
      "menud_journal_records_total 3", "menud_journal_failures_total 0", "menud_journal_failing 0",
      "menud_journal_flush_changes_sum 3", "menud_recovery_duration_seconds 0",
      "menud_recovery_records 0", "process_cpu_seconds_total 1.25",
      "process_resident_memory_bytes 4096", "process_virtual_memory_bytes 8192",
      "process_start_time_seconds 1795250000.123", "process_open_fds 7", "process_max_fds 1024",
      #"menud_build_info{version="1.2.3"} 1"#,
    ] { #expect(page.contains(line), "\(line)") }
  }

  @Test func `all families are on the page, in the order of the list`() throws {
    service.measureServer { ServerFigures(requestsInFlight: 0, connections: 0) }
    let types = try text().split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
    // There are no other replicas.
    let families = MetricFamily.all.filter { !$0.name.hasPrefix("menud_replica_") }
    #expect(types.map(String.init) == families.map { "# TYPE \($0.name) \($0.kind.rawValue)" })
  }

  @Test func `where tokens are asked for only administrators see it, unless it is opened`() throws {
    var authorization = Authorization.closed
    let closed = try SampleService(authorization: authorization)
    let own = try closed.openWithToken("own")
    #expect(try closed.send(.get, "/metrics").status == .unauthorized)
    #expect(try closed.send(.get, "/metrics", headers: own).status == .forbidden)
    let answer = try closed.send(.get, "/metrics", headers: SampleService.administrator)
    #expect(answer.status == .ok)
    #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    authorization.opensMetrics = true
    let open = try SampleService(authorization: authorization)
    #expect(try open.send(.get, "/metrics").status == .ok)
    #expect(try open.send(.get, "/metrics", headers: SampleService.bearer("wrong")).status == .ok)
    #expect(try open.send(.get, "/commands").status == .unauthorized)
  }

  private func ask(
    _ method: MicroHTTP.Method, _ target: String, _ body: String? = nil,
    type: String = "application/json"
  ) throws -> Response {
    let headers: Headers = body == nil ? [:] : ["Content-Type": type]
    return service.respond(
      to: try Request(method, target, headers: headers, body: Array((body ?? "").utf8)))
  }

  private func text() throws -> String { try ask(.get, "/metrics").text }

  /// The samples of the page.
  private func page() throws -> [String] {
    try text().split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  /// A clock that goes on by 3 ms with each look.
  private final class Clock: Sendable {
    private let time = Atomic(0)

    func next() -> Int { time.add(3_000_000, ordering: .relaxed).newValue }
  }
}
