import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

struct ServiceTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test(arguments: [
    "/health", "/openapi.json", "/commands", "/commands/copy:", "/menus", "/menus/edit",
    "/sessions/demo", "/sessions/demo/menu", "/sessions/demo/diagnostics",
    "/sessions/demo/responders/photoGrid/handlers/copy:", "/nowhere",
  ])
  func `HEAD is answered as GET`(path: String) throws {
    let get = try sample.send(.get, path)
    let head = try sample.send(.head, path)
    #expect(head.status == get.status)
    #expect(head.text == get.text)
    #expect(head.headers["etag"] == get.headers["etag"])
  }

  @Test(arguments: [
    ("/commands", "GET, HEAD, OPTIONS"),
    ("/commands/validate", "GET, HEAD, POST, PUT, DELETE, OPTIONS"),
    ("/sessions", "GET, HEAD, POST, OPTIONS"),
    ("/sessions/demo/state", "PATCH, OPTIONS"),
    ("/sessions/demo/first-responder", "GET, HEAD, PUT, OPTIONS"),
    ("/sessions/demo/deliveries/claim", "POST, OPTIONS"),
    ("/sessions/demo/deliveries/7", "GET, HEAD, OPTIONS"),
  ])
  func `OPTIONS lists the methods of a path`(path: String, allowed: String) throws {
    let response = try sample.send(.options, path)
    #expect(response.status == .noContent)
    #expect(response.headers["allow"] == allowed)
    #expect(response.body.isEmpty)
  }

  @Test(arguments: [Method.patch, .trace, .query])
  func `a method that a path does not have is answered with those that it has`(
    method: Method
  ) throws {
    let response = try sample.send(method, "/commands", "{}")
    #expect(response.status == .methodNotAllowed)
    #expect(response.headers["allow"] == "GET, HEAD, OPTIONS")
  }

  @Test func `another content type is answered with those that are read`() throws {
    let post = try sample.send(.post, "/commands/validate", "{}", type: "text/plain")
    #expect(post.headers["accept"] == "application/json")
    let patch = try sample.send(.patch, "/sessions/demo/state", "{}")
    let patches = "application/json-patch+json, application/merge-patch+json"
    #expect(patch.headers["accept-patch"] == patches)
  }

  @Test(arguments: [
    "application/json", "Application/JSON", "application/json; charset=utf-8",
    " application/json ;x=y",
  ])
  func `content types are read without regard to case and parameters`(type: String) throws {
    let body = #"{"session":"demo"}"#
    #expect(try sample.send(.post, "/commands/validate", body, type: type).status == .ok)
  }

  @Test func `malformed JSON is answered with offset, line and column`() throws {
    let response = try sample.send(.post, "/commands/validate", "{\n \"session\": demo}")
    #expect(try response.value("/offset") == 14)
    #expect(try response.value("/line") == 2)
    #expect(try response.value("/column") == 13)
  }

  @Test func `a problem has all its members in order`() throws {
    let response = try sample.send(.post, "/commands/validate", #"{"session":"nobody"}"#)
    #expect(
      response.text == #"""
        {"type":"/problems/unknown-session","title":"No such session is open","status":404,\#
        "detail":"No session 'nobody' is open; POST /sessions opens one.","pointer":"/session"}
        """#)
  }

  @Test func `several faults are listed, and a single one is told once`() throws {
    let several = try sample.send(.post, "/commands/validate", #"{"session":1,"commands":2}"#)
    #expect(
      try several.value("/errors") == [
        [
          "pointer": "/session",
          "detail": """
          Expected an identifier (1 to 128 letters A to Z and a to z, digits and '_', '.', ':', \
          '-'), found the number 1.
          """,
        ],
        ["pointer": "/commands", "detail": "Expected an array, found the number 2."],
      ])
    let single = try sample.send(.post, "/commands/validate", #"{"session":"demo","commands":2}"#)
    #expect(try single.value("/detail") == "Expected an array, found the number 2.")
    #expect(try single.value("/pointer") == "/commands")
    #expect(try single.value("/errors") == nil)
    let rule = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:", #"{"canPerform":"1 +"}"#)
    #expect(try rule.value("/errors") == nil)
    #expect(try rule.value("/rule/offset") == 3)
  }

  @Test func `a request without a length is told what to send`() throws {
    let response = sample.service.respond(to: .lengthRequired, with: [:])
    #expect(response.status == .lengthRequired)
    #expect(
      try response.value("/detail")
        == """
        POST, PUT and PATCH need a length: send 'Content-Length', which is 0 without a body, or \
        'Transfer-Encoding: chunked'.
        """)
  }

  @Test func `every refusal of the server is a problem of its status`() {
    for refusal in RequestRefusal.allCases {
      let response = sample.service.respond(to: refusal, with: [:])
      #expect(response.status == refusal.status)
      #expect(response.headers["content-type"] == "application/problem+json")
    }
  }

  @Test func `it is ready until it drains, and answers all the same`() throws {
    #expect(try sample.send(.get, "/health/ready").text == #"{"status":"ok"}"#)
    sample.replicas.each { $0.isDraining = true }
    let ready = try sample.send(.get, "/health/ready")
    #expect(ready.status == .serviceUnavailable)
    #expect(
      ready.text == #"""
        {"status":"notReady","reasons":[{"reason":"draining",\#
        "detail":"The program is about to stop."}]}
        """#)
    #expect(try sample.send(.get, "/health/live").status == .ok)
    #expect(try sample.send(.get, "/health").status == .ok)
    #expect(try sample.send(.get, "/commands").status == .ok)
  }
}
