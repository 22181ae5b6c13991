/// Sums and differences of times and durations (langdef "Timestamp and Duration").
extension BinaryOperator {
  /// Returns the result of `+` or `-` if at least one operand is a time or a duration; nil if the
  /// operator is not defined for them.
  func timeArithmetic(_ left: Value, _ right: Value) throws(Failure) -> Value? {
    switch (self, left, right) {
    case (.add, .timestamp(let time), .duration(let span)),
      (.add, .duration(let span), .timestamp(let time)):
      try Self.time(time.sinceEpoch + span.total)
    case (.subtract, .timestamp(let time), .duration(let span)):
      try Self.time(time.sinceEpoch - span.total)
    case (.add, .duration(let left), .duration(let right)):
      try Self.span(left.total + right.total)
    case (.subtract, .duration(let left), .duration(let right)):
      try Self.span(left.total - right.total)
    case (.subtract, .timestamp(let left), .timestamp(let right)):
      try Self.difference(left.sinceEpoch - right.sinceEpoch)
    default: nil
    }
  }

  private static func time(_ nanoseconds: Int128) throws(Failure) -> Value {
    guard let time = Timestamp(sinceEpoch: nanoseconds) else { throw .overflow(.timestamp) }
    return .timestamp(time)
  }

  private static func span(_ nanoseconds: Int128) throws(Failure) -> Value {
    guard let span = TimeSpan(nanoseconds: nanoseconds) else { throw .overflow(.duration) }
    return .duration(span)
  }

  /// The difference of two times has to fit 64 bits of nanoseconds, 292 years, as the conformance
  /// suite wants it.
  private static func difference(_ nanoseconds: Int128) throws(Failure) -> Value {
    guard Int64(exactly: nanoseconds) != nil else { throw .overflow(.duration) }
    return try span(nanoseconds)
  }
}
