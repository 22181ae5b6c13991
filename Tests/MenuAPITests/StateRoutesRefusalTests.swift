import MicroHTTP
import Testing

struct StateRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `an operation that does not fit is refused with its place`() throws {
    let body = #"""
      [{"op":"replace","path":"/rating","value":1},{"op":"remove","path":"/nothing"}]
      """#
    try sample.refuses(
      .patch, "/sessions/demo/state", body, type: "application/json-patch+json",
      with: #"""
        409 /problems/patch-conflict
        /1
        Operation 1 cannot be applied: there is no value at "/nothing".
        """#)
  }

  @Test func `what is no patch is refused with its place`() throws {
    try sample.refuses(
      .patch,
      "/sessions/demo/state",
      #"[{"op":"replace","path":"rating","value":1}]"#,
      type: "application/json-patch+json",
      with: #"""
        422 /problems/invalid-body
        /0/path
        The value at "/0/path" is no JSON Pointer. A JSON Pointer is empty or begins with a slash.
        """#)
  }

  @Test func `an operation without a path is refused`() throws {
    try sample.refuses(
      .patch, "/sessions/demo/state", #"[{"op":"remove"}]"#, type: "application/json-patch+json",
      with: #"""
        422 /problems/invalid-body
        /0
        The operation at "/0" lacks the member "path".
        """#)
  }

  @Test func `the state stays an object`() throws {
    try sample.refuses(
      .patch,
      "/sessions/demo/state",
      #"[{"op":"replace","path":"","value":1}]"#,
      type: "application/json-patch+json",
      with: #"""
        422 /problems/invalid-body

        The state must be an object.
        """#)
  }

  @Test func `a merge patch is an object`() throws {
    try sample.refuses(
      .patch, "/sessions/demo/state", #"5"#, type: "application/merge-patch+json",
      with: #"""
        422 /problems/invalid-body

        Expected an object, found the number 5.
        """#)
  }
}
