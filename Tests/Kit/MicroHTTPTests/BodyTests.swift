import MicroHTTP
import Testing

/// The arrival of content, its amount, and what becomes of it when it does not arrive.
struct BodyTests {
  private static let limit = 1000

  private func server() throws -> Server {
    try Server.start(
      { $0.maximumBodySize = Self.limit },
      handler: { Response(body: Array("\($0.body.count)".utf8)) })
  }

  @Test func `content of exactly the limit is taken, counted or chunked`() throws {
    let server = try server()
    let content = String(repeating: "a", count: Self.limit)
    let head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
    let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\n1000"
    #expect(try server.answer(to: head + "Content-Length: 1000\r\n\r\n" + content) == answer)
    let chunks = "1f4\r\n\(content.prefix(500))\r\n1F4\r\n\(content.prefix(500))\r\n0\r\n\r\n"
    #expect(try server.answer(to: head + "Transfer-Encoding: chunked\r\n\r\n" + chunks) == answer)
  }

  @Test(arguments: ["Content-Length: 1001", "Content-Length: 999999999999"])
  func `content announced beyond the limit is refused before it arrives`(
    _ length: String
  ) throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send("POST / HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n")
    #expect(try client.readToEnd() == pastLibrary(refusal("413 Content Too Large")))
  }

  @Test func `a client that asks first is told not to send what is too much`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.readToEnd() == refusal("413 Content Too Large"))
    #expect(server.becomesQuiet())
  }

  @Test func `a client that asks first is told to go on`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-Continue\r\n\r\n")
    #expect(try client.readResponse() == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("abc")
    #expect(try client.readResponse() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n3")
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab")
    #expect(try client.readResponse() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2")
  }

  @Test(arguments: [
    "GET /a HTTP/1.1\r\nHost: a\r\n", "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n",
  ])
  func `an expectation without content is ignored (RFC 9110, 10.1.1)`(_ head: String) throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    let message = "\(head)Expect: 100-continue\r\n\r\n"
    let method = String(head.prefix { $0 != " " })
    client.send(message + message + "GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let answer = ok("\(method) [a]  ()")
    #expect(try client.readToEnd() == answer + answer + ok("GET [b]  ()", closing: true))
  }

  @Test func `an expectation with a space behind it is known`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue \r\n\r\nabc")
    #expect(try client.readResponse() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n3")
  }

  @Test func `chunks beyond the limit are refused while they are being sent`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    client.send("3e9\r\n\(String(repeating: "a", count: 1001))\r\n")
    #expect(try client.readToEnd() == pastLibrary(refusal("413 Content Too Large")))
    client.send("0\r\n\r\n")
    #expect(server.becomesQuiet())
  }

  @Test(arguments: ["Content-Length: 100000000", "Transfer-Encoding: chunked"])
  func `of content that is refused no more than a window is read`(_ length: String) throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send("POST / HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n")
    let chunk = Array("10000\r\n\(String(repeating: "a", count: 65_536))\r\n".utf8)
    var sent = 0
    for _ in 0..<1500 { sent += client.send(chunk) }
    // What the server takes (256 KiB), and what the system buffers on both sides.
    #expect(sent < 16 << 20)
    #expect(try client.readToEnd() == pastLibrary(refusal("413 Content Too Large")))
    #expect(server.becomesQuiet())
  }

  @Test(arguments: ["Content-Length: 900", "Transfer-Encoding: chunked"], [true, false])
  func `an upload given up releases what it holds`(_ length: String, byReset: Bool) throws {
    let server = try server()
    for _ in 1...20 {
      let client = try RawClient(port: server.port)
      if byReset { client.resetOnClose() }
      client.send("POST / HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n3\r\nabc\r\n")
    }
    #expect(eventually { server.openConnections == 0 && server.requestsInFlight == 0 })
  }

  @Test func `a client that has sent all and ends its half is answered and let go`() throws {
    let server = try server()
    let client = try RawClient(port: server.port)
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    client.finishSending()
    #expect(try client.readToEnd() == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2")
  }

  @Test func `a head given up releases what it holds`() throws {
    let server = try server()
    for _ in 1...20 {
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-")
    }
    // Without connections at first, since the clients may be gone before the server has accepted any.
    #expect(eventually { server.openConnections == 0 && server.requestsInFlight == 0 })
  }
}
