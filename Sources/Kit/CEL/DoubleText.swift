extension Double {
  /// The shortest decimal that reads back as the same number: `123`, `0.0045`, `6.02214e+23`, `NaN`,
  /// `-Infinity`.
  ///
  /// Unlike a literal it has no `.0`, and an exponent only below 1e-6 and from 1e21 on.
  var shortestText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    let (digits, point) = magnitudeDigits
    let sign = self.sign == .minus ? "-" : ""
    if point > 21 || point < -5 { return sign + Self.scientific(digits, exponent: point - 1) }
    return sign + Self.positional(digits, point)
  }

  /// The shortest decimal that reads back as the same number, without an exponent.
  var positionalText: String {
    guard isFinite else { return shortestText }
    let (digits, point) = magnitudeDigits
    return (sign == .minus ? "-" : "") + Self.positional(digits, point)
  }

  /// The significant digits in ASCII, and the index of the digit after the decimal point.
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

/// The exact decimal digits of a number that is not negative.
struct DecimalDigits {
  /// The digits, 0 to 9, without leading zeros.
  private var digits: [UInt8]
  /// The index of the digit after the decimal point; it may be out of range on either side.
  private var point: Int

  init(_ integer: UInt64) {
    digits = integer == 0 ? [] : String(integer).utf8.map { $0 - 0x30 }
    point = digits.count
  }

  /// Creates the exact digits of a finite double: 2 to a negative power, times 10 to the opposite power, is a
  /// power of 5.
  init(magnitudeOf double: Double) {
    let isSubnormal = double.exponentBitPattern == 0
    var significand = double.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
    var exponent = isSubnormal ? -1074 : Int(double.exponentBitPattern) - 1075
    while exponent < 0, significand != 0, significand.isMultiple(of: 2) {
      significand /= 2
      exponent += 1
    }
    digits = Self.product(
      of: significand, and: exponent < 0 ? 5 : 2, toThe: exponent.magnitude)
    point = digits.isEmpty ? 0 : digits.count + min(exponent, 0)
  }

  /// Returns the text with `precision` decimals: `12.50`.
  func fixed(_ precision: Int) -> String {
    var number = self
    number.round(keeping: number.point + precision)
    let whole = number.point > 0 ? number.text(0..<number.point) : "0"
    guard precision > 0 else { return whole }
    return whole + "." + number.text(number.point..<(number.point + precision))
  }

  /// Returns the text with one digit before the point, `precision` after it, and an exponent: `1.25e+01`.
  func scientific(_ precision: Int) -> String {
    var number = self
    number.round(keeping: precision + 1)
    let exponent = number.digits.isEmpty ? 0 : number.point - 1
    let fraction = precision > 0 ? "." + number.text(1..<(precision + 1)) : ""
    let sign = exponent < 0 ? "-" : "+"
    let padding = exponent.magnitude < 10 ? "0" : ""
    return number.text(0..<1) + fraction + "e" + sign + padding + String(exponent.magnitude)
  }

  /// Returns the digits at these places, with zeros for missing ones.
  private func text(_ places: Range<Int>) -> String {
    let characters = places.map { digits.indices.contains($0) ? digits[$0] + 0x30 : 0x30 }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Rounds to the nearest number with `count` digits, ties to even.
  private mutating func round(keeping count: Int) {
    guard count < digits.count else { return }
    guard count >= 0 else {
      (digits, point) = ([], 0)
      return
    }
    let next = digits[count]
    let isExact = digits[(count + 1)...].allSatisfy { $0 == 0 }
    let isOdd = count > 0 && !digits[count - 1].isMultiple(of: 2)
    digits.removeLast(digits.count - count)
    if next > 5 || next == 5 && (!isExact || isOdd) { increment() }
  }

  private mutating func increment() {
    for place in digits.indices.reversed() {
      if digits[place] < 9 {
        digits[place] += 1
        return
      }
      digits[place] = 0
    }
    digits.insert(1, at: 0)
    point += 1
  }

  /// Returns the digits of `factor` times a power of a small base.
  private static func product(
    of factor: UInt64, and base: UInt64, toThe exponent: UInt
  ) -> [UInt8] {
    // Limbs of nine digits, least significant first.
    var limbs: [UInt64] = []
    var rest = factor
    while rest > 0 {
      limbs.append(rest % 1_000_000_000)
      rest /= 1_000_000_000
    }
    let twelfth = (0..<12).reduce(1) { power, _ in power * base }
    for _ in 0..<exponent / 12 { multiply(&limbs, by: twelfth) }
    for _ in 0..<exponent % 12 { multiply(&limbs, by: base) }
    let text = limbs.reversed().map { limb in
      let digits = String(limb)
      return String(repeating: "0", count: 9 - digits.utf8.count) + digits
    }
    return Array(text.joined().utf8.map { $0 - 0x30 }.drop { $0 == 0 })
  }

  private static func multiply(_ limbs: inout [UInt64], by factor: UInt64) {
    var carry: UInt64 = 0
    for position in limbs.indices {
      let product = limbs[position] * factor + carry
      limbs[position] = product % 1_000_000_000
      carry = product / 1_000_000_000
    }
    if carry > 0 { limbs.append(carry) }
  }
}
