/// Evaluates compiled code.
///
/// Recursion is bounded by the nesting of the source; see `Code` for chains.
struct Evaluator {
  typealias Failure = EvaluationFault.Reason
  typealias Root = (Int) -> Value

  let code: Code
  var meter: Meter
  /// The values of comprehension variables.
  var locals: Locals
  /// The faults of bindings without a value, by slot.
  var failures: [Int: FailedBinding] = [:]
  /// The node being evaluated; the place of a fault.
  var site: NodeID = 0

  init(_ code: Code, _ limits: ProgramLimits) {
    self.code = code
    meter = Meter(limits)
    locals = Locals(count: code.slots)
  }

  mutating func value(of id: NodeID, _ root: Root) throws(Failure) -> Value {
    var current = code.heads[id]
    var value = try begin(current, root)
    while current != id {
      current = code.parents[current]
      if case .optionalSelect(_, let name) = code.instructions[current] {
        value = try optional(selecting: name, of: value, at: &current, upTo: id, root)
      } else {
        value = try advance(to: current, from: value, root)
      }
    }
    return value
  }

  /// Returns the value of a node without head.
  @inline(__always)
  private mutating func begin(_ id: NodeID, _ root: Root) throws(Failure) -> Value {
    site = id
    try meter.charge()
    switch code.instructions[id] {
    case .constant(let value): return value
    case .variable(let index): return root(index)
    case .local(let slot): return try local(slot)
    case .comprehension(let binding): return try bound(binding, root)
    case .undeclared(let name): throw .undeclaredReference(name)
    case .logical(let operation, let operands): return try logical(operation, of: operands, root)
    case .callVariadic(let body, let arguments):
      let values = try values(of: arguments, root)
      site = id
      return try body(values, &meter)
    case .list(let elements): return try list(of: elements, root)
    case .map(let entries): return try map(of: entries, root)
    case .select, .has, .index, .unary, .binary, .conditional, .callUnary, .callBinary,
      .optionalSelect, .optionalIndex, .spread, .orElse, .unused:
      preconditionFailure("the instruction is no beginning")
    }
  }

  /// Returns the value of a node from that of its head.
  // Inlining specializes it for the closure that returns the roots: 15 % of a short rule.
  @inline(__always)
  mutating func advance(
    to id: NodeID, from operand: Value, _ root: Root
  ) throws(Failure) -> Value {
    site = id
    try meter.charge()
    switch code.instructions[id] {
    case .select(_, let name): return try operand.selecting(name, &meter)
    case .has(_, let name): return .bool(try operand.has(name, &meter))
    case .index(_, let index):
      let index = try second(index, of: id, root)
      return try operand.indexed(by: index, &meter)
    case .optionalSelect(_, let name):
      return .optional(try operand.selectingOptionally(name, &meter))
    case .optionalIndex(_, let index):
      let index = try second(index, of: id, root)
      return .optional(try operand.findingOptionally(index, &meter))
    case .spread: return operand
    case .orElse(_, let other, let unwraps):
      return try operand.isPresent(for: unwraps)
        ? operand.unwrapped(if: unwraps)
        : alternative(other, at: id, unwraps: unwraps, root)
    case .unary(let operation, _): return try operation.applied(to: operand)
    case .binary(let operation, _, let right):
      let right = try second(right, of: id, root)
      return try operation.applied(to: operand, right, &meter)
    case .conditional(_, let first, let second):
      guard case .bool(let isTrue) = operand else { throw .noSuchOverload("?:", [operand.type]) }
      return try value(of: isTrue ? first : second, root)
    case .callUnary(let body, _): return try body(operand, &meter)
    case .callBinary(let body, _, let other):
      let other = try second(other, of: id, root)
      return try body(operand, other, &meter)
    case .comprehension(let comprehension):
      return try self.comprehension(comprehension, over: operand, at: id, root)
    case .constant, .variable, .local, .undeclared, .logical, .callVariadic, .list, .map, .unused:
      preconditionFailure("the instruction has no head")
    }
  }

  /// Returns the value of another operand of `id`, which then is the place of faults again.
  private mutating func second(
    _ operand: NodeID, of id: NodeID, _ root: Root
  ) throws(Failure) -> Value {
    if case .constant(let value) = code.instructions[operand] { return value }
    let value = try value(of: operand, root)
    site = id
    return value
  }

  /// Returns the replacement of an absent value; an optional, unless `unwraps`.
  mutating func alternative(
    _ other: NodeID, at id: NodeID, unwraps: Bool, _ root: Root
  ) throws(Failure) -> Value {
    let value = try second(other, of: id, root)
    if !unwraps, value.type != .optional { throw .noSuchOverload("or", [.optional, value.type]) }
    return value
  }

  private mutating func values(
    of ids: [NodeID], _ root: Root
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(ids.count)
    for id in ids { values.append(try value(of: id, root)) }
    return values
  }
}

extension BinaryOperator {
  /// Returns the result of the operator.
  fileprivate func applied(
    to left: Value, _ right: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    switch self {
    case .equal: .bool(try left.isEqual(to: right, &meter))
    case .notEqual: .bool(try !left.isEqual(to: right, &meter))
    case .less, .greater, .lessOrEqual, .greaterOrEqual:
      .bool(isTrue(of: try left.order(to: right, self, &meter)))
    case .isIn: .bool(try left.isIn(right, &meter))
    case .add, .subtract, .multiply, .divide, .remainder:
      try arithmetic(of: left, and: right, &meter)
    }
  }
}

extension Value {
  /// True if the optional has a value; `or` and `orValue` are not defined for other types.
  fileprivate func isPresent(for unwraps: Bool) throws(EvaluationFault.Reason) -> Bool {
    guard case .optional(let value) = self else {
      throw .noSuchOverload(unwraps ? "orValue" : "or", [type])
    }
    return value != nil
  }

  /// Returns the value in the optional if `unwraps`, else the optional.
  fileprivate func unwrapped(if unwraps: Bool) -> Value {
    if unwraps, case .optional(let value?) = self { value } else { self }
  }
}

/// The fault of a binding.
struct FailedBinding {
  let reason: EvaluationFault.Reason
  let site: NodeID
}

/// `cel.bind`, and `cel.block`, which expands to it.
///
/// A value with a fault is a fault only where it is used, as if it were evaluated there.
extension Evaluator {
  /// Returns the value of an expression with a binding.
  ///
  /// Directly nested bindings, as in a block, take no recursion.
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

  /// Returns the value of a macro variable.
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

/// Lists and maps created during evaluation.
extension Evaluator {
  mutating func list(
    of elements: [NodeID], _ root: Root
  ) throws(Failure) -> Value {
    try meter.produce(elements: elements.count)
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      if let value = try self.element(element, root) { values.append(value) }
    }
    return .list(.values(values))
  }

  /// Returns the value of an element; nil for an absent optional.
  private mutating func element(_ id: NodeID, _ root: Root) throws(Failure) -> Value? {
    let value = try value(of: id, root)
    guard case .spread = code.instructions[id] else { return value }
    site = id
    guard case .optional(let optional) = value else { throw .noSuchOverload("?", [value.type]) }
    return optional
  }

  mutating func map(
    of entries: [SyntaxTree.Entry], _ root: Root
  ) throws(Failure) -> Value {
    try meter.produce(elements: entries.count)
    var map = MapEntries()
    for entry in entries {
      let key = try value(of: entry.key, root)
      guard MapKey(key) != nil else {
        site = entry.key
        throw .unsupportedKey(key.type)
      }
      guard let value = try element(entry.value, root) else { continue }
      try append(key, value, to: &map, at: entry.key)
    }
    return .map(.entries(map))
  }

  /// Adds an entry, at a cost proportional to the length of its key; `id` is the place of the fault for a
  /// duplicate key.
  mutating func append(
    _ key: Value, _ value: Value, to map: inout MapEntries, at id: NodeID
  ) throws(Failure) {
    try meter.charge(adding: key)
    guard map.append(key: key, value: value) else {
      site = id
      throw .duplicateKey(try meter.describing(key))
    }
  }
}

/// Logical operators and faults (langdef "Logical Operators").
extension Evaluator {
  /// Returns the value of `&&` or `||`: a decisive operand absorbs the faults of the others, in any order.
  mutating func logical(
    _ operation: LogicalOperator, of operands: [NodeID], _ root: Root
  ) throws(Failure) -> Value {
    var outcome = Conjunction(operation)
    for operand in operands where try decides(operand, of: operation.rawValue, in: &outcome, root) {
      break
    }
    return try result(of: outcome)
  }

  /// The result of `&&`, `||`, `all` and `exists` so far.
  struct Conjunction {
    /// The decisive value: true for "or", false for "and".
    let decisive: Bool
    var isDecided = false
    var failure: (reason: Failure, site: NodeID)?

    init(_ operation: LogicalOperator) { decisive = operation == .or }
  }

  /// Evaluates an operand, and returns true if it is decisive.
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

/// Chains such as `a.?b.?c.orValue(d)`.
extension Evaluator {
  /// Returns the value of `node`, an optional selection, or of its successors in the chain, up to `last`; sets
  /// `node` to the one whose value is returned.
  ///
  /// Optional values allocate memory: only one that leaves the chain is created.
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
