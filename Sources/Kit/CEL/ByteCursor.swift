/// Reads a short text of a fixed form, such as a time, a zone or an address.
struct ByteCursor {
  /// The bytes of a short text, stored inline.
  private var short = InlineArray<40, UInt8>(repeating: 0)
  /// The bytes of a longer text.
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

  /// The next byte; 0 at the end.
  var next: UInt8 {
    guard !isAtEnd else { return 0 }
    return long.isEmpty ? short[position] : long[position]
  }

  mutating func advance() {
    if !isAtEnd { position += 1 }
  }

  /// Consumes `character` if it is next.
  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard !isAtEnd, next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Consumes `text` if it is next.
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

  /// Reads a number of exactly `count` digits.
  mutating func digits(_ count: Int) -> Int? { digits(count...count) }

  /// Reads a number with a number of digits in `count`; nil if there are more or fewer.
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

  /// Consumes bytes up to the end or one that satisfies `isEnd`.
  mutating func bytes(until isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while !isAtEnd, !isEnd(next) { position += 1 }
    guard long.isEmpty else { return long[start..<position] }
    return (start..<position).map { short[$0] }[...]
  }
}

/// Searches for bytes in time proportional to both lengths, by the failure function of Knuth, Morris and Pratt.
///
/// In UTF-8, a part that begins with a whole code point is found at code points only.
struct ByteSearch {
  private let part: [UInt8]
  /// For each prefix of the part, the length of its longest proper prefix that is also its suffix.
  private let borders: [Int]

  init(_ part: Span<UInt8>) { self.init((0..<part.count).map { part[$0] }) }

  init(_ part: [UInt8]) {
    self.part = part
    var borders = Array(repeating: 0, count: part.count)
    var length = 0
    for position in part.indices.dropFirst() {
      while length > 0, part[position] != part[length] { length = borders[length - 1] }
      if part[position] == part[length] { length += 1 }
      borders[position] = length
    }
    self.borders = borders
  }

  /// The number of bytes to search for.
  var count: Int { part.count }

  /// Returns the offset of the first occurrence from `start` on; an empty part occurs at `start`.
  func first(in text: Span<UInt8>, from start: Int = 0) -> Int? {
    guard !part.isEmpty else { return start <= text.count ? start : nil }
    var matched = 0
    for position in start..<max(start, text.count) {
      while matched > 0, text[position] != part[matched] { matched = borders[matched - 1] }
      if text[position] == part[matched] { matched += 1 }
      if matched == part.count { return position + 1 - matched }
    }
    return nil
  }

  /// Returns the offsets of up to `limit` non-overlapping occurrences.
  func all(in text: Span<UInt8>, limit: Int) -> [Int] {
    var found: [Int] = []
    var start = 0
    while found.count < limit, let next = first(in: text, from: start) {
      found.append(next)
      start = next + max(1, part.count)
    }
    return found
  }
}

/// Offsets in code points, the language's unit, and in UTF-8 bytes.
extension String {
  /// Returns the number of code points in the first `bytes` bytes.
  func codePoints(inFirst bytes: Int) -> Int {
    let text = utf8.span
    var count = 0
    for position in 0..<min(bytes, text.count) where text[position] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// Returns the byte offset of the code point at `offset`, or of the end; throws for an offset out of range.
  func byteOffset(_ offset: Int64) throws(EvaluationFault.Reason) -> Int {
    let text = utf8.span
    var count: Int64 = 0
    for position in 0..<text.count where text[position] & 0xC0 != 0x80 {
      if count == offset { return position }
      count += 1
    }
    guard count == offset else { throw .argument(.offset(offset, length: Int(count))) }
    return text.count
  }

  /// Returns the part between two byte offsets of code points.
  func slice(_ start: Int, _ end: Int) -> String {
    let first = utf8.index(utf8.startIndex, offsetBy: start)
    return String(self[first..<utf8.index(first, offsetBy: end - start)])
  }
}
