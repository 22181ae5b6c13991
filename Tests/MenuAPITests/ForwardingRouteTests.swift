import JSONText
import MicroHTTP
import Testing

/// Forwarding by any responder over HTTP (F4, F10).
struct ForwardingRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func put(_ id: String, _ body: String) throws -> Response {
    try sample.send(.put, "/sessions/demo/responders/\(id)", body)
  }

  @Test func `F10: a message sent to a responder arrives at its forwarding target`() throws {
    _ = try put("proxy", #"{"kind":"responder","forwardingTarget":"photoGrid"}"#)
    let response = try sample.send(
      .post, "/commands/perform",
      #"{"session":"demo","action":"applyFiveStarRating:","to":"proxy","explain":true}"#)
    #expect(try response.value("/target") == "proxy")
    #expect(try response.value("/invocation/target") == "photoGrid")
    #expect(
      try response.value("/trace/1/says")
        == "F10: 'proxy' forwards 'applyFiveStarRating:' to 'photoGrid', where it is tried again.")
  }

  @Test func `F10: a catch-all takes what it accepts`() throws {
    _ = try put(
      "trap",
      #"""
      {"kind":"responder","catchAll":{"selector":"any:","accepts":["copy:"]},
       "handlers":{"any:":{"perform":[{"op":"replace","path":"/rating","value":"3"}]}}}
      """#)
    let response = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"copy:","to":"trap"}"#)
    #expect(try response.value("/invocation/selector") == "any:")
    #expect(try response.value("/invocation/originalSelector") == "copy:")
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"paste:","to":"trap"}"#,
      with: """
        409 /problems/does-not-recognize-selector
        'trap' has no handler for 'paste:' and does not forward it.
        """)
  }

  @Test func `F4: with explain, the error carries what was asked`() throws {
    let body = #"{"session":"demo","action":"copy:","to":"window","explain":true}"#
    let response = try sample.send(.post, "/commands/perform", body)
    #expect(response.status == .conflict)
    #expect(
      try response.value("/trace/3/says")
        == "F4: 'window' does not recognize 'copy:', which is an error.")
    let plain = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"copy:","to":"window"}"#)
    #expect(try plain.value("/trace") == nil)
  }

  @Test func `R9: a forwarding target that leads back is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/loop", #"{"kind":"responder","forwardingTarget":"loop"}"#,
      with: """
        409 /problems/link-conflict

        The link 'forwardingTarget' would close a cycle: 'loop' → 'loop'.
        """)
  }

  @Test func `F10: a responder is answered with what it forwards`() throws {
    let body = #"{"kind":"responder","forwardingTarget":"root","catchAll":{"selector":"any:"}}"#
    _ = try put("trap", body)
    let response = try sample.send(.get, "/sessions/demo/responders/trap")
    #expect(try response.value("/responder/forwardingTarget") == "root")
    #expect(try response.value("/responder/catchAll/selector") == "any:")
  }

  @Test func `F10: the rules of a catch-all read which message it was`() throws {
    _ = try put(
      "trap",
      #"""
      {"kind":"responder","catchAll":{"selector":"any:"},"handlers":{"any:":{"perform":[
        {"op":"answer","value":"invocation.originalSelector + ' as ' + invocation.selector"}]}}}
      """#)
    let response = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"rate:at:","to":"trap"}"#)
    #expect(try response.value("/invocation/result") == "rate:at: as any:")
  }

  @Test func `R9: a chain of forwarding targets, through a proxy even, does not lead back`() throws
  {
    _ = try put("a", #"{"kind":"responder"}"#)
    _ = try put("b", #"{"kind":"responder","proxied":"a"}"#)
    _ = try put("c", #"{"kind":"responder","forwardingTarget":"b"}"#)
    try sample.refuses(
      .put, "/sessions/demo/responders/a", #"{"kind":"responder","forwardingTarget":"c"}"#,
      with: """
        409 /problems/link-conflict

        The link 'forwardingTarget' would close a cycle: 'a' → 'c' → 'b' → 'a'.
        """)
  }
}
