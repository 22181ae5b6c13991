/// Number literals, without their sign.
///
///     INT    ::= DIGIT+ | 0x HEXDIGIT+
///     UINT   ::= INT [uU]
///     DOUBLE ::= DIGIT* . DIGIT+ EXPONENT? | DIGIT+ EXPONENT
///
/// A dot that no digit follows is a selection.
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

  /// A number does not run into a name, as in `12px`.
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
