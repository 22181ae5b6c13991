/// Chains such as `a.?b.?c.orValue(d)`.
extension Evaluator {
  /// The value of `node`, which selects a field optionally, or of what follows it in its chain, up
  /// to `last`; `node` is left at the one whose value it is.
  ///
  /// An optional value takes memory of its own: here only one that leaves the chain.
  mutating func optional(
    selecting name: String, of operand: Value, at node: inout NodeID, upTo last: NodeID,
    _ root: Root
  ) throws(Failure) -> Value {
    site = node
    try meter.charge()
    var found = try operand.selectingOptionally(name, &meter)
    while node != last {
      let next = code.parents[node]
      switch code.instructions[next] {
      case .optionalSelect(_, let name), .select(_, let name):
        node = next
        site = node
        try meter.charge()
        found = try found?.selectingOptionally(name, &meter)
      case .orElse(_, let other, unwraps: true):
        node = next
        site = node
        try meter.charge()
        if let found { return found }
        return try alternative(other, at: node, unwraps: true, root)
      default: return .optional(found)
      }
    }
    return .optional(found)
  }
}
