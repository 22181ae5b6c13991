/// A moment as RFC 3339 writes it, in universal time and to the millisecond.
package struct InternetTimestamp {
  private let days: Int64
  private let millisecondOfDay: Int64

  /// The moment so many milliseconds after 1970-01-01T00:00:00Z.
  package init(milliseconds: Int64) {
    let day: Int64 = 86_400_000
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: day)
    days = remainder < 0 ? quotient - 1 : quotient
    millisecondOfDay = remainder < 0 ? remainder + day : remainder
  }

  /// The moment as text: `2026-11-21T08:32:27.000Z`.
  package var text: String {
    let (year, month, day) = date
    let seconds = millisecondOfDay / 1000
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    return "\(date)T\(clock.joined(separator: ":")).\(padded(millisecondOfDay % 1000, 3))Z"
  }

  /// The date in the Gregorian calendar, by counting in eras of 400 years that begin on 1 March.
  private var date: (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
  }

  private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
