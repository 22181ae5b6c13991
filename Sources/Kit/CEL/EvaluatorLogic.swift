/// The algebra of truth and faults, by langdef "Logical Operators".
extension Evaluator {
  /// The value of `&&` or `||`: an operand that decides makes faults of the others irrelevant,
  /// whatever their order.
  mutating func logical(
    _ operation: LogicalOperator, of operands: [NodeID], _ root: Root
  ) throws(Failure) -> Value {
    var outcome = Conjunction(operation)
    for operand in operands where try decides(operand, of: operation.rawValue, in: &outcome, root) {
      break
    }
    return try result(of: outcome)
  }

  /// The result of `&&`, `||`, `all` and `exists` from the operands so far.
  struct Conjunction {
    /// The operand that settles the matter: true for "or", false for "and".
    let decisive: Bool
    var isDecided = false
    var failure: (reason: Failure, site: NodeID)?

    init(_ operation: LogicalOperator) { decisive = operation == .or }
  }

  /// Evaluates an operand, and returns true if it decided.
  mutating func decides(
    _ operand: NodeID, of operation: String, in outcome: inout Conjunction, _ root: Root
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      let value = try value(of: operand, root)
      site = operand
      guard case .bool(let bool) = value else { throw .noSuchOverload(operation, [value.type]) }
      outcome.isDecided = bool == outcome.decisive
    } catch {
      if error.isFinal { throw error }
      if outcome.failure == nil { outcome.failure = (error, site) }
    }
    return outcome.isDecided
  }

  mutating func result(of outcome: Conjunction) throws(Failure) -> Value {
    if outcome.isDecided { return .bool(outcome.decisive) }
    if let failure = outcome.failure {
      site = failure.site
      throw failure.reason
    }
    return .bool(!outcome.decisive)
  }
}
