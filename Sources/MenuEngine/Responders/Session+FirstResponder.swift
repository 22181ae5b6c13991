import JSONText

extension Session {
  /// Moves focus (R8): at once when it is there already, else when the candidate may become and the
  /// old one may resign. In a window that is not key it is that window's focus that moves (R11).
  ///
  /// - Parameter window: The window that the responder must be in; nil for any.
  mutating func becomeFirstResponder(
    _ id: ResponderID, in window: ResponderID? = nil, effort: Effort = Effort(),
    tracing trace: inout Trace
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let candidate = graph[id] else { throw .unknownResponder(id) }
    try checkWindow(window, as: .key)
    if let window, graph.window(of: id) != window { throw .notInWindow(id, window) }
    let place = windowOfFocus(takenBy: id)
    let old = place.map { firstResponder(in: $0) } ?? firstResponder
    guard old != id else {
      trace.note(.hasFocus, .responder(id), answer: true)
      givenFocus[id] = sharedGraph
      return []
    }
    try ask(candidate, .canBecomeFirstResponder, for: id, effort: effort, tracing: &trace)
    try ask(old, toResignFor: id, effort: effort, tracing: &trace)
    let changes = setFocus(id, of: place)
    givenFocus[id] = sharedGraph
    return changes
  }

  /// Gives up the focus of a window, by default the session's, if its first responder may resign.
  mutating func resignFirstResponder(
    in window: ResponderID? = nil, effort: Effort = Effort(), tracing trace: inout Trace
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkWindow(window, as: .key)
    let place = window == keyWindow ? nil : window
    guard let old = place.map({ firstResponder(in: $0) }) ?? firstResponder else { return [] }
    try ask(old, toResignFor: nil, effort: effort, tracing: &trace)
    return setFocus(nil, of: old == firstResponder ? nil : place)
  }

  /// Gives focus to a responder or to none, in a window that is not key or, for nil, in the session.
  private mutating func setFocus(
    _ id: ResponderID?, of window: ResponderID?
  ) -> [Outcome.Change] {
    if let window { return remember(id, in: window) }
    firstResponder = id
    return [.firstResponder(id)]
  }

  private func ask(
    _ old: ResponderID?, toResignFor candidate: ResponderID?, effort: Effort,
    tracing trace: inout Trace
  ) throws(MutationFault) {
    guard let old = old.flatMap({ graph[$0] }) else { return }
    try ask(old, .canResignFirstResponder, for: candidate, effort: effort, tracing: &trace)
  }

  private func ask(
    _ responder: Responder, _ question: ResponderQuestion, for candidate: ResponderID?,
    effort: Effort, tracing trace: inout Trace
  ) throws(MutationFault) {
    guard let rule = responder.rule(for: question) else {
      return trace.note(question.traced, .responder(responder.id), answer: true)
    }
    let context = RuleContext(
      state: state, responder: responder.id, sender: nil, responders: graph, effort: effort)
    let answer: Bool
    do throws(RuleFault) {
      answer = try context.bool(rule, at: question.rawValue)
    } catch {
      throw .firstResponderRule(responder.id, error)
    }
    trace.note(
      question.traced, .responder(responder.id), answer: .bool(answer),
      rules: context.explained(rule, at: question.rawValue))
    guard answer else {
      throw .firstResponderRefused(
        candidate: candidate, by: responder.id, question, because: context.reasons(of: rule))
    }
  }
}

extension Responder {
  /// The rule by which it answers a question about being first responder; without one it says yes.
  fileprivate func rule(for question: ResponderQuestion) -> Rule? {
    switch question {
    case .canBecomeFirstResponder: canBecomeFirstResponder
    case .canResignFirstResponder: canResignFirstResponder
    }
  }
}

extension ResponderQuestion {
  /// The question as traces have it.
  fileprivate var traced: Trace.Question {
    switch self {
    case .canBecomeFirstResponder: .canBecomeFirstResponder
    case .canResignFirstResponder: .canResignFirstResponder
    }
  }
}
