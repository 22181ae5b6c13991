import MicroHTTP
import Testing

/// Requests made without a server, as the tests of the layers above make them.
struct RequestTests {
  @Test func `a request is made from a target as the server makes it`() throws {
    let request = try Request(
      .post, "/sessions/a%3Ab?explain=true&explain", headers: ["If-Match": "\"1\""], body: [0x7B])
    #expect(request.segments == ["sessions", "a:b"])
    #expect(request.path == "/sessions/a%3Ab")
    #expect(request.query["explain"] == "true")
    #expect(request.query.values(of: "explain") == ["true", ""])
    #expect(request.query["other"] == nil)
    #expect(request.headers["if-match"] == "\"1\"")
    #expect(request.body == [0x7B])
    #expect(request.remoteAddress == "")
  }

  @Test(arguments: [
    ("", RequestRefusal.malformed(.malformedTarget)), ("a", .malformed(.malformedTarget)),
    ("/a b", .malformed(.malformedTarget)),
    ("/é", .malformed(.malformedTarget)), ("/a%", .malformed(.malformedEscape)),
    ("/a%2", .malformed(.malformedEscape)),
    ("/%2f", .malformed(.malformedEscape)), ("/%00", .malformed(.malformedEscape)),
    ("/%C3", .malformed(.malformedEscape)),
    ("/?a=%0", .malformed(.malformedEscape)), ("/?%00=a", .malformed(.malformedEscape)),
    ("*", .malformed(.malformedTarget)),
    ("http://", .malformed(.malformedTarget)), ("http:///a", .malformed(.malformedTarget)),
    ("http:a", .malformed(.malformedTarget)),
    ("http://u@a/", .malformed(.malformedTarget)), ("ws://a/", .malformed(.malformedTarget)),
    ("http://a/%", .malformed(.malformedEscape)),
  ])
  func `a target that cannot be decoded is refused`(target: String, refusal: RequestRefusal) {
    #expect(throws: refusal) { try Request(.get, target) }
  }

  @Test(arguments: [
    ("http://a:80/b/c%3A?d=e", "a:80", ["b", "c:"], "/b/c%3A"),
    ("HTTPS://[::1]/", "[::1]", [], "/"), ("http://a", "a", [], "/"),
    ("http://a?d=e", "a", [], "/"),
  ])
  func `an absolute target names its host (RFC 9112, 3.2.2)`(
    target: String, host: String, segments: [String], path: String
  ) throws {
    let request = try Request(.get, target, headers: ["Host": "other"])
    #expect(request.authority == host)
    #expect(request.host == host)
    #expect(request.segments == segments)
    #expect(request.path == path)
    #expect(request.query["d"] == (target.contains("d=e") ? "e" : nil))
    #expect(!request.isAboutServer)
  }

  @Test(arguments: ["*", "http://a:8080"])
  func `OPTIONS can be about the server as a whole (RFC 9110, 9.3.7)`(target: String) throws {
    let request = try Request(.options, target)
    #expect(request.isAboutServer)
    #expect(request.segments.isEmpty)
    #expect(request.path == "*")
  }

  @Test(arguments: RequestRefusal.allCases)
  func `every refusal has a status with a reason`(_ refusal: RequestRefusal) {
    #expect((400...505).contains(refusal.status.rawValue))
    #expect(refusal.plainResponse.body == Array("\(refusal.status.reason)\n".utf8))
    #expect(refusal.status.reason != "Unknown")
  }
}
