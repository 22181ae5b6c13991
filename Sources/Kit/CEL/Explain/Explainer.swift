/// Evaluates the nodes of a program one by one, each from the values of its operands, so that no operand is
/// skipped.
///
/// The evaluator does the work: it computes each node from the value of the node's head.
struct Explainer {
  typealias Outcome = Explanation.Outcome

  /// The nodes evaluated together: all outside of macros, or those of a macro's body for one element.
  struct Frame {
    let element: Int?
    var outcomes: [NodeID: Outcome] = [:]
  }

  let code: Code
  let source: String
  private var evaluator: Evaluator
  /// The macro whose body contains a node; nil for none.
  private var macros: [NodeID?]
  private(set) var outside = Frame(element: nil)
  /// The slots of bindings, by the nodes of their values.
  private var bindings: [NodeID: Int] = [:]
  /// The elements for which the bodies of macros were evaluated.
  private(set) var inside: [NodeID: [Frame]] = [:]
  private var isComplete = true

  init(_ code: Code, _ limits: ProgramLimits, source: String) {
    self.code = code
    self.source = source
    evaluator = Evaluator(code, limits)
    macros = Array(repeating: nil, count: code.instructions.count)
    for id in code.instructions.indices {
      guard case .comprehension(let macro) = code.instructions[id] else { continue }
      if macro.kind == .bind {
        bindings[macro.source] = macro.slot
        continue
      }
      for node in macro.scope where macros[node] == nil { macros[node] = id }
    }
  }

  mutating func explanation(
    of outcome: Outcome, _ steps: Int, _ root: Evaluator.Root
  ) -> Explanation {
    for id in code.instructions.indices where code.isReachable[id] && macros[id] == nil {
      guard let outcome = self.outcome(of: id, after: outside.outcomes, root) else { break }
      outside.outcomes[id] = outcome
      bind(id, root)
      if case .comprehension(let macro) = code.instructions[id] {
        evaluateElements(of: macro, at: id, root)
      }
    }
    return Explanation(
      source: source, outcome: outcome, parts: parts, isComplete: isComplete,
      reasons: reasons, steps: steps + evaluator.meter.used)
  }

  /// Returns the outcome of `id`, given that of its head; nil if the steps do not suffice.
  private mutating func outcome(
    of id: NodeID, after outcomes: [NodeID: Outcome], _ root: Evaluator.Root
  ) -> Outcome? {
    do throws(Evaluator.Failure) {
      if case .comprehension(let macro) = code.instructions[id], macro.kind == .bind {
        return outcomes[macro.body]
      }
      guard let head = code.instructions[id].head else {
        return .success(try evaluator.value(of: id, root))
      }
      guard case .success(let value) = outcomes[head] else { return outcomes[head] }
      return .success(try evaluator.advance(to: id, from: value, root))
    } catch {
      isComplete = isComplete && !error.isFinal
      let range = code.ranges[evaluator.site]
      let fault = EvaluationFault(reason: error, range: range, source: source)
      return error.isFinal ? nil : .failure(fault)
    }
  }

  /// Sets a variable of `cel.bind` to its value or fault, once that is known.
  private mutating func bind(_ source: NodeID, _ root: Evaluator.Root) {
    guard let slot = bindings[source] else { return }
    try? evaluator.bind(slot, to: source, root)
  }

  // MARK: Macros

  /// The maximum number of elements shown, besides the decisive one.
  private static let shownElements = 4

  private mutating func evaluateElements(
    of macro: Comprehension, at id: NodeID, _ root: Evaluator.Root
  ) {
    guard macro.kind != .bind, case .success(let source) = outside.outcomes[macro.source] else {
      return
    }
    let decisive = decisiveValue(macro, id)
    for element in 0..<(source.elementCount(for: macro.kind) ?? 0) {
      let isShown = element < Self.shownElements
      guard isComplete, isShown || decisive != nil else { return }
      evaluator.bind(macro, toElement: element, of: source)
      var frame = Frame(element: element)
      for node in macro.scope where code.isReachable[node] && macros[node] == id {
        guard let outcome = self.outcome(of: node, after: frame.outcomes, root) else { return }
        frame.outcomes[node] = outcome
        bind(node, root)
      }
      let isDecisive = decisive != nil && frame.outcomes[macro.body]?.bool == decisive
      if isShown || isDecisive { inside[id, default: []].append(frame) }
      if isDecisive { return }
    }
  }

  /// Returns the value of a decisive element of the macro; nil for none.
  private func decisiveValue(_ macro: Comprehension, _ id: NodeID) -> Bool? {
    switch (macro.kind, outside.outcomes[id]?.bool) {
    case (.all, false?): false
    case (.exists, true?): true
    default: nil
    }
  }
}

extension Explanation.Outcome {
  /// The value, if it is a Boolean.
  var bool: Bool? {
    if case .success(.bool(let bool)) = self { bool } else { nil }
  }
}

/// Selects and orders the relevant parts.
extension Explainer {
  /// Operands first, then the bodies of macros for single elements.
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
    guard let outcome = frame.outcomes[id], !code.isTexts(id, in: source) else { return nil }
    var isLiteral = false
    if case .constant = code.instructions[id] { isLiteral = true }
    return Explanation.Part(
      range: code.ranges[id], anchor: code.anchors[id], outcome: outcome, isDecisive: isDecisive,
      isLiteral: isLiteral, element: frame.element)
  }

  /// True if the result of the macro depends on this element; without a decisive one it depends on all.
  private func isDecisive(_ frame: Frame, _ id: NodeID) -> Bool {
    guard case .comprehension(let macro) = code.instructions[id] else { return true }
    switch (macro.kind, outside.outcomes[id]?.bool) {
    case (.all, false?): return frame.outcomes[macro.body]?.bool == false
    case (.exists, true?): return frame.outcomes[macro.body]?.bool == true
    default: return true
    }
  }

  /// The nodes on which the result depends.
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

  /// Returns the conditions that cause the value of the condition `id`; none if it has no parts.
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

  /// Returns the operands of a condition; none for a field or presence test, which show them.
  private func compared(_ id: NodeID, in frame: Frame) -> [Explanation.Part] {
    switch code.instructions[id] {
    case .select, .has, .index, .optionalSelect, .optionalIndex: []
    default: code.instructions[id].operands.compactMap { part($0, in: frame) }
    }
  }
}
