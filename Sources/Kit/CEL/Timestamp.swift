/// A point in time in nanoseconds, from the year 1 to the year 9999.
public struct Timestamp: Sendable, Hashable {
  /// The whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public let seconds: Int64
  /// The remaining nanoseconds, below 1,000,000,000.
  public let nanoseconds: Int32

  /// Nil if the time is out of the years 1 to 9999, or the nanoseconds are not a fraction of a second.
  public init?(seconds: Int64, nanoseconds: Int32 = 0) {
    guard Self.range.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
      return nil
    }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Creates the time from the nanoseconds since the beginning of 1970; nil if it is out of range.
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
  /// Returns quotient and remainder, the remainder never negative; `divisor` is positive.
  func dividedDown(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// The text form of RFC 3339: `2009-02-13T23:31:30.5+01:00`.
extension Timestamp {
  /// Parses a time; nil for another form or an invalid time.
  ///
  /// Digits beyond nanoseconds are dropped. There are no leap seconds.
  public init?(_ text: String) {
    var cursor = ByteCursor(text)
    guard let days = cursor.date(), cursor.accept("T") || cursor.accept("t"),
      let time = cursor.timeOfDay(), let nanoseconds = cursor.fraction(),
      let offset = cursor.offset(), cursor.isAtEnd
    else { return nil }
    self.init(seconds: Int64(days * 86_400 + time - offset), nanoseconds: nanoseconds)
  }

  /// The time in UTC, with as many decimals as needed.
  public var text: String {
    let date = CivilDate(secondsSinceEpoch: seconds)
    let day = padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
    let time = [date.hour, date.minute, date.second].map { padded($0, 2) }.joined(separator: ":")
    return day + "T" + time + decimals(nanoseconds) + "Z"
  }
}

extension ByteCursor {
  /// Reads a date as days since the beginning of 1970.
  fileprivate mutating func date() -> Int? {
    guard let year = digits(4), accept("-"), let month = digits(2), accept("-"),
      let day = digits(2), (1...12).contains(month),
      (1...CivilDate.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    return CivilDate.daysSinceEpoch(year: year, month: month, day: day)
  }

  /// Reads the seconds from midnight.
  fileprivate mutating func timeOfDay() -> Int? {
    guard let hour = digits(2), accept(":"), let minute = digits(2), accept(":"),
      let second = digits(2), hour < 24, minute < 60, second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Reads decimals as nanoseconds; zero without decimals.
  fileprivate mutating func fraction() -> Int32? {
    guard accept(".") else { return 0 }
    guard next.isDigit else { return nil }
    var nanoseconds: Int32 = 0
    var unit: Int32 = 100_000_000
    while next.isDigit {
      nanoseconds += Int32(next - 0x30) * unit
      unit /= 10
      advance()
    }
    return nanoseconds
  }

  /// Reads an offset in seconds ahead of UTC.
  fileprivate mutating func offset() -> Int? {
    if accept("Z") || accept("z") { return 0 }
    let isBehind = next == UInt8(ascii: "-")
    guard accept("+") || accept("-"), let hours = digits(2), accept(":"),
      let minutes = digits(2), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
  }
}

/// Returns `number` with leading zeros, at least `width` digits.
private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Returns a point and the decimals of nanoseconds, without trailing zeros; empty for zero.
func decimals(_ nanoseconds: Int32) -> String {
  guard nanoseconds != 0 else { return "" }
  var digits = Array(padded(Int(nanoseconds), 9))
  while digits.last == "0" { digits.removeLast() }
  return "." + String(digits)
}

/// A date and time of day in the proleptic Gregorian calendar.
package struct CivilDate {
  let year: Int
  /// From 1.
  let month: Int
  /// From 1.
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  /// From 0 for Sunday.
  let weekday: Int

  /// Creates the date and time of a number of seconds since the beginning of 1970.
  init(secondsSinceEpoch seconds: Int64) {
    let (days, time) = Int(seconds).dividedDown(by: 86_400)
    (year, month, day) = Self.date(daysSinceEpoch: days)
    hour = time / 3600
    minute = time / 60 % 60
    second = time % 60
    weekday = Self.weekday(daysSinceEpoch: days)
  }

  /// The day of the year, from 0.
  var dayOfYear: Int {
    Self.daysSinceEpoch(year: year, month: month, day: day)
      - Self.daysSinceEpoch(year: year, month: 1, day: 1)
  }

  /// From 0 for Sunday.
  static func weekday(daysSinceEpoch days: Int) -> Int { (days + 4).dividedDown(by: 7).remainder }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days from 1970-01-01.
  ///
  /// Years begin in March, so that the leap day is the last; 400 of them, an era, have 146,097 days.
  package static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let (era, yearOfEra) = (month > 2 ? year : year - 1).dividedDown(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - epoch
  }

  /// Returns the date a number of days after 1970-01-01.
  private static func date(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + epoch).dividedDown(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      era * 400 + yearOfEra + (month > 2 ? 0 : 1), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// The days from 0000-03-01 to 1970-01-01.
  private static let epoch = 719_468
}
