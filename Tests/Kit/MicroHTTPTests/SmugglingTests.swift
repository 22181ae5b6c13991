import Locks
import MicroHTTP
import Testing

/// Messages that two servers could read differently, byte by byte over a socket, with a second request
/// right behind each of them.
///
/// `FramingTests` compares whole answers. These tests watch the requests that reach the handler: no
/// refused one, and none after it.
struct SmugglingTests {
  private static let second = "GET /second HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Returns the server's answers to the message and the second request, and the paths that it
  /// handled.
  private func outcome(
    _ message: String, _ adjust: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> (answer: String, handled: [String]) {
    let handled = Lock<[String]>([])
    let configure = { (configuration: inout ServerConfiguration) in
      // The reaper, which looks four times in the shortest of all times, ends what the client ended.
      configuration.idleTimeout = .milliseconds(400)
      adjust(&configuration)
    }
    let server = try Server.start(configure) { request in
      handled.withLock { $0.append("\(request.path) \(request.body.count)") }
      return Response(text: "ok")
    }
    let client = try RawClient(port: server.port)
    client.send(message + Self.second)
    client.finishSending()
    let answer = try client.readToEnd()
    #expect(server.becomesQuiet())
    return (answer, handled.withLock { $0 })
  }

  @Test(arguments: heads + chunks)
  func `what could be read in two ways is refused, with all that follows`(_ message: String) throws
  {
    let (answer, handled) = try outcome(message)
    #expect(handled == [])
    let status = answer.isEmpty ? nil : answer.split(separator: " ").dropFirst().first
    if let status { #expect(status.hasPrefix("4") || ["501", "505"].contains(status)) }
  }

  private static let heads: [String] =
    [
      "Content-Length: 3\r\nContent-Length: 3", "Content-Length: 3\r\nContent-Length: 30",
      "Content-Length: 3\r\ncontent-length: 3", "Content-Length: 3\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nContent-Length: 3", "Content-Length: 3, 3",
      "Content-Length: 3 0", "Content-Length: 3;", "Content-Length: 3\t", "Content-Length: +3",
      "Content-Length: -3", "Content-Length: 0x3", "Content-Length: 1e1", "Content-Length: 1_0",
      "Content-Length: 3.0", "Content-Length: ٣", "Content-Length:", "Content-Length: three",
      "Content-Length: 18446744073709551619", "Content-Length : 3", "Content-Length\t: 3",
      "Content-Length\u{B}: 3", " Content-Length: 3", "Content_Length: 3", "Content-Length: 3\r0",
      "Transfer-Encoding: \u{B}chunked", "Transfer-Encoding: chunked,",
      "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked;q=1",
      "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: xchunked",
      "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, identity",
      "Transfer-Encoding:\r\n chunked", "Transfer-Encoding:\r\nContent-Length: 3",
      "Transfer-Encoding : chunked", "Transfer-Encoding\u{0}: chunked",
      "Transfer Encoding: chunked",
      "X: a\rTransfer-Encoding: chunked", "X: a\r\n Transfer-Encoding: chunked",
      "X\u{0}Y: a\r\nContent-Length: 3", "X: a\u{7F}\r\nContent-Length: 3", "novalue",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    ].map { "POST /a HTTP/1.1\r\nHost: a\r\n\($0)\r\n\r\nabc" }
    + [
      "GET http:///a HTTP/1.1", "GET http://u@b/a HTTP/1.1", "GET ftp://b/a HTTP/1.1",
      "GET http:/a HTTP/1.1", "GET http://a\\b/ HTTP/1.1", "GET a:80 HTTP/1.1",
      "CONNECT a:80 HTTP/1.1", "GET * HTTP/1.1", "OPTIONS ** HTTP/1.1", "GET a HTTP/1.1",
      "GET \\a HTTP/1.1", "GET /a  HTTP/1.1", "GET /a HTTP/1.1 ", "GET /a b HTTP/1.1",
      "GET\t/a\tHTTP/1.1", " GET /a HTTP/1.1", "GET /a http/1.1", "GET /a HTTP/01.1",
      "GET /a HTTP/1.10", "GET /a HTTP/1,1", "GET /a HTTP/1.1\u{0}", "GET /a HTTP/3", "GET /a",
      "GE\u{0}T /a HTTP/1.1", "PRI * HTTP/2.0", "GET /a HTTP/1.1\r", "GET /a%0 HTTP/1.1",
      "GET /\(String(repeating: "a", count: 17_000)) HTTP/1.1",
    ].map { "\($0)\r\nHost: a\r\n\r\n" }
    + [
      "GET /a HTTP/1.1\r\n Host: a\r\n\r\n", "GET /a HTTP/1.1\r\nHost : a\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
      "GET /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HEAD /a HTTP/1.1\r\nHost: a\r\nContent-Length: 35\r\n\r\n", "GET /a HTTP/1.1\rHost: a\r\r",
      "GET /a HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 5000))\r\n",
      "GET /a HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 9000))\r\n\r\n",
      "\u{16}\u{3}\u{1}\u{0}\u{5}\u{1}\r\n\r\n",
    ] + hidden

  /// The library's own reading shows nothing of these: it takes them for something else.
  private static let hidden: [String] = [
    "GET /a HTTP/1.1\nHost: a\n\n", "GET /a HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: a\r\nX: b\n\n", "GET /a HTTP/1.1\r\nHost: a\r\nX: b\r\n\n",
    "GET /a HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n", "GET /a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\u{0}0\r\n\r\nabc",
    "GET /a HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\n:\r\n",
    "GET /a HTTP/1.1\r\nHost:a\r\n:\r\n", "GET /a HTTP/1.1\r\nHost:a\r\nX:b\r\nY:c\r\n:\r\n",
    "GET /a HTTP/1.1\r\nHost: a\r\n\u{0}\r\n", "GET /a HTTP/1.1\r\nHost: a\r\n\u{0}X: b\r\n",
    "GET /a HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: a\r\nX: a\r\n\tb\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: a\r\nX:a\r\n \r\n\r\n", "GET  /a HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a  HTTP/1.1\r\nHost:a\r\n\r\n",
  ]

  private static let chunks: [String] = [
    "3 \r\nabc\r\n0\r\n\r\n", " 3\r\nabc\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n",
    "+3\r\nabc\r\n0\r\n\r\n", "-3\r\nabc\r\n0\r\n\r\n", "\r\nabc\r\n0\r\n\r\n",
    ";\r\nabc\r\n0\r\n\r\n", "zz\r\nabc\r\n0\r\n\r\n", "3g\r\nabc\r\n0\r\n\r\n",
    "3\u{0}\r\nabc\r\n0\r\n\r\n", "10000000000000003\r\nabc\r\n0\r\n\r\n",
    "3\r\nabc0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\rabc\r0\r\r",
    "0\r\nGET / HTTP/1.1\r\n\r\n", "0\r\n\(String(repeating: "X: y\r\n", count: 5000))\r\n",
  ].map { "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\($0)" }

  /// Whatever a proxy makes of where such content ends, the connection does too.
  @Test(arguments: [
    ("3\r\nabc\r\n0\r\n\r\n", 3), ("3;a=b\r\nabc\r\n0\r\n\r\n", 3),
    ("3;a=\"b\r\nabc\r\n0\r\n\r\n", 3), ("3;a\nabc\r\n0\r\n\r\n", 3), ("3\nabc\n0\n\n", 3),
    ("3\r\nab\r\n0\r\n\r\n", 3),
    ("0003\r\nabc\r\n0\r\n\r\n", 3), ("0\r\nX: y\r\n\r\n", 0),
    ("0\r\nContent-Length: 30\r\n\r\n", 0), ("0\r\nHost: b\r\n\r\n", 0),
  ])
  func `a chunked request is the last one on its connection`(content: String, count: Int) throws {
    let (answer, handled) = try outcome(
      "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(content)")
    #expect(handled == ["/a \(count)"])
    #expect(answer == plain("ok", closing: true))
  }

  @Test(arguments: ["ffffffffffffffff", "7fffffffffffffff", "100000000"])
  func `a chunk as large as numbers get is content beyond the limit`(_ size: String) throws {
    let head = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n"
    let (answer, handled) = try outcome(head + String(repeating: "b", count: 1001)) {
      $0.maximumBodySize = 1000
    }
    #expect(handled == [])
    #expect(answer == pastLibrary(refusal("413 Content Too Large")))
    #expect(try outcome(head + "abc").handled == [])
  }

  /// These are as RFC 9112 wants or allows them.
  @Test(arguments: [
    ("\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n", 0), ("GET /a HTTP/1.1\r\nHost:a\r\n\r\n", 0),
    ("GET /a HTTP/1.1\r\nHost:a\r\nX:\r\nY: \r\nZ:\t\r\n\r\n", 0),
    ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \t 3\r\n\r\nabc", 3),
    ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 003\r\n\r\nabc", 3),
    (
      "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Content-Length, Upgrade\r\nUpgrade: h2c\r\n\r\n", 0
    ),
    ("GET /a HTTP/1.1\r\nHost: a\r\nX: \t a b \t\r\n\r\n", 0),
  ])
  func `what is only unusual is taken, and so is what follows`(message: String, count: Int) throws {
    let (answer, handled) = try outcome(message)
    #expect(handled == ["/a \(count)", "/second 0"])
    #expect(answer == plain("ok") + plain("ok"))
  }
}
