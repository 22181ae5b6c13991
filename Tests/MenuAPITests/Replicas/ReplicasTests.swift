import Dispatch
import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Synchronization
import Testing

@testable import MenuAPI

/// The tests of the API on several services that share a journal, which `make test-replicas` runs.
@Suite(
  PostgreSQLServer.isNeeded,
  .enabled(if: Replicas.count > 1, "MENUD_TEST_REPLICAS is not set; 'make test-replicas' sets it."))
struct ReplicasTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `the services answer in turn, each with what the others have answered`() throws {
    var prefixes: Set<Substring?> = []
    for revision in 1...2 * Int64(Replicas.count) {
      let changed = try sample.send(
        .post, "/sessions/demo/mutations",
        #"{"mutations":[{"op":"mergeState","patch":{"n":\#(revision)}}]}"#)
      #expect(try changed.value("/revision") == .int(revision))
      // Each service names requests with a word of its own.
      prefixes.insert(changed.headers["x-request-id"]?.split(separator: "-").dropLast().last)
      for _ in 0..<Replicas.count {
        #expect(try sample.send(.get, "/sessions/demo").value("/state/n") == .int(revision))
      }
    }
    #expect(prefixes.count == Replicas.count)
  }

  @Test func `a stream begins although too many wait to be answered later`() throws {
    let sample = try SampleService(runLater: { _ in false })
    for _ in 1...2 * Replicas.count {
      let response = try sample.send(.get, "/sessions/demo/events")
      #expect(response.status == .ok && response.stream != nil)
    }
  }

  @Test func `the call of an agent whose answer is streamed is made again if others outdate it`()
    throws
  {
    let export = try ExportSample()
    let services = export.sample.replicas.services
    let isOver = Atomic(false)
    let conflicts: @Sendable () -> Int = { services[0].store.figures.remade.value }
    DispatchQueue.concurrentPerform(iterations: services.count) { worker in
      do {
        guard worker == 0 else {
          let patch = try Request(
            .post, "/sessions/demo/mutations", headers: ["Content-Type": "application/json"],
            body: Array(#"{"mutations":[{"op":"mergeState","patch":{"n":1}}]}"#.utf8))
          while !isOver.load(ordering: .relaxed) {
            _ = Replicas.response(of: services[worker].answer(to: patch))
          }
          return
        }
        defer { isOver.store(true, ordering: .relaxed) }
        // Until one was outdated, which takes a few calls almost always.
        for number in 1...200 where number <= 40 || conflicts() == 0 {
          let call = try export.request(id: number)
          let stream = try #require(Replicas.response(of: services[0].answer(to: call)).stream)
          #expect(services[0].store.catchUp())
          let messages = AgentReader(stream: stream).messages()
          #expect(messages == [export.progress(1, ExportSample.waiting(for: number))])
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `D2: of those who wait for something to claim each gets another delivery`() throws {
    let desk = try DeliveryService()
    let claims = try (0..<3).map { _ in try desk.ask(.post, "/sessions/desk/deliveries/claim") }
    for count in 1...3 {
      #expect(claims.count { $0.status == nil } == 4 - count)
      try desk.perform()
    }
    #expect(claims.allSatisfy { $0.status == 200 })
    #expect(try Set(claims.map { try $0.value("/delivery/id") }) == [1, 2, 3])
  }

  @Test func `D2: claims expire at a service that had let go of the session`() throws {
    let desk = try DeliveryService()
    try desk.perform()
    try desk.change("claim")
    desk.replicas.each { $0.store.unloadIdle(forMoreThan: -1) }
    // None of them finds a delivery.
    desk.wait(1)
    #expect(try desk.states() == [#""claimed""#])
    desk.wait(30_000)
    #expect(try desk.states() == [#""open""#])
  }

  /// Claims from the pool at one of the services.
  private func claim(_ desk: DeliveryService, at index: Int, prefer: String? = nil) throws
    -> PendingAnswer
  {
    let pending = PendingAnswer()
    desk.replicas.services[index].answer(
      to: try desk.request(.post, "/deliveries/claim", "{}", prefer: prefer)
    ).whenMade { response in pending.response.withLock { $0 = response } }
    return pending
  }

  /// Performs a command that makes a delivery at the first service.
  private func perform(_ desk: DeliveryService) throws {
    let request = try desk.request(.post, "/commands/perform", DeliveryService.performing())
    #expect(Replicas.response(of: desk.replicas.services[0].answer(to: request)).status == .ok)
  }

  @Test func `D5: a service learns that a session in its memory has deliveries`() throws {
    let desk = try DeliveryService()
    let store = desk.replicas.services[1].store
    #expect(store.refresh(["desk"]).wait() == .durable)
    try perform(desk)
    #expect(eventually { store.delivering == ["desk"] })
    let pending = try claim(desk, at: 1)
    #expect(eventually { pending.status == 200 }, "\(String(describing: pending.status))")
  }

  @Test(arguments: [false, true])
  func `D5: a claim that waits gets what another service delivers`(isInMemory: Bool) throws {
    let desk = try DeliveryService()
    let store = desk.replicas.services[1].store
    #expect(store.catchUp())
    for number in 1...3 {
      if !isInMemory { store.unloadIdle(forMoreThan: -1) }
      let pending = try claim(desk, at: 1, prefer: "wait=10")
      #expect(eventually { desk.replicas.services[1].waitingRequests.count == 1 })
      try perform(desk)
      #expect(eventually { pending.status != nil })
      #expect(try pending.value("/delivery/id") == .int(Int64(number)), "\(pending.status ?? 0)")
    }
  }

  @Test func `a session that is damaged in the database is passed over, and named`() throws {
    let desk = try DeliveryService()
    #expect(
      try desk.send(.post, "/sessions", #"{"id":"broken","template":false}"#).status == .created)
    try desk.perform()
    for change in ["record SET checksum = checksum + 1", "subject SET delivers = true"] {
      desk.replicas.shared?.schema.run("UPDATE menud_\(change) WHERE subject = 'broken'")
    }
    for service in desk.replicas.services { service.store.unloadIdle(forMoreThan: -1) }
    for service in desk.replicas.services {
      #expect(eventually { Set(service.store.delivering) == ["desk", "broken"] })
    }
    let list = try desk.send(.get, "/sessions")
    #expect(list.status == .ok, "\(list.text)")
    #expect(try list.value("/sessions/0/session") == "desk")
    #expect(try list.value("/sessions/1") == nil)
    #expect(try desk.send(.post, "/deliveries/claim").value("/session") == "desk")
    for (method, target) in [
      (MicroHTTP.Method.get, "/sessions/broken"), (.get, "/sessions/broken/changes"),
      (.delete, "/sessions/broken"), (.post, "/sessions/broken/deliveries/claim"),
    ] {
      let response = try desk.send(method, target)
      #expect(response.status == .serviceUnavailable)
      #expect(
        try response.problem == """
          /problems/session-damaged
          The session 'broken' is not in the database as it was written, so that it cannot be read. \
          The log of menud says what is wrong.
          """)
    }
    let events = try desk.send(.get, "/sessions/broken/events")
    #expect(events.text == "retry: 1000\n\n")
    let found = desk.replicas.services.map { $0.store.takeDamage().keys.map(\.rawValue) }
    #expect(found.contains(["broken"]) && found.allSatisfy { $0.count <= 1 })
    #expect(try desk.send(.get, "/sessions/desk").status == .ok)
  }

  @Test func `a replica that drains leaves the streams of agents to others`() throws {
    let asks = try QuestionSample()
    asks.sample.replicas.each { $0.isDraining = true }
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"purge-","arguments":{}}}"#
    let responses = try [
      asks.sample.post(call, headers: [("Mcp-Session-Id", "client~form")]),
      asks.sample.stateless(
        "subscriptions/listen", #","notifications":{"toolsListChanged":true}"#),
      asks.sample.send(
        .get, "/sessions/demo/mcp", headers: [("MCP-Protocol-Version", "2025-11-25")]),
    ]
    for response in responses {
      #expect(response.status == .serviceUnavailable)
      #expect(response.headers["retry-after"] == "1")
    }
    // It goes on with everything else.
    #expect(try asks.sample.tools().contains("purge-"))
    #expect(try asks.number() == 1)
  }

  @Test func `services give the events of agents different ids`() throws {
    let sample = try SampleService()
    let ids = try sample.replicas.services.map { service in
      let request = try Request(
        .get, "/sessions/demo/mcp", headers: ["MCP-Protocol-Version": "2025-11-25"])
      let stream = try #require(Replicas.response(of: service.answer(to: request)).stream)
      let text = AgentReader(stream: stream).read() ?? ""
      return try #require(text.split(separator: "\n").first { $0.hasPrefix("id: ") }, "\(text)")
    }
    #expect(Set(ids).count == ids.count, "\(ids)")
  }
}
