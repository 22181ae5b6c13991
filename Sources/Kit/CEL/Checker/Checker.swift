/// Deduces the type of every node, and notes what can have no value whatever it is evaluated with
/// (langdef "Gradual Type Checking").
///
/// Nodes are checked in the order of the tree, in which operands precede what they belong to, so
/// nothing recurses here. It is more lenient than the reference in two places, where evaluating is
/// too: numbers of different types may be compared and be indexes, and the branches of a
/// conditional may have different types.
struct Checker {
  let tree: SyntaxTree
  let instructions: [Instruction]
  let environment: Environment
  let calls: [NodeID: FunctionCall]
  /// The comprehension that declares each slot.
  private let owners: [Comprehension]
  private let declared: Signatures
  var unification: Unification
  private(set) var types: [StaticType] = []
  private(set) var faults: [NodeID: SyntaxFault] = [:]

  init(
    _ tree: SyntaxTree, _ instructions: [Instruction], calls: [NodeID: FunctionCall],
    in environment: Environment
  ) {
    self.tree = tree
    self.instructions = instructions
    self.calls = calls
    self.environment = environment
    declared = Signatures(environment.functions)
    unification = Unification(nodes: instructions.count)
    owners = instructions.flatMap { instruction in
      guard case .comprehension(let comprehension) = instruction else { return [Comprehension]() }
      return comprehension.variables.map { _ in comprehension }
    }
    types.reserveCapacity(instructions.count)
    for id in instructions.indices {
      let type = type(of: id)
      types.append(unification.resolved(type))
    }
  }

  /// The type of `id`, with all that has been found out since.
  mutating func resolved(_ id: NodeID) -> StaticType {
    types[id] = unification.resolved(types[id])
    return types[id]
  }

  mutating func note(_ reason: CompilationFault.Reason, at id: NodeID, _ slip: Slip? = nil) {
    faults[id] = faults[id] ?? SyntaxFault(reason, at: tree.ranges[id], slip)
  }

  private mutating func type(of id: NodeID) -> StaticType {
    switch instructions[id] {
    case .constant(let value): value.staticType
    case .variable(let position): environment.type(ofVariableAt: position)
    case .local(let slot): type(ofSlot: slot)
    case .undeclared, .callUnary, .callBinary, .callVariadic: call(id)
    case .select(let operand, let field): selection(of: field, from: operand, at: id)
    case .has(let operand, let field): presence(of: field, in: operand, at: id)
    case .index(let operand, let index): result(of: "[]", [operand, index], at: id)
    case .optionalSelect(let operand, let field):
      optionalSelection(of: field, from: operand, at: id)
    case .optionalIndex(let operand, let index): result(of: "[?]", [operand, index], at: id)
    case .spread(let operand): unwrapped(operand, at: id)
    case .orElse(let first, let second, let unwraps):
      result(of: unwraps ? "orValue" : "or", [first, second], at: id)
    case .unary(let operation, let operand): result(of: operation.rawValue, [operand], at: id)
    case .binary(let operation, let left, let right):
      result(of: operation.rawValue, [left, right], at: id)
    case .logical(let operation, let operands): logical(operation, operands)
    case .conditional(let condition, let first, let second):
      choice(by: condition, between: first, and: second)
    case .list(let elements): .list(joined(elements))
    case .map(let entries): map(entries)
    case .comprehension(let comprehension): self.comprehension(comprehension, at: id)
    case .unused: .dyn
    }
  }

  // MARK: Names and calls

  /// Sources precede the bodies in which the variables are known.
  private mutating func type(ofSlot slot: Int) -> StaticType {
    guard slot < owners.count else { return .dyn }
    let comprehension = owners[slot]
    guard let elements = elements(of: comprehension) else { return .dyn }
    if comprehension.variables.count == 1 { return elements.single }
    return slot == comprehension.slot ? elements.key : elements.value
  }

  private mutating func call(_ id: NodeID) -> StaticType {
    guard let call = calls[id] else { return .dyn }
    if Signatures.ofManyNumbers.contains(call.name), call.arguments.count > 1 {
      return numbers(call, at: id)
    }
    let isMember = call.style == .member
    let count = call.arguments.count
    let own = declared.named(call.name, isMember: isMember, count: count)
    let all = own + Signatures.functions.named(call.name, isMember: isMember, count: count)
    return all.isEmpty ? .dyn : result(of: call.name, all, call.arguments, at: id)
  }
}

extension Checker {
  /// The common type of the arguments, which must all be numbers.
  private mutating func numbers(_ call: FunctionCall, at id: NodeID) -> StaticType {
    let all = Signatures.functions.named(call.name, count: 1).filter {
      $0.parameters == [$0.result]
    }
    for argument in call.arguments { _ = result(of: call.name, all, [argument], at: id) }
    return joined(call.arguments)
  }
}

extension Value {
  /// The type of a literal, which is never a list or map.
  fileprivate var staticType: StaticType {
    if case .type(let type) = self { return .type(type.staticType) }
    return StaticType(named: type.rawValue)
  }
}

extension ValueType {
  /// The type where the name stands for it, with elements of any type.
  fileprivate var staticType: StaticType {
    switch self {
    case .list: .list(.dyn)
    case .map: .map(.dyn, .dyn)
    case .optional: .optional(.dyn)
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .ip, .cidr,
      .type:
      StaticType(named: rawValue)
    }
  }
}
