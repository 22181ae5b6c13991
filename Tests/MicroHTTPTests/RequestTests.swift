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
    ("", RequestRefusal.malformedTarget), ("a", .malformedTarget), ("/a b", .malformedTarget),
    ("/é", .malformedTarget), ("/a%", .malformedEscape), ("/a%2", .malformedEscape),
    ("/%2f", .malformedEscape), ("/%00", .malformedEscape), ("/%C3", .malformedEscape),
    ("/?a=%0", .malformedEscape), ("/?%00=a", .malformedEscape),
  ])
  func `a target that cannot be decoded is refused`(target: String, refusal: RequestRefusal) {
    #expect(throws: refusal) { try Request(.get, target) }
  }

  @Test(arguments: RequestRefusal.allCases)
  func `every refusal has a status with a reason`(_ refusal: RequestRefusal) {
    #expect((400...505).contains(refusal.status.rawValue))
    #expect(refusal.plainResponse.body == Array("\(refusal.status.reason)\n".utf8))
    #expect(refusal.status.reason != "Unknown")
  }
}
