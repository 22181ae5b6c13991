import JSONText
import Testing

@Suite struct JSONTests {
  @Test func `numbers are equal when their values are`() {
    #expect(JSON.int(1) == JSON.double(1))
    #expect(JSON.double(1) == JSON.int(1))
    #expect(JSON.int(1) != JSON.double(1.5))
    #expect(JSON.int(.max) != JSON.double(0x1p63))
    #expect(JSON.double(0.0) == JSON.double(-0.0))
  }

  @Test(arguments: [
    ("null", "false"), ("0", "false"), ("1", "true"), ("\"1\"", "1"), ("[]", "{}"),
    ("\"\"", "null"),
    ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#),
    (#"{"a":null}"#, "{}"), (#""é""#, "\"e\u{301}\""),
  ])
  func `values of different types or contents differ`(_ left: String, _ right: String) throws {
    #expect(try JSON(parsing: left) != JSON(parsing: right))
    #expect(try JSON(parsing: right) != JSON(parsing: left))
  }

  @Test func `objects are equal whatever their order and hash alike`() throws {
    let left = try JSON(parsing: #"{"a":1,"b":[{"c":1,"d":2.5}]}"#)
    let right = try JSON(parsing: #"{"b":[{"d":2.5,"c":1.0}],"a":1}"#)
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(Set<JSON>([left, right, 1, 1.0, "1"]).count == 3)
  }

  @Test func `strings that only look alike are different values`() {
    #expect(Set<JSON>(["\u{E9}", "e\u{301}"]).count == 2)
    #expect("\u{E9}".hasSameBytes(as: "\u{E9}"))
    #expect(!"\u{E9}".hasSameBytes(as: "e\u{301}"))
    #expect(!"a".hasSameBytes(as: "ab"))
  }

  @Test func `doubles that JSON cannot say do no harm`() {
    for double in [Double.nan, .infinity, -.infinity, 0x1p63, -0x1p63, .greatestFiniteMagnitude] {
      let json = JSON.double(double)
      #expect(Set([json, 1, json]).contains(1))
      #expect((json == json) == !double.isNaN)
      #expect(json != .int(.max))
    }
  }

  @Test func `literals make values`() throws {
    let json: JSON = [
      "a": nil, "b": [true, 1, 1.0, "x"], "c": [:],
    ]
    #expect(json.text() == #"{"a":null,"b":[true,1,1.0,"x"],"c":{}}"#)
  }
}
