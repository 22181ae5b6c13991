import Patterns

/// Creates an instruction for every node of a syntax tree: resolves names to variables and calls to functions,
/// and reports unknown ones.
struct Compiler {
  let tree: SyntaxTree
  let environment: Environment
  let functions = FunctionTable.standard
  /// The indexes of variables, compared by bytes, since clients may name them.
  let positions: [MapKey: Int]
  let longestName: Int
  /// The slot of each node that names a comprehension variable.
  private(set) var locals: [NodeID: Int] = [:]
  private var slots = 0
  private var slotOfComprehension: [NodeID: Int] = [:]
  var calls: [NodeID: FunctionCall] = [:]
  /// The fault of a node, should it be reached; a hint is computed only for the one thrown.
  var faults: [NodeID: SyntaxFault] = [:]
  /// The steps taken so far for constant arguments of functions.
  var precompilation = 0

  static func compile(
    _ tree: SyntaxTree, in environment: Environment
  ) throws(SyntaxFault) -> Code {
    var compiler = Compiler(tree, in: environment)
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

  /// Returns the type of the program, and the number of types visited; in an unchecked program faults are left
  /// to its evaluation.
  private mutating func check(_ instructions: [Instruction]) -> (type: StaticType, work: Int) {
    var checker = Checker(tree, instructions, calls: calls, in: environment)
    if environment.isChecked { faults.merge(checker.faults) { first, _ in first } }
    return (checker.resolved(tree.root), checker.unification.workDone)
  }

  private init(_ tree: SyntaxTree, in environment: Environment) {
    self.tree = tree
    self.environment = environment
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

  /// Returns a comprehension with the slots of its variables.
  private func assigned(_ comprehension: Comprehension, at id: NodeID) -> Instruction {
    var comprehension = comprehension
    comprehension.slot = slotOfComprehension[id] ?? 0
    return .comprehension(comprehension)
  }

  /// A constant string index is a field selection.
  private func index(_ operand: NodeID, _ index: NodeID) -> Instruction {
    if case .literal(.string(let field)) = tree.nodes[index] { return .select(operand, field) }
    return .index(operand, index)
  }
}

/// A call as in the source.
struct FunctionCall {
  let name: String
  let style: Function.Style
  let arguments: [NodeID]
}

/// Resolves calls: to a function of the language, one that the host declares, or none.
extension Compiler {
  mutating func memberCall(
    of name: String, on target: NodeID, taking arguments: [NodeID], at id: NodeID
  ) -> Instruction {
    if let namespace = tree.qualifiedName(target),
      locals[namespace.base] == nil, !tree.parenthesized.contains(target)
    {
      let qualified = namespace.appending(name)
      if let known = globalCall(of: qualified, taking: arguments) { return call(known, at: id) }
      if functions.hasNamespace(namespace.text), variable(target) == nil {
        let unknown = FunctionCall(name: qualified.text, style: .global, arguments: arguments)
        return call(unknown, at: id)
      }
    }
    if arguments.count == 1, name == "or" || name == "orValue" {
      return .orElse(target, arguments[0], unwraps: name == "orValue")
    }
    return call(FunctionCall(name: name, style: .member, arguments: [target] + arguments), at: id)
  }

  mutating func globalCall(
    of name: String, isAbsolute: Bool, taking arguments: [NodeID], at id: NodeID
  ) -> Instruction {
    let qualified = SyntaxTree.QualifiedName(text: name, isAbsolute: isAbsolute, base: id)
    let unknown = FunctionCall(name: name, style: .global, arguments: arguments)
    return call(globalCall(of: qualified, taking: arguments) ?? unknown, at: id)
  }

  /// Returns the call of a function by a name, resolved like names of variables.
  private func globalCall(
    of name: SyntaxTree.QualifiedName, taking arguments: [NodeID]
  ) -> FunctionCall? {
    environment.candidates(for: name).lazy
      .map { FunctionCall(name: $0, style: .global, arguments: arguments) }
      .first { call in
        !functions.functions(call.name, .global).isEmpty
          || environment.functions.contains { $0.isMeant(by: call) }
      }
  }

  private mutating func call(_ call: FunctionCall, at id: NodeID) -> Instruction {
    calls[id] = call
    let found = functions.functions(call.name, call.style)
    if let function = found.first(where: { $0.takes(call.arguments.count) }) {
      return precompiled(function, taking: call.arguments, at: id) ?? function.call(call.arguments)
    }
    let isDeclared = environment.functions.contains { $0.isMeant(by: call) }
    if environment.isChecked, !isDeclared { faults[id] = fault(of: call, at: id, found: found) }
    return .undeclared(call.name)
  }

  /// Returns the call of a function specialized for a constant second argument, if possible.
  private mutating func precompiled(
    _ function: Function, taking arguments: [NodeID], at id: NodeID
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

  /// Returns the fault of a call without a matching function; `found` are those of its name.
  private func fault(of call: FunctionCall, at id: NodeID, found: [Function]) -> SyntaxFault {
    let (name, style) = (call.name, call.style)
    let implicit = style == .member ? 1 : 0
    let count = call.arguments.count - implicit
    guard found.isEmpty else {
      let expected = found.compactMap { $0.arity.map { $0 - implicit } }.sorted()
      guard !expected.isEmpty else {
        return SyntaxFault(
          .invalidMacro(name, expected: "one argument or more"), at: tree.anchors[id])
      }
      return SyntaxFault(
        .wrongArgumentCount(function: name, expected: expected, found: count),
        at: tree.anchors[id])
    }
    let macro = style == .member ? MacroCall.argumentCounts(of: name) : []
    guard macro.isEmpty else {
      return SyntaxFault(
        .wrongArgumentCount(function: name, expected: macro, found: count),
        at: tree.anchors[id])
    }
    return SyntaxFault(.unknownFunction(name), at: tree.anchors[id])
  }
}

/// Guesses the intended name for an unknown one.
///
/// It compares all existing names, so it runs only for the fault that is thrown.
extension Compiler {
  /// Returns the fault with a hint.
  func hinted(_ fault: SyntaxFault) -> SyntaxFault {
    var fault = fault
    switch fault.reason {
    case .unknownVariable(let name): fault.slip = slip(for: name, at: fault.range)
    case .unknownFunction(let name):
      fault.slip = style(ofCallAt: fault.range).flatMap { slip(for: name, $0) }
    case .wrongArgumentCount(let name, _, _):
      fault.slip = style(ofCallAt: fault.range).flatMap { overloads(name, $0) }
    default: break
    }
    return fault
  }

  private func style(ofCallAt range: SourceRange) -> Function.Style? {
    calls.first { tree.anchors[$0.key] == range }?.value.style
  }

  private func slip(for name: String, at range: SourceRange) -> Slip? {
    if isKey(at: range) { return .unquotedKey(name) }
    let literals = ["nil": "null", "None": "null", "undefined": "null", "NULL": "null"]
    let words = ["True": "true", "False": "false", "TRUE": "true", "FALSE": "false"]
    if let literal = literals[name] ?? words[name] { return .misspelled(nearest: literal) }
    let variables = environment.variables.filter { $0 != Function.translation }
    if let near = nearest(to: name, among: variables + ["true", "false", "null"]) {
      return .misspelled(nearest: near)
    }
    let isShort = (1...8).contains(variables.count) && variables.allSatisfy { $0.utf8.count <= 64 }
    return isShort ? .variables(variables) : nil
  }

  /// True if the range is the key of a map entry.
  private func isKey(at range: SourceRange) -> Bool {
    tree.nodes.contains { node in
      guard case .map(let entries) = node else { return false }
      return entries.contains { tree.anchors[$0.key] == range }
    }
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

/// Resolves names: first as macro variables, then as variables, then as types.
extension Compiler {
  mutating func name(_ id: NodeID) -> Instruction {
    if let slot = locals[id] { return .local(slot) }
    if let variable = variable(id) { return variable }
    if let type = type(id) { return type }
    guard case .name(let name, _) = tree.nodes[id] else { return .unused }
    if environment.isChecked {
      faults[id] = SyntaxFault(.unknownVariable(name), at: tree.anchors[id])
    }
    return .undeclared(name)
  }

  /// Returns the variable for a name or chain of selections, if any.
  func variable(_ id: NodeID) -> Instruction? {
    guard let name = tree.qualifiedName(id, limit: longestName), locals[name.base] == nil else {
      return nil
    }
    for candidate in environment.candidates(for: name) {
      if let position = positions[.string(candidate)] { return .variable(position) }
    }
    return nil
  }

  /// Returns the type for a name or chain of selections, if any.
  func type(_ id: NodeID) -> Instruction? {
    guard let name = tree.qualifiedName(id, limit: 3), locals[name.base] == nil else { return nil }
    let types = environment.candidates(for: name).lazy.compactMap { ValueType(rawValue: $0) }
    return types.first.map { .constant(.type($0)) }
  }
}
