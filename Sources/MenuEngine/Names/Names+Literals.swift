// Names that stand in the text of a program are known to be names; the initialisers that take any text
// answer nil for what is none.

extension Identifier: ExpressibleByStringLiteral {
  /// The name in a program's text, which must be one.
  public init(stringLiteral text: String) {
    guard let name = Identifier(text) else { preconditionFailure("'\(text)' is no name") }
    self = name
  }
}

extension Selector: ExpressibleByStringLiteral {
  /// The selector in a program's text, which must be one.
  public init(stringLiteral text: String) {
    guard let selector = Selector(text) else { preconditionFailure("'\(text)' is no selector") }
    self = selector
  }
}
