/// A word of the language with the place where it stands.
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

/// The words that cannot be names, by langdef "Syntax": the first four stand for something, the
/// others are kept for hosts that embed the language.
let reservedWords: Set<String> = [
  "false", "in", "null", "true",
  "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
  "package", "namespace", "return", "var", "void", "while",
]
