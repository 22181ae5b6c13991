import JSONText
import Testing

@Suite struct JSONParserTests {
  @Test func `members and elements keep their order`() throws {
    let json = try JSON(parsing: #" { "b" : [ 1 , -2.5 , true , false , null ] , "a" : { } } "#)
    #expect(json.text() == #"{"b":[1,-2.5,true,false,null],"a":{}}"#)
  }

  @Test(
    arguments: [
      ("", .unexpectedEnd, "Line 1, column 1: the text ends before the value is complete."),
      (" [1,\n  x]", .expectedValue, "Line 2, column 3: a value is expected here."),
      ("[1,]", .expectedValue, "Line 1, column 4: a value is expected here."),
      (
        "\u{FEFF}1", .byteOrderMark,
        "Line 1, column 1: the text begins with a byte order mark (U+FEFF); save it as UTF-8 without one."
      ),
      ("nul", .unexpectedEnd, "Line 1, column 4: the text ends before the value is complete."),
      ("nuLl", .expectedValue, "Line 1, column 3: a value is expected here."),
      (
        "{a:1}", .expectedName,
        "Line 1, column 2: a member's name in double quotes is expected here."
      ),
      (
        #"{"é":1,}"#, .expectedName,
        "Line 1, column 8: a member's name in double quotes is expected here."
      ),
      (
        #"{"a" 1}"#, .expectedColon,
        "Line 1, column 6: a colon is expected after the member's name."
      ),
      (
        "[1 2]", .expectedCommaOrBracket,
        "Line 1, column 4: a comma or a closing bracket is expected after the element."
      ),
      (
        #"{"a":1]"#, .expectedCommaOrBrace,
        "Line 1, column 7: a comma or a closing brace is expected after the member."
      ),
      ("1 1", .trailingText, "Line 1, column 3: nothing may follow the value."),
      ("[1.]", .expectedDigit, "Line 1, column 4: the number lacks a digit here."),
      ("-", .unexpectedEnd, "Line 1, column 2: the text ends before the value is complete."),
      (
        "-012", .leadingZero,
        "Line 1, column 2: a number may not begin with a zero before another digit."
      ),
      ("[1e400]", .numberOutOfRange, "Line 1, column 2: the number is too large for a double."),
      (
        "\"a\u{1F}\"", .controlCharacter(0x1F),
        "Line 1, column 3: the control character U+001F must be escaped in a string."
      ),
      (
        "\"\n\"", .controlCharacter(0x0A),
        "Line 1, column 2: the control character U+000A must be escaped in a string."
      ),
      (#""ab\x""#, .invalidEscape, "Line 1, column 4: the backslash begins no escape of JSON."),
      (#""\u12g4""#, .invalidEscape, "Line 1, column 2: the backslash begins no escape of JSON."),
      (#""\ud800x""#, .loneSurrogate, "Line 1, column 2: the escaped surrogate lacks its partner."),
      (#""\udc00""#, .loneSurrogate, "Line 1, column 2: the escaped surrogate lacks its partner."),
      (
        #""\ud800\u0041""#, .loneSurrogate,
        "Line 1, column 2: the escaped surrogate lacks its partner."
      ),
      (
        #"{"a\"":1, "a\"":2}"#, .duplicateName("a\""),
        #"Line 1, column 11: the object already has a member named "a\""."#
      ),
    ] as [(String, JSONFault.Reason, String)])
  func `a fault says what is wrong and where`(
    _ text: String, _ reason: JSONFault.Reason, _ description: String
  ) {
    let fault = #expect(throws: JSONFault.self) { try JSON(parsing: text) }
    #expect(fault?.reason == reason)
    #expect(fault?.description == description)
  }

  @Test(
    arguments: [
      ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC0, 0xAF, 0x22], 1), ([0x22, 0xE2, 0x82, 0x22], 1),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0x5C, 0x6E, 0x80, 0x22], 3),
    ] as [([UInt8], Int)])
  func `bytes that are not UTF-8 are refused where they stand`(_ bytes: [UInt8], _ offset: Int) {
    let fault = #expect(throws: JSONFault.self) { try JSON(parsing: bytes) }
    #expect(fault?.reason == .invalidUTF8)
    #expect(fault?.offset == offset)
    #expect(fault?.description == "Line 1, column \(offset + 1): the bytes are not valid UTF-8.")
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""x\u00e9y""#, "xéy"),
    (#""\uD83D\uDe00!""#, "😀!"), (#""\u0000""#, "\0"), (#""é😀""#, "é😀"), ("\"\u{7F}\"", "\u{7F}"),
    (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\uD800\uDC00""#, "\u{10000}"),
    (#""\uFFFF""#, "\u{FFFF}"),
  ])
  func `escapes stand for their characters`(_ text: String, _ value: String) throws {
    #expect(try JSON(parsing: text) == .string(value))
  }

  @Test func `a control character is refused at every offset of every length`() {
    for length in 1..<20 {
      for offset in 0..<length {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        bytes[offset] = 0x1F
        let fault = #expect(throws: JSONFault.self) {
          try JSON(parsing: [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")])
        }
        #expect(fault?.reason == .controlCharacter(0x1F))
        #expect(fault?.offset == offset + 1)
      }
    }
  }

  @Test func `every prefix of a text is refused for ending too early`() {
    let text = #"{"a":[1.5e+3,"\ud83d\ude00é",true,null],"b":{}}"#
    for length in 0..<text.utf8.count {
      let fault = #expect(throws: JSONFault.self) {
        try JSON(parsing: Array(text.utf8.prefix(length)))
      }

      #expect(fault?.reason == .unexpectedEnd, "\(length)")
    }
  }

  @Test func `128 levels are the limit unless another is given`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: #"[{"a":"#, count: depth / 2) + "0"
        + String(repeating: "}]", count: depth / 2)
    }
    #expect(throws: Never.self) { try JSON(parsing: nested(128)) }
    let fault = #expect(throws: JSONFault.self) { try JSON(parsing: "[" + nested(128) + "]") }
    #expect(fault?.reason == .tooDeep(128))
    #expect(
      fault?.description
        == "Line 1, column 381: arrays and objects are nested more than 128 deep.")
    #expect(throws: Never.self) { try JSON(parsing: "0", maximumDepth: 0) }
    #expect(throws: JSONFault.self) { try JSON(parsing: "[]", maximumDepth: 0) }
  }

  @Test func `a million open arrays do not need the stack`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let fault = #expect(throws: JSONFault.self) {
      try JSON(parsing: bytes, maximumDepth: 1_000_000)
    }
    #expect(fault?.reason == .unexpectedEnd)
    #expect(fault?.offset == 1_000_000)
  }
}
