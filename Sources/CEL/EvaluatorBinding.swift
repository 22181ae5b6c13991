/// `cel.bind` and `cel.block`, which is made of it.
extension Evaluator {
  /// The value of an expression with a name for `value`.
  ///
  /// Bindings directly in one another, as those of a block are, take no recursion.
  mutating func bound(
    _ binding: Comprehension, _ slot: Int, to value: Value, _ root: Root
  ) throws(Failure) -> Value {
    locals[slot] = value
    var body = binding.body
    while case .comprehension(let inner, let slot) = code.instructions[body], inner.kind == .bind {
      locals[slot] = try self.value(of: inner.source, root)
      body = inner.body
    }
    return try self.value(of: body, root)
  }
}
