import MicroHTTP
import Testing

struct ServerTests {
  @Test func `an answer is whole and its date the server's`() throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    client.send("GET /commands/undo: HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.readResponse() == ok("GET [commands|undo:]  ()"))
  }

  @Test(arguments: [
    ("/", "[] "), ("//", "[|] "), ("/a/", "[a|] "), ("/a:b", "[a:b] "), ("/a%3Ab", "[a:b] "),
    ("/%C3%A9", "[é] "), ("/a%20b/%25", "[a b|%] "), ("/a+b", "[a+b] "), ("/.", "[.] "),
    ("/a?", "[a] "), ("/a?x=1&y=%26&x=2", "[a] x=1&y=&&x=2"), ("/?a+b=c%2Bd", "[] a b=c+d"),
    ("/?flag&&e=", "[] flag=&e="), ("/?a=b=c?d/e", "[] a=b=c?d/e"),
  ])
  func `paths and queries are decoded once, segment by segment`(
    target: String, decoded: String
  ) throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.readResponse() == ok("GET \(decoded) ()"))
  }

  @Test func `a query of thousands of items is answered`() throws {
    let server = try Server.start { Response(body: Array("\($0.query.items.count)".utf8)) }
    let query = String(repeating: "a=b&", count: 3000)
    let answer = try server.answer(to: "GET /?\(query) HTTP/1.0\r\n\r\n")
    #expect(answer.lines.last == "3000")
  }

  @Test(arguments: [Method.post, .put, .patch])
  func `a body arrives with its request`(_ method: Method) throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    client.send("\(method.rawValue) /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
    #expect(try client.readResponse() == ok("\(method.rawValue) [a]  (abc)"))
    client.send("\(method.rawValue) /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    #expect(try client.readResponse() == ok("\(method.rawValue) [b]  ()"))
  }

  @Test(arguments: [Method.get, .delete, .options])
  func `methods without a body are answered and keep their connection`(_ method: Method) throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    for path in ["a", "b"] {
      client.send("\(method.rawValue) /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.readResponse() == ok("\(method.rawValue) [\(path)]  ()"))
    }
    client.send("\(method.rawValue) /c HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    #expect(try client.readResponse() == ok("\(method.rawValue) [c]  ()"))
  }

  @Test func `HEAD has the length of what GET would give, and nothing after it`() throws {
    let server = try Server.echo()
    let message = "HEAD /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    let answer = ok("HEAD [a]  ()", closing: true)
    #expect(try server.answer(to: message) == String(answer.dropLast("HEAD [a]  ()".count)))
  }

  @Test func `requests sent together are answered in their order`() throws {
    let server = try Server.echo()
    let client = try RawClient(port: server.port)
    client.send(
      "GET /a HTTP/1.1\r\nHost: a\r\n\r\nPOST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
        + "GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.readResponse() == ok("GET [a]  ()"))
    #expect(try client.readResponse() == ok("POST [b]  (hi)"))
    #expect(try client.readResponse() == ok("GET [c]  ()"))
  }

  @Test func `HTTP 1.0 needs no host and is closed`() throws {
    let server = try Server.echo()
    let answer = try server.answer(to: "GET /a HTTP/1.0\r\n\r\n")
    #expect(answer == ok("GET [a]  ()", closing: true))
  }

  @Test func `a chunked body is put together and its connection closed`() throws {
    let server = try Server.echo()
    let answer = try server.answer(
      to: "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n")
    #expect(answer == ok("POST [a]  (abcde)", closing: true))
  }

  @Test func `headers keep order and repetitions, and case does not matter`() throws {
    let server = try Server.start { request in
      let lines = request.headers.fields.map { "\($0.name)=\($0.value)" }
      let found = [request.headers["x-a"] ?? "-"] + request.headers.values(of: "X-a")
      return Response(body: Array((lines + found).joined(separator: ";").utf8))
    }
    let answer = try server.answer(
      to: "GET / HTTP/1.0\r\nX-A: 1\r\nB: \t\r\nx-a:  caf\u{E9} , 2 \r\n\r\n")
    #expect(answer.lines.last == "X-A=1;B=;x-a=café , 2;1;1;café , 2")
  }

  @Test func `a request knows its client and its path as sent`() throws {
    let server = try Server.start { Response(body: Array("\($0.remoteAddress) \($0.path)".utf8)) }
    let answer = try server.answer(to: "GET /a%3Ab?c=d HTTP/1.0\r\n\r\n")
    #expect(answer.lines.last == "127.0.0.1 /a%3Ab")
  }

  @Test func `a 204 has no body, and does not count it`() throws {
    let server = try Server.start { _ in Response(status: .noContent, headers: ["ETag": "\"1\""]) }
    let answer = try server.answer(to: "GET / HTTP/1.0\r\n\r\n")
    #expect(answer == "HTTP/1.1 204 No Content\r\nConnection: close\r\nETag: \"1\"\r\n\r\n")
  }

  @Test func `nothing is behind a 304 but the next answer`() throws {
    let server = try Server.start { request in
      request.path == "/" ? Response(status: .notModified, headers: ["ETag": "\"1\""]) : Response()
    }
    let answer = try server.answer(
      to: "GET / HTTP/1.1\r\nHost: a\r\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
        + "GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let notModified = "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n"
    #expect(
      answer == notModified + notModified
        + "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
  }

  @Test(arguments: ["a\nb", "a\rb", "a\r\nX: y"])
  func `a response with a field that cannot be sent is not sent`(_ value: String) throws {
    let server = try Server.start { _ in Response(headers: ["Location": value]) }
    let answer = try server.answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer == refusal("500 Internal Server Error"))
  }

  @Test func `refusals are worded by whoever starts the server`() throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    let server = try Server(
      configuration, handler: { _ in .response(Response()) },
      refusal: { reason, _ in Response(status: reason.status, body: Array("\(reason)".utf8)) })
    let answer = try server.answer(to: "GET / HTTP/1.1\r\n\r\n")
    #expect(
      answer == "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 11\r\n\r\n"
        + "missingHost")
  }

  @Test func `large answers arrive whole, on a kept connection and with two threads`() throws {
    let body = [UInt8](repeating: 0x61, count: 3_000_000)
    let server = try Server.start({ $0.threads = 2 }, handler: { _ in Response(body: body) })
    let client = try RawClient(port: server.port)
    for _ in 1...2 {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.readResponse().utf8.count > body.count)
    }
  }
}
