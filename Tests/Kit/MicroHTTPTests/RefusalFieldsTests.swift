import MicroHTTP
import Testing

/// Refusals whose words depend on the fields of their requests.
struct RefusalFieldsTests {
  /// A server whose refusals repeat the origin of their requests.
  private func server(
    _ adjust: (inout ServerConfiguration) -> Void,
    handler: @escaping @Sendable (Request) -> EventualResponse = { _ in .response(Response()) }
  ) throws -> Server {
    var configuration = ServerConfiguration()
    configuration.port = 0
    adjust(&configuration)
    return try Server(
      configuration, handler: handler,
      refusal: { reason, head in
        Response(
          status: reason.status, body: Array("\(reason) of \(head.headers["origin"] ?? "–")".utf8))
      })
  }

  private let origin = "Origin: https://a.example\r\n\r\n"
  private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n", "missingHost"), ("GET /%zz HTTP/1.1\r\nHost: a\r\n", "malformedEscape"),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", "unexpectedTransferEncoding"),
    (post, "lengthRequired"), (post + "Expect: more\r\n", "unsupportedExpectation"),
    (post + "X: \(String(repeating: "a", count: 400))\r\n", "headersTooLarge"),
    (post + "Content-Length: 100001\r\n", "contentTooLarge"),
    (post + "Content-Length: 9\r\n", "requestTimeout"),
  ])
  func `a refused head is known`(beginning: String, reason: String) throws {
    let server = try server {
      $0.maximumHeaderSize = 400
      $0.maximumBodySize = 100_000
      $0.bodyTimeout = .milliseconds(200)
    }
    let answer = try server.answer(to: beginning + origin)
    #expect(answer.lines.last == "\(reason) of https://a.example")
  }

  @Test func `the head of refused content is known`() throws {
    let server = try server { $0.maximumBodySize = 8 }
    let head = Self.post + "Transfer-Encoding: chunked\r\n" + origin
    let answer = try server.answer(to: head + "9\r\n123456789\r\n0\r\n\r\n")
    #expect(answer.lines.last == "contentTooLarge of https://a.example")
  }

  @Test func `the head of a request that is not handled is known, and no other one`() throws {
    let server = try server { $0.maximumRequestsInFlight = 0 }
    let get = "GET / HTTP/1.1\r\nHost: a\r\n"
    let client = try RawClient(port: server.port)
    for (head, named) in [(get + origin, "https://a.example"), (get + "\r\n", "–")] {
      client.send(head)
      #expect(try client.readResponse().lines.last == "tooManyRequests of \(named)")
    }
  }

  @Test func `a stream beyond the limit gives way to the body of its response`() throws {
    let server = try server {
      $0.maximumStreams = 0
    } handler: { _ in
      guard case .response(var response) = FedStream().response else { return FedStream().response }
      response.body = Array("later".utf8)
      return .response(response)
    }
    let client = try RawClient(port: server.port)
    for _ in 0..<2 {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n" + origin)
      #expect(try client.readResponse().lines.last == "later")
    }
  }

  @Test(arguments: ["tooManyStreams", "noAnswerInTime", "unsendableResponse"])
  func `the head of a request whose response is refused is known`(reason: String) throws {
    let server = try server {
      $0.maximumStreams = 0
      $0.answerTimeout = .milliseconds(200)
    } handler: { _ in
      switch reason {
      case "tooManyStreams": FedStream().response
      case "noAnswerInTime": .promise(ResponsePromise())
      default: .response(Response(headers: ["Location": "a\nb"]))
      }
    }
    let client = try RawClient(port: server.port)
    client.send("GET / HTTP/1.1\r\nHost: a\r\n" + origin)
    #expect(try client.readResponse().lines.last == "\(reason) of https://a.example")
  }
}
