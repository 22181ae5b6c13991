import JSONText

/// A JSON number, compared exactly by value, whatever its notation.
enum Number {
  case int(Int64)
  case double(Double)

  init?(_ json: JSON) {
    switch json {
    case .int(let int): self = .int(int)
    case .double(let double): self = .double(double)
    case .null, .bool, .string, .array, .object: return nil
    }
  }

  static func < (left: Number, right: Number) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.int(let int), .double(let double)):
      Int64(exactly: double.rounded(.up)).map { int < $0 } ?? (double > 0)
    case (.double(let double), .int(let int)):
      Int64(exactly: double.rounded(.down)).map { $0 < int } ?? (double < 0)
    }
  }

  /// The steps of `isMultiple`; measured, 1 µs.
  static let costOfDivision = 10

  /// True if it is an integer multiple of `divisor`, both taken as the decimals in the text: 0.3 is a multiple
  /// of 0.1.
  func isMultiple(of divisor: Number) -> Bool {
    let (dividend, divisor) = (Decimal(self), Decimal(divisor))
    let exponent = dividend.exponent - divisor.exponent
    var remainder = dividend.digits % divisor.digits
    if exponent >= 0 {
      for _ in 0..<exponent where remainder != 0 {
        remainder =
          divisor.digits.dividingFullWidth(remainder.multipliedFullWidth(by: 10)).remainder
      }
      return remainder == 0
    }
    var scaled = divisor.digits
    for _ in exponent..<0 {
      let (product, isBeyond) = scaled.multipliedReportingOverflow(by: 10)
      // No number with so few digits is a multiple, except zero.
      if isBeyond { return dividend.digits == 0 }
      scaled = product
    }
    return dividend.digits % scaled == 0
  }
}

/// The magnitude of a number: digits times a power of ten.
private struct Decimal {
  let digits: UInt64
  let exponent: Int

  init(_ number: Number) {
    switch number {
    case .int(let int): (digits, exponent) = (int.magnitude, 0)
    case .double(let double): (digits, exponent) = Self.parts(of: double)
    }
  }

  /// Returns the shortest decimal that rounds to the double; it has at most 17 digits.
  private static func parts(of double: Double) -> (digits: UInt64, exponent: Int) {
    var digits: UInt64 = 0
    var exponent = 0
    var isFraction = false
    let text = double.magnitude.description.utf8.split(separator: UInt8(ascii: "e"))
    for byte in text[0] {
      guard byte != UInt8(ascii: ".") else {
        isFraction = true
        continue
      }
      digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
      if isFraction { exponent -= 1 }
    }
    if text.count > 1 { exponent += Int(String(Substring(text[1]))) ?? 0 }
    return (digits, exponent)
  }
}
