import Glibc
import MicroHTTP
import Synchronization
import Testing

/// Large content: it is refused by its head, and bounded for all clients together.
struct AdmissionTests {
  private static let size = 100_000

  /// A server that admits requests for `/a` alone, and answers with the size of their content.
  private func server(
    _ adjust: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> Server {
    var configuration = ServerConfiguration()
    configuration.port = 0
    adjust(&configuration)
    return try Server(
      configuration, handler: { .response(Response(text: "\($0.path) \($0.body.count)")) },
      admission: { request in
        request.path == "/a" ? nil : Response(status: .unauthorized, body: Array("no".utf8))
      })
  }

  private func head(_ path: String, _ length: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n"
  }

  private static let refused =
    "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"

  @Test func `large content is refused by its head`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send(head("/b", "Content-Length: \(Self.size)"))
    #expect(try client.readToEnd() == Self.refused)
  }

  @Test func `a client that asks before it sends large content is refused`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send(head("/b", "Content-Length: \(Self.size)\r\nExpect: 100-continue"))
    #expect(try client.readToEnd() == Self.refused)
  }

  @Test func `chunks are refused once they are large`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send(head("/b", "Transfer-Encoding: chunked"))
    client.send("186A0\r\n" + String(repeating: "a", count: 20_000))
    #expect(try client.readToEnd() == Self.refused)
  }

  @Test func `small content reaches the handler, and so does what is admitted`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send(head("/b", "Content-Length: 3") + "abc")
    #expect(try client.readResponse() == plain("/b 3"))
    client.send(head("/a", "Content-Length: \(Self.size)"))
    client.send(String(repeating: "a", count: Self.size))
    #expect(try client.readResponse() == plain("/a \(Self.size)"))
    #expect(server.receivedBytes == 0)
  }

  /// Opens a connection that sends large content but for its last byte.
  private func unfinished(_ server: Server) throws -> RawClient {
    let client = try RawClient(port: server.port)
    client.send(head("/a", "Content-Length: \(Self.size)"))
    client.send(String(repeating: "a", count: Self.size - 1))
    return client
  }

  private static let unavailable =
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 20\r\n"
    + "Content-Type: text/plain; charset=utf-8\r\nRetry-After: 1\r\n\r\nService Unavailable\n"

  @Test(arguments: [true, false])
  func `beyond the budget of received bytes the client that was silent longest is refused`(
    isOfAddress: Bool
  ) throws {
    let server = try server {
      $0.maximumReceivedBytes = isOfAddress ? 0 : 4 * Self.size
      $0.maximumReceivedBytesPerAddress = isOfAddress ? 4 * Self.size : 0
    }
    var silent: [RawClient] = []
    for count in 1...4 {
      silent.append(try unfinished(server))
      #expect(eventually { server.receivedBytes == count * Self.size })
    }
    for number in 0..<3 {
      let client = try unfinished(server)
      #expect(try silent[number].readToEnd() == Self.unavailable)
      client.send("a")
      #expect(try client.readResponse() == plain("/a \(Self.size)"))
      // The one that is answered made room for one of those that are silent.
      silent.append(try unfinished(server))
      #expect(eventually { server.receivedBytes == 4 * Self.size })
    }
    silent[6].send("a")
    #expect(try silent[6].readResponse() == plain("/a \(Self.size)"))
    silent.removeAll()
    #expect(eventually { server.receivedBytes == 0 })
  }

  @Test func `content is received whatever its size when it is the only one`() throws {
    let server = try server {
      $0.maximumReceivedBytes = 20_000
      $0.maximumReceivedBytesPerAddress = 20_000
    }
    let client = try unfinished(server)
    client.send("a")
    #expect(try client.readResponse() == plain("/a \(Self.size)"))
  }

  @Test func `content counts until its request is answered, and is not given up before`() throws {
    let promises = Promises()
    let server = try Server.answering(
      { $0.maximumReceivedBytes = Self.size + 50_000 }, handler: promises.answer)
    let waiting = try RawClient(port: server.port)
    waiting.send(head("/a", "Content-Length: \(Self.size)"))
    waiting.send(String(repeating: "a", count: Self.size))
    let taken = promises.take(1)
    #expect(server.receivedBytes == Self.size)
    let other = try unfinished(server)
    #expect(try other.readToEnd() == Self.unavailable)
    taken[0].promise.fulfill(with: Response(text: "done"))
    #expect(try waiting.readResponse() == plain("done"))
    #expect(eventually { server.receivedBytes == 0 })
  }

  @Test func `who was given up for content that is refused in the end is told so`() throws {
    let promises = Promises()
    let server = try Server.answering(
      { $0.maximumReceivedBytes = 2 * Self.size }, handler: promises.answer)
    let silent = try unfinished(server)
    #expect(eventually { server.receivedBytes == Self.size })
    let waiting = try RawClient(port: server.port)
    waiting.send(head("/a", "Content-Length: \(Self.size)"))
    waiting.send(String(repeating: "a", count: Self.size))
    let taken = promises.take(1)
    #expect(server.receivedBytes == 2 * Self.size)
    // It is larger than all that the silent one has.
    let other = try RawClient(port: server.port)
    other.send(head("/a", "Content-Length: \(2 * Self.size)"))
    #expect(try other.readToEnd() == Self.unavailable)
    #expect(try silent.readToEnd() == Self.unavailable)
    #expect(server.receivedBytes == Self.size)
    taken[0].promise.fulfill(with: Response(text: "done"))
    #expect(try waiting.readResponse() == plain("done"))
    #expect(eventually { server.receivedBytes == 0 })
  }

  @Test func `content counts as a whole once its head is read`() throws {
    let server = try server { $0.maximumReceivedBytesPerAddress = 10 * Self.size }
    var clients: [RawClient] = []
    for count in 1...40 {
      let client = try RawClient(port: server.port)
      client.send(head("/a", "Content-Length: \(Self.size)"))
      #expect(eventually { server.receivedBytes == min(count, 10) * Self.size })
      clients.append(client)
      // Only so many have content to be read at the same time.
      if count > 10 { #expect(try clients[count - 11].readToEnd() == Self.unavailable) }
    }
    #expect(server.receivedBytes == 10 * Self.size)
    for client in clients.suffix(10) {
      client.send(String(repeating: "a", count: Self.size))
      #expect(try client.readResponse() == plain("/a \(Self.size)"))
    }
    #expect(eventually { server.receivedBytes == 0 })
  }
}
