// Numbers: integers exactly, everything else as the nearest double.

extension JSONParser {
  /// Reads the number whose sign or first digit is at the position.
  mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
    let start = position
    let isNegative = skip(UInt8(ascii: "-"), bytes)
    var decimal = Decimal()
    try integerPart(&decimal, bytes)
    let digits = position
    try fraction(&decimal, bytes)
    try exponent(&decimal, bytes)
    if position == digits, let int = decimal.int(isNegative: isNegative) { return .int(int) }
    let isInteger = position == digits
    if let double = decimal.exactDouble(isNegative: isNegative) { return .double(double) }
    let double = try nearestDouble(from: start, bytes)
    if isInteger, integers == .exact, !isWritten(double, from: start, bytes) {
      throw JSONFault(.integerOutOfRange, at: start, of: bytes)
    }
    return .double(double)
  }

  /// True if the integer that begins at `start` is a double, exactly or as its shortest decimal.
  private func isWritten(_ double: Double, from start: Int, _ bytes: Span<UInt8>) -> Bool {
    guard let text = try? UTF8Span(validating: bytes.extracting(start..<position)) else {
      return false
    }
    let digits = String(copying: text).drop { $0 == "-" }
    if let integer = UInt128(digits), Double(exactly: integer) != nil { return true }
    // The digits of the shortest decimal, and zeros for the others.
    let shortest = double.magnitude.description.prefix { $0 != "e" }.filter { $0 != "." }
    let kept = shortest.reversed().drop { $0 == "0" }.count
    return digits.utf8.starts(with: shortest.utf8.prefix(kept))
      && digits.utf8.dropFirst(kept).allSatisfy { $0 == UInt8(ascii: "0") }
  }

  private mutating func integerPart(
    _ decimal: inout Decimal, _ bytes: Span<UInt8>
  ) throws(JSONFault) {
    let first = position
    try digits(bytes) { decimal.append($0) }
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
      throw JSONFault(.leadingZero, at: first, of: bytes)
    }
  }

  private mutating func fraction(
    _ decimal: inout Decimal, _ bytes: Span<UInt8>
  ) throws(JSONFault) {
    guard skip(UInt8(ascii: "."), bytes) else { return }
    let first = position
    try digits(bytes) { decimal.append($0) }
    decimal.exponent -= position - first
  }

  private mutating func exponent(
    _ decimal: inout Decimal, _ bytes: Span<UInt8>
  ) throws(JSONFault) {
    guard skip(UInt8(ascii: "e"), bytes) || skip(UInt8(ascii: "E"), bytes) else { return }
    let isNegative = skip(UInt8(ascii: "-"), bytes)
    if !isNegative { _ = skip(UInt8(ascii: "+"), bytes) }
    var exponent = 0
    // Saturates: an exponent this large is never exact, and the slow path reads the text itself.
    try digits(bytes) { exponent = min(exponent * 10 + Int($0), 100_000) }
    decimal.exponent += isNegative ? -exponent : exponent
  }

  /// Reads one digit or more.
  @inline(__always)
  private mutating func digits(
    _ bytes: Span<UInt8>, _ take: (UInt64) -> Void
  ) throws(JSONFault) {
    let first = position
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      take(UInt64(digit))
      position += 1
    }
    guard position > first else { throw fault(.expectedDigit, bytes) }
  }

  private func nearestDouble(from start: Int, _ bytes: Span<UInt8>) throws(JSONFault) -> Double {
    // A number's bytes are ASCII; were they not, the reason given would still be true.
    guard let text = try? UTF8Span(validating: bytes.extracting(start..<position)),
      let double = Double(String(copying: text)), double.isFinite
    else { throw JSONFault(.numberOutOfRange, at: start, of: bytes) }
    return double
  }
}

/// A number's digits as an integer, as far as they fit, and its power of ten.
private struct Decimal {
  private var magnitude: UInt64 = 0
  private var overflows = false
  var exponent = 0

  @inline(__always)
  mutating func append(_ digit: UInt64) {
    let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, isTooLargeToo) = product.addingReportingOverflow(digit)
    magnitude = sum
    overflows = overflows || isTooLarge || isTooLargeToo
  }

  func int(isNegative: Bool) -> Int64? {
    guard !overflows else { return nil }
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude == 1 << 63 ? .min : Int64(exactly: magnitude).map { -$0 }
  }

  /// The double, when magnitude and power of ten are both exact, so that one rounding is the
  /// only one (Clinger's fast path).
  func exactDouble(isNegative: Bool) -> Double? {
    guard !overflows, magnitude <= 1 << 53, -22...22 ~= exponent else { return nil }
    let power = powersOfTen[abs(exponent)]
    let double = exponent < 0 ? Double(magnitude) / power : Double(magnitude) * power
    return isNegative ? -double : double
  }
}

/// The powers of ten that a double holds exactly.
private let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
  1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]
