import JSONText
import MicroHTTP
import Testing

/// Invocations over HTTP (F9): what an answer has can be sent again.
struct InvocationRouteTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    let handler = #"{"perform":[{"op":"replace","path":"/rating","value":"arguments[0]"}]}"#
    for (responder, selector) in [("photoGrid", "set:"), ("root", "set:"), ("root", "clear:")] {
      let path = "/sessions/demo/responders/\(responder)/handlers/\(selector)"
      _ = try sample.send(.put, path, selector == "set:" ? handler : clear)
    }
  }

  private let clear = #"{"perform":[{"op":"replace","path":"/rating","value":"0"}]}"#

  private func perform(_ body: String) throws -> Response {
    try sample.send(.post, "/commands/perform", #"{"session":"demo",\#(body)}"#)
  }

  private func recorded() throws -> JSONObject {
    let response = try perform(#""action":"set:","arguments":[4],"sender":{"kind":"knob"}"#)
    guard case .object(let invocation)? = try response.value("/invocation") else {
      Issue.record("no invocation in \(response.text)")
      return JSONObject()
    }
    return invocation
  }

  private func send(_ invocation: JSONObject) throws -> Response {
    try perform(#""invocation":\#(JSON.object(invocation).text())"#)
  }

  @Test func `F9: the invocation of an answer is sent again as it is`() throws {
    let invocation = try recorded()
    #expect(
      JSON.object(invocation).text() == #"""
        {"target":"photoGrid","selector":"set:","originalSelector":"set:","arguments":[4],\#
        "sender":{"kind":"knob"},"when":"2026-11-21T08:33:20.123Z"}
        """#)
    let response = try send(invocation)
    #expect(response.status == .ok)
    #expect(try response.value("/invocation") == .object(invocation))
    #expect(try response.value("/performed") == true)
    #expect(try response.value("/action") == "set:")
    #expect(try response.value("/changes/0/value") == 4)
    #expect(try response.value("/events") == [])
    #expect(try response.value("/command") == nil)
  }

  @Test func `F9: it is sent to another target, or without one along the chain`() throws {
    var invocation = try recorded()
    invocation["target"] = "root"
    #expect(try send(invocation).value("/target") == "root")
    invocation["target"] = nil
    #expect(try send(invocation).value("/target") == "photoGrid")
  }

  @Test func `F9: another selector touches neither arguments nor the original`() throws {
    var invocation = try recorded()
    invocation["target"] = "root"
    invocation["selector"] = "clear:"
    let response = try send(invocation)
    #expect(try response.value("/invocation/selector") == "clear:")
    #expect(try response.value("/invocation/originalSelector") == "set:")
    #expect(try response.value("/invocation/arguments") == [4])
    #expect(try response.value("/changes/0/value") == 0)
  }

  @Test func `F9: what arrived through a forwarder is sent again with its command`() throws {
    let first = try perform(#""command":"applyFiveStarRating:","from":"photoHost""#)
    guard case .object(let invocation)? = try first.value("/invocation") else {
      Issue.record("'invocation' is not an object")
      return
    }
    #expect(invocation["command"] == "applyFiveStarRating:")
    let again = try send(invocation)
    #expect(try again.value("/target") == "photoHost/forwarder")
    #expect(try again.value("/invocation") == .object(invocation))
    #expect(try again.value("/performed") == true)
  }

  @Test func `F9: one that was never sent is sent, at the time of the request`() throws {
    let response = try perform(#""invocation":{"selector":"set:","arguments":[2]},"explain":true"#)
    #expect(try response.value("/invocation/when") == "2026-11-21T08:33:20.123Z")
    #expect(try response.value("/trace/0/question") == "respondsToSelector")
    #expect(try perform(#""invocation":{"selector":"set:"}"#).value("/changes/0/value") == .null)
  }

  @Test(arguments: [
    (
      #""invocation":{"selector":"set:","arguments":[]}"#, "/invocation/arguments",
      "Expected as many arguments as 'set:' has colons, 1, found none."
    ),
    (
      #""invocation":{"selector":"set:","arguments":[1,[2],3]}"#, "/invocation/arguments",
      "Expected as many arguments as 'set:' has colons, 1, found 3."
    ),
    (
      #""invocation":{"selector":"set:","command":"ghost"}"#, "/invocation/command",
      "There is no command 'ghost'; GET /commands lists those that are declared."
    ),
    (
      #""invocation":{"arguments":[]}"#, "/invocation", "The member 'selector' is missing."
    ),
    (
      #""invocation":{"selector":"set:","when":"yesterday"}"#, "/invocation/when",
      "Expected milliseconds since 1970, or a moment such as '2026-11-21T08:32:27.000Z', of "
        + "the years 0 to 9999, found the string 'yesterday'."
    ),
    (
      #""invocation":{"selector":"set:"},"to":"root""#, "",
      "'invocation' and 'to' exclude each other; give one of them."
    ),
    (
      #""invocation":{"selector":"set:"},"command":"copy:""#, "",
      "'invocation' and 'command' exclude each other; give one of them."
    ),
  ])
  func `F9: what is wrong with an invocation is told with its place`(
    body: String, pointer: String, detail: String
  ) throws {
    let response = try perform(body)
    #expect(try response.value("/pointer") == .string(pointer))
    #expect(try response.value("/detail") == .string(detail))
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 0)
  }

  @Test func `F9: a target that is gone, or a selector that nobody has, is refused`() throws {
    let gone = #"{"session":"demo","invocation":{"target":"ghost","selector":"set:"}}"#
    try sample.refuses(
      .post, "/commands/perform", gone,
      with: """
        422 /problems/unresolved-reference
        /invocation/target
        The session has no responder 'ghost'.
        """)
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","invocation":{"selector":"nobody:"}}"#,
      with: """
        409 /problems/not-performed
        /invocation/selector
        The action 'nobody:' is not sent: nobody on the chain can perform 'nobody:'.
        """)
    try sample.refuses(
      .post, "/commands/perform",
      #"{"session":"demo","invocation":{"target":"root/forwarder","selector":"set:"}}"#,
      with: """
        422 /problems/unresolved-reference
        /invocation/target
        The responder 'root' hosts no coordinator; PUT it with a member 'coordinator'.
        """)
  }

  @Test func `F9: what a handler answers is the invocation's result, until it is sent again`()
    throws
  {
    _ = try sample.send(
      .put, "/sessions/demo/responders/root/handlers/count:",
      #"{"perform":[{"op":"answer","value":"{'photos': size(state.photos)}"}]}"#)
    let response = try perform(#""action":"count:""#)
    #expect(
      try response.value("/invocation")?.text() == #"""
        {"target":"root","selector":"count:","originalSelector":"count:",\#
        "arguments":[{"kind":"request","action":"count:"}],"sender":{"kind":"request","action":"count:"},\#
        "result":{"photos":2},"when":"2026-11-21T08:33:20.123Z"}
        """#)
    guard case .object(var invocation)? = try response.value("/invocation") else {
      Issue.record("'invocation' is not an object")
      return
    }
    #expect(try send(invocation).value("/invocation/result/photos") == 2)
    invocation["selector"] = "clear:"
    #expect(try send(invocation).value("/invocation/result") == nil)
  }

  @Test func `F9: a list of mutations tells its invocations, too`() throws {
    let response = try sample.send(
      .post, "/sessions/demo/mutations",
      #"{"mutations":[{"op":"perform","action":"set:","arguments":[4],"sender":{"kind":"knob"}}]}"#)
    #expect(try response.value("/outcomes/0/invocation") == .object(try recorded()))
  }
}
