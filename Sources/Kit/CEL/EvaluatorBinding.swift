/// The failure of a binding.
struct FailedBinding {
  let reason: EvaluationFault.Reason
  let site: NodeID
}

/// `cel.bind` and `cel.block`, which is made of it.
///
/// A value that cannot be had is a fault only where it is used, as if it were evaluated there.
extension Evaluator {
  /// The value of an expression with a name for another one.
  ///
  /// Bindings directly in one another, as those of a block are, take no recursion.
  mutating func bound(
    _ binding: Comprehension, _ root: Root
  ) throws(Failure) -> Value {
    try bind(binding.slot, to: binding.source, root)
    var body = binding.body
    while case .comprehension(let inner) = code.instructions[body], inner.kind == .bind {
      try bind(inner.slot, to: inner.source, root)
      body = inner.body
    }
    return try value(of: body, root)
  }

  /// The value of the variable of a macro.
  mutating func local(_ slot: Int) throws(Failure) -> Value {
    guard !failures.isEmpty, let failure = failures[slot] else { return locals[slot] }
    site = failure.site
    throw failure.reason
  }

  mutating func bind(_ slot: Int, to source: NodeID, _ root: Root) throws(Failure) {
    do throws(Failure) {
      locals[slot] = try value(of: source, root)
      if !failures.isEmpty { failures[slot] = nil }
    } catch {
      if error.isFinal { throw error }
      failures[slot] = FailedBinding(reason: error, site: site)
    }
  }
}
