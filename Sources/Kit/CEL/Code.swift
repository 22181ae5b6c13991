/// A compiled program: one instruction for each node of the syntax tree, in the same order.
///
/// An expression is evaluated from its head, the leftmost operand of its leftmost operand and so
/// on, upwards through parents, so that chains of operators and selections need no recursion.
///
/// A class because every evaluation holds it, which as a structure of arrays would cost a retain
/// for each of them.
final class Code: Sendable {
  let instructions: [Instruction]
  let heads: [NodeID]
  let parents: [NodeID]
  /// True for the instructions that can be evaluated at all.
  let isReachable: [Bool]
  let ranges: [SourceRange]
  /// The ranges that name the operators, fields and functions.
  let anchors: [SourceRange]
  let root: NodeID
  /// The type that was deduced for the program.
  let type: StaticType
  /// The number of types that were looked at while the program was checked.
  let checkingWork: Int
  /// The number of variables of comprehensions.
  let slots: Int
  /// The calls of `size`.
  let sizes: Set<NodeID>

  /// Checks that every instruction that can be reached is sound, and finds heads and parents.
  ///
  /// `faults` has what is wrong with an instruction, should it be reached. The first one in the
  /// order of the source is thrown.
  init(
    _ tree: SyntaxTree, _ instructions: [Instruction], checked: (type: StaticType, work: Int),
    faults: [NodeID: SyntaxFault], slots: Int, sizes: Set<NodeID>
  ) throws(SyntaxFault) {
    let folded = foldingLiterals(instructions)
    let links = Links(instructions, folded, root: tree.root)
    let reached = faults.filter { links.isReachable[$0.key] }.values
    if let fault = reached.min(by: { $0.range.start < $1.range.start }) { throw fault }
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

  /// The variables that are mentioned, by their position in the environment, in ascending order.
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

  /// Operands of what was folded can still be reached, to be explained; but nothing is evaluated
  /// from them upwards.
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

/// The instructions, where lists and maps of constants, and times, are made once.
///
/// Returns the instructions with literals folded; one with a fault is left to be evaluated.
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
  /// True if this is of one of the types whose literals are conversions of strings.
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

/// The operation of one node of the syntax tree, with names and functions resolved.
enum Instruction {
  case constant(Value)
  /// The variable at this position of the environment.
  case variable(Int)
  /// The variable of a comprehension.
  case local(Int)
  /// A name or function that is unknown, in an unchecked program.
  case undeclared(String)
  case select(NodeID, String)
  case has(NodeID, String)
  case index(NodeID, NodeID)
  case optionalSelect(NodeID, String)
  case optionalIndex(NodeID, NodeID)
  case spread(NodeID)
  /// The first optional, or its value, if there is one; else the second operand.
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
  /// The operand that is evaluated before anything else, if there is such a one.
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

  /// All operands, in the order of the source.
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

/// The values of the variables of comprehensions, by their slots.
///
/// The first two are kept without allocating memory, which is enough for a typical rule.
struct Locals {
  private var first: Value = .null
  private var second: Value = .null
  private var others: [Value]

  /// So many variables, all null.
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
