import JSONText
import Testing

@Suite struct JSONWriterTests {
  @Test func `an answer is written member by member`() throws {
    var writer = JSONWriter()
    writer.reserveCapacity(100)
    writer.beginObject()
    writer.member("title", "Rotate \"Left\"")
    writer.member("enabled", true)
    writer.member("revision", 7)
    writer.member("items")
    writer.beginArray()
    writer.value(1)
    writer.value(2.0)
    writer.null()
    writer.value(encoded: Array(#"{"raw":[]}"#.utf8))
    writer.value([1, "x"] as JSON)
    writer.beginObject()
    writer.endObject()
    writer.endArray()
    writer.member("state", ["a": nil] as JSON)
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"title":"Rotate \"Left\"","enabled":true,"revision":7,"#
        + #""items":[1,2.0,null,{"raw":[]},[1,"x"],{}],"state":{"a":null}}"#)
  }

  @Test func `RFC 6901: a pointer is written as the string of its description`() throws {
    for tokens in [[], [""], ["a", "b"], ["~", "/"], ["~1/0"], ["\"\\", "\n\u{1}"], ["é", "🙂"]] {
      let pointer = JSONPointer(tokens)
      var writer = JSONWriter()
      writer.value(pointer)
      #expect(try JSON(parsing: writer.bytes) == .string(pointer.description))
      #expect(try JSONPointer(parsing: pointer.description) == pointer)
    }
  }

  @Test func `a pretty text is indented by two spaces`() throws {
    let json = try JSON(parsing: #"{"a":[1,{"b":[],"c":{}}],"d":"x"}"#)
    #expect(
      json.text(.pretty) == """
        {
          "a": [
            1,
            {
              "b": [],
              "c": {}
            }
          ],
          "d": "x"
        }
        """)
    #expect(try JSON(parsing: "[]").text(.pretty) == "[]")
    #expect(try JSON(parsing: "1").text(.pretty) == "1")
  }

  @Test func `bytes that are there already stay`() {
    var bytes = Array("data: ".utf8)
    JSON.array([1]).write(into: &bytes)
    JSON.null.write(into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "data: [1]null")
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b\\c/", #""a\"b\\c/""#), ("\n\r\t", #""\n\r\t""#),
    ("\0\u{8}\u{1F}", #""\u0000\u0008\u001f""#), ("\u{7F}é★😀\u{2028}", "\"\u{7F}é★😀\u{2028}\""),
    ("12345678\"", #""12345678\"""#), ("1234567\u{1}8", #""1234567\u00018""#),
  ])
  func `a string is escaped as far as JSON requires`(_ string: String, _ text: String) {
    #expect(JSON.string(string).text() == text)
  }

  @Test func `a special byte is escaped at every offset of every length`() throws {
    for length in 1..<20 {
      for offset in 0..<length {
        for special in ["\"", "\\", "\u{1F}", "\0"] {
          let string =
            String(repeating: "é", count: offset) + special
            + String(repeating: " ", count: length - offset)
          #expect(try JSON(parsing: JSON.string(string).bytes) == .string(string))
        }
      }
    }
  }

  @Test(
    arguments: [
      (0, "0"), (9, "9"), (10, "10"), (-1, "-1"), (100, "100"), (1_234_567_890, "1234567890"),
      (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ] as [(Int64, String)])
  func `an int is written in decimal`(_ int: Int64, _ text: String) {
    #expect(JSON.int(int).text() == text)
  }

  @Test(
    arguments: [
      (1, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (1e300, "1e+300"),
      (.leastNonzeroMagnitude, "5e-324"),
      (100000, "100000.0"), (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
    ] as [(Double, String)])
  func `a double is written shortly, as a double, or as null`(_ double: Double, _ text: String) {
    #expect(JSON.double(double).text() == text)
  }
}
