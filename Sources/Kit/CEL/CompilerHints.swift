/// Guesses the name that was meant by an unknown one.
///
/// This compares with all names that there are, and so is done for the fault that is thrown alone.
extension Compiler {
  /// The fault with what was probably meant.
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
    let variables = environment.variables
    if let near = nearest(to: name, among: variables + ["true", "false", "null"]) {
      return .misspelled(nearest: near)
    }
    let isShort = (1...8).contains(variables.count) && variables.allSatisfy { $0.utf8.count <= 64 }
    return isShort ? .variables(variables) : nil
  }

  /// True if the key of an entry in a map stands there.
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
