extension Double {
  /// The shortest decimal that reads back as this number: `123`, `0.0045`, `6.02214e+23`, `NaN`,
  /// `-Infinity`.
  ///
  /// Unlike in a literal there is no `.0`, and an exponent only below 1e-6 and from 1e21 on.
  var shortestText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    let (digits, point) = magnitudeDigits
    let sign = self.sign == .minus ? "-" : ""
    if point > 21 || point < -5 { return sign + Self.scientific(digits, exponent: point - 1) }
    return sign + Self.positional(digits, point)
  }

  /// The shortest decimal that reads back as this number, without an exponent however many zeros
  /// that takes.
  var positionalText: String {
    guard isFinite else { return shortestText }
    let (digits, point) = magnitudeDigits
    return (sign == .minus ? "-" : "") + Self.positional(digits, point)
  }

  /// The significant digits in ASCII, and before which of them the point stands.
  private var magnitudeDigits: (digits: [UInt8], point: Int) {
    let parts = magnitude.description.utf8.split(separator: UInt8(ascii: "e"))
    let exponent = parts.count > 1 ? Int(Substring(parts[1])) ?? 0 : 0
    let whole = parts[0].prefix { $0 != UInt8(ascii: ".") }
    let digits = Array(whole) + parts[0].dropFirst(whole.count + 1)
    let zeros = digits.prefix { $0 == Self.zero }.count
    guard zeros < digits.count else { return ([Self.zero], 1) }
    let significant = digits[zeros...].reversed().drop { $0 == Self.zero }.reversed()
    return (Array(significant), whole.count - zeros + exponent)
  }

  private static let zero = UInt8(ascii: "0")

  private static func scientific(_ digits: [UInt8], exponent: Int) -> String {
    let fraction = digits.count > 1 ? "." + text(digits[1...]) : ""
    let sign = exponent < 0 ? "-" : "+"
    let padding = exponent.magnitude < 10 ? "0" : ""
    return "\(text(digits[..<1]))\(fraction)e\(sign)\(padding)\(exponent.magnitude)"
  }

  private static func positional(_ digits: [UInt8], _ point: Int) -> String {
    if point <= 0 { return "0." + text(zeros(-point) + digits) }
    if point >= digits.count { return text(digits + zeros(point - digits.count)) }
    return text(digits[..<point]) + "." + text(digits[point...])
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: zero, count: count) }

  private static func text(_ digits: some Collection<UInt8>) -> String {
    String(decoding: digits, as: UTF8.self)
  }
}
