/// A compiled program: one instruction for each node of the syntax tree, in the same order.
///
/// An expression is evaluated from its head, the leftmost operand of its leftmost operand and so
/// on, upwards through parents, so that chains of operators and selections need no recursion.
struct Code: Sendable {
  fileprivate(set) var instructions: [Instruction]
  fileprivate(set) var heads: [NodeID]
  fileprivate(set) var parents: [NodeID]
  let ranges: [SourceRange]
  let root: NodeID
  /// How many variables of comprehensions there are.
  let slots: Int
  /// Which instructions can be evaluated at all.
  private(set) var isReachable: [Bool]
  /// The variables that are mentioned, by their position in the environment.
  fileprivate(set) var variables: [Int] = []
}

extension Code {
  /// Checks that every instruction that can be reached is sound, and finds heads and parents.
  ///
  /// `faults` has what is wrong with an instruction, should it be reached. The first one in the
  /// order of the source is thrown.
  init(
    _ tree: SyntaxTree, _ instructions: [Instruction], faults: [NodeID: SyntaxFault], slots: Int
  ) throws(SyntaxFault) {
    self.instructions = instructions
    ranges = tree.ranges
    root = tree.root
    self.slots = slots
    heads = Array(instructions.indices)
    parents = Array(repeating: tree.root, count: instructions.count)
    isReachable = Array(repeating: false, count: instructions.count)
    let reached = link()
    for id in reached { isReachable[id] = true }
    let reachedFaults = reached.compactMap { faults[$0] }
    if let fault = reachedFaults.min(by: { $0.range.start < $1.range.start }) { throw fault }
    findVariables(reached)
    foldLiterals()
  }

  /// Sets parents of all instructions that can be reached, and heads of all, and answers the
  /// former.
  private mutating func link() -> [NodeID] {
    var reached = [root]
    var next = 0
    while next < reached.count {
      for operand in instructions[reached[next]].operands {
        parents[operand] = reached[next]
        reached.append(operand)
      }
      next += 1
    }
    for id in instructions.indices {
      if let operand = instructions[id].head { heads[id] = heads[operand] }
    }
    return reached
  }

  private mutating func findVariables(_ reached: [NodeID]) {
    var isRead: Set<Int> = []
    for id in reached {
      if case .variable(let index) = instructions[id] { isRead.insert(index) }
    }
    variables = isRead.sorted()
  }

  /// Makes lists and maps of constants once.
  ///
  /// A map literal with a fault is left to be evaluated.
  private mutating func foldLiterals() {
    for id in instructions.indices {
      switch instructions[id] {
      case .list(let elements):
        guard let values = constants(elements) else { continue }
        instructions[id] = .constant(.list(.values(values)))
      case .map(let entries):
        guard let keys = constants(entries.map(\.key)),
          let values = constants(entries.map(\.value))
        else { continue }
        var map = MapEntries()
        let isSound = zip(keys, values).allSatisfy { map.append(key: $0, value: $1) }
        if isSound { instructions[id] = .constant(.map(.entries(map))) }
      default: continue
      }
    }
  }

  private func constants(_ ids: [NodeID]) -> [Value]? {
    var values: [Value] = []
    for id in ids {
      guard case .constant(let value) = instructions[id] else { return nil }
      values.append(value)
    }
    return values
  }
}
