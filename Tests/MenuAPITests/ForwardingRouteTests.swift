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

  @Test func `F2: the inner of two nested hosts wins, if it has a handler`() throws {
    let coordinator = #""coordinator":{"handlers":{"share:":{}}}"#
    _ = try put("outer", #"{"kind":"view","superview":"rootView",\#(coordinator)}"#)
    _ = try put("inner", #"{"kind":"view","superview":"outer",\#(coordinator)}"#)
    func target() throws -> JSON? {
      try sample.send(
        .post, "/targets/resolve", #"{"session":"demo","action":"share:","from":"inner"}"#
      ).value("/target")
    }
    #expect(try target() == "inner/forwarder")
    let registrations = "/sessions/demo/responders/inner/coordinator/handlers"
    guard
      case .int(let token)? = try sample.send(.get, registrations).value("/registrations/0/token")
    else {
      Issue.record("no token")
      return
    }
    _ = try sample.send(.delete, "\(registrations)/\(token)")
    #expect(try target() == "outer/forwarder")
    _ = try put("inner", #"{"kind":"view","superview":"outer","handlers":{"share:":{}}}"#)
    #expect(try target() == "inner")
  }

  @Test func `F8: a host that passes its actions on disables what its coordinator lacks`() throws {
    _ = try put(
      "host",
      #"""
      {"kind":"view","superview":"rootView","coordinator":{"forwarding":"explicit"},
       "handlers":{"copy:":{"perform":[{"op":"handleAction"}],
         "validate":{"enabled":"'copy:' in responder.coordinator.handlers"}}}}
      """#)
    func copy(_ question: String) throws -> Response {
      try sample.send(
        .post, "/commands/\(question)",
        question == "validate"
          ? #"{"session":"demo","commands":["copy:"],"from":"host"}"#
          : #"{"session":"demo","command":"copy:","from":"host","explain":true}"#)
    }
    #expect(try copy("validate").value("/items/0/reason") == "ruleFalse")
    #expect(try copy("validate").value("/items/0/target") == "host")
    #expect(try copy("perform").status == .conflict)
    _ = try sample.send(
      .post, "/sessions/demo/responders/host/coordinator/handlers",
      #"""
      {"selector":"copy:","handler":{"perform":[{"op":"replace","path":"/rating","value":"2"}]}}
      """#)
    #expect(try copy("validate").value("/items/0/enabled") == true)
    let response = try copy("perform")
    #expect(try response.value("/target") == "host")
    #expect(try response.value("/changes/0/value") == 2)
    #expect(response.text.contains("F5: the coordinator of 'host' runs its handler for 'copy:'."))
    #expect(!response.text.contains("forwardInvocation"))
  }
}
