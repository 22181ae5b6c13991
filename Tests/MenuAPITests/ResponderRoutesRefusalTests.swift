import MicroHTTP
import Testing

struct ResponderRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `an unknown responder is not found`() throws {
    try sample.refuses(
      .get, "/sessions/demo/responders/ghost",
      with: #"""
        404 /problems/unknown-responder
        The session 'demo' has no responder 'ghost'.
        """#)
  }

  @Test func `a responder of a session that is not open is not found`() throws {
    try sample.refuses(
      .get, "/sessions/nobody/responders/photoGrid",
      with: #"""
        404 /problems/unknown-session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
  }

  @Test func `a name that cannot be one is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/a%20b", #"{"kind":"view"}"#,
      with: #"""
        400 /problems/invalid-name
        'a b' cannot be a name; names have 1 to 128 letters A to Z and a to z, digits and '_', '.', ':', '-'.
        """#)
  }

  @Test func `a responder without a kind is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/caption", #"{}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'kind' is missing.
        """#)
  }

  @Test func `an unknown kind is refused with those that are known`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/caption", #"{"kind":"button"}"#,
      with: #"""
        422 /problems/invalid-body
        /kind
        Expected 'application', 'delegate', 'scene', 'window', 'viewController', 'view' or 'responder', found the string 'button'.
        """#)
  }

  @Test func `a link of another kind of responder is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/caption", #"{"kind":"view","parent":"root"}"#,
      with: #"""
        422 /problems/invalid-body
        /parent
        A responder of kind 'view' has no 'parent'; only those of kind 'viewController' have one.
        """#)
  }

  @Test func `a link to a responder that is not there is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/caption", #"{"kind":"view","superview":"ghost"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /superview
        The link 'superview' of 'caption' leads to 'ghost', which the session does not have; put that responder first.
        """#)
  }

  @Test func `a link to a responder of another kind is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/caption", #"{"kind":"view","superview":"root"}"#,
      with: #"""
        422 /problems/invalid-body
        /superview
        The link 'superview' of 'caption' leads to 'root' of kind 'viewController'; it can lead only to a responder of kind 'view' or 'window'.
        """#)
  }

  @Test func `a root view with another owner is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/other", #"{"kind":"viewController","view":"rootView"}"#,
      with: #"""
        409 /problems/link-conflict
        /view
        'other' and 'root' both have 'rootView' as their 'view'; only one of them can.
        """#)
  }

  @Test func `a second application is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/other", #"{"kind":"application"}"#,
      with: #"""
        409 /problems/link-conflict
        /kind
        'other' would be a second application beside 'application'.
        """#)
  }

  @Test func `a link that closes a cycle is refused with the cycle`() throws {
    try sample.refuses(
      .put,
      "/sessions/demo/responders/window",
      #"{"kind":"window","rootViewController":"root","next":"rootView"}"#,
      with: #"""
        409 /problems/link-conflict

        The link 'next' would close a cycle: 'window' → 'rootView' → 'root' → 'window'.
        """#)
  }

  @Test func `a rule with a slip is refused with its place and a hint`() throws {
    let body = #"""
      {"kind":"view","handlers":{"copy:":{"validate":{"enabled":"stat.rating == 5"}}}}
      """#
    try sample.refuses(
      .put, "/sessions/demo/responders/caption", body,
      with: #"""
        422 /problems/invalid-body
        /handlers/copy:/validate/enabled
        The rule does not compile: unknown variable 'stat' at offset 0 (line 1, column 1); did you mean 'state'?
        """#)
  }

  @Test func `a responder that is not there cannot be removed`() throws {
    try sample.refuses(
      .delete, "/sessions/demo/responders/ghost",
      with: #"""
        404 /problems/unknown-responder
        The session has no responder 'ghost'.
        """#)
  }
}
