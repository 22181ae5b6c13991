/// A date and time of day in the Gregorian calendar, which is also used for what was before it.
struct CivilDate {
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

  /// The date and time on a clock that shows so many seconds since the beginning of 1970.
  init(secondsSinceEpoch seconds: Int64) {
    let (days, time) = Int(seconds).dividedDown(by: 86_400)
    (year, month, day) = Self.date(daysSinceEpoch: days)
    hour = time / 3600
    minute = time / 60 % 60
    second = time % 60
    weekday = Self.weekday(daysSinceEpoch: days)
  }

  /// The days that have passed in the year, from 0.
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

  /// The days from 1970-01-01.
  ///
  /// Years are taken to begin in March, so that the leap day is the last; 400 of them, an era, have
  /// 146,097 days.
  static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let (era, yearOfEra) = (month > 2 ? year : year - 1).dividedDown(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - epoch
  }

  /// The date so many days from 1970-01-01.
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
