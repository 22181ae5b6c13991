/// A call that may be a macro, with expressions as arguments.
struct MacroCall {
  let name: String
  /// The operand before the dot, if any.
  let target: NodeID?
  let arguments: [NodeID]
  /// The nodes of the arguments.
  let scope: Range<NodeID>
  let anchor: SourceRange

  /// Returns the node that replaces the call; nil for a function call.
  func expand(in tree: inout SyntaxTree) throws(SyntaxFault) -> SyntaxTree.Node? {
    guard let target else { return try name == "has" ? presence(in: &tree) : nil }
    if let binding = try binding(in: &tree) { return binding }
    guard let kind = Self.comprehensions["\(name)/\(arguments.count)"] else { return nil }
    return try comprehension(kind, over: target, in: &tree)
  }

  /// By name and number of arguments (langdef "Macros" and the two-variable extension).
  private static let comprehensions: [String: (kind: Comprehension.Kind, variables: Int)] = [
    "all/2": (.all, 1), "all/3": (.all, 2),
    "exists/2": (.exists, 1), "exists/3": (.exists, 2),
    "exists_one/2": (.existsOne, 1), "exists_one/3": (.existsOne, 2),
    "existsOne/2": (.existsOne, 1), "existsOne/3": (.existsOne, 2),
    "map/2": (.map, 1), "map/3": (.map, 1),
    "filter/2": (.filter, 1),
    "transformList/3": (.transformList, 2), "transformList/4": (.transformList, 2),
    "sortBy/2": (.sortBy, 1),
    "transformMapEntry/3": (.transformMapEntry, 2), "transformMapEntry/4": (.transformMapEntry, 2),
    "optMap/2": (.optMap, 1), "optFlatMap/2": (.optFlatMap, 1),
    "transformMap/3": (.transformMap, 2), "transformMap/4": (.transformMap, 2),
  ]

  /// The macros called with an operand before the dot.
  static let memberNames = Set(comprehensions.keys.map { String($0.prefix { $0 != "/" }) }).sorted()

  /// Returns the numbers of arguments of the macro called `name`; empty for an unknown one.
  static func argumentCounts(of name: String) -> [Int] {
    (2...4).filter { comprehensions["\(name)/\($0)"] != nil }
  }

  /// `has(e.f)`: the argument is a selection, and becomes the test whether it would succeed.
  private func presence(in tree: inout SyntaxTree) throws(SyntaxFault) -> SyntaxTree.Node {
    guard arguments.count == 1, case .select(let operand, let field, _) = tree.nodes[arguments[0]]
    else { throw invalid("one selection, as in 'has(a.b)'") }
    tree.replace(arguments[0], with: .declaration(field))
    return .has(operand, field)
  }

  private func comprehension(
    _ macro: (kind: Comprehension.Kind, variables: Int), over source: NodeID,
    in tree: inout SyntaxTree
  ) throws(SyntaxFault) -> SyntaxTree.Node {
    var variables: [String] = []
    for argument in arguments.prefix(macro.variables) {
      guard case .name(let variable, isAbsolute: false) = tree.nodes[argument],
        !variables.contains(variable)
      else { throw invalid("a name of its own for each variable, then expressions") }
      tree.replace(argument, with: .declaration(variable))
      variables.append(variable)
    }
    let rest = arguments.dropFirst(macro.variables)
    return .comprehension(
      Comprehension(
        kind: macro.kind, source: source, variables: variables,
        condition: rest.count == 2 ? rest.first : nil, body: rest.last ?? source, scope: scope))
  }

  private func invalid(_ expected: String) -> SyntaxFault {
    SyntaxFault(.invalidMacro(name, expected: expected), at: anchor)
  }
}
