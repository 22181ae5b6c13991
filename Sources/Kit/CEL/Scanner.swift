/// Splits a source into tokens, by the lexis of langdef "Syntax".
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

  /// All tokens. The last one, and no other, is `end`.
  static func tokens(of source: String) throws(SyntaxFault) -> [Token] {
    var scanner = Scanner(source)
    var tokens: [Token] = []
    while let token = try scanner.next() { tokens.append(token) }
    tokens.append(Token(kind: .end, range: SourceRange(scanner.position, scanner.position)))
    return tokens
  }

  /// The byte `distance` further on, or 0 beyond the end, where nothing is taken for a byte 0.
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

  /// A letter of ASCII, or the underscore.
  var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_")
  }

  /// The value of the hexadecimal digit, or nil when it is none.
  var hexadecimalValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
