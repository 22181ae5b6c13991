/// Splits a source into tokens (langdef "Syntax").
///
///     IDENT      ::= [_a-zA-Z][_a-zA-Z0-9]*
///     ESC_IDENT  ::= ` [a-zA-Z0-9_.\-/ ]+ `
///     WHITESPACE ::= [\t\n\f\r ]+
///     COMMENT    ::= // up to the end of the line
///
/// Numbers and strings have files of their own.
struct Scanner {
  let bytes: [UInt8]
  var position = 0

  init(_ source: String) { bytes = Array(source.utf8) }

  /// Returns all tokens. The last one, and no other, is `end`.
  static func tokens(of source: String) throws(SyntaxFault) -> [Token] {
    var scanner = Scanner(source)
    var tokens: [Token] = []
    while let token = try scanner.next() { tokens.append(token) }
    tokens.append(Token(kind: .end, range: SourceRange(scanner.position, scanner.position)))
    return tokens
  }

  /// Returns the byte `distance` further on; 0 beyond the end, which begins no token.
  func peek(_ distance: Int = 0) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  func text(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  func range(from start: Int) -> SourceRange { SourceRange(start, position) }

  private mutating func next() throws(SyntaxFault) -> Token? {
    skipBlanks()
    guard position < bytes.count else { return nil }
    let start = position
    let kind = try token()
    return Token(kind: kind, range: range(from: start))
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch peek() {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20: position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() {
    while position < bytes.count, peek() != 0x0A, peek() != 0x0D { position += 1 }
  }

  private mutating func token() throws(SyntaxFault) -> Token.Kind {
    let byte = peek()
    if byte.isDigit || (byte == UInt8(ascii: ".") && peek(1).isDigit) { return try number() }
    if let opening = stringOpening() { return try string(opening) }
    if byte == UInt8(ascii: "`") { return try quotedIdentifier() }
    if byte.isLetter { return identifier() }
    return .symbol(try symbol())
  }

  private mutating func identifier() -> Token.Kind {
    let start = position
    while peek().isLetter || peek().isDigit { position += 1 }
    return .identifier(text(from: start))
  }

  private mutating func quotedIdentifier() throws(SyntaxFault) -> Token.Kind {
    let start = position
    position += 1
    while peek().isLetter || peek().isDigit || Self.quotable.contains(peek()) { position += 1 }
    guard peek() == UInt8(ascii: "`"), position > start + 1 else {
      throw SyntaxFault(.unterminatedString, at: SourceRange(start, start + 1), .missingQuote)
    }
    let name = String(decoding: bytes[(start + 1)..<position], as: UTF8.self)
    position += 1
    return .quotedIdentifier(name)
  }

  private static let quotable = Array("./- ".utf8)

  private mutating func symbol() throws(SyntaxFault) -> Symbol {
    let first = String(Unicode.Scalar(peek()))
    if let symbol = Symbol(rawValue: first + String(Unicode.Scalar(peek(1)))) {
      return try twoByte(symbol)
    }
    guard let symbol = Symbol(rawValue: first) else { throw unexpectedCharacter() }
    position += 1
    return symbol
  }

  private mutating func twoByte(_ symbol: Symbol) throws(SyntaxFault) -> Symbol {
    let isTripled = peek(2) == UInt8(ascii: "=") && (symbol == .equal || symbol == .notEqual)
    position += isTripled ? 3 : 2
    guard isTripled else { return symbol }
    let range = SourceRange(position - 3, position)
    throw SyntaxFault(
      .unexpected(found: "'\(symbol.rawValue)='", expected: "an operator"), at: range,
      .strictEquality(means: symbol.rawValue))
  }

  private func unexpectedCharacter() -> SyntaxFault {
    let scalar =
      String(decoding: bytes[position...], as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    let length = String(scalar).utf8.count
    return SyntaxFault(
      .unexpectedCharacter(scalar), at: SourceRange(position, position + length), slip(for: scalar))
  }

  private func slip(for scalar: Unicode.Scalar) -> Slip? {
    switch scalar {
    case "=" where peek(1) == UInt8(ascii: ">"): .comparison(">=")
    case "=" where peek(1) == UInt8(ascii: "<"): .comparison("<=")
    case "=": .assignment
    case "#": .comment
    case "&": .singleAmpersand
    case "|": .singleBar
    case ";": .statement
    case "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{AB}", "\u{BB}": .typographicQuote
    default: nil
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// True for an ASCII letter or an underscore.
  var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_")
  }

  /// The value of a hexadecimal digit; nil for other bytes.
  var hexadecimalValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}

/// Number literals, without their sign.
///
///     INT    ::= DIGIT+ | 0x HEXDIGIT+
///     UINT   ::= INT [uU]
///     DOUBLE ::= DIGIT* . DIGIT+ EXPONENT? | DIGIT+ EXPONENT
///
/// A dot without a following digit is a selection.
extension Scanner {
  mutating func number() throws(SyntaxFault) -> Token.Kind {
    let start = position
    if peek() == UInt8(ascii: "0"), peek(1) == UInt8(ascii: "x") {
      return try hexadecimal(from: start)
    }
    skipDigits()
    let isDouble = skipFraction() || peekExponent()
    if peekExponent() { skipExponent() }
    return try isDouble ? double(from: start) : integer(from: start, digits: start, radix: 10)
  }

  private mutating func hexadecimal(from start: Int) throws(SyntaxFault) -> Token.Kind {
    position += 2
    let digits = position
    while peek().hexadecimalValue != nil { position += 1 }
    return try integer(from: start, digits: digits, radix: 16)
  }

  private mutating func skipDigits() {
    while peek().isDigit { position += 1 }
  }

  private mutating func skipFraction() -> Bool {
    guard peek() == UInt8(ascii: "."), peek(1).isDigit else { return false }
    position += 1
    skipDigits()
    return true
  }

  private func peekExponent() -> Bool {
    guard peek() | 0x20 == UInt8(ascii: "e") else { return false }
    let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
    return peek(isSigned ? 2 : 1).isDigit
  }

  private mutating func skipExponent() {
    position += 2
    skipDigits()
  }

  private mutating func integer(
    from start: Int, digits: Int, radix: Int
  ) throws(SyntaxFault) -> Token.Kind {
    let text = text(from: digits)
    let isUnsigned = peek() | 0x20 == UInt8(ascii: "u")
    if isUnsigned { position += 1 }
    try endNumber(from: start)
    guard !text.isEmpty else { throw fault({ .invalidNumber($0) }, from: start) }
    guard let value = UInt64(text, radix: radix) else {
      throw fault({ .numberOutOfRange($0) }, from: start)
    }
    return isUnsigned ? .unsigned(value) : .integer(value)
  }

  private mutating func double(from start: Int) throws(SyntaxFault) -> Token.Kind {
    let text = text(from: start)
    try endNumber(from: start)
    guard let value = Double(text), value.isFinite else {
      throw fault({ .numberOutOfRange($0) }, from: start)
    }
    return .double(value)
  }

  /// A number must not run into a name, as in `12px`.
  private mutating func endNumber(from start: Int) throws(SyntaxFault) {
    guard peek().isLetter else { return }
    while peek().isLetter || peek().isDigit { position += 1 }
    throw fault({ .invalidNumber($0) }, from: start)
  }

  private func fault(
    _ reason: (String) -> CompilationFault.Reason, from start: Int
  ) -> SyntaxFault {
    SyntaxFault(reason(text(from: start)), at: range(from: start))
  }
}

/// String and bytes literals.
///
///     STRING ::= [rR]? ( " ~( " | NEWLINE )* " | ' ~( ' | NEWLINE )* ' | """ ~"""* """ | ''' ~'''* ''' )
///     BYTES  ::= [bB] STRING
///     ESCAPE ::= \ [abfnrtv\?"'`] | \ [xX] HEX{2} | \u HEX{4} | \U HEX{8} | \ [0-3] [0-7] [0-7]
///
/// In a string, `\x` and the octal escapes are code points; in bytes they are octets. `\u` and `\U` are for
/// strings only. Two `\u` that form a surrogate pair are one code point.
extension Scanner {
  /// The opening of a literal.
  struct Opening {
    var isRaw = false
    var isBytes = false
    var quote: UInt8 = 0
    var isTriple = false
    var length = 0
  }

  /// Returns the opening of the literal at the position; nil for none.
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

  /// Returns true if `byte` is the prefix of a raw literal, false for bytes, nil for neither.
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
      } else if peek() == 0x0D {
        // A break of a line is one line feed, however the file has it, as in cel-go.
        content.append(0x0A)
        position += peek(1) == 0x0A ? 2 : 1
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
