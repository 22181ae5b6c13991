import MicroHTTP
import Testing

/// The framing guard over a socket: what smuggles requests elsewhere is refused and closed here.
struct FramingTests {
  @Test(arguments: Self.malformed)
  func `a message that others could read differently is refused and its connection closed`(
    _ example: Malformed
  ) throws {
    let server = try Server.echo()
    let second = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(try server.answer(to: example.message + second) == refusal(example.status))
    let next = try RawClient(port: server.port)
    next.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try next.readResponse() == ok("GET [next]  ()"))
    #expect(server.becomesQuiet())
  }

  @Test func `a refused HEAD has no body either`() throws {
    let server = try Server.echo()
    let answer = try server.answer(
      to: "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
    #expect(answer == String(refusal("400 Bad Request").dropLast("Bad Request\n".count)))
  }

  struct Malformed: CustomTestStringConvertible {
    let message: String
    let status: String

    init(_ lines: String..., content: String = "", status: String = "400 Bad Request") {
      message = lines.map { $0 + "\r\n" }.joined() + "\r\n" + content
      self.status = status
    }

    var testDescription: String { message.debugDescription }
  }

  private static let malformed: [Malformed] = [
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Content-Length: 3", "Transfer-Encoding: chunked",
      content: "0\r\n\r\n"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Content-Length: 3",
      content: "0\r\n\r\n"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Content-Length: 3", "Content-Length: 3", content: "abc"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Content-Length: 3", "Content-Length: 4", content: "abcd"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked",
      content: "0\r\n\r\n"),
    Malformed("GET / HTTP/1.1", "Host: a", "Host: a"),
    Malformed("GET / HTTP/1.1", "Host: a", "Host: b"),
    Malformed("GET / HTTP/1.1", "Host: a", "Origin: http://a", "origin: http://b"),
    Malformed("GET / HTTP/1.1", "Accept: */*"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip, chunked", content: "0\r\n\r\n",
      status: "501 Not Implemented"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: identity", content: "0\r\n\r\n",
      status: "501 Not Implemented"),
    Malformed("POST / HTTP/1.0", "Host: a", "Transfer-Encoding: chunked", content: "0\r\n\r\n"),
    Malformed("GET / HTTP/1.1", "Host: a", "Transfer-Encoding : chunked"),
    Malformed("GET / HTTP/1.1", "Host: a", "Content-Length : 3", content: "abc"),
    Malformed("GET / HTTP/1.1", "Host: a", "Na(me: b"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked ", content: "0\r\n\r\n",
      status: "501 Not Implemented"),
    Malformed("GET / HTTP/1.1", "Host: a", "Content-Length: 0", " 3", content: "abc"),
    Malformed("GET / HTTP/1.1", "Host: a", "X: a", " Content-Length: 3", content: "abc"),
    Malformed("GET / HTTP/1.1", " Host: a", "Host: b"),
    Malformed("POST / HTTP/1.1", "Host: a", "Content-Length: 9999999999999999999"),
    Malformed("GET / HTTP/1.1", "Host: a", "Transfer-Encoding-X: chunked"),
    Malformed("GET / HTTP/1.1", "Host: a", "Content-Length-X: 3"),
    Malformed("GET / HTTP/1.1", "Host: a", "X: a\u{1}b"),
    Malformed("GET / HTTP/1.1", "Host: a", "X: a\u{7F}b"),
    Malformed("GET / HTTP/1.2", "Host: a", status: "505 HTTP Version Not Supported"),
    Malformed("BREW / HTTP/1.1", "Host: a", status: "501 Not Implemented"),
    Malformed("get / HTTP/1.1", "Host: a", status: "501 Not Implemented"),
    Malformed("\tGET / HTTP/1.1", "Host: a", status: "501 Not Implemented"),
    Malformed("POST / HTTP/1.1", "Host: a", status: "411 Length Required"),
    Malformed("PUT / HTTP/1.1", "Host: a", status: "411 Length Required"),
    Malformed("PATCH / HTTP/1.1", "Host: a", status: "411 Length Required"),
    Malformed("GET / HTTP/1.1", "Host: a", "Content-Length: 3", content: "abc"),
    Malformed("DELETE / HTTP/1.1", "Host: a", "Content-Length: 3", content: "abc"),
    Malformed("OPTIONS / HTTP/1.1", "Host: a", "Content-Length: 3", content: "abc"),
    Malformed(
      "GET / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", content: "1\r\na\r\n0\r\n\r\n"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Content-Length: 3", "Expect: 200-ok", content: "abc",
      status: "417 Expectation Failed"),
    Malformed("GET http:// HTTP/1.1", "Host: a"),
    Malformed("GET http://u:p@a/ HTTP/1.1", "Host: a"),
    Malformed("GET http://a/ HTTP/1.1"),
    Malformed("GET * HTTP/1.1", "Host: a"),
    Malformed("GET /a\u{1}b HTTP/1.1", "Host: a"),
    Malformed("GET /caf\u{E9} HTTP/1.1", "Host: a"),
    Malformed("GET /%zz HTTP/1.1", "Host: a"),
    Malformed("GET /%4 HTTP/1.1", "Host: a"),
    Malformed("GET /a%00b HTTP/1.1", "Host: a"),
    Malformed("GET /a%2Fb HTTP/1.1", "Host: a"),
    Malformed("GET /%C3 HTTP/1.1", "Host: a"),
    Malformed("GET /%C0%AF HTTP/1.1", "Host: a"),
    Malformed("GET /?a=%zz HTTP/1.1", "Host: a"),
    Malformed("GET /?a=%FF HTTP/1.1", "Host: a"),
  ]

  /// The library refuses these before it asks anybody, and would say so twice.
  @Test(arguments: [
    "3 ", "3\t", "-1", "+41", "", " ", "0x3", "3, 3", "three", "18446744073709551657",
    "99999999999999999999",
  ])
  func `a length that is no number has one answer, and the connection is closed`(
    _ length: String
  ) throws {
    let server = try Server.echo { $0.threads = 2 }
    // Others whose heads are still on their way are not taken for it.
    let others = try (0..<8).map { _ in try RawClient(port: server.port) }
    for other in others { other.send("GET /other HTTP/1.1\r\nHost: a\r\nX: ") }
    #expect(eventually { server.requestsInFlight == 8 })
    let client = try RawClient(port: server.port)
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n")
    client.send("\r\nabcGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.readToEnd() == pastLibrary(refusal("400 Bad Request")))
    for other in others {
      other.send("b\r\n\r\n")
      #expect(try other.readResponse() == ok("GET [other]  ()"))
    }
    #expect(server.becomesQuiet())
  }

  @Test func `content that is refused takes no answer of another connection`() throws {
    let server = try Server.echo { $0.maximumBodySize = 1000 }
    let first = try RawClient(port: server.port)
    first.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n0123456789")
    #expect(try first.readResponse() == pastLibrary(refusal("413 Content Too Large")))
    let second = try RawClient(port: server.port)
    second.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n")
    #expect(try second.readToEnd() == pastLibrary(refusal("400 Bad Request")))
    first.send("abc")
    // A server that stops while the library answers by itself would crash in it.
    #expect(eventually { server.openConnections == 1 })
  }

  @Test func `cookies beyond the connection's memory are too large, and have one answer`() throws {
    let server = try Server.echo()
    let cookies = (0..<300).map { "a\($0)=b" }.joined(separator: "; ")
    let client = try RawClient(port: server.port)
    client.send("GET /a HTTP/1.1\r\nHost: a\r\nCookie: \(cookies)\r\n\r\n")
    #expect(
      try client.readToEnd() == pastLibrary(refusal("431 Request Header Fields Too Large")))
    #expect(server.becomesQuiet())
  }

  @Test func `a space before the method ends the connection without an answer`() throws {
    let server = try Server.echo { $0.idleTimeout = .milliseconds(400) }
    let client = try RawClient(port: server.port)
    client.send(" GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.readToEnd() == "")
  }

  @Test(arguments: Self.refusedByLibrary)
  func `what the library refuses itself is closed too, though its words are its own`(
    _ example: Malformed
  ) throws {
    let server = try Server.echo()
    let second = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    let answer = try server.answer(to: example.message + second)
    #expect(answer.hasPrefix("HTTP/1.1 \(example.status)\r\nConnection: close\r\n"))
    #expect(!answer.contains("smuggled"))
    let next = try RawClient(port: server.port)
    next.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try next.readResponse() == ok("GET [next]  ()"))
    #expect(server.becomesQuiet())
  }

  private static let refusedByLibrary: [Malformed] = [
    Malformed("GET / HTTP/1.1", "Host: a", "novalue"),
    Malformed("GET /"),
    Malformed("GET / HTTP/2.0", "Host: a", status: "505 HTTP Version Not Supported"),
    Malformed("GET / HTTP/0.9", "Host: a", status: "505 HTTP Version Not Supported"),
    Malformed("GET / HTTX/1.1", "Host: a"),
    Malformed("GET / HTTP/1.1 ", "Host: a"),
    Malformed("GET / HTTP/3", "Host: a"),
    Malformed("GET / HTTP/1.10", "Host: a"),
    Malformed("GET / HTTP/1.1\u{0}", "Host: a"),
    Malformed(
      "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1", "Host: a",
      status: "414 URI Too Long"),
    Malformed(
      "GET / HTTP/1.1", "Host: a", "X: \(String(repeating: "a", count: 20_000))",
      status: "431 Request Header Fields Too Large"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", content: "zz\r\nabc\r\n0\r\n\r\n"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", content: "3\r\nabcXX0\r\n\r\n"),
    Malformed(
      "POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked",
      content: "ffffffffffffffffff\r\nabc", status: "413 Content Too Large"),
  ]
}
