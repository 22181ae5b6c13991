extension TimeSpan {
  /// The duration that `text` names, or nil when it names none: numbers with units, such as
  /// `1h30m`, `-1.5s`, `100ms`, or a plain `0`.
  ///
  /// Parses a duration; fractions of a nanosecond are dropped.
  public init?(_ text: String) {
    var cursor = ByteCursor(text)
    let isNegative = cursor.next == UInt8(ascii: "-")
    if !cursor.accept("-") { _ = cursor.accept("+") }
    guard let total = cursor.isAtZero ? 0 : cursor.quantities() else { return nil }
    self.init(nanoseconds: isNegative ? -total : total)
  }

  /// The duration in seconds, with as many decimals as it needs: `-1.5s`.
  public var text: String {
    let (seconds, rest) = total.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (total < 0 ? "-" : "") + String(seconds) + decimals(Int32(rest)) + "s"
  }

  /// The double nearest to the duration in seconds.
  var inSeconds: Double { Double(text.dropLast()) ?? Double(seconds) }
}

extension ByteCursor {
  /// True if there is nothing left but a zero, which needs no unit.
  fileprivate var isAtZero: Bool {
    var rest = self
    return rest.accept("0") && rest.isAtEnd
  }

  /// The nanoseconds of all quantities up to the end.
  fileprivate mutating func quantities() -> Int128? {
    var total: Int128 = 0
    repeat {
      guard let quantity = quantity() else { return nil }
      total += quantity
      guard total.magnitude < Self.mostNanoseconds else { return nil }
    } while !isAtEnd
    return total
  }

  /// A number with its unit, in nanoseconds.
  private mutating func quantity() -> Int128? {
    let isWhole = next.isDigit
    guard let whole = digits(0...18) else { return nil }
    let fraction = accept(".") ? decimalPart() : (digits: 0, scale: 1)
    guard isWhole || fraction.scale > 1, let unit = unit() else { return nil }
    return Int128(whole) * unit + fraction.digits * unit / fraction.scale
  }

  private mutating func decimalPart() -> (digits: Int128, scale: Int128) {
    var part: (digits: Int128, scale: Int128) = (0, 1)
    while next.isDigit {
      if part.scale < 1_000_000_000_000_000_000 {
        part = (part.digits * 10 + Int128(next - 0x30), part.scale * 10)
      }
      advance()
    }
    return part
  }

  private mutating func unit() -> Int128? {
    if accept("h") { return 3_600_000_000_000 }
    if accept(text: "ms") { return 1_000_000 }
    if accept("m") { return 60_000_000_000 }
    if accept("s") { return 1_000_000_000 }
    if accept(text: "us") || accept(text: "µs") || accept(text: "μs") { return 1000 }
    return accept(text: "ns") ? 1 : nil
  }

  /// Beyond every duration, and far from what 128 bits can hold.
  private static let mostNanoseconds: UInt128 = 1_000_000_000_000_000_000_000
}
