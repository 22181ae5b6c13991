/// A checksum of bytes: CRC-64/XZ, the one of the `.xz` format (polynomial of ECMA-182, reflected).
///
/// It detects every burst of up to 64 changed bits, and all but one in 2⁶⁴ of other changes. It does not protect from
/// deliberate tampering.
struct Checksum {
  private var state: UInt64 = .max

  /// The checksum of the bytes added so far.
  var value: UInt64 { ~state }

  /// Returns the checksum of the bytes that a closure adds, as a signed integer for tables.
  static func of(_ contents: (inout Checksum) -> Void) -> Int64 {
    var checksum = Checksum()
    contents(&checksum)
    return Int64(bitPattern: checksum.value)
  }

  mutating func add(_ bytes: [UInt8]) {
    let (table, span) = (Self.table, bytes.span)
    var index = 0
    while index &+ 8 <= span.count {
      var word: UInt64 = 0
      for offset in 0..<8 { word |= UInt64(span[index &+ offset]) << UInt64(offset &* 8) }
      add(eight: word, table)
      index &+= 8
    }
    while index < span.count {
      state = table[Int(truncatingIfNeeded: state ^ UInt64(span[index])) & 0xFF] ^ (state >> 8)
      index &+= 1
    }
  }

  /// Adds the eight bytes of an integer, the highest first.
  mutating func add(_ integer: Int64) {
    add(eight: UInt64(bitPattern: integer).byteSwapped, Self.table)
  }

  /// Adds eight bytes at once, the lowest one first.
  @inline(__always)
  private mutating func add(eight bytes: UInt64, _ table: [UInt64]) {
    let word = state ^ bytes
    state = 0
    // The first byte has seven more behind it, so it uses the last table.
    for offset in 0..<8 {
      let byte = Int(truncatingIfNeeded: word >> UInt64(offset &* 8)) & 0xFF
      state ^= table[(7 &- offset) &* 256 &+ byte]
    }
  }

  /// Adds the number of bytes and then the bytes, so that adjacent fields cannot be confused.
  mutating func add(counted bytes: [UInt8]) {
    add(Int64(bytes.count))
    add(bytes)
  }

  /// For each number of following bytes, up to seven, the effect of each byte value on the checksum.
  private static let table: [UInt64] = {
    let polynomial: UInt64 = 0xC96C_5795_D787_0F42
    var table: [UInt64] = []
    for byte in 0..<UInt64(256) {
      var crc = byte
      for _ in 0..<8 { crc = crc & 1 == 1 ? polynomial ^ (crc >> 1) : crc >> 1 }
      table.append(crc)
    }
    for index in 256..<2048 {
      let shorter = table[index - 256]
      table.append(table[Int(shorter & 0xFF)] ^ (shorter >> 8))
    }
    return table
  }()
}
