import JSONText
import MicroHTTP
import Testing

struct SessionRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test(arguments: [".", ".."])
  func `names that no address can have are refused`(name: String) throws {
    try SampleService().refuses(
      .post, "/sessions", #"{"id":"\#(name)"}"#,
      with: """
        422 /problems/invalid-body
        /id
        Expected another name than '.' and '..', which no address can have, found the string '\(name)'.
        """)
  }

  @Test func `an unknown session is not found`() throws {
    try sample.refuses(
      .get, "/sessions/nobody",
      with: #"""
        404 /problems/unknown-session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
  }

  @Test func `what cannot be a session is not found`() throws {
    try sample.refuses(
      .get, "/sessions/caf%C3%A9",
      with: #"""
        404 /problems/unknown-session
        No session 'café' is open; POST /sessions opens one.
        """#)
  }

  @Test func `a session that is open is not opened again`() throws {
    try sample.refuses(
      .post, "/sessions", #"{"id":"demo"}"#,
      with: #"""
        409 /problems/session-exists
        /id
        The session 'demo' is open already; choose another id or close that one first.
        """#)
  }

  @Test func `a first responder that is not there is refused`() throws {
    try sample.refuses(
      .post, "/sessions", #"{"template":false,"firstResponder":"photoGrid"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /firstResponder
        The session has no responder 'photoGrid'.
        """#)
  }

  @Test(arguments: [
    (#""registrations":"x""#, "/registrations"), (#""registrations":{"a":5}"#, "/registrations/a"),
    (#""registrations":{"a":{"b:":"x"}}"#, "/registrations/a/b:"), (#""undo":5"#, "/undo"),
    (#""undo":{"session":[]}"#, "/undo/session"), (#""undo":{"other":{}}"#, "/undo/other"),
    (#""messages":{}"#, "/messages"), (#""messages":["x"]"#, "/messages/0"),
  ])
  func `the past of a session is left out, but not whatever stands in its place`(
    member: String, pointer: String
  ) throws {
    let response = try sample.send(.post, "/sessions", "{\(member)}")
    #expect(response.status == .unprocessableContent, "\(response.text)")
    #expect(try response.value("/pointer") == .string(pointer))
  }

  @Test func `a link that leads nowhere is refused`() throws {
    try sample.refuses(
      .post, "/sessions", #"{"responders":{"a":{"kind":"view","superview":"b"}}}"#,
      with: #"""
        422 /problems/unresolved-reference
        /responders/a/superview
        The link 'superview' of 'a' leads to 'b', which the session does not have; put that responder first.
        """#)
  }

  @Test func `links in a cycle are refused with the cycle`() throws {
    let body = #"""
      {"responders":{"a":{"kind":"responder","next":"b"},"b":{"kind":"responder","next":"a"}}}
      """#
    try sample.refuses(
      .post, "/sessions", body,
      with: #"""
        409 /problems/link-conflict
        /responders
        The link 'next' would close a cycle: 'a' → 'b' → 'a'.
        """#)
  }

  @Test func `a class that nobody declared is refused`() throws {
    try sample.refuses(
      .post, "/sessions", #"{"responders":{"a":{"kind":"view","class":"Map"}}}"#,
      with: #"""
        422 /problems/unresolved-reference
        /responders/a/class
        The class 'Map' of the responder 'a' is not declared.
        """#)
  }

  @Test func `a session that is not open cannot be closed`() throws {
    try sample.refuses(
      .delete, "/sessions/nobody",
      with: #"""
        404 /problems/unknown-session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
  }
}
