import JSONText
import MicroHTTP
import Testing

/// Rules of types that are never wanted, effects at computed places, and senders of bare actions, over
/// HTTP.
struct RuleTypeRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private static let handler = "/sessions/demo/responders/photoGrid/handlers/copy:"
  private static let copying = #"{"session":"demo","action":"copy:"}"#

  /// Expects that an effect of `copy:` fails.
  private func refuses(effect: String, with fault: String) throws {
    _ = try sample.send(.put, Self.handler, #"{"perform":[\#(effect)]}"#)
    try sample.refuses(
      .post, "/commands/perform", Self.copying,
      with: """
        409 /problems/effect-failed
        Nothing was changed, since an effect of 'copy:' at 'photoGrid' failed. \(fault)
        """)
  }

  @Test func `M5: a rule that can never be true or false is refused, with offset and hint`() throws
  {
    try sample.refuses(
      .put, Self.handler,
      #"{"validate":{"enabled":" 5"}}"#,
      with: #"""
        422 /problems/invalid-body
        /validate/enabled
        The rule does not compile: the value is an int, never a bool at offset 1 (line 1, column 2); compare it, as in 'x > 0'.
        """#)
  }

  @Test func `an effect replaces one member at a place that a rule says`() throws {
    _ = try sample.send(
      .put, Self.handler,
      #"{"perform":[{"op":"replace","pathRule":"'/photos/' + string(0)","value":"'owl'"}]}"#)
    let response = try sample.send(.post, "/commands/perform", Self.copying)
    #expect(
      try response.value("/changes/0")
        == ["change": "state", "op": "replace", "path": "/photos/0", "value": "owl"])
  }

  @Test func `a rule that says no place is a fault of its effect`() throws {
    try refuses(
      effect: #"{"op":"remove","pathRule":"'photos'"}"#,
      with:
        "The rule at 'perform/0/pathRule' failed: it answers 'photos', which is no JSON Pointer "
        + "(empty, or beginning with '/').")
  }

  @Test func `a rule that says no selector is a fault of its effect`() throws {
    try refuses(
      effect: #"{"op":"send","action":"'no selector'"}"#,
      with: "The rule at 'perform/0/action' failed: it answers 'no selector', which is no selector "
        + "(a name like 'copy:', its colons counting its arguments).")
  }

  @Test func `a place and a rule for it exclude each other`() throws {
    try sample.refuses(
      .put, Self.handler,
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
