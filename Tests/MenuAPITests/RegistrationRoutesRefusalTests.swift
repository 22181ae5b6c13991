import MicroHTTP
import Testing

struct RegistrationRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a responder without a coordinator has no registrations`() throws {
    try sample.refuses(
      .get, "/sessions/demo/responders/photoGrid/coordinator/handlers",
      with: #"""
        404 /problems/no-coordinator
        The responder 'photoGrid' hosts no coordinator; PUT it with a member 'coordinator'.
        """#)
  }

  @Test func `a responder without a coordinator takes no registrations`() throws {
    try sample.refuses(
      .post,
      "/sessions/demo/responders/photoGrid/coordinator/handlers",
      #"{"selector":"copy:","handler":{}}"#,
      with: #"""
        404 /problems/no-coordinator
        The responder 'photoGrid' hosts no coordinator; PUT it with a member 'coordinator'.
        """#)
  }

  @Test func `an unknown token is not found`() throws {
    try sample.refuses(
      .get, "/sessions/demo/responders/photoHost/coordinator/handlers/99",
      with: #"""
        404 /problems/unknown-registration
        The coordinator of 'photoHost' has no registration '99'; it was removed or replaced.
        """#)
  }

  @Test func `what is no token is not found`() throws {
    try sample.refuses(
      .get, "/sessions/demo/responders/photoHost/coordinator/handlers/+1",
      with: #"""
        404 /problems/unknown-registration
        The coordinator of 'photoHost' has no registration '+1'; it was removed or replaced.
        """#)
  }

  @Test func `an unknown token cannot be changed`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/photoHost/coordinator/handlers/99",
      #"{"selector":"a:"}"#,
      with: #"""
        404 /problems/unknown-registration
        The coordinator of 'photoHost' has no registration 99; it was removed or replaced.
        """#)
  }

  @Test func `a registration needs selector and handler`() throws {
    try sample.refuses(
      .post, "/sessions/demo/responders/photoHost/coordinator/handlers", #"{}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'selector' is missing. And 1 more, see 'errors'.
        """#)
  }

  @Test func `a registration has no canPerform`() throws {
    try sample.refuses(
      .post,
      "/sessions/demo/responders/photoHost/coordinator/handlers",
      #"{"selector":"copy:","handler":{"canPerform":true}}"#,
      with: #"""
        422 /problems/invalid-body
        /handler/canPerform
        There is no member 'canPerform' here; known are validate, perform and continues.
        """#)
  }
}
