/// A duration, in nanoseconds, of at most about 10,000 years either way.
///
/// Not called `Duration`, which would hide the standard library's type of that name.
public struct TimeSpan: Sendable, Hashable {
  /// The whole seconds, rounded down.
  public let seconds: Int64
  /// The rest, below 1,000,000,000; it counts upwards for a negative duration too.
  public let nanoseconds: Int32

  /// The duration of so many nanoseconds, or nil when it is longer than 315,576,000,000 seconds
  /// and a fraction.
  public init?(nanoseconds: Int128) {
    guard nanoseconds.magnitude < 315_576_000_001_000_000_000 else { return nil }
    let (seconds, rest) = nanoseconds.dividedDown(by: 1_000_000_000)
    self.seconds = Int64(seconds)
    self.nanoseconds = Int32(rest)
  }

  /// The duration in nanoseconds.
  public var total: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }

  /// The duration in units of so many nanoseconds, rounded toward zero.
  func whole(_ unit: Int128) -> Int64 { Int64(total / unit) }
}
