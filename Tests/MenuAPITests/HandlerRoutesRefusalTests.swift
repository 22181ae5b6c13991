import JSONText
import MicroHTTP
import Testing

struct HandlerRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `an unknown handler is not found`() throws {
    try sample.refuses(
      .get, "/sessions/demo/responders/photoGrid/handlers/paste:",
      with: #"""
        404 /problems/unknown-handler
        The responder 'photoGrid' has no handler of its own for 'paste:'.
        """#)
  }

  @Test func `a handler of a class is not the responder’s own`() throws {
    try sample.refuses(
      .get, "/sessions/demo/responders/photoGrid/handlers/applyFiveStarRating:",
      with: #"""
        404 /problems/unknown-handler
        The responder 'photoGrid' has no handler of its own for 'applyFiveStarRating:'.
        """#)
  }

  @Test func `a selector that cannot be one is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/photoGrid/handlers/9lives", #"{}"#,
      with: #"""
        400 /problems/invalid-name
        '9lives' cannot be a selector; selectors are like 'copy:' or 'insert:at:'.
        """#)
  }

  @Test func `a handler of an unknown responder is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/ghost/handlers/copy:", #"{}"#,
      with: #"""
        404 /problems/unknown-responder
        The session has no responder 'ghost'.
        """#)
  }

  @Test func `an unknown member is refused with those that are known`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:", #"{"preform":[]}"#,
      with: #"""
        422 /problems/invalid-body
        /preform
        There is no member 'preform' here; did you mean 'perform'?
        """#)
  }

  @Test func `an effect that is misspelt is refused with the one that was meant`() throws {
    let response = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
      #"{"perform":[{"op":"sned","action":"'a:'"}]}"#)
    #expect(try response.value("/pointer") == "/perform/0/op")
    guard case .string(let detail)? = try response.value("/detail") else {
      Issue.record("'detail' is not a string")
      return
    }
    #expect(
      detail == """
        Expected one of 94 words, which GET /openapi.json lists, found the string \
        'sned'; did you mean 'send'?
        """)
  }

  @Test func `a rule with a slip is refused with its place and a hint`() throws {
    let body = #"""
      {"validate":{"enabled":"state.rating = 5"},"perform":[{"op":"replace","path":"rating","value":5}]}
      """#
    try sample.refuses(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:", body,
      with: #"""
        422 /problems/invalid-body
        /validate/enabled
        The rule does not compile: unexpected character '=' at offset 13 (line 1, column 14); did you mean '=='? And 2 more, see 'errors'.
        """#)
  }

  @Test func `an unknown handler cannot be removed`() throws {
    try sample.refuses(
      .delete, "/sessions/demo/responders/photoGrid/handlers/paste:",
      with: #"""
        404 /problems/unknown-handler
        The responder 'photoGrid' has no handler of its own for 'paste:'.
        """#)
  }
}
