import CEL
import JSONText
import Testing

@Suite struct ProgramTests {
  @Test func `a program reads its variables`() throws {
    let program = try Program("state.rating == 5", variables: ["state"])
    var state = JSONObject()
    state["rating"] = .int(5)
    #expect(try program.evaluate { _ in .object(state) }.description == "true")
  }
}
