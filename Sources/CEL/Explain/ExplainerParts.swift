/// Which of the parts matter, and in which order they are told.
extension Explainer {
  /// Operands first, then what macros do for single elements.
  var parts: [Explanation.Part] {
    let needed = neededNodes
    var parts: [Explanation.Part] = []
    for id in code.instructions.indices {
      if let part = part(id, in: outside, isDecisive: needed.contains(id)) { parts.append(part) }
      for scene in inside[id] ?? [] {
        for node in scene.outcomes.keys.sorted() {
          let isDecisive = needed.contains(id) && isDecisive(scene, id)
          if let part = part(node, in: scene, isDecisive: isDecisive) { parts.append(part) }
        }
      }
    }
    return parts
  }

  func part(_ id: NodeID, in scene: Scene, isDecisive: Bool = true) -> Explanation.Part? {
    guard let outcome = scene.outcomes[id] else { return nil }
    var isLiteral = false
    if case .constant = code.instructions[id] { isLiteral = true }
    return Explanation.Part(
      range: code.ranges[id], anchor: code.anchors[id], outcome: outcome, isDecisive: isDecisive,
      isLiteral: isLiteral, element: scene.element)
  }

  /// True if the result of the macro rests on this element; without a deciding one it rests on all.
  private func isDecisive(_ scene: Scene, _ id: NodeID) -> Bool {
    guard case .comprehension(let macro, _) = code.instructions[id] else { return true }
    switch (macro.kind, outside.outcomes[id]?.bool) {
    case (.all, false?): return scene.outcomes[macro.body]?.bool == false
    case (.exists, true?): return scene.outcomes[macro.body]?.bool == true
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
    case .comprehension(let macro, _) where macro.kind != .bind: return [macro.source]
    default: return code.instructions[id].operands
    }
  }

  // MARK: Reasons

  /// The conditions that make the program false, through `&&`, `||`, `!`, `?:` and macros.
  var reasons: [Explanation.Reason] {
    guard outside.outcomes[code.root]?.bool == false else { return [] }
    var reasons: [Explanation.Reason] = []
    var open = [(code.root, outside)]
    while let (id, scene) = open.popLast() {
      let causes = causes(of: id, in: scene)
      if causes.isEmpty, let part = part(id, in: scene) {
        reasons.append(Explanation.Reason(part: part, operands: compared(id, in: scene)))
      }
      open += causes.reversed()
    }
    return reasons
  }

  /// The conditions to which the value of the condition `id` is due; none when it stands for
  /// itself.
  private func causes(of id: NodeID, in scene: Scene) -> [(NodeID, Scene)] {
    let bool = scene.outcomes[id]?.bool
    switch code.instructions[id] {
    case .logical(_, let operands):
      return operands.filter { scene.outcomes[$0]?.bool == bool }.map { ($0, scene) }
    case .unary(.not, let operand): return [(operand, scene)]
    case .conditional(let condition, let first, let second):
      let branch = scene.outcomes[condition]?.bool == true ? first : second
      if case .constant = code.instructions[branch] { return [(condition, scene)] }
      return [(branch, scene)]
    case .comprehension(let macro, _) where macro.kind == .bind: return [(macro.body, scene)]
    case .comprehension(let macro, _)
    where bool == (macro.kind == .exists) && (macro.kind == .all || macro.kind == .exists):
      let scenes = (inside[id] ?? []).filter { $0.outcomes[macro.body]?.bool == bool }
      return scene.element == nil ? scenes.prefix(1).map { (macro.body, $0) } : []
    default: return []
    }
  }

  /// Returns the operands of a condition; none for a field or presence, which show them.
  private func compared(_ id: NodeID, in scene: Scene) -> [Explanation.Part] {
    switch code.instructions[id] {
    case .select, .has, .index, .optionalSelect, .optionalIndex: []
    default: code.instructions[id].operands.compactMap { part($0, in: scene) }
    }
  }
}
