import JSONText
import Testing

@Suite struct JSONMergePatchTests {
  @Test func `members keep their places and nulls remove`() throws {
    var json = try JSON(parsing: #"{"a":1,"b":{"c":1,"d":2},"e":[1]}"#)
    json.merge(
      patch: try JSON(parsing: #"{"b":{"c":null,"f":{"g":null,"h":3}},"e":{"x":null},"a":2}"#))
    #expect(json.text() == #"{"a":2,"b":{"d":2,"f":{"h":3}},"e":{}}"#)
  }

  @Test func `many members are removed together`() throws {
    var object = JSONObject()
    var removals = JSONObject()
    for number in 0..<100_000 {
      object["n\(number)"] = 1
      if number > 0 { removals["n\(number)"] = JSON.null }
    }
    var json = JSON.object(object)
    let elapsed = ContinuousClock().measure { json.merge(patch: .object(removals)) }
    #expect(json.text() == #"{"n0":1}"#)
    #expect(elapsed < .seconds(5))
  }
}
