import JSONText

extension Performer {
  /// Runs the effects of a handler, then those of each responder that the message is passed on to (C2).
  mutating func run(
    _ handler: Handler, as method: RunningMethod, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let continuation = try runAlone(handler, as: method, &invocation)
    if let continuation { try goOn(with: continuation, met: method.met, &invocation) }
  }

  /// Passes a message on upward until a responder consumes it.
  mutating func goOn(
    with continuation: Continuation, met: Set<ResponderID>, _ invocation: inout Invocation
  ) throws(MutationFault) {
    var met = met
    var continuation: Continuation? = continuation
    while let here = continuation { continuation = try passOn(here, &invocation, met: &met) }
  }

  /// Runs the effects of a handler, in order: those of its list, then those of its closure. Returns the
  /// continuation of the message, if it is passed on afterwards.
  ///
  /// An effect `continue` runs the next implementation at once, except as the last effect, so that a chain of
  /// handlers that each end with it can have any length.
  mutating func runAlone(
    _ handler: Handler, as method: RunningMethod, _ invocation: inout Invocation
  ) throws(MutationFault) -> Continuation? {
    guard phase.depth < effort.limits.sends else {
      throw .effect(
        .sendsTooDeep(
          method.receiver, method.selector, limit: effort.limits.sends, trace: trace))
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

  /// Returns the effects of a handler's closure; none without one.
  private func effects(
    of handler: Handler, as method: RunningMethod, _ invocation: Invocation
  ) throws(MutationFault) -> [Effect] {
    guard let closure = handler.closures.perform else { return [] }
    let call = HandlerCall(method.selector, in: context(for: method.responder, invocation))
    do {
      return try closure(call)
    } catch {
      throw .effect(.rule(method.receiver, method.selector, RuleFault(error, at: "perform")))
    }
  }

  mutating func countEffect() throws(MutationFault) {
    effectCount += 1
    guard effectCount <= effort.limits.effects else {
      throw .effect(.tooManyEffects(limit: effort.limits.effects))
    }
    effort.spend(Effort.effect)
    try effort.check()
    // Checked before each effect, so that growth is bounded between effects.
    try effort.limits.check(session.holdings, grownFrom: before)
  }

  private func context(for id: ResponderID, _ invocation: Invocation) -> RuleContext {
    RuleContext(
      state: session.state, responder: id, sender: invocation.sender, actor: self.context.actor,
      arguments: invocation.arguments, parameters: invocation.parameters, invocation: invocation,
      graph: session.graph, effort: effort, segue: segue, deliveries: session.deliveries,
      translations: catalog.translations)
  }

  private func scope(
    of index: Int, in method: RunningMethod, _ invocation: Invocation
  ) -> EffectScope {
    EffectScope(of: index, in: method, invocation, context(for: method.responder, invocation))
  }
}

extension Effect {
  /// True if it passes the message on (C2).
  fileprivate var passesOn: Bool { operation === Operations.passOn }
}

extension Performer {
  mutating func change(
    by operation: JSONPatch.Operation, _ scope: EffectScope
  ) throws(MutationFault) {
    let edits: [JSONEdit]
    do throws(JSONPatchFault) {
      edits = try session.state.noteEdits(of: operation, limits: Limits.patch)
    } catch {
      throw .effect(.patch(scope.receiver, scope.selector, index: scope.index, error))
    }
    guard case .object = session.state else { throw scope.attributed(.stateIsNoObject) }
    session.stateSize += edits.growth
    if !operation.staysInPlace { changes.append(.state(operation)) }
    try registerUndo(of: edits, ownedBy: undoManagerOwner(for: scope.responder))
  }

  /// Changes the state by a patch. Changes by handlers and replies can be undone, as can those of front ends on
  /// request (U6).
  mutating func change(
    with patch: JSONPatch, by owner: ResponderID?, _ undo: UndoRegistration? = nil
  ) throws(MutationFault) {
    let isUnchanged = patch.operations.allSatisfy(session.state.isUnchanged(by:))
    if let owner = try registrar(of: undo, owner ?? replier) {
      if isUnchanged, undo != nil { return }
      // All operations share one limit of work, as in a mutation.
      var trial = session.state
      do throws(JSONPatchFault) {
        _ = try trial.growth(applying: patch, limits: Limits.patch)
      } catch {
        throw .patch(error)
      }
      return try change(with: patch.operations, by: owner)
    }
    if isUnchanged { return }
    do throws(JSONPatchFault) {
      session.stateSize += try session.state.growth(applying: patch, limits: Limits.patch)
    } catch {
      throw .patch(error)
    }
    guard case .object = session.state else { throw .stateIsNoObject }
    for operation in patch.operations where !operation.staysInPlace {
      changes.append(.state(operation))
    }
  }

  /// Merges an object into the state. Changes by handlers and replies can be undone.
  mutating func merge(
    _ patch: JSON, by owner: ResponderID?, _ undo: UndoRegistration? = nil
  ) throws(MutationFault) {
    guard case .object = patch else { throw .stateIsNoObject }
    guard patch.fits(depth: Limits.depth, size: Limits.work) else {
      throw .tooLarge(limit: Limits.work)
    }
    if session.state.isUnchanged(merging: patch) { return }
    if let owner = try registrar(of: undo, owner ?? replier) {
      return try change(with: session.state.operations(merging: patch), by: owner)
    }
    session.stateSize += session.state.growth(merging: patch)
    session.state.merge(patch: patch)
    changes.append(.mergedState(patch))
  }

  /// The undo manager that registers a patch.
  private enum Registrar {
    case responder(ResponderID)
    case session
  }

  /// Returns the registrar of a patch; nil if it is not registered.
  private mutating func registrar(
    of undo: UndoRegistration?, _ owner: ResponderID?
  ) throws(MutationFault) -> Registrar? {
    if let undo {
      let origin = try begin(undo)
      return (owner ?? origin).map(Registrar.responder) ?? .session
    }
    return owner.map(Registrar.responder)
  }

  private mutating func change(
    with operations: [JSONPatch.Operation], by registrar: Registrar
  ) throws(MutationFault) {
    for operation in operations {
      let edits: [JSONEdit]
      do throws(JSONPatchFault) {
        edits = try session.state.noteEdits(of: operation, limits: Limits.patch)
      } catch {
        throw .patch(error)
      }
      guard case .object = session.state else { throw .stateIsNoObject }
      session.stateSize += edits.growth
      effort.spend(Effort.effect)
      try effort.check()
      try effort.limits.check(session.holdings, grownFrom: before)
      note(operation.staysInPlace ? [] : [.state(operation)])
      switch registrar {
      case .responder(let id): try registerUndo(of: edits, ownedBy: undoManagerOwner(for: id))
      case .session: try registerUndo(of: edits, ownedBy: nil)
      }
    }
  }

  /// Merges an object into the properties of a responder. A mutation that changes nothing is no change.
  mutating func merge(
    _ patch: JSON, intoPropertiesOf id: ResponderID
  ) throws(MutationFault) {
    guard case .object = patch, patch.fits(depth: Limits.depth, size: Limits.work) else {
      throw .tooLarge(limit: Limits.work)
    }
    if !phase.isInHandler, session.graph[id]?.properties.isUnchanged(merging: patch) == true {
      return
    }
    try session.graph.merge(patch, intoPropertiesOf: id)
    changes.append(.properties(id, patch))
  }
}

extension JSON {
  /// Returns the operations equivalent to a merge patch.
  fileprivate func operations(
    merging patch: JSON, at place: JSONPointer = .root
  ) -> [JSONPatch.Operation] {
    patch.members.members.flatMap { member -> [JSONPatch.Operation] in
      let path = place.appending(member.name)
      let present = members[member.name]
      switch (member.value, present) {
      case (.null, nil): return []
      case (.null, _?): return [.remove(path: path)]
      case (.object, .object?):
        return present?.operations(merging: member.value, at: path) ?? []
      case (.object, _):
        var merged: JSON = [:]
        merged.merge(patch: member.value)
        return [.add(path: path, value: merged)]
      case (let value, _): return [.add(path: path, value: value)]
      }
    }
  }
}

extension JSONPatch.Operation {
  /// True if it moves a value to its own place. This is no change, since a client that removes and adds would
  /// move the member to the end (E1).
  fileprivate var staysInPlace: Bool {
    if case .move(let from, let path) = self { from == path } else { false }
  }
}

extension Performer {
  /// Sends a nested action; the sender is the sending responder, carrying the action. Has no effect without a
  /// receiver (R7). Returns the answer, null by default.
  mutating func send(
    _ action: Selector, to: Receiver?, arguments: [JSON]?, in scope: EffectScope
  ) throws(MutationFault) -> JSON {
    let sender = scope.sender(of: action)
    let search = inquire(sender) { $0.search(for: action, to: to) }
    guard case .found(let target) = search else { return .null }
    let method = try scope.attributing { () throws(MutationFault) in
      try self.method(for: action, of: target.receiver)
    }
    var invocation = try scope.attributing { () throws(MutationFault) in
      try Invocation(
        action, of: sender, to: target.receiver, arguments: arguments, when: scope.invocation.when,
        in: session)
    }
    _ = try call(method, &invocation, to: target.receiver)
    return invocation.answer
  }

  /// Runs the next inherited implementation of the running method (A2).
  mutating func callSuper(
    with arguments: [JSON]?, in scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let className = session.graph[scope.responder]?.className
    guard let level = scope.level, let className,
      let method = catalog.classes.method(for: scope.selector, in: className, above: level)
        ?? session.graph[scope.responder]?.undoMethod(for: scope.selector)
    else {
      throw scope.attributed(
        .message(.doesNotRecognizeSelector(scope.receiver, scope.selector, trace: trace)))
    }
    var inner = invocation
    if let arguments {
      guard arguments.count == inner.arguments.count else {
        throw scope.attributed(.message(.argumentCount(scope.selector, given: arguments.count)))
      }
      inner.arguments = arguments
    }
    inner.result = nil
    trace.note(
      .callSuper, .responder(scope.responder), about: scope.selector,
      answer: .string(method.definer.rawValue))
    let above = RunningMethod(
      scope.selector, of: scope.responder, receivedBy: scope.receiver, at: .ofClass(method.definer))
    try run(method.handler, as: above, &inner)
    if let result = inner.result { invocation.result = result }
  }
}

extension EffectScope {
  /// The responder as the sender of an action.
  func sender(of action: Selector) -> Sender { Sender(of: action, from: responder) }
}
