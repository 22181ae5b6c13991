import Glibc
import Locks
import MicroHTTP
import Testing

/// Clients that hang up, or end their side, while they are to be answered.
struct HangUpTests {
  @Test func `a request is abandoned once its client has hung up`() throws {
    let request = Asked()
    let promise = ResponsePromise()
    let server = try Server.answering(handler: { asked in
      request.note(asked)
      return .promise(promise)
    })
    var client: RawClient? = try RawClient(port: server.port)
    client?.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\n")
    #expect(eventually { request.last != nil })
    let asked = try #require(request.last)
    #expect(!asked.isAbandoned)
    client = nil
    #expect(eventually { asked.isAbandoned })
    promise.fulfill(with: Response(text: "a"))
    #expect(eventually { server.openConnections == 0 })
    #expect(asked.isAbandoned)
  }

  @Test func `streams whose clients have hung up are closed without anything to send`() throws {
    let streams = Streams()
    let server = try Server.answering(
      { $0.headerTimeout = .milliseconds(100) }, handler: streams.answer)
    var clients = try (0..<20).map { _ in
      let client = try RawClient(port: server.port)
      client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
      return client
    }
    let fed = streams.first(20)
    #expect(eventually { server.openStreams == 20 })
    clients.removeLast(19)
    #expect(eventually { server.openStreams == 1 })
    #expect(eventually { fed.count { $0.closings == 1 } == 19 })
    let open = try #require(fed.first { $0.closings == 0 })
    open.send("a")
    open.send(.end)
    #expect(try clients[0].readToEnd().chunkedContent == "a")
  }

  @Test(arguments: [1, 2, 5])
  func `a client that ended its side is answered for everything that was carried out`(
    count: Int
  ) throws {
    let promises = Promises()
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    let texts = (0..<count).map { "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n" }
    client.send(texts.joined())
    client.finishSending()
    var carriedOut = 0
    while case let taken = promises.take(1), let first = taken.first {
      carriedOut += 1
      first.promise.fulfill(with: Response(text: first.path))
      if eventually({ server.openConnections == 0 || promises.isAsked }),
        server.openConnections == 0
      {
        break
      }
    }
    let answers = try client.readToEnd()
    #expect(answers.components(of: "HTTP/1.1 200 OK") == carriedOut)
    #expect(carriedOut >= 1)
    #expect(answers.hasSuffix("/\(carriedOut - 1)"))
  }

  @Test func `who ended its side before the response is there gets it`() throws {
    let (request, promises) = (Asked(), Promises())
    let server = try Server.answering(handler: { asked in
      request.note(asked)
      return promises.answer(asked)
    })
    for number in 0..<50 {
      let client = try RawClient(port: server.port)
      client.send("POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      client.finishSending()
      let taken = try #require(promises.take(1).first)
      #expect(eventually { request.last?.isAbandoned == true })
      taken.promise.fulfill(with: Response(text: "done"))
      #expect(try client.readToEnd().hasSuffix("\r\n\r\ndone"))
    }
    #expect(eventually { server.openConnections == 0 && server.requestsInFlight == 0 })
  }

  /// The socket does not take it whole, so that the daemon answers, or finds that the client is gone.
  @Test func `who ended its side never gets a large response twice`() throws {
    let (request, promises) = (Asked(), Promises())
    let server = try Server.answering(handler: { asked in
      request.note(asked)
      return promises.answer(asked)
    })
    for _ in 0..<5 {
      let client = try RawClient(port: server.port)
      client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      client.finishSending()
      let taken = try #require(promises.take(1).first)
      #expect(eventually { request.last?.isAbandoned == true })
      taken.promise.fulfill(with: Response(text: String(repeating: "x", count: 4 << 20)))
      let answer = (try? client.readToEnd()) ?? ""
      #expect(answer.components(of: "HTTP/1.1 200") <= 1)
    }
  }

  @Test func `the answer to HEAD has no body when the client ended its side`() throws {
    let request = Asked()
    let promise = ResponsePromise()
    let server = try Server.answering(handler: { asked in
      request.note(asked)
      return .promise(promise)
    })
    let client = try RawClient(port: server.port)
    client.send("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(eventually { request.last != nil })
    // If the end came together with the request, the daemon would answer itself.
    client.finishSending()
    #expect(eventually { request.last?.isAbandoned == true })
    promise.fulfill(with: Response(text: "/abc"))
    let answer = try client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.contains("\r\nContent-Length: 4\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n") && answer.components(of: "\r\n\r\n") == 1)
  }
}

/// The request that a handler was asked last.
private final class Asked: Sendable {
  private let request = Lock<Request?>(nil)
  var last: Request? { request.withLock(\.self) }
  func note(_ asked: Request) { request.withLock { $0 = asked } }
}

extension String {
  fileprivate func components(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      (count, rest) = (count + 1, rest[range.upperBound...])
    }
    return count
  }
}
