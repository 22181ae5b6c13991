import Glibc
import Locks
import MicroHTTP
import Synchronization
import Testing

/// Responses that come later, and what can go wrong before they come.
struct ResponsePromiseTests {
  private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

  @Test func `a response that another thread gives later is sent, and the connection kept`() throws
  {
    let promises = Promises()
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    for path in ["/a", "/b"] {
      client.send(request(path))
      promises.fulfill(1)
      #expect(try client.readResponse() == plain(path))
    }
    #expect(server.becomesQuiet())
  }

  @Test func `while two hundred wait, the only thread serves others`() throws {
    let promises = Promises()
    let server = try Server.answering { request in
      request.path == "/now" ? .response(Response(text: "now")) : promises.answer(request)
    }
    let clients = try (0..<200).map { _ in try RawClient(port: server.port) }
    for (index, client) in clients.enumerated() { client.send(request("/\(index)")) }
    let taken = promises.take(200)
    #expect(taken.count == 200)
    let other = try RawClient(port: server.port)
    other.send(request("/now"))
    #expect(try other.readResponse() == plain("now"))
    #expect(eventually { server.requestsInFlight == 200 })
    for (path, promise) in taken.reversed() { promise.fulfill(with: Response(text: path)) }
    for (index, client) in clients.enumerated() {
      #expect(try client.readResponse() == plain("/\(index)"))
    }
    #expect(server.becomesQuiet())
  }

  @Test func `a promise that is fulfilled before the handler returns is like a response`() throws {
    let server = try Server.answering { request in
      let promise = ResponsePromise()
      promise.fulfill(with: Response(text: request.path))
      return .promise(promise)
    }
    let client = try RawClient(port: server.port)
    client.send(request("/a") + request("/b"))
    #expect(try client.readResponse() == plain("/a"))
    #expect(try client.readResponse() == plain("/b"))
  }

  @Test(arguments: [1, 2])
  func `fulfilling may race with the handler's return and with the next request`(
    threads: Int
  ) throws {
    let promises = Promises()
    let isOver = Atomic(false)
    let server = try Server.answering({ $0.threads = threads }, handler: promises.answer)
    let fulfilling = (1...2).map { _ in
      Background { while !isOver.load(ordering: .relaxed) { promises.fulfill(0) } }
    }
    let clients = try (1...16).map { _ in try RawClient(port: server.port) }
    for round in 0..<200 {
      for client in clients { client.send(request("/\(round)")) }
      for client in clients { #expect(try client.readResponse() == plain("/\(round)")) }
    }
    isOver.store(true, ordering: .relaxed)
    for thread in fulfilling { thread.join() }
    #expect(server.becomesQuiet())
  }

  @Test func `requests sent together are answered in their order`() throws {
    let promises = Promises()
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send(request("/a") + request("/b") + request("/c"))
    for path in ["/a", "/b", "/c"] {
      let taken = promises.take(1)
      #expect(taken.map(\.path) == [path])
      for (path, promise) in taken { promise.fulfill(with: Response(text: path)) }
      #expect(try client.readResponse() == plain(path))
    }
  }

  @Test func `only the first response counts`() throws {
    let promises = Promises()
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send(request("/a"))
    let promise = try #require(promises.take(1).first).promise
    #expect(promise.fulfill(with: Response(text: "first")))
    #expect(!promise.fulfill(with: Response(text: "second")))
    #expect(try client.readResponse() == plain("first"))
  }

  @Test func `one promise can answer several requests`() throws {
    let promise = ResponsePromise()
    let server = try Server.answering { _ in .promise(promise) }
    let clients = try (1...3).map { _ in try RawClient(port: server.port) }
    for client in clients { client.send(request("/a")) }
    #expect(eventually { server.requestsInFlight == 3 })
    promise.fulfill(with: Response(text: "same"))
    for client in clients { #expect(try client.readResponse() == plain("same")) }
  }

  @Test func `whoever observes is told before the response is sent, and once`() throws {
    let told = Lock<[String]>([])
    let promises = Promises()
    let server = try Server.answering { request in
      let answer = promises.answer(request)
      answer.whenFulfilled { response in told.withLock { $0.append("early \(response.status)") } }
      return answer
    }
    let client = try RawClient(port: server.port)
    client.send(request("/a"))
    let promise = try #require(promises.take(1).first).promise
    promise.fulfill(with: Response(status: .created))
    promise.fulfill(with: Response(status: .accepted))
    _ = try client.readResponse()
    promise.whenFulfilled { response in told.withLock { $0.append("late \(response.status)") } }
    EventualResponse.response(Response(status: .noContent)).whenFulfilled { response in
      told.withLock { $0.append("at once \(response.status)") }
    }
    let expected = [201, 201, 204].map { Status(rawValue: $0) }
    #expect(
      told.withLock { $0 }
        == ["early \(expected[0])", "late \(expected[1])", "at once \(expected[2])"])
  }

  @Test func `a promise that nobody fulfills is answered with 503 after its deadline`() throws {
    let promises = Promises()
    let server = try Server.answering(
      { $0.answerTimeout = .milliseconds(100) }, handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send(request("/a"))
    let promise = try #require(promises.take(1).first).promise
    #expect(try client.readResponse() == Self.unavailable())
    #expect(!promise.fulfill(with: Response(text: "too late")))
    client.send(request("/b"))
    promises.fulfill(1)
    #expect(try client.readResponse() == plain("/b"))
  }

  @Test func `a connection that waits is neither idle nor slow`() throws {
    let promises = Promises()
    let server = try Server.answering(
      {
        $0.headerTimeout = .milliseconds(50)
        $0.bodyTimeout = .milliseconds(50)
        $0.idleTimeout = .milliseconds(50)
        $0.responseTimeout = .milliseconds(50)
      }, handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nb")
    let taken = promises.take(1)
    usleep(400_000)
    for (path, promise) in taken { promise.fulfill(with: Response(text: path)) }
    #expect(try client.readResponse() == plain("/a"))
  }

  @Test(arguments: [true, false])
  func `a client that leaves while it waits leaves nothing behind`(byReset: Bool) throws {
    let promises = Promises()
    let server = try Server.answering(handler: promises.answer)
    var taken: [(path: String, promise: ResponsePromise)] = []
    for _ in 1...20 {
      let client = try RawClient(port: server.port)
      if byReset { client.resetOnClose() }
      client.send(request("/a"))
      taken += promises.take(1)
    }
    #expect(server.requestsInFlight == 20)
    for (path, promise) in taken { promise.fulfill(with: Response(text: path)) }
    #expect(eventually { server.openConnections == 0 })
    #expect(server.requestsInFlight == 0)
  }

  @Test func `the answer to a chunked request ends its connection, one to HEAD has no body`() throws
  {
    let promises = Promises()
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n")
    promises.fulfill(1)
    #expect(
      try client.readResponse(hasBody: false) == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
    client.send("POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    promises.fulfill(1)
    #expect(try client.readToEnd() == plain("/b", closing: true))
  }

  @Test(arguments: [1, 3])
  func `stopping waits for promises, and then breaks those that nobody fulfilled`(
    threads: Int
  ) throws {
    let promises = Promises()
    let server = try Server.answering({ $0.threads = threads }, handler: promises.answer)
    let clients = try (1...6).map { _ in try RawClient(port: server.port) }
    for client in clients { client.send(request("/a")) }
    let taken = promises.take(6)
    let early = Background {
      usleep(50_000)
      taken[0].promise.fulfill(with: Response(text: "in time"))
    }
    #expect(!server.stop(grace: .milliseconds(800)))
    early.join()
    let answers = try clients.map { try $0.readToEnd() }
    #expect(answers.filter { $0 == plain("in time", closing: true) }.count == 1)
    #expect(answers.filter { $0 == Self.unavailable(closing: true) }.count == 5)
    #expect(taken.allSatisfy { !$0.promise.fulfill(with: Response(text: "too late")) })
    #expect(server.requestsInFlight == 0)
  }

  @Test func `stopping is quiet when every promise is fulfilled in time`() throws {
    let promises = Promises()
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send(request("/a"))
    let taken = promises.take(1)
    let fulfilling = Background {
      usleep(100_000)
      taken[0].promise.fulfill(with: Response(text: "in time"))
    }
    #expect(server.stop(grace: .seconds(10)))
    fulfilling.join()
    #expect(try client.readToEnd() == plain("in time", closing: true))
  }

  /// A handler that takes long keeps the server from being quiet, so that requests come until the very end.
  @Test func `a request that comes when promises are broken already is not handled`() throws {
    let promises = Promises()
    let isOver = Atomic(false)
    let handled = Atomic(0)
    let server = try Server.answering(
      { $0.threads = 2 },
      handler: { request in
        guard request.path == "/first" else {
          handled.add(1, ordering: .relaxed)
          return promises.answer(request)
        }
        while !isOver.load(ordering: .relaxed) { usleep(1000) }
        return .response(Response(text: "first"))
      })
    let first = try RawClient(port: server.port)
    first.send(request("/first"))
    #expect(eventually { server.requestsInFlight == 1 })
    let clients = try (0..<100).map { _ in try RawClient(port: server.port) }
    #expect(eventually { server.openConnections == 101 })
    let fulfilling = Background {
      while !isOver.load(ordering: .relaxed) {
        promises.fulfill(0)
        usleep(1000)
      }
    }
    let stopping = Background { server.stop(grace: .milliseconds(800)) }
    for client in clients {
      client.send(request("/next"))
      usleep(10_000)
    }
    isOver.store(true, ordering: .relaxed)
    stopping.join()
    fulfilling.join()
    let answers = clients.map { (try? $0.readToEnd()) ?? "" }
    withExtendedLifetime(first) {}
    let isRefused = answers.map { $0.contains("503") && $0.contains("Retry-After: 1") }
    let firstRefused = try #require(isRefused.firstIndex(of: true))
    // One that was handled when the promises were broken is before it; later ones are refused or closed.
    #expect(answers.indices[firstRefused...].allSatisfy { isRefused[$0] || answers[$0].isEmpty })
    let answered = answers[..<firstRefused].count { !$0.isEmpty }
    #expect(answered == handled.load(ordering: .relaxed))
  }

  /// The library ends the process when it is stopped with a connection that waits.
  @Test(arguments: [1, 2])
  func `stopping at once while promises are made and fulfilled harms nobody`(threads: Int) throws {
    for _ in 1...30 {
      let promises = Promises()
      let isOver = Atomic(false)
      let server = try Server.answering({ $0.threads = threads }, handler: promises.answer)
      let clients = try (1...8).map { _ in try RawClient(port: server.port) }
      for client in clients {
        client.send(String(repeating: request("/a"), count: 20))
      }
      let fulfilling = Background {
        while !isOver.load(ordering: .relaxed) { promises.fulfill(0) }
      }
      server.stop(grace: .zero)
      isOver.store(true, ordering: .relaxed)
      fulfilling.join()
      #expect(server.requestsInFlight == 0)
      #expect(server.openConnections == 0)
    }
  }

  private static func unavailable(closing: Bool = false) -> String {
    "HTTP/1.1 503 Service Unavailable\r\n\(closing ? "Connection: close\r\n" : "")"
      + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 20\r\n\r\nService Unavailable\n"
  }
}
