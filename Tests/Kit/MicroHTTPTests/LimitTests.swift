import Glibc
import MicroHTTP
import Synchronization
import Testing

/// The limits of one client and of all together, and the answers beyond them.
struct LimitTests {
  private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

  @Test func `beyond the limit of requests in flight one is told to come again`() throws {
    let promises = Promises()
    let server = try Server.answering(
      { $0.maximumRequestsInFlight = 2 }, handler: promises.answer)
    let waiting = try (1...2).map { _ in try RawClient(port: server.port) }
    for client in waiting { client.send(request("/a")) }
    let taken = promises.take(2)
    let third = try RawClient(port: server.port)
    third.send(request("/b"))
    #expect(try third.readResponse() == Self.unavailable)
    taken[0].promise.fulfill(with: Response(text: "room"))
    #expect(eventually { server.requestsInFlight == 1 })
    third.send(request("/c"))
    promises.fulfill(1)
    #expect(try third.readResponse() == plain("/c"))
    taken[1].promise.fulfill(with: Response(text: "room"))
    for client in waiting { #expect(try client.readResponse() == plain("room")) }
  }

  @Test func `a request that is urgent is handled beyond the limit`() throws {
    let promises = Promises()
    let server = try Server.answering(
      { $0.maximumRequestsInFlight = 1 },
      handler: { request in
        request.path == "/health" ? .response(Response(text: "well")) : promises.answer(request)
      }, isUrgent: { $0.path == "/health" })
    let waiting = try RawClient(port: server.port)
    waiting.send(request("/a"))
    let taken = promises.take(1)
    let other = try RawClient(port: server.port)
    other.send(request("/health") + request("/b"))
    #expect(try other.readResponse() == plain("well"))
    #expect(try other.readResponse().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    for (_, promise) in taken { promise.fulfill(with: Response(text: "a")) }
    #expect(try waiting.readResponse() == plain("a"))
  }

  @Test func `beyond the limit of connections the one that was silent longest is closed`() throws {
    let server = try Server.echo { $0.maximumConnections = 3 }
    let clients = try (1...3).map { _ in try RawClient(port: server.port) }
    for index in [0, 1, 2, 0] {
      clients[index].send(request("/a"))
      #expect(try clients[index].readResponse() == ok("GET [a]  ()"))
    }
    let fourth = try RawClient(port: server.port)
    fourth.send(request("/b"))
    #expect(try fourth.readResponse() == ok("GET [b]  ()"))
    #expect(try clients[1].readToEnd() == "")
    #expect(eventually { server.openConnections == 3 })
    #expect(server.evictedConnections == 1)
    for client in [clients[0], clients[2]] {
      client.send(request("/c"))
      #expect(try client.readResponse() == ok("GET [c]  ()"))
    }
  }

  @Test func `a client that is sending content is not the silent one`() throws {
    let server = try Server.echo { $0.maximumConnections = 2 }
    let uploader = try RawClient(port: server.port)
    uploader.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n")
    #expect(eventually { server.requestsInFlight == 1 })
    let idle = try RawClient(port: server.port)
    idle.send(request("/b"))
    #expect(try idle.readResponse() == ok("GET [b]  ()"))
    uploader.send("b")
    // What comes on another connection afterwards was read afterwards.
    usleep(100_000)
    let third = try RawClient(port: server.port)
    third.send(request("/c"))
    #expect(try third.readResponse() == ok("GET [c]  ()"))
    #expect(try idle.readToEnd() == "")
    uploader.send("c")
    #expect(try uploader.readResponse() == ok("POST [a]  (bc)"))
  }

  @Test func `a connection whose request is being handled is not closed for another one`() throws {
    let promises = Promises()
    let server = try Server.answering(
      { $0.maximumConnections = 2 }, handler: promises.answer)
    let waiting = try (1...2).map { _ in try RawClient(port: server.port) }
    for client in waiting { client.send(request("/a")) }
    let taken = promises.take(2)
    let others = try (1...5).map { _ in try RawClient(port: server.port) }
    for other in others.dropLast() { #expect(try other.readToEnd() == "") }
    for (_, promise) in taken { promise.fulfill(with: Response(text: "a")) }
    for client in waiting { #expect(try client.readResponse() == plain("a")) }
  }

  @Test(arguments: [1, 2])
  func `silent connections that come back as they are closed starve nobody`(_ threads: Int) throws {
    let server = try Server.echo {
      $0.maximumConnections = 50
      $0.threads = threads
    }
    var silent = try (1...50).map { _ in try RawClient(port: server.port) }
    for index in 0..<500 {
      silent[index % 50] = try RawClient(port: server.port)
      let client = try RawClient(port: server.port)
      client.send(request("/a"))
      #expect(try client.readResponse() == ok("GET [a]  ()"))
    }
    #expect(eventually { server.openConnections <= 50 })
  }

  /// A server whose path is a digit that a megabyte has throughout, and its budget four megabytes.
  private func large(
    perAddress: Int = 0, _ adjust: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> Server {
    let configure = { (configuration: inout ServerConfiguration) in
      configuration.maximumUnsentBytes = 4 << 20
      configuration.maximumUnsentBytesPerAddress = perAddress
      adjust(&configuration)
    }
    return try Server.start(configure) { request in
      Response(body: [UInt8](repeating: request.path.utf8.last ?? 0, count: 1_000_000))
    }
  }

  private static let unavailable =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
    + "Retry-After: 1\r\nContent-Length: 20\r\n\r\nService Unavailable\n"

  /// Opens a connection that asks for an answer of a megabyte and does not read it, and waits until that counts.
  private func unread(
    _ path: String, of server: Server, counting bytes: Int
  ) throws -> RawClient {
    let reader = try RawClient(port: server.port, window: 4096)
    reader.send(request(path))
    #expect(eventually { server.unsentBytes == bytes })
    return reader
  }

  /// Waits until readers have let the server wait for as long as they may.
  private func letReadersStall() { usleep(100_000) }

  @Test func `beyond the budget the reader that lets the server wait longest is closed`() throws {
    let server = try large()
    var readers: [RawClient] = []
    for index in 0..<4 {
      readers.append(try unread("/\(index)", of: server, counting: (index + 1) * 1_000_000))
      usleep(20_000)
    }
    letReadersStall()
    let client = try RawClient(port: server.port)
    for path in ["/4", "/5"] {
      client.send(request(path))
      #expect(try client.readResponse().utf8.count > 1_000_000)
      // What the first one left is room enough for the next ones.
      #expect(eventually { server.unsentBytes == 3_000_000 })
      #expect(server.unreadEvictions == 1)
    }
    // What was done is acknowledged.
    let post = try RawClient(port: server.port, window: 4096)
    post.send("POST /6 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    #expect(eventually { server.unsentBytes == 4_000_000 })
    #expect(try readers[0].readToEnd().utf8.count < 1_000_000)
    #expect(try readers[3].readResponse().utf8.count > 1_000_000)
    readers.removeAll()
    #expect(try post.readResponse().utf8.count > 1_000_000)
    #expect(eventually { server.unsentBytes == 0 })
  }

  @Test func `clients that POST and do not read pay for themselves`() throws {
    let handled = Atomic(0)
    let server = try Server.answering(
      { $0.maximumUnsentBytesPerAddress = 4_000_000 },
      handler: { _ in
        let count = handled.add(1, ordering: .relaxed).newValue
        return .response(Response(body: [UInt8](repeating: UInt8(count & 127), count: 1_000_000)))
      })
    let post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
    var readers: [RawClient] = []
    for count in 1...30 {
      let reader = try RawClient(port: server.port, window: 4096)
      reader.send(post)
      #expect(eventually { handled.load(ordering: .relaxed) == count })
      #expect(server.unsentBytes <= 4_000_000)
      readers.append(reader)
      letReadersStall()
    }
    let client = try RawClient(port: server.port)
    client.send(post)
    #expect(try client.readResponse().utf8.count > 1_000_000)
    readers.removeAll()
    #expect(eventually { server.unsentBytes == 0 })
  }

  @Test(arguments: [(500_000, 0), (0, 500_000), (500_000, 500_000)])
  func `an answer larger than the budget is sent when it is the only one`(
    budget: Int, perAddress: Int
  ) throws {
    try expectOneUnread(on: try large(perAddress: perAddress) { $0.maximumUnsentBytes = budget })
  }

  /// Expects that one client at a time may leave its answer unread.
  private func expectOneUnread(on server: Server) throws {
    let reader = try unread("/1", of: server, counting: 1_000_000)
    #expect(try reader.readResponse().utf8.count > 1_000_000)
    #expect(eventually { server.unsentBytes == 0 })
    let second = try unread("/2", of: server, counting: 1_000_000)
    letReadersStall()
    let client = try RawClient(port: server.port)
    client.send(request("/3"))
    #expect(try client.readResponse().utf8.count > 1_000_000)
    #expect(try second.readToEnd().utf8.count < 1_000_000)
    #expect(server.unreadEvictions == 1)
  }

  @Test func `a budget of zero is none`() throws {
    let server = try large { $0.maximumUnsentBytes = 0 }
    let readers = try (0..<8).map { _ in try RawClient(port: server.port, window: 4096) }
    for (index, reader) in readers.enumerated() { reader.send(request("/\(index)")) }
    #expect(eventually { server.unsentBytes == 8_000_000 })
    #expect(try readers[7].readResponse().utf8.count > 1_000_000)
  }

  @Test func `an address that reads one body often is counted once`() throws {
    let body = [UInt8](repeating: 0x61, count: 1_000_000)
    let server = try Server.start(
      { $0.maximumUnsentBytesPerAddress = 1_500_000 }, handler: { _ in Response(body: body) })
    var readers = try (0..<5).map { _ in try RawClient(port: server.port, window: 4096) }
    for reader in readers { reader.send(request("/a")) }
    #expect(eventually { server.requestsInFlight == 5 })
    #expect(server.unsentBytes == 1_000_000)
    for reader in readers { #expect(try reader.readResponse().utf8.count > 1_000_000) }
    readers.removeAll()
    #expect(eventually { server.unsentBytes == 0 })
  }

  @Test func `many clients that do not read equal answers take the memory of few`() throws {
    let server = try large()
    let readers = try (0..<100).map { _ in try RawClient(port: server.port, window: 4096) }
    for reader in readers { reader.send(request("/1")) }
    #expect(eventually { server.requestsInFlight == 100 })
    #expect(server.unsentBytes <= 3_000_000)
    #expect(readers.count == 100)
  }

  @Test func `an address has a budget of its own`() throws {
    try expectOneUnread(on: try large(perAddress: 1_500_000))
  }

  /// A server that knows `/a` only.
  private func knowingOnePath() throws -> Server {
    try Server.start { request in Response(status: request.path == "/a" ? .ok : .notFound) }
  }

  @Test func `a second 404 ends its connection if its request came before the last answer`() throws
  {
    let server = try knowingOnePath()
    let client = try RawClient(port: server.port)
    let body = "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    for text in [request("/a"), request("/b"), body, request("/a"), body] {
      client.send(text)
      #expect(!(try client.readResponse().contains("Connection: close")))
    }
    client.send(request("/c") + request("/d") + request("/a"))
    #expect(
      try client.readToEnd()
        == "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        + "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `a client that waits for each answer may ask in vain as often as it likes`() throws {
    let server = try knowingOnePath()
    let client = try RawClient(port: server.port)
    for _ in 0..<200 {
      client.send(request("/b"))
      #expect(!(try client.readResponse().contains("Connection: close")))
    }
  }

  @Test func `requests that are still being sent do not count as in flight`() throws {
    let server = try Server.echo { $0.maximumRequestsInFlight = 1 }
    let slow = try (1...5).map { _ in try RawClient(port: server.port) }
    for client in slow { client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nb") }
    #expect(eventually { server.requestsInFlight == 5 })
    for client in slow {
      client.send("c")
      #expect(try client.readResponse() == ok("POST [a]  (bc)"))
    }
  }

  @Test(arguments: [0, 1])
  func `header fields may have so many bytes and not one more`(excess: Int) throws {
    let server = try Server.echo { $0.maximumHeaderSize = 1000 }
    // The names and values of Host and X take five bytes and one.
    let value = String(repeating: "b", count: 994 + excess)
    let answer = try server.answer(
      to: "GET /a HTTP/1.1\r\nHost: a\r\nX: \(value)\r\n\r\nGET /b HTTP/1.0\r\n\r\n")
    #expect(
      answer
        == (excess == 0
          ? ok("GET [a]  ()") + ok("GET [b]  ()", closing: true)
          : refusal("431 Request Header Fields Too Large")))
  }

  @Test(arguments: [1, 100])
  func `the usual limit of header fields fits the connection's memory`(count: Int) throws {
    let server = try Server.echo()
    let value = String(repeating: "b", count: (8 << 10) / count - 8)
    let fields = (0..<count).map { "X\($0 + 100): \(value)\r\n" }.joined()
    let answer = try server.answer(to: "GET /a HTTP/1.0\r\n\(fields)\r\n")
    #expect(answer == ok("GET [a]  ()", closing: true))
    let more = try server.answer(
      to: "GET /a HTTP/1.0\r\n\(fields)X: \(String(repeating: "c", count: 500))\r\n\r\n")
    #expect(more == refusal("431 Request Header Fields Too Large"))
  }

  @Test func `a larger limit of header fields gets the memory it needs`() throws {
    let server = try Server.echo { $0.maximumHeaderSize = 60_000 }
    let value = String(repeating: "b", count: 50_000)
    let answer = try server.answer(to: "GET /a HTTP/1.0\r\nX: \(value)\r\n\r\n")
    #expect(answer == ok("GET [a]  ()", closing: true))
  }

  @Test(arguments: [
    "GET /a HTTP/1.1\r\nHos", "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc",
    "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
  ])
  func `a request that does not go on is answered with 408, once`(_ beginning: String) throws {
    let server = try Server.echo {
      // Long enough for the server to read the beginning on a machine that is busy.
      $0.headerTimeout = .seconds(2)
      $0.bodyTimeout = .seconds(2)
    }
    let client = try RawClient(port: server.port)
    client.send(beginning)
    #expect(try client.readToEnd() == pastLibrary(refusal("408 Request Timeout")))
    #expect(eventually { server.openConnections == 0 })
    #expect(server.requestsInFlight == 0)
  }

  @Test(arguments: ["", "GET /a HT"])
  func `a connection without a request is closed without a word`(_ beginning: String) throws {
    let server = try Server.echo { $0.headerTimeout = .milliseconds(100) }
    #expect(try server.answer(to: beginning) == "")
    let client = try RawClient(port: server.port)
    client.send(request("/a"))
    #expect(try client.readResponse() == ok("GET [a]  ()"))
  }

  @Test func `an idle connection is closed without a word`() throws {
    let server = try Server.echo { $0.idleTimeout = .milliseconds(100) }
    let client = try RawClient(port: server.port)
    client.send(request("/a"))
    #expect(try client.readToEnd() == ok("GET [a]  ()"))
  }

  @Test func `a thousand requests sent together are answered in their order`() throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    let sending = Background { [client] in
      client.send((0..<1000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    }
    for index in 0..<1000 { #expect(try client.readResponse() == ok("GET [\(index)]  ()")) }
    sending.join()
  }
}
