/// The rule by which a place's clocks go on, as POSIX writes it in `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`
/// is one hour ahead, two from the last Sunday of March to that of October.
struct ZoneFooter: Sendable {
  /// In seconds ahead of UTC.
  private let standard: Int
  private let summer: (offset: Int, start: Change, end: Change)?

  init?(_ text: [UInt8]) {
    var cursor = ByteCursor(text)
    guard cursor.zoneName(), let behind = cursor.time(hours: 24) else { return nil }
    standard = -behind
    guard !cursor.isAtEnd else {
      summer = nil
      return
    }
    guard cursor.zoneName() else { return nil }
    let isHourAhead = cursor.next == UInt8(ascii: ",")
    guard let summerBehind = isHourAhead ? behind - 3600 : cursor.time(hours: 24),
      cursor.accept(","), let start = cursor.change(), cursor.accept(","),
      let end = cursor.change(), cursor.isAtEnd
    else { return nil }
    summer = (-summerBehind, start, end)
  }

  /// The seconds by which clocks are ahead of UTC.
  func offset(at seconds: Int64) -> Int {
    guard let summer else { return standard }
    let local = seconds + Int64(standard)
    let year = CivilDate(secondsSinceEpoch: local).year
    let start = summer.start.seconds(in: year) - Int64(standard)
    let end = summer.end.seconds(in: year) - Int64(summer.offset)
    let isSummer =
      start < end ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
    return isSummer ? summer.offset : standard
  }

  /// The time at which clocks change, every year.
  fileprivate struct Change: Sendable {
    let day: Day
    /// The seconds from midnight, of some day before or after too.
    let time: Int

    enum Day {
      /// From 1 to 365; February 29 is never counted.
      case withoutLeapDay(Int)
      /// From 0 to 365.
      case ofYear(Int)
      /// The weekday for the so-many-th time, where the fifth is the last.
      case weekday(Int, week: Int, month: Int)
    }

    /// In seconds since 1970 on a local clock.
    func seconds(in year: Int) -> Int64 {
      let first = CivilDate.daysSinceEpoch(year: year, month: 1, day: 1)
      let days =
        switch day {
        case .withoutLeapDay(let day): first + day - (day > 59 && CivilDate.isLeap(year) ? 0 : 1)
        case .ofYear(let day): first + day
        case .weekday(let weekday, let week, let month):
          Self.days(year, month, week: week, weekday: weekday)
        }
      return Int64(days * 86_400 + time)
    }

    private static func days(_ year: Int, _ month: Int, week: Int, weekday: Int) -> Int {
      let first = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
      let wait = (weekday - CivilDate.weekday(daysSinceEpoch: first) + 7) % 7
      let day = wait + (week - 1) * 7
      return first + (day < CivilDate.days(inMonth: month, of: year) ? day : day - 7)
    }
  }
}

extension ByteCursor {
  /// Passes a name, in angle brackets or of letters alone.
  fileprivate mutating func zoneName() -> Bool {
    if accept("<") {
      _ = bytes(until: { $0 == UInt8(ascii: ">") })
      return accept(">")
    }
    return bytes(until: { !$0.isLetter }).count >= 3
  }

  /// `[+-]hh[:mm[:ss]]`, in seconds.
  fileprivate mutating func time(hours limit: Int) -> Int? {
    let isNegative = next == UInt8(ascii: "-")
    if !accept("-") { _ = accept("+") }
    guard let hours = digits(1...3), hours <= limit,
      let minutes = accept(":") ? digits(2) : 0, let seconds = accept(":") ? digits(2) : 0
    else { return nil }
    return (hours * 3600 + minutes * 60 + seconds) * (isNegative ? -1 : 1)
  }

  /// A day and the time after a slash, which is two o'clock unless it is there.
  fileprivate mutating func change() -> ZoneFooter.Change? {
    guard let day = day(), let time = accept("/") ? time(hours: 167) : 7200 else { return nil }
    return ZoneFooter.Change(day: day, time: time)
  }

  private mutating func day() -> ZoneFooter.Change.Day? {
    if accept("J") {
      guard let day = digits(1...3), (1...365).contains(day) else { return nil }
      return .withoutLeapDay(day)
    }
    guard accept("M") else {
      guard let day = digits(1...3), day <= 365 else { return nil }
      return .ofYear(day)
    }
    guard let month = digits(1...2), accept("."), let week = digits(1), accept("."),
      let weekday = digits(1), (1...12).contains(month), (1...5).contains(week), weekday < 7
    else { return nil }
    return .weekday(weekday, week: week, month: month)
  }
}
