/// Resolves calls: to a function of the language, to one that the host declares, or to none.
extension Compiler {
  mutating func memberCall(
    _ id: NodeID, _ target: NodeID, _ name: String, _ arguments: [NodeID]
  ) -> Instruction {
    if let namespace = tree.qualifiedName(target),
      locals[namespace.base] == nil, !tree.parenthesized.contains(target)
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

  mutating func globalCall(
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
        at: tree.anchors[id])
    }
    let macro = style == .member ? MacroCall.argumentCounts(of: name) : []
    guard macro.isEmpty else {
      return SyntaxFault(
        .wrongArgumentCount(function: name, expected: macro, found: count - implicit),
        at: tree.anchors[id])
    }
    return SyntaxFault(.unknownFunction(name), at: tree.anchors[id])
  }
}
