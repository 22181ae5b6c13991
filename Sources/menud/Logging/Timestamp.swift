/// A moment as RFC 3339 writes it, in UTC: `2026-11-21T08:23:05.042Z`.
struct Timestamp: CustomStringConvertible {
  private let milliseconds: Int64

  /// The moment so many milliseconds after 1970-01-01T00:00:00Z.
  init(_ milliseconds: Int64) { self.milliseconds = milliseconds }

  var description: String {
    let (day, time) = milliseconds.dividedDown(by: 86_400_000)
    let (year, month, dayOfMonth) = Self.date(day)
    let date = "\(year)-\(month.padded(to: 2))-\(dayOfMonth.padded(to: 2))"
    let hour = (time / 3_600_000).padded(to: 2)
    let minute = (time / 60_000 % 60).padded(to: 2)
    let second = (time / 1000 % 60).padded(to: 2)
    return "\(date)T\(hour):\(minute):\(second).\((time % 1000).padded(to: 3))Z"
  }

  /// The date of a day counted from 1970-01-01, in the Gregorian calendar.
  ///
  /// Years are taken to begin in March, so that the odd day of a leap year is their last.
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (day + 719_468).dividedDown(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let isNextYear = month >= 10
    return (
      yearOfEra + era * 400 + (isNextYear ? 1 : 0), month + (isNextYear ? -9 : 3), dayOfMonth
    )
  }
}

extension Int64 {
  /// Quotient and remainder, the remainder never negative.
  fileprivate func dividedDown(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  fileprivate func padded(to count: Int) -> String {
    let digits = description
    return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }
}
