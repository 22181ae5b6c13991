import JSONText

/// The parts of times, with and without a time zone, and of durations.
extension Function {
  static let times =
    [
      accessor("getFullYear") { $0.year },
      accessor("getMonth") { $0.month - 1 },
      accessor("getDate") { $0.day },
      accessor("getDayOfMonth") { $0.day - 1 },
      accessor("getDayOfWeek") { $0.weekday },
      accessor("getDayOfYear") { $0.dayOfYear },
      accessor("getHours", in: { $0.whole(3_600_000_000_000) }) { $0.hour },
      accessor("getMinutes", in: { $0.whole(60_000_000_000) }) { $0.minute },
      accessor("getSeconds", in: { $0.whole(1_000_000_000) }) { $0.second },
      [
        Function(name: "getMilliseconds", styles: [.member], body: .unary(milliseconds)),
        Function(name: "getMilliseconds", styles: [.member], body: .binary(milliseconds(of:in:_:))),
      ],
    ].flatMap { $0 }

  /// Returns the accessor of a part of a time, which may also be one of a duration.
  private static func accessor(
    _ name: String, in span: (@Sendable (TimeSpan) -> Int64)? = nil,
    _ part: @escaping @Sendable (CivilDate) -> Int
  ) -> [Function] {
    [
      Function(
        name: name, styles: [.member],
        body: .unary({ (value, _) throws(Failure) in
          if let span, case .duration(let duration) = value { return .int(span(duration)) }
          guard case .timestamp(let time) = value else { throw .noSuchOverload(name, [value.type]) }
          return .int(Int64(part(CivilDate(secondsSinceEpoch: time.seconds))))
        })),
      Function(
        name: name, styles: [.member],
        body: .binary({ (value, zone, meter) throws(Failure) in
          let seconds = try localSeconds(of: value, in: zone, for: name, &meter)
          return .int(Int64(part(CivilDate(secondsSinceEpoch: seconds))))
        })),
    ]
  }

  private static func milliseconds(_ value: Value, _: inout Meter) throws(Failure) -> Value {
    switch value {
    case .timestamp(let time): return .int(Int64(time.nanoseconds / 1_000_000))
    case .duration(let span): return .int(span.whole(1_000_000) % 1000)
    default: throw .noSuchOverload("getMilliseconds", [value.type])
    }
  }

  private static func milliseconds(
    of value: Value, in zone: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    _ = try localSeconds(of: value, in: zone, for: "getMilliseconds", &meter)
    return try milliseconds(value, &meter)
  }

  /// Returns the seconds since 1970 of the local time in the time zone called `zone`.
  private static func localSeconds(
    of value: Value, in zone: Value, for function: String, _ meter: inout Meter
  ) throws(Failure) -> Int64 {
    guard case .timestamp(let time) = value, case .string(let name) = zone else {
      throw .noSuchOverload(function, [value.type, zone.type])
    }
    guard let zone = try meter.zone(called: name) else {
      throw .argument(.unknownTimeZone(try meter.describing(zone)))
    }
    return time.seconds + Int64(zone.offset(at: time.seconds))
  }
}

extension Meter {
  /// Returns the time zone called `name`, if it exists. The cost depends on this evaluation alone: a zone cached by
  /// an earlier one costs the same.
  fileprivate mutating func zone(called name: String) throws(Failure) -> TimeZone? {
    try charge(TimeZone.cost)
    if let known = zones.first(where: { $0.name.hasSameBytes(as: name) }) { return known.zone }
    try charge(TimeZone.costOfFirst)
    guard let zone = TimeZone(name) else { return nil }
    if zones.count < 8 { zones.append((name, zone)) }
    return zone
  }
}

/// Sums and differences of times and durations (langdef "Timestamp and Duration").
extension BinaryOperator {
  /// Returns the result of `+` or `-` if at least one operand is a time or a duration; nil if the operator is
  /// not defined for them.
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

  /// The difference of two times must fit 64 bits of nanoseconds, 292 years, as the conformance suite requires.
  private static func difference(_ nanoseconds: Int128) throws(Failure) -> Value {
    guard Int64(exactly: nanoseconds) != nil else { throw .overflow(.duration) }
    return try span(nanoseconds)
  }
}

/// A duration in nanoseconds, of at most about 10,000 years either way.
///
/// Not called `Duration`, which would shadow the standard library's type.
public struct TimeSpan: Sendable, Hashable {
  /// The whole seconds, rounded down.
  public let seconds: Int64
  /// The remaining nanoseconds, from 0 up to 999,999,999, also for a negative duration.
  public let nanoseconds: Int32

  /// Nil if the duration is longer than 315,576,000,000 seconds and a fraction.
  public init?(nanoseconds: Int128) {
    guard nanoseconds.magnitude < 315_576_000_001_000_000_000 else { return nil }
    let (seconds, rest) = nanoseconds.dividedDown(by: 1_000_000_000)
    self.seconds = Int64(seconds)
    self.nanoseconds = Int32(rest)
  }

  /// The duration in nanoseconds.
  public var total: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }

  /// Returns the duration in units of `unit` nanoseconds, rounded toward zero.
  func whole(_ unit: Int128) -> Int64 { Int64(total / unit) }
}

extension TimeSpan {
  /// Parses a duration: numbers with units, such as `1h30m`, `-1.5s`, `100ms`, or a plain `0`; nil for another
  /// form.
  ///
  /// Fractions of a nanosecond are dropped.
  public init?(_ text: String) {
    var cursor = ByteCursor(text)
    let isNegative = cursor.next == UInt8(ascii: "-")
    if !cursor.accept("-") { _ = cursor.accept("+") }
    guard let total = cursor.isAtZero ? 0 : cursor.quantities() else { return nil }
    self.init(nanoseconds: isNegative ? -total : total)
  }

  /// The duration in seconds, with as many decimals as needed: `-1.5s`.
  public var text: String {
    let (seconds, rest) = total.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (total < 0 ? "-" : "") + String(seconds) + decimals(Int32(rest)) + "s"
  }

  /// The double nearest to the duration in seconds.
  var inSeconds: Double { Double(text.dropLast()) ?? Double(seconds) }
}

extension ByteCursor {
  /// True if only a zero is left, which needs no unit.
  fileprivate var isAtZero: Bool {
    var rest = self
    return rest.accept("0") && rest.isAtEnd
  }

  /// Reads all quantities up to the end, in nanoseconds.
  fileprivate mutating func quantities() -> Int128? {
    var total: Int128 = 0
    repeat {
      guard let quantity = quantity() else { return nil }
      total += quantity
      guard total.magnitude < Self.mostNanoseconds else { return nil }
    } while !isAtEnd
    return total
  }

  /// Reads a number with its unit, in nanoseconds.
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
