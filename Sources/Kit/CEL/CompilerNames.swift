/// Resolves names: first as variables of macros, then as variables, then as types.
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

  /// The variable that the name or chain of selections stands for, if any.
  func variable(_ id: NodeID) -> Instruction? {
    guard let name = tree.qualifiedName(id, limit: longestName), locals[name.base] == nil else {
      return nil
    }
    for candidate in environment.candidates(for: name) {
      if let position = positions[.string(candidate)] { return .variable(position) }
    }
    return nil
  }

  /// The type that the name or chain of selections stands for, if any.
  func type(_ id: NodeID) -> Instruction? {
    guard let name = tree.qualifiedName(id, limit: 3), locals[name.base] == nil else { return nil }
    let types = environment.candidates(for: name).lazy.compactMap { ValueType(rawValue: $0) }
    return types.first.map { .constant(.type($0)) }
  }
}
