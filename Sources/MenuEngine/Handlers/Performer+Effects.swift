import JSONText

extension Performer {
  /// Makes the effects of a handler happen, in order: those of its list, then those of its closure.
  mutating func run(
    _ handler: Handler, of selector: Selector, for id: ResponderID, _ receiver: Receiver,
    at level: MethodLevel? = nil, _ invocation: inout Invocation
  ) throws(MutationFault) {
    guard depth < effort.limits.sends else { throw .sendsTooDeep(limit: effort.limits.sends) }
    depth += 1
    defer { depth -= 1 }
    for (index, effect) in handler.perform.enumerated() {
      let scope = scope(index, selector, id, receiver, level, invocation)
      try countEffect()
      guard try scope.happens(effect) else { continue }
      if case .viewController(.target(let action, let arguments, let otherwise?)) = effect.what {
        let asked = try scope.computed(
          .target(action: action, arguments: arguments, otherwise: nil))
        try make(asked, scope, &invocation, otherwise)
      } else {
        try make(scope.computed(effect), scope, &invocation)
      }
    }
    guard let closure = handler.closures.perform else { return }
    let call = HandlerCall(selector, in: context(for: id, invocation))
    let effects: [ComputedEffect]
    do throws(HandlerFailure) {
      effects = try closure(call)
    } catch {
      throw .effectRule(receiver, selector, RuleFault(error, at: "perform"))
    }
    for (index, effect) in effects.enumerated() {
      try countEffect()
      let scope = scope(handler.perform.count + index, selector, id, receiver, level, invocation)
      try make(effect, scope, &invocation)
    }
  }

  mutating func countEffect() throws(MutationFault) {
    effectCount += 1
    guard effectCount <= effort.limits.effects else {
      throw .tooManyEffects(limit: effort.limits.effects)
    }
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
    _ index: Int, _ selector: Selector, _ id: ResponderID, _ receiver: Receiver,
    _ level: MethodLevel?, _ invocation: Invocation
  ) -> EffectScope {
    EffectScope(
      index: index, selector: selector, responder: id, receiver: receiver, level: level,
      invocation: invocation, context: context(for: id, invocation))
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
        changes += try session.becomeFirstResponder(id, effort)
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
    case .builtIn(let method):
      try run(method, scope, &invocation)
      try settleViews()
    case .viewController(let effect):
      try make(effect, scope, &invocation)
      try settleViews()
    case .storyboard(let effect):
      try make(effect, scope, &invocation)
      try settleViews()
    case .undo(let operation): try make(operation, scope)
    }
  }

  private mutating func change(
    by operation: JSONPatch.Operation, _ scope: EffectScope
  ) throws(MutationFault) {
    let edits: [JSONEdit]
    do throws(JSONPatchFault) {
      edits = try session.state.noteEdits(of: operation, limits: Limits.patch)
    } catch {
      throw .effectPatch(scope.receiver, scope.selector, index: scope.index, error)
    }
    guard case .object = session.state else { throw scope.attributed(.stateIsNoObject) }
    session.stateSize += edits.growth
    changes.append(.state(operation))
    try registerUndo(of: edits, by: scope.responder)
  }

  private mutating func merge(
    _ patch: JSON, intoPropertiesOf id: ResponderID, _ scope: EffectScope
  ) throws(MutationFault) {
    guard case .object = patch, patch.fits(depth: Limits.depth, size: Limits.work) else {
      throw scope.attributed(.tooLarge)
    }
    try scope.attributing { () throws(MutationFault) in
      try session.graph.merge(patch, intoPropertiesOf: id)
    }
    changes.append(.properties(id, patch))
  }

  /// A send inside a send: its sender is the responder that sends, with the action it sends.
  /// Nobody there to receive it: nothing happens (R7). Answers what it answers, null by default.
  mutating func send(
    _ action: Selector, _ to: Receiver?, _ arguments: [JSON]?, _ scope: EffectScope
  ) throws(MutationFault) -> JSON {
    let sender = scope.sender(of: action)
    var inquiry = Inquiry(
      session: session, catalog: catalog, sender: sender, trace: trace, effort: effort)
    let search = inquiry.search(for: action, to: to)
    trace = inquiry.trace
    guard case .found(let target) = search else { return .null }
    let method = try scope.attributing { () throws(MutationFault) in
      try self.method(for: action, of: target.receiver)
    }
    var invocation = try scope.attributing { () throws(MutationFault) in
      try Invocation(
        action, of: sender, to: target.receiver, arguments, when: scope.invocation.when,
        in: session)
    }
    _ = try call(method, &invocation, target.receiver)
    return invocation.answer
  }

  /// Runs the next implementation of the running method above it (A2).
  private mutating func callSuper(
    _ arguments: [JSON]?, _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let className = session.graph[scope.responder]?.className
    guard let level = scope.level, let className,
      let method = catalog.classes.method(for: scope.selector, in: className, above: level)
        ?? session.graph[scope.responder]?.undoMethod(for: scope.selector)
    else {
      throw scope.attributed(
        .doesNotRecognizeSelector(scope.receiver, scope.selector, trace: trace))
    }
    var inner = invocation
    if let arguments {
      guard arguments.count == inner.arguments.count else {
        throw scope.attributed(.argumentCount(scope.selector, given: arguments.count))
      }
      inner.replaceArguments(arguments)
    }
    trace.note(
      .callSuper, .responder(scope.responder), about: scope.selector,
      .string(method.definer.rawValue))
    try run(
      method.handler, of: scope.selector, for: scope.responder, scope.receiver,
      at: .ofClass(method.definer), &inner)
    if inner.hasResult { invocation.setResult(inner.answer) }
  }
}

extension EffectScope {
  /// The responder as the sender of an action that it sends.
  func sender(of action: Selector) -> Sender {
    var members = JSONObject()
    members["action"] = .string(action.rawValue)
    return Sender(
      command: nil, description: SenderDescription(responder: responder, members: members))
  }
}
