import JSONText

extension Session {
  /// Moves focus (R8): at once when it is there already, else when the candidate may become and the
  /// old one may resign.
  mutating func becomeFirstResponder(
    _ id: ResponderID, _ effort: Effort = Effort()
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let candidate = graph[id] else { throw .unknownResponder(id) }
    guard firstResponder != id else { return [] }
    try ask(candidate, .canBecomeFirstResponder, candidate.canBecomeFirstResponder, for: id, effort)
    try askToResign(for: id, effort)
    firstResponder = id
    lostFocus = nil
    return [.firstResponder(id)]
  }

  /// Gives up focus, when whoever has it may resign.
  mutating func resignFirstResponder(
    _ effort: Effort = Effort()
  ) throws(MutationFault) -> [Outcome.Change] {
    lostFocus = nil
    guard firstResponder != nil else { return [] }
    try askToResign(for: nil, effort)
    firstResponder = nil
    return [.firstResponder(nil)]
  }

  private func askToResign(
    for candidate: ResponderID?, _ effort: Effort
  ) throws(MutationFault) {
    guard let old = firstResponder.flatMap({ graph[$0] }) else { return }
    try ask(old, .canResignFirstResponder, old.canResignFirstResponder, for: candidate, effort)
  }

  private func ask(
    _ responder: Responder, _ question: ResponderQuestion, _ rule: Rule?,
    for candidate: ResponderID?, _ effort: Effort
  ) throws(MutationFault) {
    guard let rule else { return }
    let context = RuleContext(
      state: state, responder: responder.id, sender: nil, responders: graph, effort: effort)
    let answer: Bool
    do throws(RuleFault) {
      answer = try context.bool(rule, at: question.rawValue)
    } catch {
      throw .firstResponderRule(responder.id, error)
    }
    guard answer else {
      throw .firstResponderRefused(
        candidate: candidate, by: responder.id, question, because: context.reasons(of: rule))
    }
  }
}
