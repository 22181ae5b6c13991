import MicroHTTP
import Testing

struct RuleRouteRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `unknown options and limits that are no numbers are refused`() throws {
    try sample.refuses(
      .post, "/rules/check", #"{"rule":"1","options":{"limits":{"maximumSteps":-1},"x":1}}"#,
      with: #"""
        422 /problems/invalid-body
        /options/limits/maximumSteps
        Expected an integer, found the number -1. And 1 more, see 'errors'.
        """#)
  }
}
