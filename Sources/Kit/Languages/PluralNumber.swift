/// A number as it is written, with the operands of plural rules (UTS 35, part 3, "Operands").
package struct PluralNumber: Equatable, Sendable {
  /// The integer digits (`i`). Of long numbers the last 15 digits count, behind a one, which no rule tells from
  /// the number itself.
  let integer: UInt64
  /// The number of digits behind the point (`v`).
  let width: UInt64
  /// These digits as a number (`f`).
  let fraction: UInt64
  /// The number of these digits without trailing zeros (`w`).
  let trimmedWidth: UInt64
  /// These digits without trailing zeros as a number (`t`).
  let trimmedFraction: UInt64
  /// The exponent of a compact number (`c` and `e`).
  let exponent: UInt64

  /// The digits that count.
  private static let mostDigits = 15

  /// Reads a decimal number: `-1.50`, `12`, `1e+20`, and `1.2c6` of compact numbers; nil for another text.
  package init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    var whole = Self.digits(&rest)
    var part: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      part = Self.digits(&rest)
      guard !part.isEmpty else { return nil }
    }
    guard !whole.isEmpty else { return nil }
    var (shift, isCompact) = (0, false)
    if let letter = rest.first {
      guard "cCeE".utf8.contains(letter) else { return nil }
      isCompact = letter | 0x20 == UInt8(ascii: "c")
      rest.removeFirst()
      let isNegative = rest.first == UInt8(ascii: "-")
      if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      let digits = Self.digits(&rest)
      guard (1...3).contains(digits.count) else { return nil }
      shift = Int(Self.number(digits)) * (isNegative ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    Self.movePoint(of: &whole, &part, by: shift)
    let trimmed = part.count - part.reversed().prefix { $0 == 0 }.count
    integer = Self.number(whole)
    (width, fraction) = (UInt64(part.count), Self.number(part))
    (trimmedWidth, trimmedFraction) = (UInt64(trimmed), Self.number(Array(part.prefix(trimmed))))
    exponent = isCompact ? UInt64(max(shift, 0)) : 0
  }

  /// Moves the point to the right, or to the left. Digits beyond all that count are not added.
  private static func movePoint(of whole: inout [UInt8], _ part: inout [UInt8], by shift: Int) {
    let digits = whole + part
    if shift >= 0 {
      let missing = min(max(shift - part.count, 0), mostDigits + 1)
      let end = min(whole.count + shift, digits.count)
      whole = digits[..<end] + Array(repeating: 0, count: missing)
      part = Array(digits[end...])
    } else {
      let missing = min(max(-shift - whole.count, 0), mostDigits + 1)
      let end = max(whole.count + shift, 0)
      whole = Array(digits[..<end])
      part = Array(repeating: 0, count: missing) + digits[end...]
    }
  }

  /// Removes the digits at the beginning.
  private static func digits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    let digits = rest.prefix { (zero...(zero + 9)).contains($0) }.map { $0 - zero }
    rest = rest.dropFirst(digits.count)
    return digits
  }

  private static func number(_ digits: [UInt8]) -> UInt64 {
    let significant = digits.drop { $0 == 0 }
    let number = significant.suffix(mostDigits).reduce(0) { 10 * $0 + UInt64($1) }
    return significant.count > mostDigits ? number + 1_000_000_000_000_000 : number
  }
}
