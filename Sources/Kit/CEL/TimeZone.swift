private import Glibc
import JSONText
import Locks

/// The offset of a local time from UTC: fixed, or by the rules of a place.
enum TimeZone {
  /// In seconds.
  case fixed(Int)
  case named(ZoneRules)

  /// Parses a time zone: `UTC`, an offset such as `+02:00` or `02:00`, or an IANA name such as `Europe/Zurich`;
  /// nil if unknown.
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

  /// Returns the local offset in seconds ahead of UTC, at a number of seconds since 1970 in UTC.
  func offset(at seconds: Int64) -> Int {
    switch self {
    case .fixed(let offset): offset
    case .named(let rules): rules.offset(at: seconds)
    }
  }

  /// The steps of finding the local time in a time zone.
  static let cost = 20
  /// The additional steps of the first use of a time zone in an evaluation, which may have to read its file.
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

/// The past offsets of a place, and the rule for later times.
struct ZoneRules: Sendable {
  /// The times when the offset changed, in seconds since 1970, ascending.
  let transitions: [Int64]
  /// The offset from each transition on, in seconds ahead of UTC.
  let offsets: [Int]
  /// The offset before the first transition.
  let first: Int
  /// The rule after the last transition; without one the last offset stays.
  let rule: ZoneFooter?

  /// Returns the offset in seconds ahead of UTC.
  func offset(at seconds: Int64) -> Int {
    guard let last = transitions.last, seconds < last else {
      return rule?.offset(at: seconds) ?? offsets.last ?? first
    }
    let passed = countOfTransitions(through: seconds)
    return passed == 0 ? first : offsets[passed - 1]
  }

  private func countOfTransitions(through seconds: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The system's folder of time zone information, one file per name.
///
/// Zones are cached, so that evaluations do not read them again.
final class ZoneFolder: Sendable {
  static let system = ZoneFolder("/usr/share/zoneinfo")

  private let path: String
  private let known = Lock<[String: ZoneRules]>([:])

  init(_ path: String) { self.path = path }

  /// Returns the rules of the time zone called `name`; nil if unknown.
  func rules(_ name: String) -> ZoneRules? {
    guard Self.isPlain(name) else { return nil }
    if let rules = known.withLock({ $0[name] }) { return rules }
    guard let bytes = Self.read(path + "/" + name) else { return nil }
    var file = ZoneFile(bytes)
    guard let rules = file.rules() else { return nil }
    known.withLock { if $0.count < Self.mostKept { $0[name] = rules } }
    return rules
  }

  /// More than the number of names, unless links give one file many.
  private static let mostKept = 2048

  /// True if `name` is letters, digits, `+`, `-` and `_`, with single slashes between them: paths out of the
  /// folder have a dot.
  private static func isPlain(_ name: String) -> Bool {
    let bytes = name.utf8
    guard (1...64).contains(bytes.count), bytes.first?.isLetter == true else { return false }
    let slash = UInt8(ascii: "/")
    guard !zip(bytes, bytes.dropFirst()).contains(where: { $0 == slash && $1 == slash }) else {
      return false
    }
    return bytes.allSatisfy { $0.isLetter || $0.isDigit || "+-/".utf8.contains($0) }
  }

  /// Returns the bytes of a file, unless it is too long for time zone information.
  private static func read(_ path: String) -> [UInt8]? {
    // The path is our own string without zero bytes, and is not kept.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let limit = 1 << 16
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      // At most as many bytes as the buffer has room for.
      count = unsafe max(0, Glibc.read(file, buffer.baseAddress, limit))
    }
    return bytes.isEmpty || bytes.count == limit ? nil : bytes
  }
}

/// The contents of a time zone information file (TZif, RFC 9636).
struct ZoneFile {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the rules in the file; nil if it is invalid.
  ///
  /// From version 2 on, a block of 64-bit times follows one of 32-bit times, which is skipped.
  mutating func rules() -> ZoneRules? {
    guard let first = header() else { return nil }
    guard first.version >= UInt8(ascii: "2") else { return block(first, timeSize: 4, rule: nil) }
    position += first.size(timeSize: 4)
    guard let second = header() else { return nil }
    let start = position
    position += second.size(timeSize: 8)
    guard let text = footer() else { return nil }
    position = start
    return block(second, timeSize: 8, rule: ZoneFooter(text))
  }

  private struct Header {
    let version: UInt8
    let isUTCs, isStandards, leaps, times, types, characters: Int

    /// Returns the size of the following block in bytes.
    func size(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + isStandards
        + isUTCs
    }
  }

  private mutating func header() -> Header? {
    guard bytes.count - position >= 44,
      bytes[position..<(position + 4)].elementsEqual("TZif".utf8)
    else { return nil }
    let version = bytes[position + 4]
    position += 20
    var counts: [Int] = []
    for _ in 0..<6 { counts.append(Int(UInt32(truncatingIfNeeded: number(4)))) }
    guard counts.allSatisfy({ $0 <= bytes.count }), counts[4] > 0 else { return nil }
    return Header(
      version: version, isUTCs: counts[0], isStandards: counts[1], leaps: counts[2],
      times: counts[3], types: counts[4], characters: counts[5])
  }

  private mutating func block(
    _ header: Header, timeSize: Int, rule: ZoneFooter?
  ) -> ZoneRules? {
    guard bytes.count - position >= header.size(timeSize: timeSize) else { return nil }
    let transitions = (0..<header.times).map { _ in number(timeSize) }
    let types = (0..<header.times).map { _ in Int(number(1) & 0xFF) }
    var offsets: [Int] = []
    for _ in 0..<header.types {
      offsets.append(Int(number(4)))
      position += 2
    }
    guard types.allSatisfy({ $0 < offsets.count }),
      offsets.allSatisfy({ $0.magnitude <= Self.greatestOffset }),
      zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    return ZoneRules(
      transitions: transitions, offsets: types.map { offsets[$0] }, first: offsets[0], rule: rule)
  }

  /// Reads a signed big-endian number; the caller has checked the length.
  private mutating func number(_ size: Int) -> Int64 {
    var bits: UInt64 = 0
    for byte in bytes[position..<(position + size)] { bits = bits << 8 | UInt64(byte) }
    position += size
    return Int64(bitPattern: bits << (64 - 8 * size)) >> (64 - 8 * size)
  }

  /// Returns the rule between two line feeds at the end, or an empty one; nil if it is truncated.
  private func footer() -> [UInt8]? {
    guard position < bytes.count, bytes[position] == 0x0A else { return nil }
    let rest = bytes[(position + 1)...]
    return rest.firstIndex(of: 0x0A).map { Array(rest[..<$0]) }
  }

  /// 26 hours, in seconds.
  private static let greatestOffset = 26 * 3600
}

/// The rule for later times, in POSIX `TZ` form: `CET-1CEST,M3.5.0,M10.5.0/3` is one hour ahead, two from the
/// last Sunday of March to that of October.
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

  /// Returns the offset in seconds ahead of UTC.
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

  /// The time of a yearly change of the clocks.
  fileprivate struct Change: Sendable {
    let day: Day
    /// The seconds from midnight, possibly on a day before or after.
    let time: Int

    enum Day {
      /// From 1 to 365; February 29 is never counted.
      case withoutLeapDay(Int)
      /// From 0 to 365.
      case ofYear(Int)
      /// The nth weekday of a month; the fifth is the last.
      case weekday(Int, week: Int, month: Int)
    }

    /// Returns the change in seconds since 1970 in local time.
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
  /// Consumes a name, in angle brackets or of letters only.
  fileprivate mutating func zoneName() -> Bool {
    if accept("<") {
      _ = bytes(until: { $0 == UInt8(ascii: ">") })
      return accept(">")
    }
    return bytes(until: { !$0.isLetter }).count >= 3
  }

  /// Reads `[+-]hh[:mm[:ss]]`, in seconds.
  fileprivate mutating func time(hours limit: Int) -> Int? {
    let isNegative = next == UInt8(ascii: "-")
    if !accept("-") { _ = accept("+") }
    guard let hours = digits(1...3), hours <= limit,
      let minutes = accept(":") ? digits(2) : 0, let seconds = accept(":") ? digits(2) : 0
    else { return nil }
    return (hours * 3600 + minutes * 60 + seconds) * (isNegative ? -1 : 1)
  }

  /// Reads a day, and after a slash the time, by default two o'clock.
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
