/// The contents of a file of time zone information, by RFC 9636 (TZif).
struct ZoneFile {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The rules in the file, or nil when it is no such file.
  ///
  /// From version 2 on, a block of 64-bit times follows one of 32-bit times, which is passed.
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

    /// The bytes of the block that follows.
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

  /// A big-endian number with a sign; the caller has checked that there are so many bytes.
  private mutating func number(_ size: Int) -> Int64 {
    var bits: UInt64 = 0
    for byte in bytes[position..<(position + size)] { bits = bits << 8 | UInt64(byte) }
    position += size
    return Int64(bitPattern: bits << (64 - 8 * size)) >> (64 - 8 * size)
  }

  /// Returns the rule between two line feeds at the end, or nothing; nil when it is cut off.
  private func footer() -> [UInt8]? {
    guard position < bytes.count, bytes[position] == 0x0A else { return nil }
    let rest = bytes[(position + 1)...]
    return rest.firstIndex(of: 0x0A).map { Array(rest[..<$0]) }
  }

  /// 26 hours, in seconds.
  private static let greatestOffset = 26 * 3600
}
