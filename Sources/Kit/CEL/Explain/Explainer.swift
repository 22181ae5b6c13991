/// Evaluates the nodes of a program one by one, each from the values of its operands, so that no
/// operand is left out.
///
/// The evaluator does the work: a node is what it makes of the value of the node's head.
struct Explainer {
  typealias Outcome = Explanation.Outcome

  /// The nodes that were evaluated together: all outside of macros, or those of a macro's body for
  /// one element.
  struct Frame {
    let element: Int?
    var outcomes: [NodeID: Outcome] = [:]
  }

  let code: Code
  let source: String
  private var evaluator: Evaluator
  /// The macro to whose body a node belongs, if it does to one.
  private var macros: [NodeID?]
  private(set) var outside = Frame(element: nil)
  /// The slots of bindings, by the nodes whose values they take.
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

  /// Returns the outcome of `id`, given that of its head; nil when no steps are left to find out.
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

  /// Gives a variable of `cel.bind` its value, or fault, once that is known.
  private mutating func bind(_ source: NodeID, _ root: Evaluator.Root) {
    guard let slot = bindings[source] else { return }
    try? evaluator.bind(slot, to: source, root)
  }

  // MARK: Macros

  /// The most elements that are shown, besides the one that decided.
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

  /// Returns the answer of an element that decides the macro, if one did.
  private func decisiveValue(_ macro: Comprehension, _ id: NodeID) -> Bool? {
    switch (macro.kind, outside.outcomes[id]?.bool) {
    case (.all, false?): false
    case (.exists, true?): true
    default: nil
    }
  }
}

extension Explanation.Outcome {
  /// The value, if it is a boolean.
  var bool: Bool? {
    if case .success(.bool(let bool)) = self { bool } else { nil }
  }
}
