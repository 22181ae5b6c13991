/// Makes an instruction of every node of a syntax tree: resolves names to variables, calls to
/// functions, and reports what is unknown.
struct Compiler {
  let tree: SyntaxTree
  let environment: Environment
  let functions: FunctionTable
  /// By their bytes: the names of variables may come from clients.
  let positions: [MapKey: Int]
  let longestName: Int
  /// The slot of each node that names the variable of a comprehension.
  private(set) var locals: [NodeID: Int] = [:]
  private var slots = 0
  private var slotOfComprehension: [NodeID: Int] = [:]
  var calls: [NodeID: FunctionCall] = [:]
  /// The fault of a node, should it be reached; only the first one has its hint looked for.
  var faults: [NodeID: SyntaxFault] = [:]
  /// The steps that were taken for constant arguments of functions so far.
  var precompilation = 0

  static func compile(
    _ tree: SyntaxTree, in environment: Environment, functions: FunctionTable = .standard
  ) throws(SyntaxFault) -> Code {
    var compiler = Compiler(tree, in: environment, functions: functions)
    compiler.bindLocals()
    let instructions = tree.nodes.indices.map { compiler.instruction(for: $0) }
    let checked = compiler.check(instructions)
    do throws(SyntaxFault) {
      return try Code(
        tree, instructions, checked: checked, faults: compiler.faults, slots: compiler.slots,
        sizes: Set(compiler.calls.filter { $0.value.name == "size" }.keys))
    } catch {
      throw compiler.hinted(error)
    }
  }

  /// The type of the program, and the number of types looked at to find it; in an unchecked program
  /// faults are left to its evaluation.
  private mutating func check(_ instructions: [Instruction]) -> (type: StaticType, work: Int) {
    var checker = Checker(tree, instructions, calls: calls, in: environment)
    if environment.isChecked { faults.merge(checker.faults) { first, _ in first } }
    return (checker.resolved(tree.root), checker.unification.workDone)
  }

  private init(_ tree: SyntaxTree, in environment: Environment, functions: FunctionTable) {
    self.tree = tree
    self.environment = environment
    self.functions = functions
    let named = environment.variables.enumerated().map { (MapKey.string($1), $0) }
    positions = Dictionary(named, uniquingKeysWith: { first, _ in first })
    longestName = environment.longestName
  }

  // MARK: Variables of comprehensions

  /// Inner comprehensions come before outer ones, so the innermost declaration wins.
  private mutating func bindLocals() {
    let mentions = Mentions(tree)
    for id in tree.nodes.indices {
      guard case .comprehension(let comprehension) = tree.nodes[id] else { continue }
      slotOfComprehension[id] = slots
      for variable in comprehension.variables {
        for node in mentions.of(variable, in: comprehension.scope) where locals[node] == nil {
          locals[node] = slots
        }
        slots += 1
      }
    }
  }

  // MARK: Instructions

  private mutating func instruction(for id: NodeID) -> Instruction {
    switch tree.nodes[id] {
    case .literal(let value): .constant(value)
    case .name: name(id)
    case .select(let operand, let field, _):
      variable(id) ?? type(id) ?? .select(operand, field)
    case .has(let operand, let field): .has(operand, field)
    case .index(let operand, let index): self.index(operand, index)
    case .optionalSelect(let operand, let field): .optionalSelect(operand, field)
    case .optionalIndex(let operand, let index):
      if case .literal(.string(let field)) = tree.nodes[index] {
        .optionalSelect(operand, field)
      } else {
        .optionalIndex(operand, index)
      }
    case .spread(let element): .spread(element)
    case .unary(let `operator`, let operand): .unary(`operator`, operand)
    case .binary(let `operator`, let left, let right): .binary(`operator`, left, right)
    case .logical(let `operator`, let operands): .logical(`operator`, operands)
    case .conditional(let condition, let first, let second):
      .conditional(condition, first, second)
    case .call(let name, let isAbsolute, let arguments):
      globalCall(of: name, isAbsolute: isAbsolute, taking: arguments, at: id)
    case .memberCall(let target, let name, let arguments):
      memberCall(of: name, on: target, taking: arguments, at: id)
    case .list(let elements): .list(elements)
    case .map(let entries): .map(entries)
    case .comprehension(let comprehension): assigned(comprehension, at: id)
    case .declaration: .unused
    }
  }

  /// A comprehension with the slots that its variables have.
  private func assigned(_ comprehension: Comprehension, at id: NodeID) -> Instruction {
    var comprehension = comprehension
    comprehension.slot = slotOfComprehension[id] ?? 0
    return .comprehension(comprehension)
  }

  /// A constant string selects as a field does.
  private func index(_ operand: NodeID, _ index: NodeID) -> Instruction {
    if case .literal(.string(let field)) = tree.nodes[index] { return .select(operand, field) }
    return .index(operand, index)
  }
}
