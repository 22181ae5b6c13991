/// A token with its range.
struct Token {
  enum Kind {
    /// The magnitude only: the sign is an operator to the scanner.
    case integer(UInt64)
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    /// Also the reserved words, `true`, `false`, `null` and `in`.
    case identifier(String)
    /// A field name in backquotes.
    case quotedIdentifier(String)
    case symbol(Symbol)
    case end
  }

  let kind: Kind
  let range: SourceRange
}

/// Brackets, separators and operators.
enum Symbol: String {
  case openParenthesis = "("
  case closeParenthesis = ")"
  case openBracket = "["
  case closeBracket = "]"
  case openBrace = "{"
  case closeBrace = "}"
  case dot = "."
  case comma = ","
  case colon = ":"
  case question = "?"
  case plus = "+"
  case minus = "-"
  case star = "*"
  case slash = "/"
  case percent = "%"
  case not = "!"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case and = "&&"
  case or = "||"
}

/// The words that cannot be names (langdef "Syntax"): the first four are keywords, the others are reserved for
/// hosts that embed the language.
let reservedWords: Set<String> = [
  "false", "in", "null", "true",
  "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
  "package", "namespace", "return", "var", "void", "while",
]

/// Moving through the tokens, and the faults of unexpected ones.
extension Parser {
  var token: Token { tokens[position] }

  /// The end has no successor.
  mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  mutating func accept(_ symbol: Symbol) -> Bool {
    guard case .symbol(symbol) = token.kind else { return false }
    advance()
    return true
  }

  /// With `orComma`, the fault says that a comma was also possible.
  mutating func expect(_ symbol: Symbol, orComma: Bool = false) throws(SyntaxFault) {
    guard accept(symbol) else {
      throw unexpected(orComma ? "',' or '\(symbol.rawValue)'" : "'\(symbol.rawValue)'")
    }
  }

  func nextIs(_ symbol: Symbol) -> Bool {
    if case .symbol(symbol) = token.kind { true } else { false }
  }

  var isAtNumber: Bool {
    switch token.kind {
    case .integer, .double, .unsigned: true
    case .string, .bytes, .identifier, .quotedIdentifier, .symbol, .end: false
    }
  }

  /// Only after `advance()`.
  mutating func stepBack() { position = max(position - 1, 0) }

  /// Returns the range from the start of `node` to the token before the position.
  func range(from node: NodeID) -> SourceRange { range(from: tree.ranges[node]) }

  func range(from start: SourceRange) -> SourceRange {
    start.through(tokens[max(position - 1, 0)].range)
  }

  mutating func add(
    _ node: SyntaxTree.Node, from first: NodeID, anchor: SourceRange? = nil
  ) -> NodeID {
    tree.add(node, range(from: first), anchor: anchor)
  }

  // MARK: Faults

  func unexpected(_ expected: String) -> SyntaxFault {
    SyntaxFault(.unexpected(found: found, expected: expected), at: token.range, slip)
  }

  private var found: String {
    switch token.kind {
    case .end: "the end"
    case .string: "a string"
    case .bytes: "bytes"
    case .identifier, .quotedIdentifier, .integer, .unsigned, .double, .symbol: "'\(text)'"
    }
  }

  private var text: String {
    String(decoding: Array(source.utf8)[token.range.start..<token.range.end], as: UTF8.self)
  }

  /// The functions that look like operators.
  private static let infixSlips = ["contains", "startsWith", "endsWith", "matches"]

  private var slip: Slip? {
    if position > 0, case .identifier("not") = tokens[position - 1].kind {
      return .wordForOperator("not", means: "!")
    }
    if position > 0, case .symbol(.less) = tokens[position - 1].kind, nextIs(.greater) {
      return .inequality
    }
    return switch token.kind {
    case .quotedIdentifier: .typographicQuote
    case .identifier(let name) where Self.infixSlips.contains(name): .memberOfFunction(name)
    case .identifier("and"), .identifier("AND"): .wordForOperator(text, means: "&&")
    case .identifier("or"), .identifier("OR"): .wordForOperator(text, means: "||")
    default: nil
    }
  }
}
