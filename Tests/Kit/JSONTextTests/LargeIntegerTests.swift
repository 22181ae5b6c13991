import Testing

@testable import JSONText

/// Integers beyond 64 bits, which are doubles in JSON's data model of menud.
@Suite struct LargeIntegerTests {
  @Test(
    arguments: [
      "9223372036854775807", "-9223372036854775808", "9223372036854775808", "9223372036854776000",
      "-9223372036854776000", "18446744073709551616", "18446744073709552000",
      "100000000000000000000", "1e30", "1.5", "1234567890123456789012e0",
      "170141183460469231731687303715884105728",
      "179769313486231560000000000000000000000000000000000000000000000000000",
    ])
  func `an integer that is a double loses nothing`(text: String) throws {
    let exact = try JSON(parsing: text, integers: .exact)
    #expect(exact == (try JSON(parsing: text)))
  }

  @Test(
    arguments: [
      "9223372036854775809", "-9223372036854775809", "18446744073709551615",
      "12345678910111213141516171819202122232425262728293031", "[1, 9223372036854775810]",
    ])
  func `an integer of which digits would be lost is refused`(text: String) throws {
    let fault = try #require(throws: JSONFault.self) { try JSON(parsing: text, integers: .exact) }
    #expect(fault.reason == .integerOutOfRange)
    #expect(fault.offset == (text.utf8.first == UInt8(ascii: "[") ? 4 : 0))
    #expect(throws: Never.self) { try JSON(parsing: text) }
  }

  @Test func `a byte order mark is called by its name`() throws {
    let fault = try #require(throws: JSONFault.self) { try JSON(parsing: "\u{FEFF}{}") }
    #expect(fault.reason == .byteOrderMark)
    #expect(
      fault.description
        == "Line 1, column 1: the text begins with a byte order mark (U+FEFF); save it as UTF-8 "
        + "without one.")
  }
}
