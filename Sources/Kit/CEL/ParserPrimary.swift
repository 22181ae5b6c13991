/// The tightest part of the grammar: Member and Primary.
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

  /// The words of the language are no field names, unless they are in backquotes.
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
    let first = tree.nodes.count
    let arguments = try arguments()
    let call = MacroCall(
      name: name, target: nil, arguments: arguments, scope: first..<tree.nodes.count,
      anchor: anchor)
    let expansion = try isAbsolute ? nil : call.expand(in: &tree)
    let node = expansion ?? .call(name, isAbsolute: isAbsolute, arguments)
    return tree.add(node, range(from: start), anchor: anchor)
  }

  /// The dotted name that `id` is, or nil when it is another expression.
  private func qualifiedName(_ id: NodeID) -> String? { tree.qualifiedName(id)?.text }
}
