import JSONText

/// Compiles programs that can be fused.
///
/// The first operand is always a place, so that a fused program requests its document exactly when the
/// instructions would.
struct FusedCompiler {
  private let instructions: [Instruction]
  private let sizes: Set<NodeID>
  /// The variable that is the document, once one is read.
  private(set) var variable: Int?
  private var depth = 0

  init(_ code: Code) {
    instructions = code.instructions
    sizes = code.sizes
  }

  /// The maximum nesting of conditions; chains of operators could exceed the stack.
  private static let maximumDepth = 16

  /// Returns the code for a whole program or a branch; nil if it cannot be fused.
  mutating func code(for id: NodeID) -> FusedCode? {
    guard case .constant(let value) = instructions[id] else { return condition(id) }
    return JSON(scalar: value).map { FusedCode(.constant, constant: $0) }
  }

  // MARK: Conditions

  /// Returns the code for a node that is not a constant.
  private mutating func condition(_ id: NodeID) -> FusedCode? {
    guard depth < Self.maximumDepth else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch instructions[id] {
    case .select:
      return place(id).map { FusedCode(.read, place: $0) }
    case .orElse(let first, let second, unwraps: true):
      guard let place = optionalPlace(first), let other = constant(second) else { return nil }
      return FusedCode(.read, place: place, other: other)
    case .has(let operand, let name):
      return place(operand, then: name).map { FusedCode(.presence, place: $0) }
    case .unary(.not, let operand):
      return condition(operand).map { FusedCode(.negation, operands: [$0]) }
    case .logical(let operation, let operands): return junction(operation, of: operands)
    case .conditional(let condition, let first, let second):
      guard let condition = self.condition(condition), let first = code(for: first),
        let second = code(for: second)
      else { return nil }
      return FusedCode(.conditional, operands: [condition, first, second])
    case .binary(.isIn, let left, let right): return containment(of: left, in: right)
    case .binary(let operation, let left, let right) where operation.isRelation:
      return comparison(of: left, by: operation, with: right)
    case .binary, .unary, .orElse, .constant, .variable, .local, .undeclared, .index,
      .optionalSelect, .optionalIndex, .spread, .callUnary, .callBinary, .callVariadic, .list, .map,
      .comprehension, .unused:
      return nil
    }
  }

  private mutating func junction(
    _ operation: LogicalOperator, of operands: [NodeID]
  ) -> FusedCode? {
    guard operands.count <= Self.maximumDepth, let last = operands.last,
      var joined = condition(last)
    else { return nil }
    for operand in operands.dropLast().reversed() {
      guard let first = condition(operand) else { return nil }
      let cost = operand == operands.first ? 1 : 0
      joined = FusedCode(operation == .or ? .or : .and, cost: cost, operands: [first, joined])
    }
    return joined
  }

  private mutating func comparison(
    of left: NodeID, by operation: BinaryOperator, with right: NodeID
  ) -> FusedCode? {
    if let constant = constant(left) {
      // A constant is a step only if it is evaluated first.
      return comparison(of: right, by: operation.mirrored, with: constant, cost: 2)
    }
    if let constant = constant(right) {
      return comparison(of: left, by: operation, with: constant, cost: 1)
    }
    guard let left = place(left), let right = place(right) else { return nil }
    return FusedCode(.pair, place: left, secondPlace: right, relation: operation)
  }

  private mutating func comparison(
    of id: NodeID, by operation: BinaryOperator, with constant: JSON, cost: Int
  ) -> FusedCode? {
    switch instructions[id] {
    case .select:
      return place(id).map {
        FusedCode(.comparison, cost: cost, place: $0, relation: operation, constant: constant)
      }
    case .callUnary(_, let operand) where sizes.contains(id):
      return place(operand).map {
        FusedCode(
          .sizeComparison, cost: 1 + cost, place: $0, relation: operation, constant: constant)
      }
    case .orElse(let first, let second, unwraps: true):
      guard let place = optionalPlace(first), let other = self.constant(second) else { return nil }
      return FusedCode(
        .comparison, cost: cost, place: place, relation: operation, constant: constant,
        other: other)
    default: return nil
    }
  }

  private mutating func containment(of left: NodeID, in right: NodeID) -> FusedCode? {
    if case .constant(.string(let text)) = instructions[left] {
      return place(right).map { FusedCode(.containment, place: $0, constant: .string(text)) }
    }
    guard case .constant(.list(let list)) = instructions[right] else { return nil }
    let choices = list.elements.compactMap { JSON(scalar: $0) }
    guard choices.count == list.count, let place = place(left) else { return nil }
    return FusedCode(.choice, place: place, choices: choices)
  }

  // MARK: Operands

  /// Returns the JSON form of a constant scalar or of an empty list.
  private func constant(_ id: NodeID) -> JSON? {
    guard case .constant(let value) = instructions[id] else { return nil }
    if case .list(let list) = value, list.count == 0 { return .array([]) }
    return JSON(scalar: value)
  }

  /// Returns the place of a variable and the fields selected from it, and `last`.
  private mutating func place(_ id: NodeID, then last: String? = nil) -> FusedPlace? {
    var names = last.map { [$0] } ?? []
    var current = id
    while case .select(let operand, let name) = instructions[current] {
      names.append(name)
      guard names.count <= FusedPlace.maximumNames else { return nil }
      current = operand
    }
    guard isDocument(current) else { return nil }
    return FusedPlace(names.reversed(), firstOptional: names.count)
  }

  /// Returns the place of a variable and fields, the last of which may be absent.
  private mutating func optionalPlace(_ id: NodeID) -> FusedPlace? {
    var names: [String] = []
    var firstOptional: Int?
    var current = id
    scan: while names.count <= FusedPlace.maximumNames {
      switch instructions[current] {
      case .optionalSelect(let operand, let name):
        names.append(name)
        firstOptional = names.count
        current = operand
      case .select(let operand, let name):
        names.append(name)
        current = operand
      default: break scan
      }
    }
    guard let firstOptional, isDocument(current) else { return nil }
    return FusedPlace(names.reversed(), firstOptional: names.count - firstOptional)
  }

  /// True if it is the one variable that is read.
  private mutating func isDocument(_ id: NodeID) -> Bool {
    guard case .variable(let index) = instructions[id] else { return false }
    if variable == nil { variable = index }
    return variable == index
  }
}

extension JSON {
  /// Creates the JSON form of a scalar; nil if it is not the same value in the language.
  fileprivate init?(scalar value: CEL.Value) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .int(let int): self = .int(int)
    case .double(let double): self = .double(double)
    case .string(let string): self = .string(string)
    case .uint, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .type, .optional: return nil
    }
  }
}

extension BinaryOperator {
  /// Returns true if the relation holds, and adds the cost beyond its step; nil if it is undecided: without an
  /// order, or for containers whose elements would have to be compared.
  @inline(__always)
  func isTrue(of left: JSON, and right: JSON, _ steps: inout Int) -> Bool? {
    switch (left, right) {
    case (.int(let left), .int(let right)): return isTrue(of: Order(left, right))
    case (.string(let left), .string(let right)):
      return isEquality ? isTrue(ofTexts: left, and: right, &steps) : nil
    case (.null, .null): return isEquality ? self == .equal : nil
    case (.bool(let left), .bool(let right)):
      return isEquality ? (left == right) == (self == .equal) : nil
    case (.double, .double), (.int, .double), (.double, .int):
      return isTrue(of: Value(left).numericOrder(to: Value(right)))
    case (.array(let left), .array(let right)):
      return isEquality ? isTrue(ofCounts: left.count, and: right.count) : nil
    case (.object(let left), .object(let right)):
      return isEquality ? isTrue(ofCounts: left.count, and: right.count) : nil
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      return isEquality ? self == .notEqual : nil
    }
  }

  /// Texts of different lengths are not read, and cost nothing.
  @inline(__always)
  private func isTrue(ofTexts left: String, and right: String, _ steps: inout Int) -> Bool {
    guard left.utf8.count == right.utf8.count else { return self == .notEqual }
    steps += Meter.cost(ofBytes: left.utf8.count)
    let isSame = left.isIdentical(to: right) || left.hasSameBytes(as: right)
    return isSame == (self == .equal)
  }

  /// Containers of different sizes differ, and empty ones are equal.
  private func isTrue(ofCounts left: Int, and right: Int) -> Bool? {
    if left != right { return self == .notEqual }
    return left == 0 ? self == .equal : nil
  }
}

extension JSON {
  /// The value, if it is a Boolean.
  var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The number of elements or members; nil for scalars.
  var entryCount: Int? {
    switch self {
    case .array(let elements): elements.count
    case .object(let object): object.count
    case .null, .bool, .int, .double, .string: nil
    }
  }
}
