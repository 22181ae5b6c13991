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
