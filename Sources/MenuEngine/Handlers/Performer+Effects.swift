import JSONText

extension Performer {
  /// Makes the effects of a handler happen, and then those of everybody whom it lets the message go on
  /// to, one after the other (C2).
  mutating func run(
    _ handler: Handler, as method: RunningMethod, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let continuation = try runAlone(handler, as: method, &invocation)
    if let continuation { try goOn(with: continuation, met: method.met, &invocation) }
  }

  /// Lets a message go on upward until somebody consumes it.
  mutating func goOn(
    with continuation: Continuation, met: Set<ResponderID>, _ invocation: inout Invocation
  ) throws(MutationFault) {
    var met = met
    var continuation: Continuation? = continuation
    while let here = continuation { continuation = try passOn(here, &invocation, met: &met) }
  }

  /// Makes the effects of a handler happen, in order: those of its list, then those of its closure.
  /// Answers how the message goes on upward when all that has happened, if it does.
  ///
  /// An effect `continue` runs what is above at once, except as the last effect, so that a chain on
  /// which every handler ends with one may be as long as it likes.
  mutating func runAlone(
    _ handler: Handler, as method: RunningMethod, _ invocation: inout Invocation
  ) throws(MutationFault) -> Continuation? {
    guard phase.depth < effort.limits.sends else {
      throw .sendsTooDeep(
        method.receiver, method.selector, limit: effort.limits.sends, trace: trace)
    }
    noteReceiver(method.responder)
    let outer = phase
    phase = outer.inHandler
    defer { phase = outer }
    var hasContinued = false
    var continuation: Continuation?
    let last = handler.closures.perform == nil ? handler.perform.count - 1 : nil
    for (index, effect) in handler.perform.enumerated() {
      let scope = scope(of: index, in: method, invocation)
      try countEffect()
      guard try scope.happens(effect) else { continue }
      if index == last, let passing = effect.terms(of: Operations.passOn) {
        let given: [JSON]? = try passing.values(in: scope)
        continuation = Continuation(given ?? invocation.arguments, scope)
        continue
      }
      try effect.perform(by: &self, in: scope, &invocation)
      if effect.passesOn { hasContinued = true }
    }
    let effects = try effects(of: handler, as: method, invocation)
    for (index, effect) in effects.enumerated() {
      try countEffect()
      let scope = scope(of: handler.perform.count + index, in: method, invocation)
      try effect.perform(by: &self, in: scope, &invocation)
      if effect.passesOn { hasContinued = true }
    }
    guard handler.continues, !hasContinued, continuation == nil else { return continuation }
    let count = handler.perform.count + effects.count
    return Continuation(invocation.arguments, scope(of: count, in: method, invocation))
  }

  /// Returns the effects that the closure of a handler answers; none when it has no closure.
  private func effects(
    of handler: Handler, as method: RunningMethod, _ invocation: Invocation
  ) throws(MutationFault) -> [Effect] {
    guard let closure = handler.closures.perform else { return [] }
    let call = HandlerCall(method.selector, in: context(for: method.responder, invocation))
    do throws(HandlerFailure) {
      return try closure(call)
    } catch {
      throw .effectRule(method.receiver, method.selector, RuleFault(error, at: "perform"))
    }
  }

  mutating func countEffect() throws(MutationFault) {
    effectCount += 1
    guard effectCount <= effort.limits.effects else {
      throw .tooManyEffects(limit: effort.limits.effects)
    }
    effort.spend(Effort.effect)
    try effort.check()
    // Before each effect, so that no thousand of them grows without end before all are looked at.
    try effort.limits.check(session.holdings, grownFrom: before)
  }

  private func context(for id: ResponderID, _ invocation: Invocation) -> RuleContext {
    RuleContext(
      state: session.state, responder: id, sender: invocation.sender,
      arguments: invocation.arguments, parameters: invocation.parameters, invocation: invocation,
      responders: session.graph, effort: effort, segue: segue, deliveries: session.deliveries)
  }

  private func scope(
    of index: Int, in method: RunningMethod, _ invocation: Invocation
  ) -> EffectScope {
    EffectScope(
      index: index, selector: method.selector, responder: method.responder,
      receiver: method.receiver, level: method.level, invocation: invocation,
      context: context(for: method.responder, invocation), met: method.met)
  }
}

extension Effect {
  /// True if it lets the message go on upward (C2).
  fileprivate var passesOn: Bool { operation === Operations.passOn }
}
