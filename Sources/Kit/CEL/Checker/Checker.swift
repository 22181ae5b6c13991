/// Infers the type of every node, and records nodes that can never have a value (langdef "Gradual Type
/// Checking").
///
/// Nodes are checked in the order of the tree, operands first, so nothing recurses here. It is more lenient
/// than the reference in two places, like the evaluator: numbers of different types can be compared and be
/// indexes, and the branches of a conditional can have different types.
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

  /// Returns the type of `id`, with the present bindings of type variables.
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

  /// Sources precede the bodies where their variables are visible.
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
  /// Returns the common type of the arguments, which must all be numbers.
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
  /// The static type of a type's name, with elements of any type.
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

/// Finds the overloads of an operator or function for its arguments.
extension Checker {
  mutating func result(of operation: String, _ operands: [NodeID], at id: NodeID) -> StaticType {
    let all = Signatures.operators.named(operation, count: operands.count)
    return result(of: operation, all, operands, at: id)
  }

  /// Returns the type of the result; `dyn` if it depends on which of several overloads applies.
  mutating func result(
    of operation: String, _ all: [Signature], _ operands: [NodeID], at id: NodeID
  ) -> StaticType {
    let arguments = operands.map { resolved($0) }
    if let result = result(all, arguments) { return result }
    if let result = result(all, alike(arguments, operation)) { return result }
    note(.noSuchOverload(operation, arguments), at: id, .overloads(nearest(all, to: arguments)))
    return .dyn
  }

  /// Returns the overloads that accept an argument or, for a look-up, the container; else all.
  private func nearest(_ all: [Signature], to arguments: [StaticType]) -> [Signature] {
    let isLookup = all.first?.name.hasPrefix("[") == true
    let near = all.filter { signature in
      zip(signature.parameters, arguments).prefix(isLookup ? 1 : 2)
        .contains { $0.name != nil && $0.name == $1.name }
    }
    return near.isEmpty ? all : near
  }

  private mutating func result(_ all: [Signature], _ arguments: [StaticType]) -> StaticType? {
    var result: StaticType?
    for signature in all {
      let (parameters, answer) = unification.instance(of: signature)
      guard unification.isAssignable(arguments, to: parameters) else { continue }
      let type = unification.resolved(answer)
      result = result == nil || result == type ? type : .dyn
    }
    return result
  }

  /// Returns the arguments, with one number type for operations that compare by value.
  private func alike(_ arguments: [StaticType], _ operation: String) -> [StaticType] {
    switch operation {
    case "==", "!=", "in": arguments.map(\.withOneNumber)
    case "[]", "[?]": [arguments[0].withOneKey, arguments[1].withOneNumber]
    default: arguments
    }
  }

  /// Records a fault if an operand cannot be of `type`.
  mutating func require(
    _ type: StaticType, _ operand: NodeID, for operation: String, at id: NodeID
  ) {
    let found = resolved(operand)
    if unification.isAssignable([found], to: [type]) { return }
    note(.noSuchOverload(operation, [found]), at: id, .wanted(type))
  }
}

extension StaticType {
  /// The type with every kind of number replaced by int.
  fileprivate var withOneNumber: StaticType {
    self == .uint || self == .double ? .int : StaticType(head, arguments.map(\.withOneNumber))
  }

  /// The type of a map, or an optional of one, with number keys replaced by int.
  fileprivate var withOneKey: StaticType {
    switch (name, arguments.count) {
    case ("map", 2): .map(arguments[0].withOneNumber, arguments[1])
    case ("optional_type", 1): .optional(arguments[0].withOneKey)
    default: self
    }
  }
}

/// The values that a host accepts from a program.
public enum ProgramResult: Sendable, Equatable {
  /// A value of one of these types; the elements of lists and maps are not compared.
  case oneOf([StaticType])
  /// A value with a JSON form.
  case json
}

extension Program {
  /// Returns the fault of a program whose type excludes all accepted values; nil if there is none.
  public func fault(unlessItAnswers wanted: ProgramResult) -> CompilationFault? {
    guard !type.isDyn, let name = type.name else { return nil }
    let fault: SyntaxFault
    switch wanted {
    case .oneOf(let types):
      guard !types.contains(where: { $0.name == name }) else { return nil }
      fault = SyntaxFault(
        .wrongType(type, wanted: types), at: code.ranges[code.root],
        .conversion(of: type, to: types))
    case .json:
      guard StaticType.withoutJSONForm.contains(name) else { return nil }
      fault = SyntaxFault(
        .noJSONForm(type), at: code.ranges[code.root], .conversion(of: type, to: []))
    }
    return CompilationFault(fault, source: source)
  }
}

extension StaticType {
  /// Any list.
  public static let anyList = StaticType.list(.dyn)
  /// Any map.
  public static let anyMap = StaticType.map(.dyn, .dyn)

  fileprivate static let withoutJSONForm = ["type", "optional_type"]

  /// The type without its arguments.
  var shortName: String { name ?? description }

  /// Returns a hint: an expression that converts a value `x` of this type to one of the accepted types.
  func conversion(to wanted: [StaticType]) -> String {
    if name == "optional_type" { return "write 'x.orValue(…)' instead of 'x'" }
    if wanted.contains(.bool) { return comparison }
    if let part, !wanted.contains(.anyList), !wanted.contains(.anyMap) { return part }
    if wanted.contains(.string) { return "write 'string(x)' instead of 'x'" }
    if wanted.contains(.anyList) { return "write '[x]' instead of 'x'" }
    if wanted.contains(.anyMap) { return "write '{\"name\": x}' instead of 'x'" }
    return wanted.contains(.int) ? "write 'int(x)' instead of 'x'" : "write its name as a string"
  }

  /// The expression for a part or a substitute of a value `x` of this type; nil if the value can be converted.
  private var part: String? {
    switch shortName {
    case "list": "take one of its elements, as in 'x[0]'"
    case "map": "take one of its members, as in 'x.name'"
    case "null_type": "write a value of that type instead"
    default: nil
    }
  }

  /// The expression that compares a value `x` of this type.
  private var comparison: String {
    switch shortName {
    case "string": "compare it, as in 'x == \"…\"'"
    case "int", "uint", "double": "compare it, as in 'x > 0'"
    case "list", "map": "compare its size, as in 'size(x) > 0'"
    default: "compare it, as in 'x == y'"
    }
  }
}
