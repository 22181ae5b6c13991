/// String and bytes literals.
///
///     STRING ::= [rR]? ( " ~( " | NEWLINE )* " | ' ~( ' | NEWLINE )* ' | """ ~"""* """ | ''' ~'''* ''' )
///     BYTES  ::= [bB] STRING
///     ESCAPE ::= \ [abfnrtv\?"'`] | \ [xX] HEX{2} | \u HEX{4} | \U HEX{8} | \ [0-3] [0-7] [0-7]
///
/// In a string `\x` and the octal escapes are code points, in bytes they are octets; `\u` and `\U`
/// are for strings only. Two `\u` that form a surrogate pair are one code point.
extension Scanner {
  /// The beginning of a literal.
  struct Opening {
    var isRaw = false
    var isBytes = false
    var quote: UInt8 = 0
    var isTriple = false
    var length = 0
  }

  /// Returns the beginning of the literal at the position, or nil when there is none.
  func stringOpening() -> Opening? {
    var opening = Opening()
    while opening.length < 2, let isRaw = prefix(peek(opening.length)) {
      guard isRaw ? !opening.isRaw : !opening.isBytes && !opening.isRaw else { return nil }
      if isRaw { opening.isRaw = true } else { opening.isBytes = true }
      opening.length += 1
    }
    opening.quote = peek(opening.length)
    guard opening.quote == UInt8(ascii: "'") || opening.quote == UInt8(ascii: "\"") else {
      return nil
    }
    opening.isTriple = (1...2).allSatisfy { peek(opening.length + $0) == opening.quote }
    opening.length += opening.isTriple ? 3 : 1
    return opening
  }

  /// True if `byte` is the prefix of a raw literal; nil when it is none at all.
  private func prefix(_ byte: UInt8) -> Bool? {
    switch byte | 0x20 {
    case UInt8(ascii: "r"): true
    case UInt8(ascii: "b"): false
    default: nil
    }
  }

  mutating func string(_ opening: Opening) throws(SyntaxFault) -> Token.Kind {
    let start = position
    position += opening.length
    var content: [UInt8] = []
    while !isClosed(opening) {
      try checkOpen(opening, from: start)
      if peek() == UInt8(ascii: "\\"), !opening.isRaw {
        try escape(into: &content, isBytes: opening.isBytes)
      } else {
        content.append(peek())
        position += 1
      }
    }
    position += opening.isTriple ? 3 : 1
    return opening.isBytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self))
  }

  private func isClosed(_ opening: Opening) -> Bool {
    let count = opening.isTriple ? 3 : 1
    return (0..<count).allSatisfy { peek($0) == opening.quote }
  }

  private func checkOpen(_ opening: Opening, from start: Int) throws(SyntaxFault) {
    let isAtEnd = position >= bytes.count
    let isAtBreak = !opening.isTriple && (peek() == 0x0A || peek() == 0x0D)
    guard isAtEnd || isAtBreak else { return }
    throw SyntaxFault(
      .unterminatedString, at: SourceRange(start, start + opening.length),
      isAtEnd ? .missingQuote : .lineBreakInString)
  }

  private mutating func escape(into content: inout [UInt8], isBytes: Bool) throws(SyntaxFault) {
    let start = position
    position += 2
    let letter = bytes[..<min(position, bytes.count)].last ?? 0
    if let plain = Self.plainEscapes[letter] {
      content.append(plain)
      return
    }
    let value = try escapedNumber(letter, isBytes: isBytes, from: start)
    if isBytes, let octet = UInt8(exactly: value) {
      content.append(octet)
    } else if let scalar = Unicode.Scalar(value) {
      content.append(contentsOf: String(scalar).utf8)
    } else {
      throw invalidEscape(from: start)
    }
  }

  private mutating func escapedNumber(
    _ letter: UInt8, isBytes: Bool, from start: Int
  ) throws(SyntaxFault) -> UInt32 {
    switch letter {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): return try digits(2, 16, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      position -= 1
      return try digits(3, 8, from: start)
    case UInt8(ascii: "u") where !isBytes: return try basicCodePoint(from: start)
    case UInt8(ascii: "U") where !isBytes: return try digits(8, 16, from: start)
    default: throw invalidEscape(from: start)
    }
  }

  private mutating func basicCodePoint(from start: Int) throws(SyntaxFault) -> UInt32 {
    let first = try digits(4, 16, from: start)
    guard (0xD800..<0xDC00).contains(first), peek() == UInt8(ascii: "\\"),
      peek(1) == UInt8(ascii: "u")
    else { return first }
    position += 2
    let second = try digits(4, 16, from: start)
    guard (0xDC00..<0xE000).contains(second) else { throw invalidEscape(from: start) }
    return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
  }

  private mutating func digits(
    _ count: Int, _ radix: UInt32, from start: Int
  ) throws(SyntaxFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek().hexadecimalValue, digit < radix else {
        throw invalidEscape(from: start)
      }
      value = value &* radix &+ digit
      position += 1
    }
    return value
  }

  private func invalidEscape(from start: Int) -> SyntaxFault {
    var end = min(max(position, start + 2), bytes.count)
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    return SyntaxFault(.invalidEscape(text), at: SourceRange(start, end))
  }

  private static let plainEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "v"): 0x0B, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "?"): 0x3F,
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "'"): 0x27, UInt8(ascii: "`"): 0x60,
  ]
}
