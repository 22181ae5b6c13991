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

  /// The significant digits, and before which of them the point stands.
  private var magnitudeDigits: (digits: [Character], point: Int) {
    let parts = magnitude.description.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let decimals = parts[0].split(separator: ".")
    let whole = Array(decimals[0])
    let digits = whole + (decimals.count > 1 ? Array(decimals[1]) : [])
    let zeros = digits.prefix { $0 == "0" }.count
    guard zeros < digits.count else { return (["0"], 1) }
    let significant = digits[zeros...].reversed().drop { $0 == "0" }.reversed()
    return (Array(significant), whole.count - zeros + exponent)
  }

  private static func scientific(_ digits: [Character], exponent: Int) -> String {
    let fraction = digits.count > 1 ? "." + String(digits[1...]) : ""
    let sign = exponent < 0 ? "-" : "+"
    let padding = exponent.magnitude < 10 ? "0" : ""
    return "\(digits[0])\(fraction)e\(sign)\(padding)\(exponent.magnitude)"
  }

  private static func positional(_ digits: [Character], _ point: Int) -> String {
    if point <= 0 { return "0." + String(repeating: "0", count: -point) + String(digits) }
    if point >= digits.count {
      return String(digits) + String(repeating: "0", count: point - digits.count)
    }
    return String(digits[..<point]) + "." + String(digits[point...])
  }
}
