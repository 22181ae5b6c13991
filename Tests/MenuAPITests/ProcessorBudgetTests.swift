import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Synchronization
import Testing

@testable import MenuAPI

/// Sessions whose requests take long, and what becomes of the others.
@Suite(.inOneProcess("Budgets are of one process."))
struct ProcessorBudgetTests {
  private static let second = 1_000_000_000

  @Test func `only long requests are remembered, and not for long`() {
    let budget = ProcessorBudget(perSecond: .milliseconds(250))
    budget.charge(.session("a"), 1_999_999, at: 0)
    #expect(!budget.expectsLongRequests(of: .session("a"), at: 0))
    budget.charge(.session("a"), 2_000_000, at: 0)
    #expect(budget.expectsLongRequests(of: .session("a"), at: 10 * Self.second))
    #expect(!budget.expectsLongRequests(of: .session("b"), at: 0))
    #expect(!budget.expectsLongRequests(of: .session("a"), at: 10 * Self.second + 1))
    budget.charge(.session("a"), 3 * Self.second, at: 0)
    #expect(budget.expectsLongRequests(of: .session("a"), at: 11 * Self.second))
    #expect(!budget.expectsLongRequests(of: .session("a"), at: 12 * Self.second))
  }

  @Test func `who owes more than a second waits until it is one`() {
    let budget = ProcessorBudget(perSecond: .milliseconds(250))
    for _ in 0..<3 { budget.charge(.session("a"), Self.second / 2, at: 0) }
    #expect(budget.wait(of: .session("a"), at: 0) == 2)
    #expect(budget.wait(of: .session("a"), at: 2 * Self.second - 1000) == 1)
    #expect(budget.wait(of: .session("a"), at: 2 * Self.second) == nil)
    #expect(budget.wait(of: .session("b"), at: 0) == nil)
  }

  @Test func `without a limit nobody waits`() {
    let budget = ProcessorBudget(perSecond: .zero)
    budget.charge(.session("a"), 100 * Self.second, at: 0)
    #expect(budget.expectsLongRequests(of: .session("a"), at: 0))
    #expect(budget.wait(of: .session("a"), at: 0) == nil)
  }

  @Test func `sessions that owe nothing any more are forgotten`() {
    let budget = ProcessorBudget(perSecond: .seconds(1))
    for number in 0..<10_000 {
      budget.charge(.session(SessionID("s\(number)") ?? "s"), 2_000_000, at: number * 2_000_000)
    }
    #expect(!budget.expectsLongRequests(of: .session("s0"), at: 20 * Self.second))
    #expect(budget.expectsLongRequests(of: .session("s9999"), at: 20 * Self.second))
  }

  @Test func `a session pays with the client that opened it, while it is new`() {
    let budget = ProcessorBudget(perSecond: .milliseconds(250), ofClients: .seconds(1))
    let client = Payer.address("a")
    budget.noteOpening(of: "new", by: client, at: 0)
    budget.charge(.session("new"), 3 * Self.second, at: 10 * Self.second)
    #expect(budget.wait(of: client, at: 10 * Self.second) == 2)
    #expect(budget.wait(of: .session("new"), at: 10 * Self.second) == 8)
    budget.noteOpening(of: "newer", by: client, at: 10 * Self.second)
    #expect(budget.expectsLongRequests(of: .session("newer"), at: 11 * Self.second))
    #expect(budget.wait(of: .session("newer"), at: 11 * Self.second) == nil)
    budget.charge(.session("new"), 3 * Self.second, at: 11 * Self.second)
    #expect(budget.wait(of: client, at: 11 * Self.second) == 1)
  }

  /// A service whose requests take a given processor time, with the queue of its long requests.
  private final class Bench: Sendable {
    private let jobs = Lock<[@Sendable () -> Void]>([])
    private let largeJobs = Lock<[@Sendable () -> Void]>([])
    private let time = Atomic(0)
    private let cost = Atomic(0)
    private let processorTime = Atomic(0)
    /// The number of times that the clock of processor time was read.
    let processorLooks = Atomic(0)
    private let knowsProcessorTime: Bool
    /// The number of times that the clock was read.
    let looks = Atomic(0)
    let room: Int
    let limits: ServiceLimits
    let authorization: Authorization
    private let made = Lock<Service?>(nil)

    init(
      room: Int = 1, authorization: Authorization = Authorization(),
      limits: ServiceLimits = ServiceLimits(), knowsProcessorTime: Bool = false,
      hasThreadForLarge: Bool = false
    ) throws {
      (self.room, self.authorization, self.limits) = (room, authorization, limits)
      self.knowsProcessorTime = knowsProcessorTime
      let catalog = try SampleCatalog.catalog()
      let store = SessionStore(catalog: catalog)
      for id: SessionID in ["a", "b"] {
        try store.open(Session(id, opening: SessionTemplate(), in: catalog))
      }
      var dependencies = Service.Dependencies(
        now: { 0 }, newSessionID: { "x" }, newToken: { "tokentokentokent" }, nonce: "run1")
      dependencies.nanoseconds = { [unowned self] in
        looks.add(1, ordering: .relaxed)
        return time.add(cost.load(ordering: .relaxed), ordering: .relaxed).newValue
      }
      if knowsProcessorTime {
        dependencies.processorNanoseconds = { [unowned self] in
          processorLooks.add(1, ordering: .relaxed)
          return processorTime.load(ordering: .relaxed)
        }
      }
      dependencies.runLater = { [unowned self] job in
        jobs.withLock { jobs in
          guard jobs.count < self.room else { return false }
          jobs.append(job)
          return true
        }
      }
      if hasThreadForLarge {
        dependencies.runLargeLater = { [unowned self] job in
          largeJobs.withLock { $0.append(job) }
          return true
        }
      }
      let service = Service(
        store: store, dependencies, limits: limits, authorization: authorization)
      made.withLock { $0 = service }
    }

    /// Asks for a session; nil when the answer comes later.
    func ask(
      _ session: String, taking cost: Int = 0, headers: Headers = [:], merging state: String? = nil
    ) throws -> EventualResponse {
      self.cost.store(cost, ordering: .relaxed)
      var request = try Request(.get, "/sessions/\(session)", headers: headers)
      if let state {
        request = try Request(
          .patch, "/sessions/\(session)/state",
          headers: ["Content-Type": "application/merge-patch+json"], body: Array(state.utf8))
      }
      return try answer(to: request)
    }

    func answer(to request: Request) throws -> EventualResponse {
      guard let service = made.withLock(\.self) else { throw Missing() }
      return service.answer(to: request)
    }

    /// Lets the thread take processor time from now on, whenever the other clock is read.
    func work(_ nanoseconds: Int) { processorTime.add(nanoseconds, ordering: .relaxed) }

    /// Lets each look at the clock take that long from now on.
    func cost(_ nanoseconds: Int) { cost.store(nanoseconds, ordering: .relaxed) }

    func pass(_ nanoseconds: Int) { time.add(nanoseconds, ordering: .relaxed) }

    func readProcessorTime() -> Int { processorTime.load(ordering: .relaxed) }

    /// Does what waits on the thread for large bodies.
    func workOnLarge() {
      let all = largeJobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      for job in all { job() }
    }

    func work() {
      let all = jobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      for job in all { job() }
    }

    private struct Missing: Error {}
  }

  @Test func `a session that owes is answered later, and others at once`() throws {
    let bench = try Bench()
    #expect(try bench.ask("a", taking: 20_000_000).status == .ok)
    let answer = try bench.ask("a")
    #expect(answer.status == nil)
    #expect(try bench.ask("b").status == .ok)
    bench.work()
    #expect(answer.status == .ok)
    bench.pass(11 * Self.second)
    #expect(try bench.ask("a").status == .ok)
  }

  @Test func `a request that waits for long owes nothing`() throws {
    let bench = try Bench(knowsProcessorTime: true)
    #expect(try bench.ask("a", taking: 20_000_000).status == .ok)
    #expect(try bench.ask("a").status == .ok)
  }

  @Test(arguments: [0, 100_000])
  func `a request owes the processor time that it took, wherever it was noted last`(
    before: Int
  ) throws {
    let bench = try Bench(knowsProcessorTime: true)
    let clock = ProcessorClock { bench.readProcessorTime() }
    clock.begin(at: 0)
    bench.work(before)
    clock.begin(at: before)
    bench.work(20_000_000)
    #expect(clock.cost(from: before, taking: 30_000_000) == 20_000_000)
    #expect(clock.cost(from: before, taking: 1_999_999) == 1_999_999)
  }

  @Test func `the clock of processor time is read every quarter of a millisecond at most`() throws {
    let bench = try Bench(knowsProcessorTime: true)
    for _ in 0..<50 { #expect(try bench.ask("a", taking: 2500).status == .ok) }
    #expect(bench.processorLooks.load(ordering: .relaxed) == 1)
    bench.pass(250_000)
    #expect(try bench.ask("a").status == .ok)
    #expect(bench.processorLooks.load(ordering: .relaxed) == 2)
  }

  @Test func `the clock is read twice for a request`() throws {
    let bench = try Bench()
    #expect(try bench.ask("a").status == .ok)
    #expect(bench.looks.load(ordering: .relaxed) == 2)
  }

  @Test func `changes are left for later as well, and are made once`() throws {
    let bench = try Bench()
    #expect(try bench.ask("a", taking: 20_000_000).status == .ok)
    let answer = try bench.ask("a", merging: #"{"x":1}"#)
    #expect(answer.status == nil)
    bench.work()
    #expect(try answer.response?.value("/revision") == .int(1))
  }

  @Test(
    arguments: [
      (.get, "/sessions/a", nil), (.get, "/sessions/a/menu", nil), (.get, "/sessions/a/chain", nil),
      (.get, "/sessions/a/diagnostics", nil), (.get, "/keys/conflicts?session=a", nil),
      (.get, "/sessions/a/keys", nil),
      (.post, "/commands/validate", #"{"session":"a"}"#),
      (.post, "/commands/perform", #"{"session":"a","action":"copy:"}"#),
      (.post, "/targets/resolve", #"{"session":"a","action":"copy:"}"#),
      (.post, "/keys/resolve", #"{"session":"a","key":{"input":"c"}}"#),
      (.post, "/keys/press", #"{"session":"a","key":{"input":"c"}}"#),
      (.post, "/sessions/a/mutations", #"{"mutations":[]}"#),
      (.put, "/sessions/a/responders/v", #"{"kind":"view"}"#),
    ] as [(MicroHTTP.Method, String, String?)])
  func `whatever a session is asked is left for later`(
    method: MicroHTTP.Method, target: String, body: String?
  ) throws {
    let bench = try Bench()
    #expect(try bench.ask("a", taking: 20_000_000).status == .ok)
    let answer = try bench.answer(
      to: Request(
        method, target, headers: body == nil ? [:] : ["Content-Type": "application/json"],
        body: Array((body ?? "").utf8)))
    #expect(answer.status == nil)
    bench.work()
    let status = try #require(answer.status?.rawValue)
    #expect((200..<500).contains(status) && status != 429)
  }

  @Test func `a session that owes too much is refused, and told when to come again`() throws {
    let bench = try Bench()
    #expect(try bench.ask("a", taking: 2 * Self.second).status == .ok)
    let answer = try bench.ask("a")
    bench.work()
    let response = try #require(answer.response)
    #expect(response.status == .tooManyRequests)
    #expect(response.headers["retry-after"] == "4")
    #expect(
      try response.problem
        == "/problems/over-budget\nThe session's long requests took too much time lately "
        + "(limits.processorTime); ask for less at once, or less often.")
    #expect(try response.value("/limit") == .string("limits.processorTime"))
    bench.pass(4 * Self.second)
    let later = try bench.ask("a")
    bench.work()
    #expect(later.status == .ok)
  }

  @Test func `when too many wait for later one is refused at once`() throws {
    let bench = try Bench(room: 1)
    #expect(try bench.ask("a", taking: 20_000_000).status == .ok)
    let waiting = try bench.ask("a")
    #expect(waiting.status == nil)
    let refused = try bench.ask("a")
    #expect(refused.status == .tooManyRequests)
    #expect(refused.response?.headers["retry-after"] == "1")
    // A session without debt is answered, even if another one fills the queue.
    bench.pass(Self.second)
    #expect(try bench.ask("a").status == .ok)
    bench.work()
    #expect(waiting.status == .ok)
  }

  /// Opens a session with a body of that many bytes.
  private func open(
    _ id: String, size: Int = 0, on bench: Bench, from address: String = "1.2.3.4"
  ) throws -> EventualResponse {
    let fill = String(repeating: "x", count: size)
    let body = #"{"id":"\#(id)","template":false,"state":{"fill":"\#(fill)"}}"#
    return try bench.answer(
      to: Request(
        .post, "/sessions", headers: ["Content-Type": "application/json"], body: Array(body.utf8),
        remoteAddress: address))
  }

  @Test func `openings are charged to the client that asks for them`() throws {
    let bench = try Bench(room: 10)
    bench.cost(2 * Self.second)
    #expect(try open("c", on: bench).status == .created)
    bench.cost(0)
    let answer = try open("e", on: bench)
    let response = try #require(answer.response)
    #expect(response.status == .tooManyRequests)
    #expect(response.headers["retry-after"] == "2")
    #expect(try response.value("/limit") == .string("limits.openingTime"))
    #expect(
      try response.problem
        == "/problems/over-budget\nThis client's openings of sessions, and its other long requests "
        + "about none, took too much time lately (limits.openingTime); send smaller ones, or fewer at once."
    )
    #expect(try open("e", on: bench, from: "1.2.3.5").status == .created)
    bench.pass(2 * Self.second)
    let later = try open("f", on: bench)
    bench.work()
    #expect(later.status == .created)
  }

  @Test func `large bodies are left for later before anything of them is read`() throws {
    let bench = try Bench(room: 3)
    let opening = try open("c", size: 20_000, on: bench)
    #expect(opening.status == nil)
    let fill = String(repeating: "x", count: 20_000)
    let change = try bench.ask("a", merging: #"{"fill":"\#(fill)"}"#)
    #expect(change.status == nil)
    #expect(try bench.ask("a", merging: #"{"fill":1}"#).status == .ok)
    let last = try bench.ask("b", merging: #"{"fill":"\#(fill)"}"#)
    let refused = try bench.ask("b", merging: #"{"fill":"\#(fill)"}"#)
    #expect(refused.status == .serviceUnavailable)
    #expect(refused.response?.headers["retry-after"] == "1")
    bench.work()
    #expect(opening.status == .created)
    #expect(change.status == .ok)
    #expect(last.status == .ok)
  }

  @Test func `other sessions' long requests do not wait for rules that are compiled`() throws {
    let bench = try Bench(hasThreadForLarge: true)
    #expect(try bench.ask("b", taking: 20_000_000).status == .ok)
    bench.cost(0)
    let opening = try open("c", size: 20_000, on: bench)
    let question = try bench.ask("b")
    #expect(opening.status == nil && question.status == nil)
    bench.work()
    #expect(question.status == .ok)
    #expect(opening.status == nil)
    bench.workOnLarge()
    #expect(opening.status == .created)
  }

  @Test func `one payer does not fill the queue of large bodies`() throws {
    let bench = try Bench(room: 1000)
    let fill = String(repeating: "x", count: 20_000)
    let answers = try (0..<20).map { _ in try bench.ask("a", merging: #"{"fill":"\#(fill)"}"#) }
    #expect(answers.count { $0.status == .serviceUnavailable } == 4)
    let other = try bench.ask("b", merging: #"{"fill":"\#(fill)"}"#)
    #expect(other.status == nil)
    bench.work()
    #expect(answers.count { $0.status == .ok } == 16)
    #expect(other.status == .ok)
  }

  @Test func `the debt is asked for before the body is read`() throws {
    let bench = try Bench()
    #expect(try bench.ask("a", taking: 2 * Self.second).status == .ok)
    let answer = try bench.ask(
      "a", merging: "this is no JSON" + String(repeating: " ", count: 20_000))
    #expect(answer.status == .tooManyRequests)
  }

  @Test func `nobody makes another one's session pay`() throws {
    let bench = try Bench(authorization: .closed)
    var headers = Headers()
    headers.append("Authorization", "Bearer tokentokentokent")
    #expect(try bench.ask("a", taking: 2 * Self.second, headers: headers).status == .unauthorized)
    var administrator = Headers()
    administrator.append("Authorization", "Bearer adminadminadmin1")
    #expect(try bench.ask("a", headers: administrator).status == .ok)
  }
}

extension EventualResponse {
  /// The response; nil when it has not come yet.
  fileprivate var response: Response? {
    let found = Lock<Response?>(nil)
    whenMade { response in found.withLock { $0 = response } }
    return found.withLock(\.self)
  }

  fileprivate var status: Status? { response?.status }
}
