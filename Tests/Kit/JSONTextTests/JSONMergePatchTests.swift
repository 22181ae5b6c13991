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
    for number in 0..<300_000 {
      object["n\(number)"] = 1
      if number > 0 { removals["n\(number)"] = JSON.null }
    }
    var json = JSON.object(object)
    json.merge(patch: .object(removals))
    #expect(json.text() == #"{"n0":1}"#)
  }

  @Test func `an object that nobody else holds is changed in place`() {
    var json: JSON = ["o": ["a": 1, "b": 2, "c": ["d": 3]]]
    let before = Self.address(of: json)
    json.merge(patch: ["o": ["a": 0, "b": nil, "c": ["d": 4]]])
    #expect(Self.address(of: json) == before)
    #expect(json.text() == #"{"o":{"a":0,"c":{"d":4}}}"#)
  }

  /// Returns the address of the members of the member `o`.
  private static func address(of json: JSON) -> Int? {
    guard case .object(let object) = json[JSONPointer(["o"])] else { return nil }
    // Only the address is taken, nothing is read there.
    return unsafe object.members.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
  }
}
