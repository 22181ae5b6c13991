import MicroHTTP
import Testing

struct RuleRouteRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `unknown variables are refused`() throws {
    try sample.refuses(
      .post, "/rules/check", #"{"rule":"1","variables":{"segue":1}}"#,
      with: #"""
        422 /problems/invalid-body
        /variables/segue
        There is no member 'segue' here; known are state, responder, sender, command and arguments.
        """#)
  }
}
