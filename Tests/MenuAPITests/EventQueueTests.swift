import Locks
import MenuEngine
import MenuStore
import ProcessorTime
import Synchronization
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Events that are made on a thread of their own, for whom can take them.
@Suite(.inOneProcess("It looks into the queue of one process.")) struct EventQueueTests {
  /// A thread that does what a test lets it do.
  final class Later: Sendable {
    private let jobs = Lock<[@Sendable () -> Void]>([])
    let time = Atomic(1)

    func add(_ job: @escaping @Sendable () -> Void) -> Bool {
      jobs.withLock { $0.append(job) }
      return true
    }

    /// Does the next job; false if there is none.
    func work() -> Bool {
      guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
      job()
      return true
    }
  }

  private let later = Later()
  private let service: Service

  init() throws {
    let catalog = try SampleCatalog.catalog()
    let store = SessionStore(catalog: catalog)
    let template = try #require(catalog.template)
    for id in ["demo", "other"] as [SessionID] {
      let session = try Session(id, opening: template, in: catalog)
      _ = try store.commit(
        .open(session, as: store.newOpening(), under: store.catalogEdition))
    }
    var dependencies = Service.Dependencies(
      now: { 0 }, newSessionID: { "new" }, newToken: { "token" }, nonce: "n")
    let later = later
    dependencies.nanoseconds = { later.time.add(500_000, ordering: .relaxed).newValue }
    dependencies.runEvents = { later.add($0) }
    service = Service(store: store, dependencies)
  }

  private func subscribe(_ target: String) throws -> StreamedAnswer {
    StreamedAnswer(service.answer(to: try Request(.get, target, headers: [:], body: [])))
  }

  private func change(_ value: Int) throws {
    let request = try Request(
      .patch, "/sessions/demo/state", headers: ["Content-Type": "application/merge-patch+json"],
      body: Array(#"{"n":\#(value)}"#.utf8))
    #expect(service.respond(to: request).status == .ok)
  }

  private func work() { while later.work() {} }

  @Test func `a connection's thread makes no event`() throws {
    let stream = try subscribe("/sessions/demo/events?document=true")
    #expect(stream.read() == "")
    #expect(service.events.environment.queue?.count == 1)
    work()
    #expect(stream.events.map(\.event) == ["reset"])
    try change(1)
    #expect(stream.read() == "")
    work()
    #expect(stream.events.map(\.event) == ["change"])
  }

  @Test func `no event is made for who does not read`() throws {
    let reading = try subscribe("/sessions/demo/events?commands=copy:")
    let stalled = try subscribe("/sessions/demo/events?document=true")
    #expect(reading.read() == "" && stalled.read() == "")
    work()
    #expect(reading.events.count == 1)
    let kept = service.sessions.live("demo", of: service.store).memory.size
    for value in 0..<50 {
      try change(value)
      work()
    }
    #expect(service.events.environment.queue?.count == 0)
    // Its reset waits for it, and nothing came to that.
    #expect(service.sessions.live("demo", of: service.store).memory.size < kept + 10_000)
    #expect(stalled.events.map(\.event) == ["reset"])
    work()
    #expect(stalled.events.map(\.event) == ["change"])
  }

  @Test func `a subscriber that is up to date learns at once that it is connected`() throws {
    let first = try subscribe("/sessions/demo/events")
    _ = first.read()
    work()
    let id = try #require(first.events.first?.id)
    let second = try subscribe("/sessions/demo/events?since=\(id)")
    #expect(second.read() == "")
    work()
    #expect(second.read() == ":\n")
  }

  @Test func `sessions take turns, so that many subscribers of one do not delay another's`() throws
  {
    let many = try (0..<50).map { try subscribe("/sessions/demo/events?commands=c\($0)") }
    for stream in many { #expect(stream.read() == "") }
    let one = try subscribe("/sessions/other/events")
    #expect(one.read() == "")
    _ = later.work()
    _ = later.work()
    #expect(one.events.map(\.event) == ["reset"])
    #expect(many.filter { !$0.read().isEmpty }.count < 10)
    work()
    for _ in 0..<100 {
      service.tickEvents()
      later.time.add(500_000_000, ordering: .relaxed)
      work()
    }
    #expect(service.events.environment.queue?.count == 0)
  }

  @Test(.processorTime(seconds: 4))
  func `a turn costs the same however many sessions wait`() {
    let queue = EventQueue(
      pace: .zero,
      nanoseconds: { [later] in later.time.add(3_000_000, ordering: .relaxed).newValue },
      runLater: { [later] in later.add($0) })
    let environment = service.events.environment
    for number in 0..<200_000 {
      queue.add([EventStream([], in: environment)], of: SessionID("s\(number)") ?? "demo")
    }
    while later.work() {}
    #expect(queue.count == 0)
  }

  @Test func `the subscribers of a session in debt begin at once, and are told once it has paid`()
    throws
  {
    let start = later.time.load(ordering: .relaxed)
    service.budget.charge(.session("demo"), 3_000_000_000, at: start)
    #expect(service.budget.wait(of: .session("demo"), at: start) != nil)
    let stream = try subscribe("/sessions/demo/events?document=true")
    let other = try subscribe("/sessions/other/events?document=true")
    #expect(stream.headers["content-type"] == "text/event-stream")
    #expect(stream.read() == "" && other.read() == "")
    work()
    #expect(stream.read() == "" && !stream.hasEnded)
    #expect(other.events.map(\.event) == ["reset"])
    service.tickEvents()
    work()
    #expect(stream.events.isEmpty)
    later.time.add(9_000_000_000, ordering: .relaxed)
    service.tickEvents()
    work()
    #expect(stream.events.map(\.event) == ["reset"])
  }

  @Test func `a session that owes too much waits, and gets its events when it has paid`() throws {
    let queue = EventQueue(
      pace: .milliseconds(250), nanoseconds: { [later] in later.time.load(ordering: .relaxed) },
      runLater: { [later] in later.add($0) })
    let environment = service.events.environment
    let streams = (0..<3).map { _ in EventStream([], in: environment) }
    // Each turn takes as long as the clock is moved while it lasts.
    let slow = EventStream([], in: environment)
    slow.wake { [later] in later.time.add(1_500_000_000, ordering: .relaxed) }
    queue.add([slow], of: "demo")
    while later.work() {}
    queue.add(streams, of: "demo")
    while later.work() {}
    #expect(queue.count == 3)
    later.time.add(400_000_000, ordering: .relaxed)
    queue.tick()
    while later.work() {}
    #expect(queue.count == 3)
    later.time.add(2_000_000_000, ordering: .relaxed)
    queue.tick()
    while later.work() {}
    #expect(queue.count == 0)
  }
}
