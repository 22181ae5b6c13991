import Glibc
import JSONText
import StoreSupport
import Testing

/// Clients of the running program that hang up, or end their side.
@Suite(Program.isBuilt) struct HangUpTests {
  private static let exporting = #"{"session":"demo","command":"exportPhotos:"}"#

  @Test func `D2: a client that has hung up claims nothing`() throws {
    let program = try RunningProgram.serving()
    let port = try program.port()
    let claim = Connection.request("POST", "/sessions/demo/deliveries/claim", #"{"by":"gone"}"#)
      .replacing("Host: localhost", with: "Host: localhost\r\nPrefer: wait=20")
    var gone: [Connection] = []
    for _ in 0..<5 {
      let connection = try Connection(port: port)
      connection.send(claim)
      gone.append(connection)
    }
    let waiting = { (count: Int) in
      eventually {
        let page = try? Connection(port: port).ask("GET", "/metrics")
        let text = page.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
        return text.contains("menud_http_waiting_requests \(count)\n")
      }
    }
    #expect(waiting(5))
    gone.removeLast(4)
    #expect(waiting(1))
    gone.removeAll()
    let performed = try Connection(port: port).ask("POST", "/commands/perform", Self.exporting)
    #expect(performed["/deliveries/0/state"] == .string("open"))
    #expect(waiting(0))
    let session = try Connection(port: port).ask("GET", "/sessions/demo")
    #expect(session["/deliveries/0/state"] == .string("open"))
    #expect(session["/deliveries/0/claims"] == .int(0))
  }

  @Test(arguments: [0, 500, 2000])
  func `a client that ends its side gets the answer to a change`(microseconds: UInt32) throws {
    let program = try RunningProgram.serving()
    let port = try program.port()
    for number in 1...20 {
      let connection = try Connection(port: port)
      let change = #"{"mutations":[{"op":"mergeState","patch":{"n":\#(number)}}]}"#
      connection.send(Connection.request("POST", "/sessions/demo/mutations", change))
      usleep(microseconds)
      shutdown(connection.descriptor, Int32(SHUT_WR))
      #expect(try connection.answer().status == 200)
    }
  }

  @Test func `every answer keeps browsers from taking it for something else`() throws {
    let program = try RunningProgram.serving()
    let connection = try Connection(port: try program.port())
    for target in ["/sessions/demo", "/health/live", "/nowhere", "/console/", "/sessions/%zz"] {
      let answer = try connection.ask("GET", target)
      #expect(answer.fields["x-content-type-options"] == "nosniff")
      #expect(answer.fields["cross-origin-resource-policy"] == "same-origin")
    }
  }

  @Test func `a refusal by the server has the request's id, and the log says whose it was`() throws
  {
    let server = try RunningProgram.serving("--log-requests")
    let connection = try Connection(port: server.port())
    connection.send(
      "POST /sessions?ticket=secret HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: mine\r\n"
        + "User-Agent: tester\r\nContent-Length: 9000000\r\n\r\n")
    let large = try connection.answer()
    #expect(large.status == 413)
    #expect(large.fields["x-request-id"] == "mine")
    let other = try Connection(port: server.port()).ask("BREW", "/coffee")
    #expect(other.status == 501)
    let id = try #require(other.fields["x-request-id"])
    let malformed = try Connection(port: server.port())
    malformed.send("GET / HTTP/1.1\r\n: a\r\n\r\n")
    _ = try malformed.answer()
    let refusals = { server.events.filter { $0.isNamed("refusal") } }
    #expect(eventually { refusals().count == 3 })
    let members = ["status", "request", "client", "method", "path", "userAgent"]
    #expect(
      members.map { refusals()[0][$0] } == [
        .int(413), "mine", "127.0.0.1", "POST", "/sessions", "tester",
      ])
    #expect(
      members.map { refusals()[1][$0] } == [
        .int(501), .string(id), "127.0.0.1", "BREW", "/coffee", nil,
      ])
    #expect(refusals()[2]["client"] == "127.0.0.1")
    #expect(!server.errors.contains("secret"))
  }

  @Test func `a large body without a token is refused before it is sent`() throws {
    let program = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_AUTH_ADMINISTRATOR_TOKEN": "adminadminadmin1"])
    let connection = try Connection(port: try program.port())
    connection.send(
      "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{")
    let answer = try connection.answer()
    #expect(answer.status == 401)
    #expect(answer.fields["connection"] == "close")
    #expect(answer.fields["www-authenticate"] == #"Bearer realm="menud""#)
    #expect(answer["/type"] == .string("/problems/unauthorized"))
  }
}
