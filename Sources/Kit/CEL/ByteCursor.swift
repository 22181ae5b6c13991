/// Reads a short text of a fixed form, byte after byte: a time, a zone, an address.
struct ByteCursor {
  /// The bytes of a text that is short enough for them, which is read without allocating memory.
  private var short = InlineArray<40, UInt8>(repeating: 0)
  /// The bytes of every other text.
  private var long: [UInt8] = []
  private let count: Int
  private(set) var position = 0

  init(_ text: String) {
    count = text.utf8.count
    guard count <= short.count else {
      long = Array(text.utf8)
      return
    }
    let bytes = text.utf8.span
    for position in bytes.indices { short[position] = bytes[position] }
  }

  init(_ bytes: [UInt8]) {
    count = bytes.count
    long = bytes
  }

  var isAtEnd: Bool { position == count }

  /// The next byte, or 0 at the end.
  var next: UInt8 {
    guard !isAtEnd else { return 0 }
    return long.isEmpty ? short[position] : long[position]
  }

  mutating func advance() {
    if !isAtEnd { position += 1 }
  }

  /// Passes `character`, if it is next.
  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard !isAtEnd, next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Passes the bytes of `text`, if they are next.
  mutating func accept(text: String) -> Bool {
    let start = position
    for byte in text.utf8 {
      guard !isAtEnd, next == byte else {
        position = start
        return false
      }
      position += 1
    }
    return true
  }

  /// The number that exactly `count` digits are.
  mutating func digits(_ count: Int) -> Int? { digits(count...count) }

  /// Reads a number of as many digits as `count` allows; nil if there are more or fewer.
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
    while !isAtEnd, !isEnd(next) { position += 1 }
    guard long.isEmpty else { return long[start..<position] }
    return (start..<position).map { short[$0] }[...]
  }
}
