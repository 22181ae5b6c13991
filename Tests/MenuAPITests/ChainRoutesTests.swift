import JSONText
import MicroHTTP
import Testing

/// User activities and touch bars over HTTP (L13).
struct ChainRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `L13: the user activity is the nearest one on the chain`() throws {
    #expect(
      try sample.send(.get, "/sessions/demo/user-activity").text == #"""
        {"session":"demo","revision":0,"catalogRevision":0,"responder":"root",\#
        "userActivity":{"activityType":"photos.browse","title":"Alps","userInfo":{}}}
        """#)
    #expect(
      try sample.send(.get, "/sessions/demo/user-activity?from=window").text == #"""
        {"session":"demo","revision":0,"catalogRevision":0,"responder":null,"userActivity":null}
        """#)
  }

  @Test func `L13: a touch bar's items carry their commands as they are now`() throws {
    _ = try sample.send(
      .put, "/sessions/demo/responders/window",
      #"""
      {"kind":"window","rootViewController":"root",
       "touchBar":{"items":[{"identifier":"share","title":"Share"}]}}
      """#)
    let response = try sample.send(.get, "/sessions/demo/touch-bar")
    #expect(
      try response.value("/items") == [
        [
          "identifier": "copy:", "responder": "root", "title": "Copy Photo",
          "item": [
            "command": "copy:", "title": "Copy Photo", "enabled": true, "state": "off",
            "attributes": [], "target": "photoGrid", "reason": "enabled",
          ],
        ],
        ["identifier": "share", "responder": "window", "title": "Share"],
      ])
  }

  @Test(arguments: ["user-activity", "touch-bar"])
  func `L13: with explain comes the trace`(question: String) throws {
    let plain = try sample.send(.get, "/sessions/demo/\(question)")
    #expect(try plain.value("/trace") == nil)
    let response = try sample.send(.get, "/sessions/demo/\(question)?explain")
    #expect(try response.value("/trace/0/asked") == "photoGrid")
    #expect(try response.value("/trace/0/rule") == "L13")
  }

  @Test(arguments: ["user-activity", "touch-bar"])
  func `what the client has already is not sent again`(question: String) throws {
    let target = "/sessions/demo/\(question)"
    let tag = try #require(try sample.send(.get, target).headers["etag"])
    let headers = [("If-None-Match", tag)]
    #expect(try sample.send(.get, target, headers: headers).status == .notModified)
    #expect(try sample.send(.get, "\(target)?from=window", headers: headers).status == .ok)
    #expect(try sample.send(.get, "\(target)?explain", headers: headers).status == .ok)
    _ = try sample.send(
      .put, "/sessions/demo/first-responder", #"{"responder":"hostedView"}"#)
    #expect(try sample.send(.get, target, headers: headers).status == .ok)
  }

  @Test(arguments: ["user-activity", "touch-bar"])
  func `a chain cannot begin at nobody`(question: String) throws {
    try sample.refuses(
      .get, "/sessions/demo/\(question)?from=ghost",
      with: #"""
        400 /problems/invalid-query
        The session has no responder 'ghost'.
        """#)
    try sample.refuses(
      .get, "/sessions/nobody/\(question)",
      with: #"""
        404 /problems/unknown-session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
  }
}
