/// Parses tokens into a syntax tree, by the grammar of langdef "Syntax".
///
///     Expr           = ConditionalOr ["?" ConditionalOr ":" Expr]
///     ConditionalOr  = ConditionalAnd {"||" ConditionalAnd}
///     ConditionalAnd = Relation {"&&" Relation}
///     Relation       = Addition {Relop Addition}
///     Relop          = "<" | "<=" | ">=" | ">" | "==" | "!=" | "in"
///     Addition       = Multiplication {("+" | "-") Multiplication}
///     Multiplication = Unary {("*" | "/" | "%") Unary}
///     Unary          = Member | "!" {"!"} Member | "-" {"-"} Member
///     Member         = Primary {"." SELECTOR ["(" [ExprList] ")"] | "." ESC_IDENT | "[" Expr "]"}
///                    | Member ".?" (SELECTOR | ESC_IDENT) | Member "[?" Expr "]"
///     Primary        = ["."] IDENT ["(" [ExprList] ")"] | "(" Expr ")"
///                    | "[" [Elements [","]] "]" | "{" [MapInits [","]] "}"
///                    | ["-"] NUMBER | STRING | BYTES | "true" | "false" | "null"
///     ExprList       = Expr {"," Expr}
///     Elements       = ["?"] Expr {"," ["?"] Expr}
///     MapInits       = ["?"] Expr ":" Expr {"," ["?"] Expr ":" Expr}
///
/// IDENT excludes the reserved words, SELECTOR only `true`, `false`, `null` and `in`. A minus
/// before a number belongs to the number. Recursion is bounded by `ProgramLimits.maximumNesting`, since
/// every cycle in the grammar passes through Expr.
struct Parser {
  var tree = SyntaxTree()
  let source: String
  let tokens: [Token]
  var position = 0
  private var nesting = 0
  private let limits: ProgramLimits

  static func parse(_ source: String, _ limits: ProgramLimits) throws(SyntaxFault) -> SyntaxTree {
    let tokens = try Scanner.tokens(of: source)
    var parser = Parser(source: source, tokens: tokens, limits: limits)
    parser.tree.root = try parser.expression()
    guard case .end = parser.token.kind else { throw parser.unexpected("an operator or the end") }
    let maximumNodes = max(limits.maximumNodes, 0)
    guard parser.tree.nodes.count <= maximumNodes else {
      throw SyntaxFault(.tooManyNodes(limit: maximumNodes), at: parser.tree.ranges[maximumNodes])
    }
    return parser.tree
  }

  private init(source: String, tokens: [Token], limits: ProgramLimits) {
    self.source = source
    self.tokens = tokens
    self.limits = limits
  }

  // MARK: Expressions

  mutating func expression() throws(SyntaxFault) -> NodeID {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= limits.maximumNesting else {
      throw SyntaxFault(.nestedTooDeeply(limit: limits.maximumNesting), at: token.range)
    }
    let condition = try disjunction()
    let question = token.range
    guard accept(.question) else { return condition }
    let first = try disjunction()
    try expect(.colon)
    let second = try expression()
    return add(.conditional(condition, first, second), from: condition, anchor: question)
  }

  private mutating func disjunction() throws(SyntaxFault) -> NodeID {
    var operands = [try conjunction()]
    let anchor = token.range
    while accept(.or) { operands.append(try conjunction()) }
    guard operands.count > 1 else { return operands[0] }
    return add(.logical(.or, operands), from: operands[0], anchor: anchor)
  }

  private mutating func conjunction() throws(SyntaxFault) -> NodeID {
    var operands = [try relation()]
    let anchor = token.range
    while accept(.and) { operands.append(try relation()) }
    guard operands.count > 1 else { return operands[0] }
    return add(.logical(.and, operands), from: operands[0], anchor: anchor)
  }

  private mutating func relation() throws(SyntaxFault) -> NodeID { try operation(precedence: 0) }

  private mutating func operation(precedence: Int) throws(SyntaxFault) -> NodeID {
    var left = try unary()
    while let found = binaryOperator, found.precedence >= precedence {
      let anchor = token.range
      advance()
      let right = try operation(precedence: found.precedence + 1)
      left = add(.binary(found, left, right), from: left, anchor: anchor)
    }
    return left
  }

  private var binaryOperator: BinaryOperator? {
    switch token.kind {
    case .symbol(let symbol): BinaryOperator(rawValue: symbol.rawValue)
    case .identifier("in"): .isIn
    case .identifier, .quotedIdentifier, .integer, .unsigned, .double, .string, .bytes, .end: nil
    }
  }

  private mutating func unary() throws(SyntaxFault) -> NodeID {
    let start = position
    if accept(.not) {
      while accept(.not) {}
      let end = position
      return wrap(.not, try member(), from: start, to: end)
    }
    while case .symbol(.minus) = token.kind { advance() }
    let minuses = position
    guard minuses > start else { return try member() }
    guard isAtNumber else { return wrap(.negate, try member(), from: start, to: minuses) }
    position -= 1
    return wrap(.negate, try member(), from: start, to: minuses - 1)
  }

  /// An operator for each of the tokens from `start` to `end`, around `operand`.
  private mutating func wrap(
    _ wrapper: UnaryOperator, _ operand: NodeID, from start: Int, to end: Int
  ) -> NodeID {
    var result = operand
    for token in tokens[start..<end].reversed() {
      let range = token.range.through(tree.ranges[operand])
      result = tree.add(.unary(wrapper, result), range)
    }
    return result
  }
}
