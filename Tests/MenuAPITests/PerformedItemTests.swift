import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

struct PerformedItemTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func perform(_ members: String) throws -> Response {
    try sample.send(.post, "/commands/perform", #"{"session":"demo",\#(members)}"#)
  }

  @Test func `an answer has the item before and after, if that is wanted`() throws {
    let command = #""command":"applyFiveStarRating:""#
    let answer = try perform(command + #","item":true"#)
    for (name, state) in [("before", "off"), ("after", "on")] {
      #expect(try answer.value("/item/\(name)/command") == "applyFiveStarRating:")
      #expect(try answer.value("/item/\(name)/state") == .string(state))
      #expect(try answer.value("/item/\(name)/enabled") == true)
    }
    #expect(try perform(command).value("/item") == nil)
    #expect(try perform(command + #","item":false"#).value("/item") == nil)
  }

  @Test func `a dry run has none afterwards`() throws {
    let answer = try perform(#""command":"applyFiveStarRating:","item":true,"dryRun":true"#)
    #expect(try answer.value("/item/before/state") == "off")
    #expect(try answer.value("/item/after") == nil)
  }

  @Test func `an action has no item`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"copy:","item":true}"#,
      with: """
        422 /problems/invalid-body

        'action' and 'item' exclude each other; give one of them.
        """)
  }
}
