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

  /// A part of a time, which may have a counterpart in a duration.
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

  /// The seconds since 1970 on a clock in the time zone called `zone`.
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
  /// The time zone called `name`, if there is one. Its cost depends on the evaluation alone, not
  /// on what others have had read before.
  fileprivate mutating func zone(called name: String) throws(Failure) -> TimeZone? {
    try charge(TimeZone.cost)
    if let known = zones.first(where: { $0.name.hasSameBytes(as: name) }) { return known.zone }
    try charge(TimeZone.costOfFirst)
    guard let zone = TimeZone(name) else { return nil }
    if zones.count < 8 { zones.append((name, zone)) }
    return zone
  }
}
