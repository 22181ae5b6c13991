/// The macros of the bindings and block extensions, members of `cel`.
extension MacroCall {
  /// Returns the node that replaces the call; nil if it is not one of these macros.
  func binding(in tree: inout SyntaxTree) throws(SyntaxFault) -> SyntaxTree.Node? {
    guard let target, case .name("cel", isAbsolute: false) = tree.nodes[target] else { return nil }
    return switch name {
    case "bind": try bind(in: &tree)
    case "block": try block(in: &tree)
    case "index": try placeholder(1, in: tree)
    case "iterVar": try placeholder(2, in: tree)
    default: nil
    }
  }

  /// `cel.bind(name, value, expression)`.
  private func bind(in tree: inout SyntaxTree) throws(SyntaxFault) -> SyntaxTree.Node {
    guard arguments.count == 3, case .name(let name, isAbsolute: false) = tree.nodes[arguments[0]]
    else { throw invalid("a name, its value, and an expression") }
    tree.replace(arguments[0], with: .declaration(name))
    return bound(name, to: arguments[1], in: arguments[2])
  }

  /// `cel.block([a, b], expression)`: later values and the expression refer to the values as `cel.index(0)` and
  /// so on.
  ///
  /// It expands to nested bindings, the innermost first.
  private func block(in tree: inout SyntaxTree) throws(SyntaxFault) -> SyntaxTree.Node {
    guard arguments.count == 2, case .list(let values) = tree.nodes[arguments[0]],
      let first = values.first, !values.contains(where: { tree.isSpread($0) })
    else { throw invalid("a list of values, and an expression") }
    let range = tree.ranges[arguments[0]].through(tree.ranges[arguments[1]])
    var body = arguments[1]
    for (index, value) in values.enumerated().dropFirst().reversed() {
      body = tree.add(bound("cel.index(\(index))", to: value, in: body), range)
    }
    return bound("cel.index(0)", to: first, in: body)
  }

  /// The name is visible in all nodes after those of its value.
  private func bound(_ name: String, to value: NodeID, in body: NodeID) -> SyntaxTree.Node {
    .comprehension(
      Comprehension(
        kind: .bind, source: value, variables: [name], condition: nil, body: body,
        scope: (value + 1)..<scope.upperBound))
  }

  /// `cel.index(0)` and `cel.iterVar(0, 1)` are names in this notation.
  private func placeholder(
    _ count: Int, in tree: SyntaxTree
  ) throws(SyntaxFault) -> SyntaxTree.Node {
    let numbers = arguments.compactMap { argument -> String? in
      guard case .literal(.int(let int)) = tree.nodes[argument], int >= 0 else { return nil }
      return String(int)
    }
    guard arguments.count == count, numbers.count == count else {
      throw invalid(count == 1 ? "a constant index" : "two constant numbers")
    }
    return .name("cel.\(name)(\(numbers.joined(separator: ", ")))", isAbsolute: false)
  }

  private func invalid(_ expected: String) -> SyntaxFault {
    SyntaxFault(.invalidMacro("cel.\(name)", expected: expected), at: anchor)
  }
}

extension SyntaxTree {
  fileprivate func isSpread(_ id: NodeID) -> Bool {
    if case .spread = nodes[id] { true } else { false }
  }
}
