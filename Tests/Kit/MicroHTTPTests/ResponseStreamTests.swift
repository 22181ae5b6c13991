import Glibc
import Locks
import MicroHTTP
import Synchronization
import Testing

/// Responses whose bodies come in pieces, and each way in which they can end.
struct ResponseStreamTests {
  private static let head =
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n"
    + "Transfer-Encoding: chunked\r\n\r\n"

  private func request(_ path: String = "/", _ method: String = "GET") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
  }

  /// A server that answers with this stream, and a client that has asked for it.
  private func asking(
    for stream: FedStream, _ adjust: (inout ServerConfiguration) -> Void = { _ in },
    _ message: String? = nil, window: Int32 = 0
  ) throws -> (Server, RawClient) {
    let server = try Server.answering(adjust) { _ in stream.response }
    let client = try RawClient(port: server.port, window: window)
    client.send(message ?? request())
    return (server, client)
  }

  private func refusal(_ headers: String = "") -> String {
    "HTTP/1.1 503 Service Unavailable\r\n\(headers)Content-Type: text/plain; charset=utf-8\r\n"
      + "Retry-After: 1\r\nContent-Length: 20\r\n\r\nService Unavailable\n"
  }

  // MARK: What arrives

  @Test func `pieces arrive in order, and the connection ends after them`() throws {
    let stream = FedStream([
      .bytes(Array("one ".utf8)), .bytes([]), .bytes(Array("two".utf8)), .end,
    ])
    let (server, client) = try asking(for: stream)
    let message = try client.readToEnd()
    #expect(message.hasPrefix(Self.head))
    #expect(message.chunkedContent == "one two")
    #expect(stream.becomesClosed)
    #expect(eventually { server.openStreams == 0 && server.openConnections == 0 })
    #expect(server.requestsInFlight == 0)
  }

  @Test func `a promised response may come in pieces`() throws {
    let (stream, promises) = (FedStream(), Promises())
    let server = try Server.answering { promises.answer($0) }
    let client = try RawClient(port: server.port)
    client.send(request())
    let promise = try #require(promises.take(1).first?.promise)
    stream.response.whenFulfilled { response in promise.fulfill(with: response) }
    #expect(try client.readResponse(hasBody: false) == Self.head)
    #expect(server.openStreams == 1)
    stream.send("a")
    stream.send(.end)
    #expect(try client.readToEnd().contains("1\r\na\r\n"))
    #expect(stream.becomesClosed)
    #expect(eventually { server.openStreams == 0 && server.openConnections == 0 })
    #expect(server.requestsInFlight == 0)
  }

  @Test func `each piece arrives when it is there`() throws {
    let stream = FedStream()
    let (server, client) = try asking(for: stream)
    #expect(eventually { stream.questions == 1 })
    #expect(try client.readResponse(hasBody: false) == Self.head)
    for text in ["a", "bc", "def"] {
      stream.send(text)
      #expect(try client.read(text.utf8.count + 5) == "\(text.utf8.count)\r\n\(text)\r\n")
    }
    #expect(server.openStreams == 1)
    #expect(server.requestsInFlight == 0)
    stream.send(.end)
    #expect(try client.readToEnd() == "0\r\n\r\n")
    #expect(stream.becomesClosed)
  }

  @Test func `a stream that waits is not asked`() throws {
    let stream = FedStream()
    let (server, client) = try asking(for: stream)
    #expect(eventually { stream.questions == 1 })
    usleep(200_000)
    #expect(stream.questions == 1)
    withExtendedLifetime((server, client)) {}
  }

  @Test(arguments: [true, false])
  func `large pieces arrive whole, at a slow reader too`(isSlow: Bool) throws {
    let pieces: [[UInt8]] = (0..<3).map { piece in
      (0..<1_000_000).map { place -> UInt8 in UInt8(97 + (place / 7 + piece) % 26) }
    }
    let stream = FedStream(pieces.map(ResponseStream.Piece.bytes) + [.end])
    let (server, client) = try asking(for: stream, window: isSlow ? 65_536 : 0)
    if isSlow { usleep(300_000) }
    let content = try client.readToEnd().chunkedContent
    let isWhole = content.map { Array($0.utf8) } == pieces.flatMap { $0 }
    #expect(isWhole)
    #expect(stream.becomesClosed)
    withExtendedLifetime(server) {}
  }

  @Test func `HTTP 1.0 has the body up to the end of the connection`() throws {
    let text = String(repeating: "0123456789", count: 1000)
    let stream = FedStream([.bytes(Array(text.utf8))])
    let (server, client) = try asking(
      for: stream, { _ in }, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(eventually { stream.questions == 2 })
    stream.send("end")
    stream.send(.end)
    #expect(
      try client.readToEnd()
        == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n\(text)end")
    #expect(stream.becomesClosed)
    withExtendedLifetime(server) {}
  }

  @Test func `HEAD has the head only, and the stream is closed unread`() throws {
    let stream = FedStream([.bytes([97])])
    let (server, client) = try asking(for: stream, { $0.maximumStreams = 0 }, request("/", "HEAD"))
    let answer = try client.readToEnd()
    #expect(
      answer == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n")
    #expect(stream.becomesClosed)
    #expect(stream.questions == 0)
    #expect(eventually { server.openConnections == 0 })
    #expect(stream.closings == 1)
    #expect(server.requestsInFlight == 0)
  }

  @Test func `a request behind a stream is not answered`() throws {
    let handled = Atomic(0)
    let stream = FedStream()
    let server = try Server.answering { _ in
      handled.add(1, ordering: .relaxed)
      return stream.response
    }
    let client = try RawClient(port: server.port)
    client.send(request("/a") + request("/b"))
    #expect(eventually { stream.questions == 1 })
    client.send(request("/c"))
    stream.send("a")
    stream.send(.end)
    #expect(try client.readToEnd() == Self.head + "1\r\na\r\n0\r\n\r\n")
    #expect(eventually { server.openConnections == 0 })
    #expect(handled.load(ordering: .relaxed) == 1)
    #expect(stream.closings == 1)
  }

  @Test func `the answer to a request with a body can be a stream`() throws {
    let stream = FedStream([.bytes([97]), .end])
    let (server, client) = try asking(
      for: stream, { _ in },
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n")
    #expect(try client.readToEnd().chunkedContent == "a")
    #expect(server.becomesQuiet())
  }

  @Test func `streams go through TLS`() throws {
    let folder = try CertificateFolder()
    let credentials = try Credentials(certificate: folder.certificate, key: folder.key)
    let text = String(repeating: "0123456789", count: 10_000)
    let stream = FedStream([.bytes(Array(text.utf8))])
    let server = try Server.answering(
      { $0.credentials = credentials }, handler: { _ in stream.response })
    let feeding = Background {
      for piece in ["a", "b", "c"] {
        usleep(50_000)
        stream.send(piece)
      }
      stream.send(.end)
    }
    let output = Shell.run(
      "curl --silent --no-buffer --max-time 20 --insecure https://localhost:\(server.port)/"
    ).output
    feeding.join()
    #expect(output == text + "abc")
    #expect(stream.becomesClosed)
  }

  // MARK: Waking

  @Test func `a stream that is woken from within, or before it waits, is asked again`() throws {
    let stream = Lock<ResponseStream?>(nil)
    let questions = Atomic(0)
    let made = ResponseStream(next: {
      let question = questions.add(1, ordering: .relaxed).newValue
      if question == 100 { return .end }
      stream.withLock(\.self)?.wake()
      return .waiting
    })
    stream.withLock { $0 = made }
    let server = try Server.answering { _ in
      made.wake()
      return .response(Response(headers: Headers(), stream: made))
    }
    #expect(try server.answer(to: request()).chunkedContent == "")
    #expect(questions.load(ordering: .relaxed) == 100)
    made.wake()
    stream.withLock { $0 = nil }
  }

  @Test func `a stream that wakes itself all the time lets others have their turn`() throws {
    let isOver = Atomic(false)
    let stream = Lock<ResponseStream?>(nil)
    let made = ResponseStream(next: {
      if isOver.load(ordering: .relaxed) { return .end }
      stream.withLock(\.self)?.wake()
      return .waiting
    })
    stream.withLock { $0 = made }
    let server = try Server.answering { request in
      request.path == "/other"
        ? .response(Response(text: "other"))
        : .response(Response(headers: Headers(), stream: made))
    }
    let client = try RawClient(port: server.port)
    client.send(request())
    #expect(eventually { server.openStreams == 1 })
    let other = try RawClient(port: server.port)
    other.send(request("/other"))
    #expect(try other.readResponse() == plain("other"))
    isOver.store(true, ordering: .relaxed)
    #expect(try client.readToEnd().chunkedContent == "")
    stream.withLock { $0 = nil }
  }

  @Test(arguments: [1, 2])
  func `no wake is lost and none harms while clients come and go`(threads: Int) throws {
    let streams = Streams()
    let server = try Server.answering({ $0.threads = threads }, handler: streams.answer)
    let isOver = Atomic(false)
    let waking = (1...4).map { _ in
      Background {
        while !isOver.load(ordering: .relaxed) {
          for stream in streams.first(0) { stream.wake() }
        }
      }
    }
    for round in 0..<40 {
      let clients = try (0..<8).map { _ in try RawClient(port: server.port) }
      for client in clients { client.send(request()) }
      let mine = streams.first(8 * (round + 1)).suffix(8)
      try #require(mine.count == 8)
      for stream in mine { stream.send("a") }
      for (index, client) in clients.enumerated() {
        if index.isMultiple(of: 2) { client.resetOnClose() }
        guard index < 4 else { continue }
        #expect(try client.readResponse(hasBody: false) == Self.head)
        #expect(try client.read(6) == "1\r\na\r\n")
      }
      // These end well, while the clients of the others leave.
      for stream in mine.prefix(2) { stream.send(.end) }
    }
    #expect(
      eventually {
        for stream in streams.first(0) { stream.send("heartbeat") }
        usleep(20_000)
        return server.openStreams == 0
      })
    isOver.store(true, ordering: .relaxed)
    for thread in waking { thread.join() }
    #expect(eventually { streams.first(320).allSatisfy { $0.closings == 1 } })
    #expect(streams.first(320).allSatisfy { $0.overlaps == 0 })
    #expect(eventually { server.openConnections == 0 })
    #expect(server.requestsInFlight == 0)
  }

  // MARK: Ends

  @Test(arguments: [true, false])
  func `a client that is gone is found by what is sent to it`(byReset: Bool) throws {
    let stream = FedStream()
    let server = try Server.answering { _ in stream.response }
    do {
      let client = try RawClient(port: server.port)
      if byReset { client.resetOnClose() }
      client.send(request())
      #expect(try client.readResponse(hasBody: false) == Self.head)
    }
    #expect(
      eventually {
        stream.send("heartbeat")
        usleep(10_000)
        return stream.closings > 0
      })
    #expect(eventually { server.openConnections == 0 && server.openStreams == 0 })
    #expect(stream.closings == 1)
    #expect(server.requestsInFlight == 0)
  }

  @Test func `a client that takes nothing of what waits for it is cut off`() throws {
    let stream = FedStream([.bytes([UInt8](repeating: 97, count: 50_000_000))])
    let (server, client) = try asking(
      for: stream, { $0.responseTimeout = .milliseconds(300) }, window: 4096)
    #expect(eventually { server.openStreams == 1 })
    #expect(eventually { server.openStreams == 0 })
    #expect(stream.becomesClosed)
    withExtendedLifetime(client) {}
  }

  @Test func `a client that takes something now and then keeps its stream`() throws {
    let stream = FedStream([.bytes([UInt8](repeating: 97, count: 20_000_000))])
    let (server, client) = try asking(
      for: stream, { $0.responseTimeout = .milliseconds(800) }, window: 8192)
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(3) {
      _ = try client.read(400)
      usleep(20_000)
    }
    #expect(server.openStreams == 1)
  }

  @Test func `a stream that waits has no deadline`() throws {
    let stream = FedStream()
    let (server, client) = try asking(
      for: stream,
      {
        $0.headerTimeout = .milliseconds(50)
        $0.bodyTimeout = .milliseconds(50)
        $0.idleTimeout = .milliseconds(50)
        $0.answerTimeout = .milliseconds(50)
        $0.responseTimeout = .milliseconds(50)
      })
    #expect(eventually { stream.questions == 1 })
    // More than the library's own timeout.
    usleep(1_500_000)
    stream.send("a")
    stream.send(.end)
    #expect(try client.readToEnd().chunkedContent == "a")
    withExtendedLifetime(server) {}
  }

  @Test func `a stream is the body of one response`() throws {
    let stream = FedStream()
    let server = try Server.answering { _ in stream.response }
    let first = try RawClient(port: server.port)
    first.send(request())
    #expect(eventually { stream.questions == 1 })
    #expect(try server.answer(to: request()).hasPrefix("HTTP/1.1 500 "))
    #expect(stream.closings == 0)
    stream.send(.end)
    #expect(try first.readToEnd().chunkedContent == "")
    #expect(stream.becomesClosed)
  }

  @Test func `a response that cannot be sent closes its stream`() throws {
    let closings = Atomic(0)
    let server = try Server.answering { _ in
      let stream = ResponseStream(
        next: { .end }, whenClosed: { closings.add(1, ordering: .relaxed) })
      return .response(Response(headers: ["Bad": "a\r\nb"], stream: stream))
    }
    #expect(try server.answer(to: request()).hasPrefix("HTTP/1.1 500 "))
    #expect(server.becomesQuiet())
    #expect(server.openStreams == 0)
    #expect(closings.load(ordering: .relaxed) == 1)
  }

  @Test func `a stream that no response has is closed when nobody holds it`() {
    let stream = FedStream()
    stream.drop()
    #expect(stream.closings == 1)
  }

  @Test func `whoever observes is told status and headers at once`() {
    let told = Lock<[Response]>([])
    FedStream([.bytes([97])]).response.whenFulfilled { response in
      told.withLock { $0 += [response] }
    }
    let response = told.withLock(\.self)
    #expect(response.map(\.status) == [.ok])
    #expect(response.first?.headers["content-type"] == "text/plain")
    #expect(response.first?.body == [])
  }

  // MARK: Limits

  @Test func `beyond their limit streams are refused, and requests are not`() throws {
    let streams = Streams()
    let server = try Server.answering(
      { $0.maximumStreams = 2 }, handler: { streams.answer($0, besides: "b") })
    let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
    for client in clients { client.send(request("/stream")) }
    #expect(eventually { server.openStreams == 2 })
    let other = try RawClient(port: server.port)
    other.send(request("/stream"))
    #expect(try other.readResponse() == refusal())
    #expect(streams.first(3)[2].closings == 1)
    other.send(request("/b"))
    #expect(try other.readResponse() == plain("b"))
    streams.first(3)[0].send(.end)
    #expect(eventually { server.openStreams == 1 })
    other.send(request("/stream"))
    #expect(try other.readResponse(hasBody: false) == Self.head)
    withExtendedLifetime(clients) {}
  }

  @Test func `streams take no connection of requests, and are closed for none`() throws {
    let streams = Streams()
    let server = try Server.answering(
      {
        $0.maximumConnections = 3
        $0.maximumStreams = 100
      }, handler: { streams.answer($0, besides: "b") })
    let clients = try (0..<100).map { index in
      let client = try RawClient(port: server.port)
      client.send(request("/stream"))
      #expect(eventually { server.openStreams == index + 1 })
      return client
    }
    #expect(server.evictedConnections == 0)
    let others = try (0..<3).map { _ in try RawClient(port: server.port) }
    for other in others {
      other.send(request("/b"))
      #expect(try other.readResponse() == plain("b"))
    }
    #expect(server.evictedConnections == 0)
    for _ in 0..<50 { #expect(try server.answer(to: closing("/b")) == plain("b", closing: true)) }
    #expect(server.openStreams == 100)
    for stream in streams.first(100) {
      stream.send("a")
      stream.send(.end)
    }
    for client in clients { #expect(try client.readToEnd().chunkedContent == "a") }
    #expect(eventually { server.openStreams == 0 })
  }

  private func closing(_ path: String) -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
  }

  // MARK: Stopping

  /// The library ends the process when it is stopped with a connection that waits.
  @Test(arguments: [1, 3])
  func `stopping ends five hundred streams`(threads: Int) throws {
    let streams = Streams()
    let server = try Server.answering({ $0.threads = threads }, handler: streams.answer)
    let clients = try (0..<500).map { _ in try RawClient(port: server.port) }
    for client in clients { client.send(request()) }
    #expect(eventually { server.openStreams == 500 })
    let start = ContinuousClock.now
    #expect(server.stop(grace: .seconds(120)))
    #expect(ContinuousClock.now - start < .seconds(60))
    for client in clients { #expect(try client.readToEnd().chunkedContent == "") }
    #expect(streams.first(500).allSatisfy { $0.closings == 1 })
    #expect(server.openStreams == 0)
  }

  @Test func `what is ready when the server stops is still sent`() throws {
    let streams = Streams()
    let server = try Server.answering(handler: streams.answer)
    let clients = try (0..<50).map { _ in try RawClient(port: server.port) }
    for client in clients { client.send(request()) }
    #expect(eventually { server.openStreams == 50 })
    for stream in streams.first(50) {
      stream.send("last words")
      stream.send(.end)
    }
    #expect(server.stop(grace: .seconds(10)))
    for client in clients { #expect(try client.readToEnd().chunkedContent == "last words") }
  }

  @Test func `a client that does not read does not hold up stopping`() throws {
    let stream = FedStream([.bytes([UInt8](repeating: 97, count: 50_000_000))])
    let (server, client) = try asking(for: stream, window: 4096)
    #expect(eventually { server.openStreams == 1 })
    usleep(100_000)
    let start = ContinuousClock.now
    #expect(server.stop(grace: .seconds(120)))
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(stream.closings == 1)
    withExtendedLifetime(client) {}
  }

  @Test(arguments: [1, 2])
  func `stopping at once while streams begin and are woken harms nobody`(threads: Int) throws {
    for _ in 1...30 {
      let streams = Streams()
      let isOver = Atomic(false)
      let server = try Server.answering({ $0.threads = threads }, handler: streams.answer)
      let clients = try (1...16).map { _ in try RawClient(port: server.port) }
      for client in clients { client.send(request()) }
      let waking = Background {
        while !isOver.load(ordering: .relaxed) { for stream in streams.first(0) { stream.wake() } }
      }
      server.stop(grace: .zero)
      isOver.store(true, ordering: .relaxed)
      waking.join()
      #expect(server.requestsInFlight == 0)
      #expect(server.openStreams == 0)
      #expect(streams.first(0).allSatisfy { $0.closings == 1 })
    }
  }

  /// A handler that takes long is what others' requests come behind.
  /// Streams are refused in the last quarter of a second only, which a busy machine may miss.
  @Test func `a stream that is asked for when the server is about to stop is refused`() throws {
    #expect(
      try (0..<5).contains { _ in
        try answerBeforeStopping() == refusal("Connection: close\r\n")
      })
  }

  private func answerBeforeStopping() throws -> String {
    let streams = Streams()
    let isStopped = Atomic(false)
    let server = try Server.answering { request in
      while !isStopped.load(ordering: .relaxed) { usleep(1000) }
      return streams.answer(request)
    }
    let client = try RawClient(port: server.port)
    client.send(request())
    #expect(eventually { server.requestsInFlight == 1 })
    let stopping = Background { server.stop(grace: .seconds(2)) }
    usleep(1_850_000)
    isStopped.store(true, ordering: .relaxed)
    let answer = try client.readToEnd()
    stopping.join()
    #expect(streams.first(1).map(\.closings) == [1])
    return answer
  }
}
