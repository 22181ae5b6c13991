import JSONText
import MicroHTTP
import Testing

/// Rules of types that are never wanted, effects at computed places, and senders of bare actions, over
/// HTTP.
struct RuleTypeRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func put(_ handler: String) throws -> Response {
    try sample.send(.put, "/sessions/demo/responders/photoGrid/handlers/copy:", handler)
  }

  @Test func `M5: a rule that can never be true or false is refused, with offset and hint`() throws
  {
    try sample.refuses(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
      #"{"validate":{"enabled":" 5"}}"#,
      with: #"""
        422 /problems/invalid-body
        /validate/enabled
        The rule does not compile: the value is an int, never a bool at offset 1 (line 1, column 2); compare it, as in 'x > 0'.
        """#)
  }

  @Test func `an effect replaces one member at a place that a rule says`() throws {
    _ = try put(
      #"{"perform":[{"op":"replace","pathRule":"'/photos/' + string(0)","value":"'owl'"}]}"#)
    let response = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"copy:"}"#)
    #expect(
      try response.value("/changes/0")
        == ["change": "state", "op": "replace", "path": "/photos/0", "value": "owl"])
  }

  @Test func `a rule that says no place is a fault of its effect`() throws {
    _ = try put(#"{"perform":[{"op":"remove","pathRule":"'photos'"}]}"#)
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"copy:"}"#,
      with: #"""
        409 /problems/effect-failed
        Nothing was changed, since an effect of 'copy:' at 'photoGrid' failed. The rule at 'perform/0/pathRule' failed: it answers 'photos', which is no JSON Pointer (empty, or beginning with '/').
        """#)
  }

  @Test func `a rule that says no selector is a fault of its effect`() throws {
    _ = try put(#"{"perform":[{"op":"send","action":"'no selector'"}]}"#)
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"copy:"}"#,
      with: #"""
        409 /problems/effect-failed
        Nothing was changed, since an effect of 'copy:' at 'photoGrid' failed. The rule at 'perform/0/action' failed: it answers 'no selector', which is no selector (a name like 'copy:', its colons counting its arguments).
        """#)
  }

  @Test func `a place and a rule for it exclude each other`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
      #"{"perform":[{"op":"remove","path":"/photos","pathRule":"'/photos'"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /perform/0
        'path' and 'pathRule' exclude each other; give one of them.
        """#)
  }

  @Test func `F6, R6: a bare action through a forwarder is what resolving says of it`() throws {
    let look = #"{"session":"demo","action":"applyFiveStarRating:","from":"photoHost"}"#
    let found = try sample.send(.post, "/targets/resolve", look)
    #expect(try found.value("/target") == "photoHost/forwarder")
    #expect(try found.value("/reason") == "enabled")
    let performed = try sample.send(.post, "/commands/perform", look)
    #expect(try performed.value("/performed") == true)
    #expect(
      try performed.value("/invocation/sender")
        == ["kind": "request", "action": "applyFiveStarRating:"])
    let mute =
      #"{"session":"demo","action":"applyFiveStarRating:","from":"photoHost","sender":{"kind":"x"}}"#
    #expect(try sample.send(.post, "/targets/resolve", mute).value("/reason") == "noAction")
    #expect(try sample.send(.post, "/commands/perform", mute).status == .conflict)
  }
}
