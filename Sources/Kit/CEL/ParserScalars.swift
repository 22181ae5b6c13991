/// Numbers with their signs, strings and bytes.
extension Parser {
  mutating func scalar(_ first: Token) throws(SyntaxFault) -> NodeID {
    switch first.kind {
    case .integer, .double, .unsigned: try number(first, isNegative: false, from: first.range)
    case .string(let string): tree.add(.literal(.string(string)), first.range)
    case .bytes(let bytes): tree.add(.literal(.bytes(bytes)), first.range)
    case .symbol(.minus): try negativeNumber(first)
    case .symbol, .identifier, .quotedIdentifier, .end: throw noExpression(first)
    }
  }

  private mutating func negativeNumber(_ minus: Token) throws(SyntaxFault) -> NodeID {
    let digits = token
    advance()
    return try number(digits, isNegative: true, from: minus.range)
  }

  private mutating func number(
    _ token: Token, isNegative: Bool, from start: SourceRange
  ) throws(SyntaxFault) -> NodeID {
    let range = start.through(token.range)
    switch token.kind {
    case .integer(let magnitude):
      guard let int = Int64(magnitude, isNegative: isNegative) else {
        throw SyntaxFault(.numberOutOfRange((isNegative ? "-" : "") + "\(magnitude)"), at: range)
      }
      return tree.add(.literal(.int(int)), range)
    case .double(let double):
      return tree.add(.literal(.double(isNegative ? -double : double)), range)
    case .unsigned(let uint):
      let literal = tree.add(.literal(.uint(uint)), token.range)
      return isNegative ? tree.add(.unary(.negate, literal), range) : literal
    case .string, .bytes, .identifier, .quotedIdentifier, .symbol, .end:
      throw noExpression(token)
    }
  }

  /// The fault of a token, already passed, with which no expression begins.
  private mutating func noExpression(_ token: Token) -> SyntaxFault {
    if case .end = token.kind { return unexpected("an expression") }
    stepBack()
    return unexpected("an expression")
  }
}

extension Int64 {
  /// The number with this magnitude and sign, or nil when 64 bits cannot hold it.
  fileprivate init?(_ magnitude: UInt64, isNegative: Bool) {
    if isNegative, magnitude == Int64.min.magnitude {
      self = .min
    } else if let positive = Int64(exactly: magnitude) {
      self = isNegative ? -positive : positive
    } else {
      return nil
    }
  }
}
