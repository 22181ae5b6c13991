import JSONText

extension Session {
  /// Moves focus (R8): at once when it is there already, else when the candidate may become and the
  /// old one may resign.
  mutating func becomeFirstResponder(
    _ id: ResponderID, effort: Effort = Effort(), tracing trace: inout Trace
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let candidate = graph[id] else { throw .unknownResponder(id) }
    guard firstResponder != id else {
      trace.note(.hasFocus, .responder(id), answer: true)
      givenFocusIn = sharedGraph
      return []
    }
    try ask(candidate, .canBecomeFirstResponder, for: id, effort: effort, tracing: &trace)
    try askToResign(for: id, effort: effort, tracing: &trace)
    firstResponder = id
    givenFocusIn = sharedGraph
    return [.firstResponder(id)]
  }

  /// Gives up focus, if the first responder may resign.
  mutating func resignFirstResponder(
    effort: Effort = Effort(), tracing trace: inout Trace
  ) throws(MutationFault) -> [Outcome.Change] {
    guard firstResponder != nil else { return [] }
    try askToResign(for: nil, effort: effort, tracing: &trace)
    firstResponder = nil
    return [.firstResponder(nil)]
  }

  private func askToResign(
    for candidate: ResponderID?, effort: Effort, tracing trace: inout Trace
  ) throws(MutationFault) {
    guard let old = firstResponder.flatMap({ graph[$0] }) else { return }
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
