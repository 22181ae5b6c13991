import Patterns

/// A call as it is written, where the instruction has only what is to be done.
struct FunctionCall {
  let name: String
  let style: Function.Style
  let arguments: [NodeID]
}

/// Resolves calls: to a function of the language, to one that the host declares, or to none.
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

  /// The call of the function that a name stands for, which is resolved as names of variables are.
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

  /// The call of a function whose second argument is known already, if that helps.
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

  /// The fault of a call for whose arguments there is no function; `found` are those of its name.
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
