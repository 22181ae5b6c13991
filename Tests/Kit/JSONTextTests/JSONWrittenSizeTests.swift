import Testing

@testable import JSONText

/// Limits count the bytes that are sent, never fewer.
@Suite struct JSONWrittenSizeTests {
  @Test(arguments: [
    ("null", 5), ("true", 5), ("false", 6), ("0", 2), ("-10", 4), ("9223372036854775807", 20),
    ("-9223372036854775808", 21), ("0.5", 25), (#""""#, 3), (#""ab""#, 5), (#""\n""#, 5),
    (#""\u0001""#, 9), (#""é""#, 5), ("[]", 3), ("[1,2]", 7), ("{}", 3), (#"{"a":1}"#, 9),
    (#"{"\"":[null]}"#, 16),
  ])
  func `of a value`(text: String, size: Int) throws {
    let value = try JSON(parsing: text)
    #expect(value.writtenSize == size)
    #expect(value.text().utf8.count < size)
  }

  @Test func `control characters count as their escapes`() {
    let value = JSON.string(String(repeating: "\u{1}", count: 1000))
    #expect(value.writtenSize == value.text().utf8.count + 1)
    #expect(value.writtenSize == 6003)
  }

  @Test func `of many values it is little more than their text`() throws {
    let row: JSON = ["id": "photo-1", "rating": 3, "tags": ["a", "b"], "isFlagged": true]
    let value = JSON.array(Array(repeating: row, count: 1000))
    let size = value.text().utf8.count
    #expect((size...size + size / 10).contains(value.writtenSize))
  }
}
