/// Makes an instruction of every node of a syntax tree: resolves names to variables, calls to
/// functions, and reports what is unknown.
struct Compiler {
  private let tree: SyntaxTree
  private let environment: Environment
  private let functions: FunctionTable
  private let positions: [String: Int]
  private let longestName: Int
  /// The slot of each node that names the variable of a comprehension.
  private var locals: [NodeID: Int] = [:]
  private var slots = 0
  private var slotOfComprehension: [NodeID: Int] = [:]
  private var calls: [NodeID: Checker.Call] = [:]
  private var faults: [NodeID: SyntaxFault] = [:]
  /// The steps that were taken for constant arguments of functions so far.
  private var precompilation = 0

  static func compile(
    _ tree: SyntaxTree, in environment: Environment, functions: FunctionTable = .standard
  ) throws(SyntaxFault) -> Code {
    var compiler = Compiler(tree, environment, functions)
    compiler.bindLocals()
    let instructions = tree.nodes.indices.map { compiler.instruction(for: $0) }
    let type = compiler.check(instructions)
    return try Code(
      tree, instructions, type: type, faults: compiler.faults, slots: compiler.slots)
  }

  /// The type of the program; in an unchecked one faults are left to its evaluation.
  private mutating func check(_ instructions: [Instruction]) -> StaticType {
    var checker = Checker(tree, instructions, calls: calls, in: environment)
    if environment.isChecked { faults.merge(checker.faults) { first, _ in first } }
    return checker.resolved(tree.root)
  }

  private init(_ tree: SyntaxTree, _ environment: Environment, _ functions: FunctionTable) {
    self.tree = tree
    self.environment = environment
    self.functions = functions
    let named = environment.variables.enumerated().map { ($1, $0) }
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
      globalCall(id, name, isAbsolute: isAbsolute, arguments)
    case .memberCall(let target, let name, let arguments):
      memberCall(id, target, name, arguments)
    case .list(let elements): .list(elements)
    case .map(let entries): .map(entries)
    case .comprehension(let comprehension):
      .comprehension(comprehension, slot: slotOfComprehension[id] ?? 0)
    case .declaration: .unused
    }
  }

  /// A constant string selects as a field does.
  private func index(_ operand: NodeID, _ index: NodeID) -> Instruction {
    if case .literal(.string(let field)) = tree.nodes[index] { return .select(operand, field) }
    return .index(operand, index)
  }

  // MARK: Names

  private mutating func name(_ id: NodeID) -> Instruction {
    if let slot = locals[id] { return .local(slot) }
    if let variable = variable(id) { return variable }
    if let type = type(id) { return type }
    guard case .name(let name, _) = tree.nodes[id] else { return .unused }
    if environment.isChecked {
      faults[id] = SyntaxFault(.unknownVariable(name), at: tree.anchors[id], slip(for: name, id))
    }
    return .undeclared(name)
  }

  /// The variable that the name or chain of selections stands for, if any.
  private func variable(_ id: NodeID) -> Instruction? {
    guard let name = tree.qualifiedName(id, limit: longestName), locals[name.base] == nil else {
      return nil
    }
    for candidate in environment.candidates(for: name) {
      if let position = positions[candidate] { return .variable(position) }
    }
    return nil
  }

  /// The type that the name or chain of selections stands for, if any.
  private func type(_ id: NodeID) -> Instruction? {
    guard let name = tree.qualifiedName(id, limit: 3), locals[name.base] == nil else { return nil }
    let types = environment.candidates(for: name).lazy.compactMap { ValueType(rawValue: $0) }
    return types.first.map { .constant(.type($0)) }
  }

  private func slip(for name: String, _ id: NodeID) -> Slip? {
    if isKey(id) { return .unquotedKey(name) }
    let literals = ["nil": "null", "None": "null", "undefined": "null", "NULL": "null"]
    let words = ["True": "true", "False": "false", "TRUE": "true", "FALSE": "false"]
    if let literal = literals[name] ?? words[name] { return .misspelled(nearest: literal) }
    let variables = environment.variables
    if let near = nearest(to: name, among: variables + ["true", "false", "null"]) {
      return .misspelled(nearest: near)
    }
    return (1...8).contains(variables.count) ? .variables(variables) : nil
  }

  /// Whether the node is the key of an entry in a map.
  private func isKey(_ id: NodeID) -> Bool {
    tree.nodes.contains { node in
      if case .map(let entries) = node { entries.contains { $0.key == id } } else { false }
    }
  }

  // MARK: Calls

  private mutating func memberCall(
    _ id: NodeID, _ target: NodeID, _ name: String, _ arguments: [NodeID]
  ) -> Instruction {
    if let namespace = tree.qualifiedName(target), locals[namespace.base] == nil,
      !tree.parenthesized.contains(target)
    {
      let qualified = namespace.appending(name)
      if let known = function(qualified, arguments.count) {
        return call(id, known, .global, arguments)
      }
      if functions.hasNamespace(namespace.text), variable(target) == nil {
        return call(id, qualified.text, .global, arguments)
      }
    }
    if arguments.count == 1, name == "or" || name == "orValue" {
      return .orElse(target, arguments[0], unwraps: name == "orValue")
    }
    return call(id, name, .member, [target] + arguments)
  }

  private mutating func globalCall(
    _ id: NodeID, _ name: String, isAbsolute: Bool, _ arguments: [NodeID]
  ) -> Instruction {
    let qualified = SyntaxTree.QualifiedName(text: name, isAbsolute: isAbsolute, base: id)
    return call(id, function(qualified, arguments.count) ?? name, .global, arguments)
  }

  /// The function that a name stands for, which is resolved as names of variables are.
  private func function(_ name: SyntaxTree.QualifiedName, _ count: Int) -> String? {
    environment.candidates(for: name).first { candidate in
      !functions.functions(candidate, .global).isEmpty
        || environment.functions.contains { $0.isCalled(candidate, .global, count) }
    }
  }

  private mutating func call(
    _ id: NodeID, _ name: String, _ style: Function.Style, _ arguments: [NodeID]
  ) -> Instruction {
    calls[id] = Checker.Call(name: name, style: style, arguments: arguments)
    let found = functions.functions(name, style)
    if let function = found.first(where: { $0.takes(arguments.count) }) {
      return precompiled(id, function, arguments) ?? function.call(arguments)
    }
    let isDeclared = environment.functions.contains { $0.isCalled(name, style, arguments.count) }
    if environment.isChecked, !isDeclared {
      faults[id] = unknownCall(id, name, style, arguments.count, found)
    }
    return .undeclared(name)
  }

  /// The call of a function whose second argument is known already, if that helps.
  private mutating func precompiled(
    _ id: NodeID, _ function: Function, _ arguments: [NodeID]
  ) -> Instruction? {
    guard let precompile = function.precompile, arguments.count == 2,
      case .literal(let value) = tree.nodes[arguments[1]]
    else { return nil }
    do throws(Pattern.Fault) {
      guard precompilation <= Pattern.maximumWork else { throw .tooLarge }
      guard let (body, work) = try precompile(value) else { return nil }
      precompilation += work
      return .callUnary(body, arguments[0])
    } catch {
      faults[id] = SyntaxFault(.invalidPattern(error.message), at: tree.ranges[arguments[1]])
      return nil
    }
  }

  private func unknownCall(
    _ id: NodeID, _ name: String, _ style: Function.Style, _ count: Int, _ found: [Function]
  ) -> SyntaxFault {
    let implicit = style == .member ? 1 : 0
    guard found.isEmpty else {
      let expected = found.compactMap { $0.arity.map { $0 - implicit } }.sorted()
      guard !expected.isEmpty else {
        return SyntaxFault(
          .invalidMacro(name, expected: "one argument or more"), at: tree.anchors[id])
      }
      return SyntaxFault(
        .wrongArgumentCount(function: name, expected: expected, found: count - implicit),
        at: tree.anchors[id], overloads(name, style))
    }
    let macro = style == .member ? MacroCall.argumentCounts(of: name) : []
    guard macro.isEmpty else {
      return SyntaxFault(
        .wrongArgumentCount(function: name, expected: macro, found: count - implicit),
        at: tree.anchors[id])
    }
    return SyntaxFault(.unknownFunction(name), at: tree.anchors[id], slip(for: name, style))
  }

  private func overloads(_ name: String, _ style: Function.Style) -> Slip? {
    let all = Signatures.functions.named(name, isMember: style == .member)
    return all.isEmpty ? nil : .overloads(all)
  }

  private func slip(for name: String, _ style: Function.Style) -> Slip? {
    if nearest(to: name, among: ["length", "len", "count"]) != nil {
      return .misspelled(nearest: "size")
    }
    let other: Function.Style = style == .member ? .global : .member
    if !functions.functions(name, other).isEmpty {
      return style == .member ? .functionOfMember(name) : .memberOfFunction(name)
    }
    let known = functions.names(style) + (style == .member ? MacroCall.memberNames : ["has"])
    return nearest(to: name, among: known).map { .misspelled(nearest: $0) }
  }
}
