/// Parses tokens into a syntax tree (langdef "Syntax").
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
/// IDENT excludes the reserved words, SELECTOR only `true`, `false`, `null` and `in`. A minus before a number
/// belongs to the number. Recursion is bounded by `ProgramLimits.maximumNesting`, since every cycle in the
/// grammar passes through Expr.
struct Parser {
  var tree = SyntaxTree()
  let source: String
  let tokens: [Token]
  var position = 0
  private var nesting = 0
  private let limits: ProgramLimits
  private let isTranslating: Bool

  /// Parses a source.
  ///
  /// - Parameter isTranslating: True if `tr(key)` reads a variable. The default is false.
  static func parse(
    _ source: String, _ limits: ProgramLimits, isTranslating: Bool = false
  ) throws(SyntaxFault) -> SyntaxTree {
    let tokens = try Scanner.tokens(of: source)
    var parser = Parser(
      source: source, tokens: tokens, limits: limits, isTranslating: isTranslating)
    parser.tree.root = try parser.expression()
    guard case .end = parser.token.kind else { throw parser.unexpected("an operator or the end") }
    let maximumNodes = max(limits.maximumNodes, 0)
    guard parser.tree.nodes.count <= maximumNodes else {
      throw SyntaxFault(.tooManyNodes(limit: maximumNodes), at: parser.tree.ranges[maximumNodes])
    }
    return parser.tree
  }

  private init(
    source: String, tokens: [Token], limits: ProgramLimits, isTranslating: Bool
  ) {
    self.source = source
    self.tokens = tokens
    self.limits = limits
    self.isTranslating = isTranslating
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

  /// Wraps `operand` in an operator for each of the tokens from `start` to `end`.
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

/// Arguments, list elements and map entries.
extension Parser {
  /// Parses the arguments of a call, after its opening parenthesis.
  mutating func arguments() throws(SyntaxFault) -> [NodeID] {
    var arguments: [NodeID] = []
    if accept(.closeParenthesis) { return arguments }
    repeat { arguments.append(try expression()) } while accept(.comma)
    try expect(.closeParenthesis, orComma: true)
    return arguments
  }

  /// Parses the elements of a list, after its opening bracket.
  mutating func elements() throws(SyntaxFault) -> [NodeID] {
    var elements: [NodeID] = []
    if accept(.closeBracket) { return elements }
    repeat {
      if !elements.isEmpty, nextIs(.closeBracket) { break }
      let isSpread = accept(.question)
      elements.append(spread(try expression(), if: isSpread))
    } while accept(.comma)
    try expect(.closeBracket, orComma: true)
    return elements
  }

  /// Parses the entries of a map, after its opening brace.
  mutating func entries() throws(SyntaxFault) -> [SyntaxTree.Entry] {
    var entries: [SyntaxTree.Entry] = []
    if accept(.closeBrace) { return entries }
    repeat {
      if !entries.isEmpty, nextIs(.closeBrace) { break }
      let isSpread = accept(.question)
      let key = try expression()
      try expect(.colon)
      let value = spread(try expression(), if: isSpread)
      entries.append(SyntaxTree.Entry(key: key, value: value))
    } while accept(.comma)
    try expect(.closeBrace, orComma: true)
    return entries
  }

  private mutating func spread(_ element: NodeID, if isSpread: Bool) -> NodeID {
    isSpread ? add(.spread(element), from: element) : element
  }
}

/// Member and Primary, the tightest parts of the grammar.
extension Parser {
  mutating func member() throws(SyntaxFault) -> NodeID {
    var operand = try primary()
    while true {
      let anchor = token.range
      if accept(.dot) {
        operand = try accept(.question) ? optionalSelection(of: operand) : selection(of: operand)
      } else if accept(.openBracket) {
        let isOptional = accept(.question)
        let index = try expression()
        try expect(.closeBracket)
        let node: SyntaxTree.Node =
          isOptional ? .optionalIndex(operand, index) : .index(operand, index)
        operand = add(node, from: operand, anchor: anchor)
      } else if nextIs(.openBrace), let name = qualifiedName(operand) {
        throw SyntaxFault(.message(name), at: tree.ranges[operand])
      } else {
        return operand
      }
    }
  }

  private mutating func selection(of operand: NodeID) throws(SyntaxFault) -> NodeID {
    let anchor = token.range
    switch token.kind {
    case .quotedIdentifier(let name):
      advance()
      return add(.select(operand, name, isQuoted: true), from: operand, anchor: anchor)
    case .identifier(let name):
      try checkSelector(name)
      advance()
      guard accept(.openParenthesis) else {
        return add(.select(operand, name, isQuoted: false), from: operand, anchor: anchor)
      }
      return try memberCall(of: name, on: operand, anchor: anchor)
    case .integer, .unsigned, .double, .string, .bytes, .symbol, .end:
      throw unexpected("a field name")
    }
  }

  private mutating func optionalSelection(of operand: NodeID) throws(SyntaxFault) -> NodeID {
    let anchor = token.range
    switch token.kind {
    case .quotedIdentifier(let name), .identifier(let name):
      if case .identifier = token.kind { try checkSelector(name) }
      advance()
      return add(.optionalSelect(operand, name), from: operand, anchor: anchor)
    case .integer, .unsigned, .double, .string, .bytes, .symbol, .end:
      throw unexpected("a field name")
    }
  }

  /// Keywords are not field names, unless in backquotes.
  private func checkSelector(_ name: String) throws(SyntaxFault) {
    guard ["true", "false", "null", "in"].contains(name) else { return }
    throw SyntaxFault(.reservedWord(name), at: token.range, .reservedField(name))
  }

  private mutating func memberCall(
    of name: String, on target: NodeID, anchor: SourceRange
  ) throws(SyntaxFault) -> NodeID {
    let start = tree.nodes.count
    let arguments = try arguments()
    let range = range(from: target)
    let call = MacroCall(
      name: name, target: target, arguments: arguments, scope: start..<tree.nodes.count,
      anchor: anchor)
    if let expansion = try call.expand(in: &tree) {
      return tree.add(expansion, range, anchor: anchor)
    }
    return tree.add(.memberCall(target, name, arguments), range, anchor: anchor)
  }

  private mutating func primary() throws(SyntaxFault) -> NodeID {
    let first = token
    advance()
    switch first.kind {
    case .symbol(.openParenthesis):
      let inner = try expression()
      try expect(.closeParenthesis)
      tree.parenthesize(inner)
      return inner
    case .symbol(.openBracket):
      let elements = try elements()
      return tree.add(.list(elements), range(from: first.range))
    case .symbol(.openBrace):
      let entries = try entries()
      return tree.add(.map(entries), range(from: first.range))
    case .symbol(.dot):
      guard case .identifier(let name) = token.kind else { throw unexpected("a name") }
      let anchor = token.range
      advance()
      return try named(name, isAbsolute: true, first.range, anchor: anchor)
    case .identifier(let name):
      if let literal = literal(named: name) { return tree.add(.literal(literal), first.range) }
      return try named(name, isAbsolute: false, first.range, anchor: first.range)
    case .symbol, .integer, .unsigned, .double, .string, .bytes, .quotedIdentifier, .end:
      return try scalar(first)
    }
  }

  private func literal(named name: String) -> Value? {
    switch name {
    case "true": .bool(true)
    case "false": .bool(false)
    case "null": .null
    default: nil
    }
  }

  private mutating func named(
    _ name: String, isAbsolute: Bool, _ start: SourceRange, anchor: SourceRange
  ) throws(SyntaxFault) -> NodeID {
    if reservedWords.contains(name) {
      throw SyntaxFault(.reservedWord(name), at: anchor, name == "if" ? .conditional : nil)
    }
    guard accept(.openParenthesis) else {
      return tree.add(.name(name, isAbsolute: isAbsolute), range(from: start), anchor: anchor)
    }
    if isTranslating, !isAbsolute, name == Function.translation {
      let texts = tree.add(.name(name, isAbsolute: false), anchor, anchor: anchor)
      let call = SyntaxTree.Node.memberCall(texts, name, try arguments())
      return tree.add(call, range(from: start), anchor: anchor)
    }
    let first = tree.nodes.count
    let arguments = try arguments()
    let call = MacroCall(
      name: name, target: nil, arguments: arguments, scope: first..<tree.nodes.count,
      anchor: anchor)
    let expansion = try isAbsolute ? nil : call.expand(in: &tree)
    let node = expansion ?? .call(name, isAbsolute: isAbsolute, arguments)
    return tree.add(node, range(from: start), anchor: anchor)
  }

  /// Returns the dotted name of `id`; nil for another expression.
  private func qualifiedName(_ id: NodeID) -> String? { tree.qualifiedName(id)?.text }
}

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

  /// Returns the fault of a consumed token that cannot begin an expression.
  private mutating func noExpression(_ token: Token) -> SyntaxFault {
    if case .end = token.kind { return unexpected("an expression") }
    stepBack()
    return unexpected("an expression")
  }
}

extension Int64 {
  /// Nil if 64 bits cannot hold the number.
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
