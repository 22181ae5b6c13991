import JSONText

/// The offset of a local time from UTC: by a fixed offset, or by the rules of a place.
enum TimeZone {
  /// In seconds.
  case fixed(Int)
  case named(ZoneRules)

  /// The time zone called `name`: `UTC`, an offset such as `+02:00` or `02:00`, or a name of the
  /// IANA's, such as `Europe/Zurich`; nil when there is no such one.
  init?(_ name: String) {
    if name.hasSameBytes(as: "UTC") {
      self = .fixed(0)
    } else if let offset = Self.offset(name) {
      self = .fixed(offset)
    } else if let rules = ZoneFolder.system.rules(name) {
      self = .named(rules)
    } else {
      return nil
    }
  }

  /// The seconds by which a local clock is ahead of UTC, at so many seconds since 1970 in UTC.
  func offset(at seconds: Int64) -> Int {
    switch self {
    case .fixed(let offset): offset
    case .named(let rules): rules.offset(at: seconds)
    }
  }

  /// The steps that finding the local time in a time zone takes.
  static let cost = 20
  /// The steps that the first use of a time zone in an evaluation takes besides: its file may have to
  /// be read.
  static let costOfFirst = 1000

  private static func offset(_ text: String) -> Int? {
    guard text.utf8.count <= 6 else { return nil }
    var cursor = ByteCursor(text)
    let isBehind = cursor.next == UInt8(ascii: "-")
    if !cursor.accept("-") { _ = cursor.accept("+") }
    guard let hours = cursor.digits(1...2), cursor.accept(":"), let minutes = cursor.digits(2),
      hours < 24, minutes < 60, cursor.isAtEnd
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
  }
}
