/// Selects the parts that matter, and puts them in order.
extension Explainer {
  /// Operands first, then what macros do for single elements.
  var parts: [Explanation.Part] {
    let needed = neededNodes
    var parts: [Explanation.Part] = []
    for id in code.instructions.indices {
      if let part = part(id, in: outside, isDecisive: needed.contains(id)) { parts.append(part) }
      for frame in inside[id] ?? [] {
        for node in frame.outcomes.keys.sorted() {
          let isDecisive = needed.contains(id) && isDecisive(frame, id)
          if let part = part(node, in: frame, isDecisive: isDecisive) { parts.append(part) }
        }
      }
    }
    return parts
  }

  func part(_ id: NodeID, in frame: Frame, isDecisive: Bool = true) -> Explanation.Part? {
    guard let outcome = frame.outcomes[id] else { return nil }
    var isLiteral = false
    if case .constant = code.instructions[id] { isLiteral = true }
    return Explanation.Part(
      range: code.ranges[id], anchor: code.anchors[id], outcome: outcome, isDecisive: isDecisive,
      isLiteral: isLiteral, element: frame.element)
  }

  /// True if the result of the macro rests on this element; without a deciding one it rests on all.
  private func isDecisive(_ frame: Frame, _ id: NodeID) -> Bool {
    guard case .comprehension(let macro) = code.instructions[id] else { return true }
    switch (macro.kind, outside.outcomes[id]?.bool) {
    case (.all, false?): return frame.outcomes[macro.body]?.bool == false
    case (.exists, true?): return frame.outcomes[macro.body]?.bool == true
    default: return true
    }
  }

  /// The nodes on which the result rests.
  private var neededNodes: Set<NodeID> {
    var needed: Set<NodeID> = []
    var open = [code.root]
    while let id = open.popLast() {
      needed.insert(id)
      open += neededOperands(of: id)
    }
    return needed
  }

  private func neededOperands(of id: NodeID) -> [NodeID] {
    switch code.instructions[id] {
    case .logical(let operation, let operands):
      let deciding = operands.first { outside.outcomes[$0]?.bool == (operation == .or) }
      return deciding.map { [$0] } ?? operands
    case .conditional(let condition, let first, let second):
      guard let isTrue = outside.outcomes[condition]?.bool else { return [condition] }
      return [condition, isTrue ? first : second]
    case .orElse(let first, let second, _):
      guard case .success(.optional(nil)) = outside.outcomes[first] else { return [first] }
      return [first, second]
    case .comprehension(let macro) where macro.kind != .bind: return [macro.source]
    default: return code.instructions[id].operands
    }
  }

  // MARK: Reasons

  /// The conditions that make the program false, through `&&`, `||`, `!`, `?:` and macros.
  var reasons: [Explanation.Reason] {
    guard outside.outcomes[code.root]?.bool == false else { return [] }
    var reasons: [Explanation.Reason] = []
    var open = [(code.root, outside)]
    while let (id, frame) = open.popLast() {
      let causes = causes(of: id, in: frame)
      if causes.isEmpty, let part = part(id, in: frame) {
        reasons.append(Explanation.Reason(part: part, operands: compared(id, in: frame)))
      }
      open += causes.reversed()
    }
    return reasons
  }

  /// The conditions to which the value of the condition `id` is due; none when it stands for
  /// itself.
  private func causes(of id: NodeID, in frame: Frame) -> [(NodeID, Frame)] {
    let bool = frame.outcomes[id]?.bool
    switch code.instructions[id] {
    case .logical(_, let operands):
      return operands.filter { frame.outcomes[$0]?.bool == bool }.map { ($0, frame) }
    case .unary(.not, let operand): return [(operand, frame)]
    case .conditional(let condition, let first, let second):
      let branch = frame.outcomes[condition]?.bool == true ? first : second
      if case .constant = code.instructions[branch] { return [(condition, frame)] }
      return [(branch, frame)]
    case .comprehension(let macro) where macro.kind == .bind: return [(macro.body, frame)]
    case .comprehension(let macro)
    where bool == (macro.kind == .exists) && (macro.kind == .all || macro.kind == .exists):
      let frames = (inside[id] ?? []).filter { $0.outcomes[macro.body]?.bool == bool }
      return frame.element == nil ? frames.prefix(1).map { (macro.body, $0) } : []
    default: return []
    }
  }

  /// Returns the operands of a condition; none for a field or presence, which show them.
  private func compared(_ id: NodeID, in frame: Frame) -> [Explanation.Part] {
    switch code.instructions[id] {
    case .select, .has, .index, .optionalSelect, .optionalIndex: []
    default: code.instructions[id].operands.compactMap { part($0, in: frame) }
    }
  }
}
