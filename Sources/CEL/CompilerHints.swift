/// What was probably meant where a name or function is not known.
extension Compiler {
  /// The fault of a node with what was probably meant, which is looked for in no other one: it may
  /// take longer than all the rest.
  func hintedFault(at id: NodeID) -> SyntaxFault? {
    guard var fault = faults[id] else { return nil }
    switch (fault.reason, calls[id]?.style) {
    case (.unknownVariable(let name), _): fault.slip = slip(for: name, id)
    case (.unknownFunction(let name), let style?): fault.slip = slip(for: name, style)
    case (.wrongArgumentCount(let name, _, _), let style?): fault.slip = overloads(name, style)
    default: break
    }
    return fault
  }

  private func slip(for name: String, _ id: NodeID) -> Slip? {
    if isKey(id) { return .unquotedKey(name) }
    let literals = ["nil": "null", "None": "null", "undefined": "null", "NULL": "null"]
    let words = ["True": "true", "False": "false", "TRUE": "true", "FALSE": "false"]
    if let literal = literals[name] ?? words[name] { return .misspelled(nearest: literal) }
    let variables = Array(environment.variables.prefix(512))
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
