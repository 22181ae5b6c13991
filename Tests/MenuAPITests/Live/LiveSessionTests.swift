import Dispatch
import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// A session and everything that is kept beside it end together, and take bounded memory.
@Suite(.inOneProcess("Live sessions are of one process."))
struct LiveSessionTests {
  private let sample: SampleService
  private var service: Service { sample.service }

  init() throws {
    sample = try SampleService()
    try sample.openPhone()
  }

  private func stream(
    _ target: String, headers: Headers = [:]
  ) throws -> StreamedAnswer {
    let request = try Request(.get, target, headers: headers)
    return StreamedAnswer(sample.replicas.answer(to: request))
  }

  /// Uses everything that a session can have; returns the streams, and a ticket.
  private func useAll() throws -> (streams: [StreamedAnswer], ticket: String) {
    for _ in 0..<2 {
      let body = #"{"session":"phone","commands":["copy:"]}"#
      #expect(try sample.send(.post, "/commands/validate", body).status == .ok)
      #expect(try sample.send(.get, "/sessions/phone/menu").status == .ok)
      let search = #"{"session":"phone","query":"copy"}"#
      #expect(try sample.send(.post, "/commands/search", search).status == .ok)
      #expect(try sample.send(.get, "/sessions/phone/changes?document=true").status == .ok)
    }
    let named: Headers = ["MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": "client"]
    let streams = [
      try stream("/sessions/phone/events?menu=root&commands=copy:"),
      try stream("/events?sessions=phone,demo"),
      try stream("/sessions/phone/mcp", headers: named),
      try stream("/sessions/phone/mcp?tools=all", headers: ["MCP-Protocol-Version": "2025-11-25"]),
    ]
    for stream in streams { #expect(stream.read() != "") }
    let claim = try Request(
      .post, "/sessions/phone/deliveries/claim",
      headers: ["Content-Type": "application/json", "Prefer": "wait=10"],
      body: Array(#"{"by":"ada"}"#.utf8))
    guard case .promise = sample.replicas.answer(to: claim) else {
      Issue.record("The claim does not wait.")
      return (streams, "")
    }
    let ticket = try sample.send(.post, "/sessions/phone/tickets").value("/ticket")
    guard case .string(let text)? = ticket else { throw Failure.noTicket }
    return (streams, text)
  }

  private enum Failure: Error { case noTicket }

  @Test func `closing a session releases everything that was kept beside it`() throws {
    var (streams, ticket) = try useAll()
    let demo = service.sessions.live("demo", of: service.store)
    #expect(service.sessions.count == 2)
    #expect(service.sessions.live("phone", of: service.store).parts.count >= 6)
    #expect(try sample.send(.delete, "/sessions/phone").status == .noContent)
    #expect(service.sessions.count == 1)
    _ = service.tendDeliveries()
    #expect(service.waitingRequests.count == 0)
    #expect(service.tickets.take(ticket, at: 0) == nil)
    for stream in streams { _ = stream.read() }
    streams = []
    #expect(service.events.subscriberCount == 0)
    #expect(service.agents.streamCount == 0)
    #expect(service.agents.clients.count == 0)
    #expect(!demo.isFollowed)
    #expect(service.sessions.size == demo.memory.size)
  }

  @Test func `nothing holds a session that is closed`() throws {
    weak var live: LiveSession?
    do {
      let (streams, _) = try useAll()
      live = service.sessions.live("phone", of: service.store)
      #expect(try sample.send(.delete, "/sessions/phone").status == .noContent)
      let isHeldByStreams = live != nil
      #expect(!isHeldByStreams)
      withExtendedLifetime(streams) {}
    }
    let isHeld = live != nil
    #expect(!isHeld)
  }

  @Test func `a session that is closed otherwise is released at the next look`() throws {
    _ = try useAll()
    try service.store.close("phone")
    service.tickEvents()
    let demo = service.sessions.live("demo", of: service.store)
    #expect(service.sessions.count == 1)
    #expect(service.sessions.size == demo.memory.size)
  }

  @Test(arguments: ["/sessions/phone/events?commands=copy:", "/sessions/phone/mcp"])
  func `events and agents ask the plan of the session`(target: String) throws {
    let live = service.sessions.live("phone", of: service.store)
    #expect(!live.plan.isEvictable)
    let stream = try stream(target, headers: ["MCP-Protocol-Version": "2025-11-25"])
    #expect(stream.read() != "")
    #expect(live.plan.isEvictable)
  }

  @Test func `what nobody uses is released by two sweeps`() throws {
    let body = #"{"session":"phone","query":"copy"}"#
    #expect(try sample.send(.post, "/commands/search", body).status == .ok)
    #expect(try sample.send(.get, "/sessions/phone/menu").status == .ok)
    _ = try stream("/sessions/phone/events?menu=root").read()
    do {
      let live = service.sessions.live("phone", of: service.store)
      #expect(live.memory.size > 0)
      for _ in 0..<3 { service.forgetIdle() }
      #expect(live.isEmpty)
      // It is about to be used.
      #expect(service.sessions.count == 1)
    }
    service.forgetIdle()
    #expect(service.sessions.count == 0)
  }

  @Test func `with room for nothing, threads at once are answered as ever`() throws {
    var limits = ServiceLimits()
    (limits.memory, limits.memoryOfSession) = (1, 1)
    let sample = try SampleService(limits: limits)
    try sample.openPhone()
    let refused = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for turn in 0..<40 {
        let name = (worker + turn) % 2 == 0 ? "demo" : "phone"
        let question = #"{"session":"\#(name)","commands":["copy:"]}"#
        let answers = [
          try? sample.send(.post, "/commands/validate", question),
          try? sample.send(.get, "/sessions/\(name)/menu"),
          try? sample.send(.post, "/commands/search", #"{"session":"\#(name)","query":"copy"}"#),
          try? sample.send(.get, "/sessions/\(name)/changes?document=true&menu=root"),
          try? sample.send(
            .patch, "/sessions/\(name)/state", #"{"turn":\#(turn)}"#,
            type: "application/merge-patch+json"),
        ]
        let others = answers.count { $0?.status != .ok }
        refused.withLock { $0 += others }
      }
    }
    #expect(refused.withLock(\.self) == 0)
    #expect(sample.service.sessions.evictions.value > 0)
    let body = #"{"session":"demo"}"#
    let ample = try SampleService()
    let patched = try ample.send(
      .patch, "/sessions/demo/state", #"{"turn":0}"#, type: "application/merge-patch+json")
    #expect(patched.status == .ok)
    let items = try [sample, ample].map {
      try $0.send(.post, "/commands/validate", body).value("/items")
    }
    #expect(items[0] == items[1])
  }

  @Test func `the least recently used part of a session goes first`() throws {
    let commands = (0..<1_000).map { number in
      JSON.object(["title": .string("Command \(number)"), "action": .string("act\(number):")])
    }
    let catalog = try CatalogDocument([.commands: .array(commands)]).catalog()
    let store = SessionStore(catalog: catalog)
    _ = try store.open(try Session("s", opening: SessionTemplate(), in: catalog))
    let snapshot = try #require(store.snapshot("s"))
    let answer = SessionAnswers.Answer(
      to: ValidationRequest(), at: snapshot.version,
      tag: EntityTag(catalogRevision: 0, nonce: "n", parameters: "p"),
      body: Array(repeating: 0, count: 500))

    func use(_ sessions: LiveSessions) throws -> (plan: Int, both: Int) {
      let live = sessions.live(snapshot)
      _ = try live.answer(to: ValidationRequest(), snapshot)
      let plan = live.memory.size
      live.keep(answer, to: HashedBody(Array(#"{"session":"s"}"#.utf8)))
      return (plan, live.memory.size)
    }
    let ample = try use(LiveSessions())
    #expect(ample.both > ample.plan)
    let small = LiveSessions(ofSession: ample.both - 1)
    #expect(try use(small).both == ample.both - ample.plan)
    #expect(small.evictions.value == 1)
  }

  @Test func `a search needs no room of its own`() throws {
    let live = LiveSessions().live(try #require(service.store.snapshot("phone")))
    let snapshot = try #require(service.store.snapshot("phone"))
    _ = try live.answer(to: ValidationRequest(), snapshot)
    let size = live.memory.size
    let found = try live.find(CommandQuery("copy", limit: 3, includesDisabled: true), snapshot)
    #expect(found.found.commands.first?.item.command == "copy:")
    #expect(live.memory.size == size)
  }
}
