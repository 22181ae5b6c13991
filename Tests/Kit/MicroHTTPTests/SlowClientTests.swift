import Glibc
import MicroHTTP
import Testing

/// A hundred slow clients of each kind, beside one that is not, on one thread and on two.
struct SlowClientTests {
  enum Slowness: CaseIterable {
    case headers, content, reading, idle, pipelining

    /// The first bytes of such a client, and those that it sends now and then.
    var messages: (first: String, then: String) {
      switch self {
      case .headers: ("GET /a HTTP/1.1\r\nHost: a\r\n", "X: y\r\n")
      case .content: ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n", "a")
      case .reading: ("GET /large HTTP/1.1\r\nHost: a\r\n\r\n", "")
      case .idle: ("", "")
      case .pipelining:
        (
          String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 50),
          "GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
        )
      }
    }
  }

  @Test(arguments: Slowness.allCases, [1, 2])
  func `a hundred slow clients hold nobody up`(_ slowness: Slowness, threads: Int) throws {
    let large = [UInt8](repeating: 0x61, count: 5_000_000)
    let server = try Server.start(
      { $0.threads = threads },
      handler: { $0.path == "/large" ? Response(body: large) : Response(text: $0.path) })
    let (first, then) = slowness.messages
    let slow = try (1...100).map { _ in try RawClient(port: server.port, window: 4096) }
    for client in slow { client.send(first) }
    #expect(eventually { server.openConnections == 100 })
    let client = try RawClient(port: server.port)
    for index in 0..<500 {
      slow[index % 100].send(then)
      client.send("GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.readResponse() == plain("/\(index)"))
    }
    #expect(server.openConnections == 101)
  }

  @Test(arguments: [Slowness.headers, .content, .reading, .idle])
  func `slow clients that take every connection are cut off, and others served`(
    _ slowness: Slowness
  ) throws {
    let large = [UInt8](repeating: 0x61, count: 5_000_000)
    let server = try Server.start(
      {
        $0.maximumConnections = 20
        $0.headerTimeout = .milliseconds(200)
        $0.bodyTimeout = .milliseconds(200)
        $0.responseTimeout = .milliseconds(200)
      },
      handler: { $0.path == "/large" ? Response(body: large) : Response(text: $0.path) })
    let slow = try (1...20).map { _ in try RawClient(port: server.port, window: 4096) }
    for client in slow { client.send(slowness.messages.first) }
    let client = try RawClient(port: server.port)
    client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.readResponse() == plain("/a"))
    #expect(eventually { server.openConnections <= 1 })
  }
}
