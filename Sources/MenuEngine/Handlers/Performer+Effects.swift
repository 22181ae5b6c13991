import JSONText

extension Performer {
  /// Makes the effects of a handler happen, and then those of everybody whom it lets the message go on
  /// to, one after the other (C2).
  mutating func run(
    _ handler: Handler, of selector: Selector, for id: ResponderID, _ receiver: Receiver,
    at level: MethodLevel? = nil, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let met: Set<ResponderID> = [id]
    let continuation = try runAlone(
      handler, of: selector, for: id, receiver, at: level, met: met, &invocation)
    if let continuation { try goOn(with: continuation, met: met, &invocation) }
  }

  /// Lets a message go on upward until somebody consumes it.
  private mutating func goOn(
    with continuation: Continuation, met: Set<ResponderID>, _ invocation: inout Invocation
  ) throws(MutationFault) {
    var met = met
    var continuation: Continuation? = continuation
    while let here = continuation { continuation = try passOn(here, &invocation, &met) }
  }

  /// Makes the effects of a handler happen, in order: those of its list, then those of its closure.
  /// Answers how the message goes on upward when all that has happened, if it does.
  ///
  /// An effect `continue` runs what is above at once, except as the last effect, so that a chain on
  /// which every handler ends with one may be as long as it likes. Under the first rules it comes last
  /// wherever it stands.
  mutating func runAlone(
    _ handler: Handler, of selector: Selector, for id: ResponderID, _ receiver: Receiver,
    at level: MethodLevel? = nil, met: Set<ResponderID>, _ invocation: inout Invocation
  ) throws(MutationFault) -> Continuation? {
    guard depth < effort.limits.sends else {
      throw .sendsTooDeep(receiver, selector, limit: effort.limits.sends, trace: trace)
    }
    noteReceiver(id)
    depth += 1
    defer { depth -= 1 }
    let method = RunningMethod(
      selector: selector, responder: id, receiver: receiver, level: level, met: met)
    var hasContinued = false
    var continuation: Continuation?
    let last = handler.closures.perform == nil ? handler.perform.count - 1 : nil
    for (index, effect) in handler.perform.enumerated() {
      let scope = scope(of: index, in: method, invocation)
      try countEffect()
      guard try scope.happens(effect) else { continue }
      if index == last || session.isOfFirstRules, case .passOn(let arguments) = effect.what {
        continuation = Continuation(try scope.arguments(arguments), scope)
        continue
      }
      try make(effect, scope, &invocation)
      if case .passOn = effect.what { hasContinued = true }
    }
    let effects = try effects(of: handler, selector, id, receiver, invocation)
    for (index, effect) in effects.enumerated() {
      try countEffect()
      let scope = scope(of: handler.perform.count + index, in: method, invocation)
      try make(effect, scope, &invocation)
      if case .passOn = effect { hasContinued = true }
    }
    guard handler.continues, !hasContinued, continuation == nil else { return continuation }
    let count = handler.perform.count + effects.count
    return Continuation(invocation.arguments, scope(of: count, in: method, invocation))
  }

  /// Returns the effects that the closure of a handler answers; none when it has no closure.
  private func effects(
    of handler: Handler, _ selector: Selector, _ id: ResponderID, _ receiver: Receiver,
    _ invocation: Invocation
  ) throws(MutationFault) -> [ComputedEffect] {
    guard let closure = handler.closures.perform else { return [] }
    let call = HandlerCall(selector, in: context(for: id, invocation))
    do throws(HandlerFailure) {
      return try closure(call)
    } catch {
      throw .effectRule(receiver, selector, RuleFault(error, at: "perform"))
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
      arguments: invocation.arguments, invocation: invocation, responders: session.graph,
      effort: effort, segue: segue)
  }

  private func scope(
    of index: Int, in method: RunningMethod, _ invocation: Invocation
  ) -> EffectScope {
    EffectScope(
      index: index, selector: method.selector, responder: method.responder,
      receiver: method.receiver, level: method.level, invocation: invocation,
      context: context(for: method.responder, invocation), met: method.met)
  }

  private mutating func make(
    _ effect: Effect, _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    guard case .viewController(.target(let action, let arguments, let otherwise?)) = effect.what
    else { return try make(scope.computed(effect), scope, &invocation) }
    let asked = try scope.computed(.target(action: action, arguments: arguments, otherwise: nil))
    try make(asked, scope, &invocation, otherwise)
  }

  private mutating func make(
    _ effect: ComputedEffect, _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    switch effect {
    case .state(let operation): try change(by: operation, scope)
    case .send(let action, let to, let arguments, let answers):
      let answer = try send(action, to, arguments, scope)
      if answers { invocation.setResult(answer) }
    case .firstResponder(let id):
      try scope.attributing { () throws(MutationFault) in
        var asked = Trace(isRecording: trace.isRecording)
        changes += try session.becomeFirstResponder(id, effort, tracing: &asked)
        trace.append(asked)
      }
    case .properties(of: let id, merging: let value):
      try merge(value, intoPropertiesOf: id ?? scope.responder, scope)
    case .handleAction:
      let host = scope.responder
      guard session.graph[host]?.coordinator != nil else {
        throw scope.attributed(.noCoordinator(host))
      }
      _ = try handleAction(&invocation, .forwarder(host: host), host)
    case .answer(let value): invocation.setResult(value)
    case .callSuper(let arguments): try callSuper(arguments, scope, &invocation)
    case .passOn(let arguments):
      let continuation = Continuation(arguments ?? invocation.arguments, scope)
      try goOn(with: continuation, met: scope.met, &invocation)
    case .processMessages:
      try scope.attributing { () throws(MutationFault) in _ = try processMessages(limit: nil) }
    case .builtIn(let method):
      try run(method, scope, &invocation)
      try settleViews()
    case .viewController(let effect):
      try make(effect, scope, &invocation)
      try settleViews()
    case .coordinator(let operation):
      try make(operation, scope)
      try settleViews()
    case .storyboard(let effect):
      try make(effect, scope, &invocation)
      try settleViews()
    case .undo(let operation): try make(operation, scope)
    case .lateResponder(let effect): try make(effect, scope)
    case .registration(let effect): try make(effect, scope, &invocation)
    }
  }
}

/// A method whose effects are being made.
private struct RunningMethod {
  let selector: Selector
  let responder: ResponderID
  let receiver: Receiver
  /// Where the responder has the method from; nil for a coordinator's handler.
  let level: MethodLevel?
  /// The responders that run the message already.
  let met: Set<ResponderID>
}
