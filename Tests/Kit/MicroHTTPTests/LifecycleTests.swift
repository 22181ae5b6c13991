import Glibc
import MicroHTTP
import Synchronization
import Testing

/// Starting, limits, deadlines, draining and stopping.
struct LifecycleTests {
  private let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `several servers run beside each other, each on a port of its own`() throws {
    let (first, second) = (try Server.echo(), try Server.echo())
    #expect(first.port != second.port)
    for server in [first, second] {
      let client = try RawClient(port: server.port)
      client.send(request)
      #expect(try client.readResponse() == ok("GET [a]  ()"))
    }
  }

  @Test func `a port that is taken is said to be`() throws {
    let server = try Server.echo()
    #expect(throws: ServerError.addressInUse(host: "127.0.0.1", port: server.port)) {
      try Server.echo { $0.port = server.port }
    }
  }

  @Test(arguments: ["localhost", "256.0.0.1", "", "192.0.2.1"])
  func `a host that is no address of this machine is said to be none`(_ host: String) {
    #expect(throws: ServerError.unusableHost(host)) { try Server.echo { $0.host = host } }
  }

  @Test func `IPv6 is served`() throws {
    let server = try Server.start(
      { $0.host = "::1" }, handler: { Response(body: Array($0.remoteAddress.utf8)) })
    let client = try RawClient(port: server.port, host: "::1")
    client.send(request)
    #expect(try client.readResponse() == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n::1")
  }

  @Test func `beyond the limit for one address a connection is closed`() throws {
    let server = try Server.echo { $0.maximumConnectionsPerAddress = 1 }
    let first = try RawClient(port: server.port)
    first.send(request)
    _ = try first.readResponse()
    #expect(try server.answer(to: request) == "")
  }

  @Test(arguments: [
    "", "GET /a HT", "GET /a HTTP/1.1\r\nHos", "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n",
  ])
  func `a client that sends a byte now and then is cut off`(_ beginning: String) throws {
    let server = try Server.echo {
      $0.headerTimeout = .milliseconds(100)
      $0.idleTimeout = .milliseconds(150)
      $0.bodyTimeout = .milliseconds(150)
    }
    let client = try RawClient(port: server.port)
    client.send(beginning)
    let start = ContinuousClock.now
    while server.openConnections > 0 || ContinuousClock.now - start < .milliseconds(20) {
      client.send("a")
      usleep(5000)
      try #require(ContinuousClock.now - start < .seconds(60))
    }
    #expect(server.becomesQuiet())
  }

  @Test func `a client that does not read its answer is cut off`() throws {
    let body = [UInt8](repeating: 0x61, count: 50_000_000)
    let server = try Server.start(
      { $0.responseTimeout = .milliseconds(100) }, handler: { _ in Response(body: body) })
    let client = try RawClient(port: server.port)
    client.send(request)
    #expect(eventually { server.requestsInFlight == 1 })
    #expect(eventually { server.openConnections == 0 })
  }

  @Test func `while draining every answer closes its connection`() throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    client.send(request)
    #expect(try client.readResponse() == ok("GET [a]  ()"))
    server.beginDraining()
    client.send(request)
    #expect(try client.readToEnd() == ok("GET [a]  ()", closing: true))
    #expect(try server.answer(to: request) == ok("GET [a]  ()", closing: true))
  }

  @Test(arguments: [1, 3])
  func `stopping answers what has arrived and then refuses`(threads: Int) throws {
    let isHandling = Atomic(false)
    let server = try Server.start(
      { $0.threads = threads },
      handler: { _ in
        isHandling.store(true, ordering: .relaxed)
        usleep(200_000)
        return Response(body: [0x61])
      })
    let clients = try (1...6).map { _ in try RawClient(port: server.port) }
    for client in clients { client.send(request) }
    #expect(eventually { isHandling.load(ordering: .relaxed) })
    #expect(server.stop(grace: .seconds(10)))
    for client in clients {
      #expect(
        try client.readToEnd()
          == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na")
    }
    #expect(throws: RawClient.Failure.connection(ECONNREFUSED)) {
      try RawClient(port: server.port)
    }
  }

  @Test func `a connection that comes while the server stops is closed unanswered`() throws {
    let isHandling = Atomic(false)
    let server = try Server.start { _ in
      isHandling.store(true, ordering: .relaxed)
      usleep(500_000)
      return Response()
    }
    let early = try RawClient(port: server.port)
    early.send(request)
    #expect(eventually { isHandling.load(ordering: .relaxed) })
    let wasQuiet = Atomic(false)
    let stopping = Background {
      wasQuiet.store(server.stop(grace: .seconds(5)), ordering: .relaxed)
    }
    usleep(200_000)
    #expect(try server.answer(to: request) == "")
    #expect(
      try early.readToEnd() == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    stopping.join()
    let answer = wasQuiet.load(ordering: .relaxed)
    #expect(answer)
  }

  @Test func `stopping does not wait for a client longer than its grace`() throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    client.send("GET /a HTTP/1.1\r\n")
    #expect(eventually { server.requestsInFlight == 1 })
    let start = ContinuousClock.now
    #expect(!server.stop(grace: .milliseconds(100)))
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(server.requestsInFlight == 0)
    #expect(server.stop(grace: .seconds(10)))
  }
}
