import Glibc
import Locks
import MicroHTTP
import Synchronization
import Testing

/// Promised responses that the connection's thread makes.
struct ResponseMakerTests {
  private static let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `the response is made on the connection's thread`() throws {
    let promises = Promises()
    let thread = Lock<pthread_t?>(nil)
    let server = try Server.answering { request in
      thread.withLock { $0 = pthread_self() }
      return promises.answer(request)
    }
    let client = try RawClient(port: server.port)
    client.send(Self.request)
    let promise = try #require(promises.take(1).first).promise
    promise.fulfill {
      .response(Response(text: thread.withLock { $0 } == pthread_self() ? "own" : "other"))
    }
    #expect(try client.readResponse() == plain("own"))
    #expect(server.becomesQuiet())
  }

  @Test func `a maker may be there before the handler returns`() throws {
    let server = try Server.answering { request in
      let promise = ResponsePromise()
      promise.fulfill { .response(Response(text: request.path)) }
      return .promise(promise)
    }
    let client = try RawClient(port: server.port)
    client.send(Self.request)
    #expect(try client.readResponse() == plain("/a"))
  }

  @Test func `a maker may promise again, and the observers are told at the end`() throws {
    let (promises, later) = (Promises(), ResponsePromise())
    let told = Lock<[String]>([])
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send(Self.request)
    let promise = try #require(promises.take(1).first).promise
    promise.whenFulfilled { response in
      told.withLock { $0.append(String(decoding: response.body, as: UTF8.self)) }
    }
    promise.fulfill { .promise(later) }
    usleep(20_000)
    #expect(told.withLock(\.self) == [])
    later.fulfill { .response(Response(text: "at last")) }
    #expect(try client.readResponse() == plain("at last"))
    #expect(told.withLock(\.self) == ["at last"])
  }

  @Test(arguments: [true, false])
  func `a promise follows another one`(isMade: Bool) throws {
    let (promises, other) = (Promises(), ResponsePromise())
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send(Self.request)
    let promise = try #require(promises.take(1).first).promise
    promise.fulfill(as: .promise(other))
    if isMade {
      other.fulfill { .response(Response(text: "other")) }
    } else {
      other.fulfill(with: Response(text: "other"))
    }
    #expect(try client.readResponse() == plain("other"))
    // A late follower has it too.
    let late = ResponsePromise()
    late.fulfill(as: .promise(other))
    #expect(!late.fulfill(with: Response(text: "second")))
  }

  @Test func `a client that closed its half still has its response`() throws {
    let promises = Promises()
    let server = try Server.answering(handler: promises.answer)
    let client = try RawClient(port: server.port)
    client.send(Self.request)
    let promise = try #require(promises.take(1).first).promise
    client.finishSending()
    usleep(20_000)
    promise.fulfill { .response(Response(text: "/a")) }
    #expect(try client.readToEnd().contains("/a"))
    #expect(eventually { server.openConnections == 0 })
  }

  @Test func `what a connection cannot send is made where its server says`() throws {
    let promises = Promises()
    let jobs = Lock<[@Sendable () -> Void]>([])
    let server = try Server.answering(handler: promises.answer)
    for isTaken in [true, false] {
      let client = try RawClient(port: server.port)
      client.send(Self.request)
      let promise = try #require(promises.take(1).first).promise
      client.finishSending()
      usleep(20_000)
      promise.fulfill(
        by: { .response(Response(text: "/a")) },
        orOn: { job in
          if isTaken { jobs.withLock { $0.append(job) } }
          return isTaken
        })
      #expect(promise.fulfill(with: Response(text: "first")) == isTaken)
      #expect(try client.readToEnd().contains(isTaken ? "first" : "/a"))
    }
    #expect(jobs.withLock { $0.count } == 1)
  }

  @Test func `who has no connection has the response made all the same`() {
    let promise = ResponsePromise()
    let bodies = Lock<[String]>([])
    for _ in 1...2 {
      EventualResponse.promise(promise).whenMade { response in
        bodies.withLock { $0.append(String(decoding: response.body, as: UTF8.self)) }
      }
    }
    promise.fulfill { .response(Response(text: "made")) }
    #expect(bodies.withLock(\.self) == ["made", "made"])
  }

  @Test func `what is answered before it is made is not made`() throws {
    let promise = ResponsePromise()
    let isMade = Atomic(false)
    promise.fulfill {
      isMade.store(true, ordering: .relaxed)
      return .response(Response(text: "made"))
    }
    #expect(promise.fulfill(with: Response(text: "first")))
    let server = try Server.answering { _ in .promise(promise) }
    let client = try RawClient(port: server.port)
    client.send(Self.request)
    #expect(try client.readResponse() == plain("first"))
    let wasMade = isMade.load(ordering: .relaxed)
    #expect(!wasMade)
  }

  @Test func `it is made once for all connections that wait for it`() throws {
    let promise = ResponsePromise()
    let count = Atomic(0)
    let server = try Server.answering({ $0.threads = 2 }, handler: { _ in .promise(promise) })
    let clients = try (1...8).map { _ in try RawClient(port: server.port) }
    for client in clients { client.send(Self.request) }
    #expect(eventually { server.requestsInFlight == 8 })
    promise.fulfill {
      count.add(1, ordering: .relaxed)
      usleep(20_000)
      return .response(Response(text: "same"))
    }
    for client in clients { #expect(try client.readResponse() == plain("same")) }
    let made = count.load(ordering: .relaxed)
    #expect(made == 1)
  }

  @Test(arguments: [1, 2])
  func `making may race with the handler's return, with clients that leave and with the stop`(
    threads: Int
  ) throws {
    for round in 1...20 {
      let promises = Promises()
      let isOver = Atomic(false)
      let server = try Server.answering({ $0.threads = threads }, handler: promises.answer)
      let clients = try (1...8).map { _ in try RawClient(port: server.port) }
      for client in clients { client.send(String(repeating: Self.request, count: 20)) }
      let fulfilling = Background {
        while !isOver.load(ordering: .relaxed) {
          for (path, promise) in promises.take(0) {
            promise.fulfill { .response(Response(text: path)) }
          }
        }
      }
      if round % 2 == 0 {
        for client in clients { #expect(try client.readResponse() == plain("/a")) }
      }
      server.stop(grace: .zero)
      isOver.store(true, ordering: .relaxed)
      fulfilling.join()
      #expect(server.requestsInFlight == 0)
      #expect(server.openConnections == 0)
    }
  }
}
