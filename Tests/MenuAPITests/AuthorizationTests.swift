import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// Access by tokens (RFC 6750).
struct AuthorizationTests {
  let sample: SampleService

  init() throws { sample = try SampleService(authorization: .closed) }

  @Test func `without a token everything is closed but health and the document`() throws {
    let open = ["/health", "/health/live", "/health/ready", "/openapi.json"]
    for route in Service.routes {
      let response = try sample.send(route.method, TokenSample.target(route, session: "demo"))
      let isOpen = open.contains(route.path.text)
      #expect((response.status == .unauthorized) == !isOpen, "\(route.path.text)")
      let challenge = response.headers["www-authenticate"]
      #expect(challenge == (isOpen ? nil : #"Bearer realm="menud""#))
    }
  }

  @Test func `a token that nobody has opens nothing`() throws {
    for route in Service.routes where route.requiredAccess != .open {
      let response = try sample.send(
        route.method, TokenSample.target(route, session: "demo"),
        headers: SampleService.bearer("adminadminadmin2"))
      #expect(response.status == .unauthorized, "\(route.path.text)")
      #expect(
        response.headers["www-authenticate"] == #"Bearer realm="menud", error="invalid_token""#)
    }
  }

  @Test(arguments: ["adminadminadmin0", "adminadminadmin1"])
  func `each administrator's token opens everything`(token: String) throws {
    for route in Service.routes {
      let response = try sample.send(
        route.method, TokenSample.target(route, session: "demo"),
        headers: SampleService.bearer(token))
      #expect(response.status != .unauthorized, "\(route.path.text)")
      #expect(response.status != .forbidden, "\(route.path.text)")
    }
  }

  @Test func `a session's token reads the catalogue and changes none of it`() throws {
    let own = try sample.openWithToken("own")
    // Metrics are refused without looking up what others have opened.
    sample.replicas.settle()
    for route in Service.routes where route.path.parameters.first != "session" {
      let response = try sample.send(
        route.method, TokenSample.target(route, session: "demo"), headers: own)
      #expect(
        (response.status == .forbidden)
          == [.administrator, .monitoring, .workInAll].contains(route.requiredAccess),
        "\(route.path.text)")
      #expect(response.status != .unauthorized)
    }
    let refused = try sample.send(.delete, "/commands/copy:", headers: own)
    #expect(
      refused.headers["www-authenticate"] == #"Bearer realm="menud", error="insufficient_scope""#)
    #expect(
      try refused.problem == """
        /problems/forbidden
        The token is that of a session; this needs an administrator's token.
        """)
    let administrators = Service.routes.filter { $0.requiredAccess == .administrator }
    #expect(
      administrators.map { "\($0.method.rawValue) \($0.path.text)" } == [
        "PUT /commands/{command}", "DELETE /commands/{command}", "POST /menus/edits",
        "POST /sessions", "PUT /protocols/{protocol}", "DELETE /protocols/{protocol}",
        "PUT /storyboards/{storyboard}", "DELETE /storyboards/{storyboard}", "POST /mcp",
        "POST /tokens", "GET /tokens", "DELETE /tokens/{number}", "PUT /keymaps/{keymap}",
        "DELETE /keymaps/{keymap}",
      ])
  }

  @Test func `to a session's token every other session is as if it were not there`() throws {
    let own = try sample.openWithToken("own")
    for route in Service.routes where route.path.parameters.first == "session" {
      let other = try sample.send(
        route.method, TokenSample.target(route, session: "demo"), body(route), headers: own)
      let missing = try sample.send(
        route.method, TokenSample.target(route, session: "nobody"), body(route), headers: own)
      #expect(other.status == missing.status, "\(route.path.text)")
      #expect(
        other.text.replacing("demo", with: "nobody") == missing.text, "\(route.path.text)")
      if body(route) == nil { #expect(other.status == .notFound, "\(route.path.text)") }
    }
    #expect(try sample.send(.get, "/sessions/own", headers: own).status == .ok)
  }

  @Test(arguments: [
    (MicroHTTP.Method.post, "/commands/validate", #"{"session":"demo"}"#),
    (.post, "/commands/perform", #"{"session":"demo","command":"applyFiveStarRating:"}"#),
    (.post, "/keys/resolve", #"{"session":"demo","key":{"input":"5","modifiers":["command"]}}"#),
    (.post, "/keys/press", #"{"session":"demo","key":{"input":"5","modifiers":["command"]}}"#),
    (.post, "/targets/resolve", #"{"session":"demo","action":"copy:"}"#),
    (.get, "/keys/conflicts?session=demo", ""),
    (.patch, "/sessions/demo/state", "{}"),
    (.post, "/sessions/demo/mutations", #"{"mutations":[]}"#),
    (.delete, "/sessions/demo", ""),
  ])
  func `so it is where the session stands in the body or the query`(
    method: MicroHTTP.Method, target: String, text: String
  ) throws {
    let own = try sample.openWithToken("own")
    let body = text.isEmpty ? nil : text
    let type = method == .patch ? "application/merge-patch+json" : "application/json"
    // That it is kept in the cache of answers makes no difference.
    _ = try sample.send(
      method == .delete ? .get : method, target, body, type: type,
      headers: SampleService.administrator)
    let other = try sample.send(method, target, body, type: type, headers: own)
    #expect(other.status == .notFound)
    #expect(try other.value("/detail") == "No session 'demo' is open; POST /sessions opens one.")
    let mine = try sample.send(
      method, target.replacing("demo", with: "own"), body?.replacing("demo", with: "own"),
      type: type, headers: own)
    #expect(mine.status.rawValue < 300, "\(mine.text)")
  }

  @Test func `the token of a closed session opens nothing, not even one of its name`() throws {
    let own = try sample.openWithToken("own")
    #expect(try sample.send(.delete, "/sessions/own", headers: own).status == .noContent)
    #expect(try sample.send(.get, "/sessions/own", headers: own).status == .unauthorized)
    let next = try sample.openWithToken("own")
    #expect(try sample.send(.get, "/sessions/own", headers: own).status == .unauthorized)
    #expect(try sample.send(.get, "/sessions/own", headers: next).status == .ok)
  }

  @Test func `a token is answered once, and only its digest is kept`() throws {
    let response = try sample.send(
      .post, "/sessions", #"{"id":"own"}"#, headers: SampleService.administrator)
    #expect(try response.value("/token") == "token-of-first")
    #expect(response.headers["cache-control"] == "no-store")
    let read = try sample.send(.get, "/sessions/own", headers: SampleService.administrator)
    #expect(try read.value("/token") == nil)
    let session = try #require(sample.service.store.session("own"))
    #expect(session.token == TokenDigest(of: "token-of-first"))
  }

  @Test func `where no tokens are asked for, none are given`() throws {
    let open = try SampleService()
    let response = try open.send(.post, "/sessions", #"{"id":"own"}"#)
    #expect(response.status == .created)
    #expect(try response.value("/token") == nil)
    #expect(response.headers["cache-control"] == nil)
  }

  @Test(arguments: [
    (["Bearer adminadminadmin1"], 200, nil), (["bearer   adminadminadmin1  "], 200, nil),
    (["BEARER adminadminadmin1"], 200, nil), ([""], 401, nil), (["Basic YWRtaW46"], 401, nil),
    (["Bearer"], 400, "invalid_request"), (["Bearer a b"], 400, "invalid_request"),
    (["Bearer =a"], 400, "invalid_request"), (["Bearer é"], 400, "invalid_request"),
    (["Beareradminadminadmin1"], 401, nil), (["Bearer adminadminadmin1="], 401, "invalid_token"),
    (["Bearer adminadminadmin1", "Bearer x"], 400, "invalid_request"),
  ])
  func `the field is read as RFC 6750 has it`(
    fields: [String], status: Int, error: String?
  ) throws {
    let response = try sample.send(
      .get, "/commands", headers: fields.map { ("Authorization", $0) })
    #expect(response.status.rawValue == status)
    let code = error.map { #", error="\#($0)""# } ?? ""
    let challenge = status == 200 ? nil : #"Bearer realm="menud"\#(code)"#
    #expect(response.headers["www-authenticate"] == challenge)
  }

  @Test func `refusals say what to send`() throws {
    #expect(
      try sample.send(.get, "/commands").problem == """
        /problems/unauthorized
        A token is needed; send it as 'Authorization: Bearer …'.
        """)
    #expect(
      try sample.send(.get, "/commands", headers: SampleService.bearer("x")).problem == """
        /problems/unauthorized
        The token is not known, has expired or was revoked, or its session is closed.
        """)
  }

  @Test func `the document says who may do what`() throws {
    let document = try sample.send(.get, "/openapi.json").json
    for route in Service.routes {
      let place = ["paths", route.path.text, route.method.rawValue.lowercased()]
      let security = document[JSONPointer(place + ["security"])]
      let scopes: JSON =
        switch route.requiredAccess {
        case .right(let right): [.string(right.rawValue)]
        case .workInAll: ["work"]
        case .open, .monitoring, .token, .administrator: []
        }
      #expect(security == (route.requiredAccess == .open ? [] : [["token": scopes]]), "\(place)")
      let refusal = document[JSONPointer(place + ["responses", "401"])]
      #expect((refusal == nil) == (route.requiredAccess == .open))
    }
    let scheme = document[JSONPointer(["components", "securitySchemes", "token", "scheme"])]
    #expect(scheme == "bearer")
  }

  private func body(_ route: Route) -> String? {
    route.body?.contents.first?.example
  }
}
