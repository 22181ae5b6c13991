/// The form of RFC 3339: `2009-02-13T23:31:30.5+01:00`.
extension Timestamp {
  /// The time that `text` names, or nil when it has another form or names none.
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

  /// The text of the time in UTC, with as many decimals as it needs.
  public var text: String {
    let date = CivilDate(secondsSinceEpoch: seconds)
    let day = padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
    let time = [date.hour, date.minute, date.second].map { padded($0, 2) }.joined(separator: ":")
    return day + "T" + time + decimals(nanoseconds) + "Z"
  }
}

extension ByteCursor {
  /// The days from the beginning of 1970 to the date that is next.
  fileprivate mutating func date() -> Int? {
    guard let year = digits(4), accept("-"), let month = digits(2), accept("-"),
      let day = digits(2), (1...12).contains(month),
      (1...CivilDate.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    return CivilDate.daysSinceEpoch(year: year, month: month, day: day)
  }

  /// The seconds from midnight.
  fileprivate mutating func timeOfDay() -> Int? {
    guard let hour = digits(2), accept(":"), let minute = digits(2), accept(":"),
      let second = digits(2), hour < 24, minute < 60, second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// The nanoseconds that decimals are; none are zero.
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

  /// The seconds by which the local time is ahead of UTC.
  fileprivate mutating func offset() -> Int? {
    if accept("Z") || accept("z") { return 0 }
    let isBehind = next == UInt8(ascii: "-")
    guard accept("+") || accept("-"), let hours = digits(2), accept(":"),
      let minutes = digits(2), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
  }
}

/// `number` with zeros before it, so that it has at least `width` digits.
private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// A point and the decimals of so many nanoseconds, without zeros at their end; nothing for zero.
func decimals(_ nanoseconds: Int32) -> String {
  guard nanoseconds != 0 else { return "" }
  var digits = Array(padded(Int(nanoseconds), 9))
  while digits.last == "0" { digits.removeLast() }
  return "." + String(digits)
}
