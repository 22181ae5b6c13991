/// Arguments, elements of lists and entries of maps.
extension Parser {
  /// The arguments of a call, after its opening parenthesis.
  mutating func arguments() throws(SyntaxFault) -> [NodeID] {
    var arguments: [NodeID] = []
    if accept(.closeParenthesis) { return arguments }
    repeat { arguments.append(try expression()) } while accept(.comma)
    try expect(.closeParenthesis, orComma: true)
    return arguments
  }

  /// The elements of a list, after its opening bracket.
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

  /// The entries of a map, after its opening brace.
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
