extension SyntaxTree {
  /// A chain of selections that begins with a name, as written.
  struct QualifiedName {
    let text: String
    let isAbsolute: Bool
    /// The name with which the chain begins.
    let base: NodeID

    /// The name of a part of what the name stands for.
    func appending(_ part: String) -> QualifiedName {
      QualifiedName(text: text + "." + part, isAbsolute: isAbsolute, base: base)
    }
  }

  /// The dotted name, of at most `limit` parts, that `id` is; nil when it is another expression.
  func qualifiedName(_ id: NodeID, limit: Int = 64) -> QualifiedName? {
    var parts: [String] = []
    var current = id
    while parts.count < limit {
      switch nodes[current] {
      case .name(let name, let isAbsolute):
        let text = ([name] + parts.reversed()).joined(separator: ".")
        return QualifiedName(text: text, isAbsolute: isAbsolute, base: current)
      case .select(let operand, let name, isQuoted: false):
        if parenthesized.contains(operand) { return nil }
        parts.append(name)
        current = operand
      default:
        return nil
      }
    }
    return nil
  }
}
