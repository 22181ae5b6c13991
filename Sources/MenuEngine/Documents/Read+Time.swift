import JSONText

extension Read {
  /// A moment in milliseconds since 1970-01-01T00:00:00Z: that number, or the moment as answers write
  /// it, `2026-11-21T08:32:27.000Z`.
  static func time(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Int64? {
    switch json {
    case .int(let milliseconds): return milliseconds
    case .string(let text):
      if let milliseconds = milliseconds(text) { return milliseconds }
    case .null, .bool, .double, .array, .object: break
    }
    return refuse(.time, json, at: pointer, log: log)
  }

  /// The moment that a text of the form `0000-00-00T00:00:00.000Z` names.
  private static func milliseconds(_ text: String) -> Int64? {
    let form = Array("0000-00-00T00:00:00.000Z".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count == form.count else { return nil }
    var numbers: [Int64] = [0]
    for (byte, expected) in zip(bytes, form) {
      if expected == UInt8(ascii: "0") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int64(byte) - 0x30
      } else {
        guard byte == expected else { return nil }
        numbers.append(0)
      }
    }
    return milliseconds(
      date: (numbers[0], numbers[1], numbers[2]),
      clock: (numbers[3], numbers[4], numbers[5], numbers[6]))
  }

  private static func milliseconds(
    date: (year: Int64, month: Int64, day: Int64),
    clock: (hour: Int64, minute: Int64, second: Int64, millisecond: Int64)
  ) -> Int64? {
    guard (1...12).contains(date.month), (1...31).contains(date.day), clock.hour < 24,
      clock.minute < 60, clock.second < 60
    else { return nil }
    let seconds = (clock.hour * 60 + clock.minute) * 60 + clock.second
    return days(date) * 86_400_000 + seconds * 1000 + clock.millisecond
  }

  /// Days since 1970-01-01 in the Gregorian calendar, by counting in eras of 400 years that begin on
  /// 1 March.
  private static func days(_ date: (year: Int64, month: Int64, day: Int64)) -> Int64 {
    let year = date.month <= 2 ? date.year - 1 : date.year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let march = (date.month + 9) % 12
    let dayOfYear = (153 * march + 2) / 5 + date.day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
