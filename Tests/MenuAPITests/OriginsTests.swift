import MicroHTTP
import Testing

@testable import MenuAPI

/// Requests by web pages of other servers (CORS).
struct OriginsTests {
  let page = ("Origin", "https://menus.example.org")
  let stranger = ("Origin", "https://attacker.example")
  let sample: SampleService

  init() throws {
    var authorization = Authorization()
    authorization.origins = Origins(["https://menus.example.org"])
    sample = try SampleService(authorization: authorization)
  }

  @Test func `without a list no answer speaks of origins`() throws {
    let open = try SampleService()
    for method in [MicroHTTP.Method.get, .options] {
      let response = try open.send(method, "/commands", headers: [page, request("GET")])
      #expect(corsFields(response) == [])
    }
  }

  @Test func `a page of the list may read answers, refusals among them`() throws {
    for path in ["/commands", "/sessions/demo", "/nowhere"] {
      #expect(
        corsFields(try sample.send(.get, path, headers: [page])) == [
          "Vary: Origin", "Access-Control-Allow-Origin: https://menus.example.org",
          "Access-Control-Expose-Headers: Accept-Patch, Allow, Date, ETag, Idempotent-Replayed, "
            + "Location, Mcp-Session-Id, Preference-Applied, Retry-After, WWW-Authenticate, X-Request-Id",
        ])
    }
  }

  @Test(arguments: RequestRefusal.allCases)
  func `a page of the list may read the refusals of the server`(_ refusal: RequestRefusal) {
    for (origin, count) in [(page.1, 3), (stranger.1, 1)] {
      let response = sample.service.respond(to: refusal, with: ["Origin": origin])
      #expect(corsFields(response).count == count)
    }
    #expect(corsFields(sample.service.respond(to: refusal, with: [:])) == ["Vary: Origin"])
  }

  @Test(arguments: [
    "https://attacker.example", "null", "https://menus.example.org:8443",
    "https://menus.example.org.attacker.example", "https://Menus.example.org", "",
  ])
  func `any other page may not, and caches are told that it matters`(origin: String) throws {
    for method in [MicroHTTP.Method.get, .options] {
      let response = try sample.send(
        method, "/commands", headers: [("Origin", origin), request("GET")])
      #expect(corsFields(response) == ["Vary: Origin"])
    }
    #expect(corsFields(try sample.send(.get, "/commands")) == ["Vary: Origin"])
  }

  @Test func `the browser is told beforehand what the page may send`() throws {
    let response = try sample.send(
      .options, "/sessions/demo/first-responder", headers: [page, request("PUT")])
    #expect(response.status == .noContent)
    #expect(
      corsFields(response).suffix(3) == [
        "Access-Control-Allow-Methods: GET, HEAD, PUT, OPTIONS",
        "Access-Control-Allow-Headers: Authorization, Content-Type, Idempotency-Key, If-Match, "
          + "If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, "
          + "Mcp-Session-Id, Menud-Actor, Menud-Session, Prefer, traceparent, tracestate, X-Request-Id",
        "Access-Control-Max-Age: 600",
      ])
  }

  @Test func `it is told so without a token, which it does not send then`() throws {
    var authorization = Authorization.closed
    authorization.origins = Origins(["https://menus.example.org"])
    let closed = try SampleService(authorization: authorization)
    let response = try closed.send(.options, "/sessions", headers: [page, request("POST")])
    #expect(response.status == .noContent)
    #expect(response.headers["access-control-allow-methods"] == "GET, HEAD, POST, OPTIONS")
    let refusal = try closed.send(.get, "/commands", headers: [page])
    #expect(refusal.status == .unauthorized)
    #expect(refusal.headers["access-control-allow-origin"] == "https://menus.example.org")
  }

  @Test func `where no tokens are asked for, pages of elsewhere change nothing`() throws {
    try sample.refuses(
      .post, "/sessions", headers: [stranger],
      with: """
        403 /problems/origin-refused
        Web pages of 'https://attacker.example' may change nothing here; when they should, add the \
        origin to 'cors.origins' (MENUD_CORS_ORIGINS).
        """)
    #expect(try sample.send(.get, "/commands", headers: [stranger]).status == .ok)
    let own = [("Origin", "http://localhost:8080"), ("Host", "localhost:8080")]
    for fields in [[page], own, []] {
      #expect(try sample.send(.post, "/sessions", headers: fields).status == .created)
    }
  }

  @Test func `a token says more than an origin`() throws {
    let closed = try SampleService(authorization: .closed)
    let fields = SampleService.administrator + [stranger]
    #expect(try closed.send(.post, "/sessions", headers: fields).status == .created)
  }

  private func request(_ method: String) -> (String, String) {
    ("Access-Control-Request-Method", method)
  }

  private func corsFields(_ response: Response) -> [String] {
    response.headers.fields.filter { $0.name == "Vary" || $0.name.hasPrefix("Access-Control") }
      .map { "\($0.name): \($0.value)" }
  }
}
