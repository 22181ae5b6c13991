/// Reads a short text of a fixed form, byte after byte: a time, a zone, an address.
struct ByteCursor {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, or 0 at the end.
  var next: UInt8 { isAtEnd ? 0 : bytes[position] }

  mutating func advance() {
    if !isAtEnd { position += 1 }
  }

  /// Passes `character`, if it is next.
  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard !isAtEnd, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Passes the bytes of `text`, if they are next.
  mutating func accept(text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// The number that exactly `count` digits are.
  mutating func digits(_ count: Int) -> Int? { digits(count...count) }

  /// The number that the following digits are, of which there must be as many as `count` says.
  mutating func digits(_ count: ClosedRange<Int>) -> Int? {
    var number = 0
    var found = 0
    while found < count.upperBound, next.isDigit {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(next) - 0x30)
      guard !overflow, !carry else { return nil }
      number = sum
      found += 1
      position += 1
    }
    return count.contains(found) ? number : nil
  }

  /// The bytes up to one that `isEnd` holds for, or to the end.
  mutating func bytes(until isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while !isAtEnd, !isEnd(bytes[position]) { position += 1 }
    return bytes[start..<position]
  }
}
