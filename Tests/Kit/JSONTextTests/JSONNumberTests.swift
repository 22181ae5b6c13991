import JSONText
import Testing

@Suite struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("1234567890123456789", 1_234_567_890_123_456_789),
    ] as [(String, Int64)])
  func `a number without fraction and exponent is an int`(_ text: String, _ int: Int64) throws {
    guard case .int(let parsed) = try JSON(parsing: text) else {
      Issue.record("\(text) is no int")
      return
    }
    #expect(parsed == int)
  }

  @Test(
    arguments: [
      ("1.0", 1), ("1e0", 1), ("-0.0", -0.0), ("0.1", 0.1), ("1E+2", 100), ("25e-1", 2.5),
      ("9223372036854775808", 9_223_372_036_854_775_808), ("-9223372036854775809", -0x1p63),
      ("18446744073709551616", 0x1p64), ("1e22", 1e22), ("1e23", 1e23),
      ("9007199254740993.0", 0x1p53),
      ("9007199254740993.00000000000000000000000000001", 0x1p53 + 2),
      ("1.7976931348623157e308", .greatestFiniteMagnitude),
      ("179769313486231570000e288", .greatestFiniteMagnitude),
      ("5e-324", .leastNonzeroMagnitude), ("2e-324", 0), ("-1e-400", -0.0),
      ("0e99999999999999999999", 0),
      ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
      ("123456789012345678901234567890", 0x1.8ee90ff6c373ep+96),
    ] as [(String, Double)])
  func `every other number is the nearest double`(_ text: String, _ double: Double) throws {
    guard case .double(let parsed) = try JSON(parsing: text) else {
      Issue.record("\(text) is no double")
      return
    }
    #expect(parsed.bitPattern == double.bitPattern)
  }

  @Test(arguments: [
    "1e309", "-1.8e308", "1e99999999999999999999", "1" + String(repeating: "0", count: 400),
  ])
  func `a number beyond the doubles is refused`(_ text: String) {
    let fault = #expect(throws: JSONFault.self) { try JSON(parsing: text) }
    #expect(fault?.reason == .numberOutOfRange)
    #expect(fault?.offset == 0)
  }

  @Test func `random doubles survive writing and reading bit by bit`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let double = Double(bitPattern: generator.next())
      guard double.isFinite else { continue }
      let text = JSON.double(double).text()
      guard case .double(let read) = try JSON(parsing: text) else {
        Issue.record("\(text) reads back as no double")
        continue
      }
      #expect(read.bitPattern == double.bitPattern, "\(text)")
    }
  }

  @Test func `decimals of every length are rounded as the standard library does`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let digits = Int64.random(in: 0...(.max), using: &generator) >> Int64.random(in: 0...63)
      let text = "\(digits).\(UInt32.random(in: 0...(.max)))e\(Int.random(in: -330...280))"
      #expect(try JSON(parsing: text) == .double(#require(Double(text))), "\(text)")
    }
  }
}
