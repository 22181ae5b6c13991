/// A point in time, in nanoseconds, from the year 1 to the year 9999.
public struct Timestamp: Sendable, Hashable {
  /// The whole seconds since the beginning of 1970 in UTC, rounded down.
  public let seconds: Int64
  /// The rest, below 1,000,000,000.
  public let nanoseconds: Int32

  /// The time so many seconds and nanoseconds after the beginning of 1970, or nil when it is
  /// outside of the years 1 to 9999, or the nanoseconds are no fraction of a second.
  public init?(seconds: Int64, nanoseconds: Int32 = 0) {
    guard Self.range.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
      return nil
    }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The time so many nanoseconds after the beginning of 1970, if there is such a one.
  init?(sinceEpoch nanoseconds: Int128) {
    let (seconds, rest) = nanoseconds.dividedDown(by: 1_000_000_000)
    guard let seconds = Int64(exactly: seconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: Int32(rest))
  }

  /// The nanoseconds since the beginning of 1970.
  var sinceEpoch: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }

  /// From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
  private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
}

extension FixedWidthInteger {
  /// Quotient and remainder, where the remainder is never negative; `divisor` is positive.
  func dividedDown(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
