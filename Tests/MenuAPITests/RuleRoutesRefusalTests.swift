import MicroHTTP
import Testing

struct RuleRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `unknown options and limits that are no numbers are refused`() throws {
    try sample.refuses(
      .post, "/rules/check", #"{"rule":"1","options":{"limits":{"maximumSteps":-1},"x":1}}"#,
      with: #"""
        422 /problems/invalid-body
        /options/limits/maximumSteps
        Expected an integer that is at least 0, found the number -1. And 1 more, see 'errors'.
        """#)
  }

  @Test func `a container that is longer than a name is refused`() throws {
    let name = Array(repeating: "a", count: 65).joined(separator: ".")
    try sample.refuses(
      .post, "/rules/check", #"{"rule":"1","container":"\#(name)"}"#,
      with: #"""
        422 /problems/invalid-body
        /container
        Expected an identifier (1 to 128 letters A to Z and a to z, digits and '_', '.', ':', '-'), \#
        found the string '\#(name.prefix(100))…'.
        """#)
  }
}
