import MicroHTTP
import Testing

struct FocusRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a first responder that is not there is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/first-responder", #"{"responder":"ghost"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /responder
        The session has no responder 'ghost'.
        """#)
  }

  @Test func `the member must be there, be it null`() throws {
    try sample.refuses(
      .put, "/sessions/demo/first-responder", #"{}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'responder' is missing.
        """#)
  }

  @Test func `a key window that is no window is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/key-window", #"{"window":"root"}"#,
      with: #"""
        422 /problems/invalid-body
        /window
        The responder 'root' is of kind 'viewController'; only a window can be the key window.
        """#)
  }
}
