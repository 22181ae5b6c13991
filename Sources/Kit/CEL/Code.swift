/// A compiled program: one instruction per node of the syntax tree, in the same order.
///
/// An expression is evaluated from its head, the leftmost operand of its leftmost operand and so on, upwards
/// through parents, so that chains of operators and selections need no recursion.
///
/// A class because every evaluation holds it; a structure of arrays would cost a retain for each array.
final class Code: Sendable {
  let instructions: [Instruction]
  let heads: [NodeID]
  let parents: [NodeID]
  /// True for the instructions that can be evaluated.
  let isReachable: [Bool]
  let ranges: [SourceRange]
  /// The ranges of operators, fields and function names.
  let anchors: [SourceRange]
  let root: NodeID
  /// The inferred type of the program.
  let type: StaticType
  /// The number of types visited by the checker.
  let checkingWork: Int
  /// The number of comprehension variables.
  let slots: Int
  /// The calls of `size`.
  let sizes: Set<NodeID>

  /// Throws the first fault of a reachable instruction in source order, and determines heads and parents.
  ///
  /// `faults` has the faults of instructions, reachable or not.
  init(
    _ tree: SyntaxTree, _ instructions: [Instruction], checked: (type: StaticType, work: Int),
    faults: [NodeID: SyntaxFault], slots: Int, sizes: Set<NodeID>
  ) throws(SyntaxFault) {
    let folded = foldingLiterals(instructions)
    let links = Links(instructions, folded, root: tree.root)
    let reached = faults.filter { links.isReachable[$0.key] }
    let first = reached.min { ($0.value.range.start, $0.key) < ($1.value.range.start, $1.key) }
    if let first { throw first.value }
    self.instructions = folded
    heads = links.heads
    parents = links.parents
    isReachable = links.isReachable
    ranges = tree.ranges
    anchors = tree.anchors
    root = tree.root
    type = checked.type
    checkingWork = checked.work
    self.slots = slots
    self.sizes = sizes
  }

  /// The indexes of the variables used, ascending.
  var variables: [Int] {
    var isRead: Set<Int> = []
    for id in instructions.indices where isReachable[id] {
      if case .variable(let index) = instructions[id] { isRead.insert(index) }
    }
    return isRead.sorted()
  }
}

/// The links between instructions.
private struct Links {
  var heads: [NodeID]
  var parents: [NodeID]
  var isReachable: [Bool]

  /// Operands of folded instructions are reachable for explanations, but have no parents in evaluation.
  init(_ instructions: [Instruction], _ folded: [Instruction], root: NodeID) {
    heads = Array(instructions.indices)
    parents = Array(repeating: root, count: instructions.count)
    isReachable = Array(repeating: false, count: instructions.count)
    isReachable[root] = true
    for id in instructions.indices.reversed() where isReachable[id] {
      for operand in instructions[id].operands {
        parents[operand] = id
        isReachable[operand] = true
      }
    }
    for id in instructions.indices {
      if let operand = folded[id].head { heads[id] = heads[operand] }
    }
  }
}

/// Folds literal lists and maps of constants, and constant times, into constants.
///
/// An instruction with a fault is left for evaluation.
private func foldingLiterals(_ instructions: [Instruction]) -> [Instruction] {
  var folded = instructions
  var meter = Meter(ProgramLimits())
  for id in instructions.indices {
    switch instructions[id] {
    case .list(let elements):
      guard let values = constants(elements, in: folded) else { continue }
      folded[id] = .constant(.list(.values(values)))
    case .map(let entries):
      guard let keys = constants(entries.map(\.key), in: folded),
        let values = constants(entries.map(\.value), in: folded)
      else { continue }
      var map = MapEntries()
      let isSound = zip(keys, values).allSatisfy { map.append(key: $0, value: $1) }
      if isSound { folded[id] = .constant(.map(.entries(map))) }
    case .callUnary(let body, let operand):
      guard case .constant(.string(let text)) = folded[operand],
        let value = try? body(.string(text), &meter), value.isTime
      else { continue }
      folded[id] = .constant(value)
    default: continue
    }
  }
  return folded
}

extension Value {
  /// True for the types whose literals are conversions of strings.
  fileprivate var isTime: Bool { type == .timestamp || type == .duration }
}

private func constants(_ ids: [NodeID], in instructions: [Instruction]) -> [Value]? {
  var values: [Value] = []
  for id in ids {
    guard case .constant(let value) = instructions[id] else { return nil }
    values.append(value)
  }
  return values
}

/// An operation of a syntax tree node, with names and functions resolved.
enum Instruction {
  case constant(Value)
  /// The variable at an index of the environment.
  case variable(Int)
  /// A comprehension variable.
  case local(Int)
  /// An unknown name or function, in an unchecked program.
  case undeclared(String)
  case select(NodeID, String)
  case has(NodeID, String)
  case index(NodeID, NodeID)
  case optionalSelect(NodeID, String)
  case optionalIndex(NodeID, NodeID)
  case spread(NodeID)
  /// The first optional, or its value, if present; else the second operand.
  case orElse(NodeID, NodeID, unwraps: Bool)
  case unary(UnaryOperator, NodeID)
  case binary(BinaryOperator, NodeID, NodeID)
  case logical(LogicalOperator, [NodeID])
  case conditional(NodeID, NodeID, NodeID)
  case callUnary(Function.Unary, NodeID)
  case callBinary(Function.Binary, NodeID, NodeID)
  case callVariadic(Function.Variadic, [NodeID])
  case list([NodeID])
  case map([SyntaxTree.Entry])
  case comprehension(Comprehension)
  /// The node is not evaluated: it is part of a dotted name, or a declaration.
  case unused
}

extension Instruction {
  /// The operand that is evaluated first, if any.
  var head: NodeID? {
    switch self {
    case .select(let operand, _), .has(let operand, _), .index(let operand, _),
      .unary(_, let operand), .binary(_, let operand, _), .conditional(let operand, _, _),
      .callUnary(_, let operand), .callBinary(_, let operand, _),
      .optionalSelect(let operand, _), .optionalIndex(let operand, _), .spread(let operand),
      .orElse(let operand, _, _):
      operand
    case .comprehension(let comprehension):
      comprehension.kind == .bind ? nil : comprehension.source
    case .constant, .variable, .local, .undeclared, .logical, .callVariadic, .list, .map, .unused:
      nil
    }
  }

  /// All operands, in source order.
  var operands: [NodeID] {
    switch self {
    case .constant, .variable, .local, .undeclared, .unused: []
    case .select(let operand, _), .has(let operand, _), .unary(_, let operand),
      .callUnary(_, let operand), .optionalSelect(let operand, _), .spread(let operand):
      [operand]
    case .index(let first, let second), .binary(_, let first, let second),
      .callBinary(_, let first, let second), .optionalIndex(let first, let second),
      .orElse(let first, let second, _):
      [first, second]
    case .conditional(let first, let second, let third): [first, second, third]
    case .logical(_, let operands), .callVariadic(_, let operands), .list(let operands): operands
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .comprehension(let comprehension):
      [comprehension.source] + (comprehension.condition.map { [$0] } ?? []) + [comprehension.body]
    }
  }
}

/// The values of comprehension variables, by slot.
///
/// The first two are stored inline, which suffices for a typical rule.
struct Locals {
  private var first: Value = .null
  private var second: Value = .null
  private var others: [Value]

  /// Creates `count` variables, all null.
  init(count: Int) {
    others = count > 2 ? Array(repeating: .null, count: count - 2) : []
  }

  subscript(slot: Int) -> Value {
    get {
      switch slot {
      case 0: first
      case 1: second
      default: others[slot - 2]
      }
    }
    set {
      switch slot {
      case 0: first = newValue
      case 1: second = newValue
      default: others[slot - 2] = newValue
      }
    }
  }
}
