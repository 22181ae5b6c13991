import JSONText

extension Session {
  /// Applies one mutation; its revision grows by one, unless the mutation changes and sends nothing.
  ///
  /// With `isExplaining`, what is performed has a trace; by default it has none.
  ///
  /// - Throws: `MutationFault`; then the session is as it was.
  public mutating func apply(
    _ mutation: Mutation, in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> Outcome {
    do throws(MutationFault) {
      return try apply([mutation], in: catalog, isExplaining: isExplaining, limits: limits)[0]
    } catch {
      if case .inList(index: _, let fault) = error { throw fault }
      throw error
    }
  }

  /// Applies mutations in order, all or none; the revision grows by the number of those that change or
  /// send something. Whether focus left the screen is decided when all are applied (R8).
  ///
  /// - Throws: `MutationFault.inList` with the index of the first one refused.
  public mutating func apply(
    _ mutations: [Mutation], in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> [Outcome] {
    var copy = self
    var outcomes: [Outcome] = []
    let effort = Effort(limits)
    for (index, mutation) in mutations.enumerated() {
      do throws(MutationFault) {
        var before = copy
        // A state that two sessions share would be copied by each change of it.
        before.state = .null
        var outcome = try effort.bounding { () throws(MutationFault) in
          try copy.change(by: mutation, in: catalog, isExplaining, effort)
        }
        copy.accept(&outcome, since: before)
        effort.spend(outcome.writingEffort)
        // What one mutation takes alone is bounded without what it takes to tell of it.
        if mutations.count > 1 { try effort.check() }
        outcomes.append(outcome)
      } catch {
        throw .inList(index: index, error)
      }
    }
    let resigned = copy.resignIfLeft(since: self, in: catalog)
    // One that changed something, since no revision tells of another one.
    let last = outcomes.lastIndex { !$0.isNothing } ?? outcomes.indices.last
    if let last { outcomes[last].changes += resigned }
    self = copy
    return outcomes
  }

  /// How much it holds of what is limited.
  public var holdings: Holdings {
    var holdings = graph.holdings
    holdings.stateSize = stateSize
    return holdings
  }

  /// Ends a mutation: says what it left out, and counts it, unless it did nothing.
  private mutating func accept(_ outcome: inout Outcome, since before: Session) {
    let owners = concludeUndo(outcome.changes)
    outcome.conclude(before, self, undoManagersOf: owners)
    if !outcome.isNothing || undo.differs(from: before.undo, in: owners) { revision += 1 }
  }

  /// Makes the change in place, so that a list of them copies the session only once; when it throws,
  /// a part of it may be made.
  mutating func change(
    by mutation: Mutation, in catalog: Catalog, _ isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    let before = holdings
    noteOpeningAppearances(in: catalog, effort)
    beginUndoEvent(of: mutation)
    var outcome = try changeAlone(by: mutation, in: catalog, isExplaining, effort)
    try settle(&outcome, in: catalog, isExplaining, effort)
    try effort.limits.check(holdings, grownFrom: before)
    return outcome
  }

  private mutating func changeAlone(
    by mutation: Mutation, in catalog: Catalog, _ isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    switch mutation {
    case .patchState(let patch): try patchState(patch)
    case .mergeState(let patch): try mergeState(patch)
    case .putResponder(let responder):
      try put(responder, in: catalog, isExplaining: isExplaining, effort)
    case .removeResponder(let id): try destroy(id, in: catalog, effort)
    case .putHandler(let handler, for: let selector, of: let id):
      try put(handler, for: selector, of: id)
    case .removeHandler(for: let selector, of: let id):
      try removeHandler(for: selector, of: id, in: catalog)
    case .register(let handler, for: let selector, with: let host):
      try register(handler, for: selector, with: host)
    case .changeRegistration(let token, with: let host, let selector, let handler):
      try changeRegistration(token, with: host, selector, handler)
    case .removeRegistration(let token, with: let host):
      try removeRegistration(token, with: host)
    case .registerLate(let id, from: let start): try registerLate(id, from: start)
    case .deregisterLate(let id, from: let start): try deregisterLate(id, from: start)
    case .changeProxiedSelectors(let selectors, of: let id):
      try changeProxiedSelectors(selectors, of: id)
    case .putKeyCommands(let keyCommands, of: let id): try put(keyCommands, of: id)
    case .becomeFirstResponder(let id): try moveFocus(to: id, isExplaining: isExplaining, effort)
    case .resignFirstResponder: try moveFocus(to: nil, isExplaining: isExplaining, effort)
    case .makeWindow(let id, let role): Outcome(changes: try make(id, role))
    case .viewController(let mutation):
      try change(by: mutation, in: catalog, isExplaining: isExplaining, effort)
    case .coordinator(let mutation):
      try change(by: mutation, in: catalog, isExplaining: isExplaining, effort)
    case .undo(let operation, of: let id):
      try apply(operation, of: id, in: catalog, isExplaining, effort)
    case .storyboard(let mutation): try change(by: mutation, in: catalog, isExplaining, effort)
    case .messages(let mutation): try change(by: mutation, in: catalog, isExplaining, effort)
    case .perform(let request):
      try perform(request, in: catalog, isExplaining, effort)
    case .pressKey(let press):
      try self.press(press, in: catalog, isExplaining, effort)
    case .invoke(let invocation):
      try invoke(invocation, in: catalog, isExplaining, effort)
    }
  }
}

extension Session {
  /// Moves focus to a responder, or gives it up.
  private mutating func moveFocus(
    to id: ResponderID?, isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    var outcome = Outcome()
    outcome.trace = Trace(isRecording: isExplaining)
    outcome.changes =
      if let id {
        try becomeFirstResponder(id, effort, tracing: &outcome.trace)
      } else {
        try resignFirstResponder(effort, tracing: &outcome.trace)
      }
    return outcome
  }

  private mutating func patchState(_ patch: JSONPatch) throws(MutationFault) -> Outcome {
    if patch.operations.allSatisfy(state.isUnchanged(by:)) { return Outcome() }
    do throws(JSONPatchFault) {
      stateSize += try state.growth(applying: patch, limits: Limits.patch)
    } catch {
      throw .patch(error)
    }
    guard case .object = state else { throw .stateIsNoObject }
    return Outcome(changes: patch.operations.map { .state($0) })
  }

  private mutating func mergeState(_ patch: JSON) throws(MutationFault) -> Outcome {
    guard case .object = patch else { throw .stateIsNoObject }
    guard patch.fits(depth: Limits.depth, size: Limits.work) else { throw .tooLarge }
    if state.isUnchanged(merging: patch) { return Outcome() }
    stateSize += state.growth(merging: patch)
    state.merge(patch: patch)
    return Outcome(changes: [.mergedState(patch)])
  }

  private mutating func put(
    _ responder: Responder, in catalog: Catalog, isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    try checkClass(of: responder, in: catalog)
    try checkWeight(of: responder)
    let numbered = numbered(responder).movedFrom(graph[responder.id])
    if self.responder(responder.id)?.isWritten(as: numbered) == true { return Outcome() }
    let session = self
    let before = graph
    let brokenBefore = brokenDelegates(around: responder.id, in: catalog)
    let cleared = try graph.put([numbered])
    let freed = freeLateResponders(of: responder.id, since: before)
    // What a session accepted that was opened under the first rules must be accepted again.
    if !isOfFirstRules, let fault = graph.placementFaults(of: [responder]).first { throw fault }
    try noteInstances(among: [responder], since: before)
    try checkDelegates(around: responder.id, since: brokenBefore, in: catalog)
    try checkColumns(around: responder.id, in: catalog)
    try checkCollapsed(responder, since: before, in: catalog)
    var changes: [Outcome.Change] = [.responder(numbered)] + freed
    changes +=
      cleared.map(Outcome.Change.linkCleared) + registryChanges(around: responder.id, since: before)
    changes += containerChanges(around: responder, since: before)
    changes += dismissWindow(responder.id)
    if responder.listsViewControllers == true, before[responder.id] != nil, !isOfFirstRules {
      let former = responder.viewControllers.compactMap { before[$0]?.links[.parent] }
      changes += try moveViews(of: [responder.id] + former, since: session, in: catalog)
    }
    changes += resignByFirstRules(since: before)
    var outcome = Outcome(changes: changes)
    if before[responder.id] == nil {
      try awaken(responder.id, &outcome, in: catalog, isExplaining: isExplaining, effort)
    }
    return outcome
  }

  /// Removes responders, one after the other, and answers what changed.
  mutating func remove(_ ids: [ResponderID]) throws(MutationFault) -> [Outcome.Change] {
    let before = graph
    // A view controller whose view goes loads another one when it comes into view again.
    for owner in ids.compactMap({ graph.owners[.view]?[$0] }) { appearances?.loaded.remove(owner) }
    var changes: [Outcome.Change] = []
    for (id, cleared) in try graph.remove(ids) {
      let isOfFrontEnd = instances.removeValue(forKey: id) == nil
      pastNames?.note(id, isOfFrontEnd: isOfFrontEnd)
      appearances?.forget(id)
      // At once, since another one may have its name before the mutation is over.
      undo.follow(id, nil)
      changes.append(.responderRemoved(id))
      changes += cleared.map(Outcome.Change.linkCleared)
    }
    for id in ids {
      changes += registryChanges(around: id, since: before)
      if before[id]?.kind == .viewController {
        changes += listChanges(of: before.coordinators(listing: id))
      }
      changes += before[id].map { containerChanges(around: $0, since: before) } ?? []
      changes += dismissWindow(id)
    }
    return changes + resignIfDeleted() + resignByFirstRules(since: before)
  }

  private mutating func put(
    _ handler: Handler, for selector: Selector, of id: ResponderID
  ) throws(MutationFault) -> Outcome {
    if graph[id]?.handlers[selector]?.isWritten(as: handler) == true { return Outcome() }
    if !isOfFirstRules, graph[id]?.proxy != nil, handler.canPerform != nil {
      throw .ruleOfProxy(id, selector)
    }
    try graph.update(id, counting: Self.handler(selector)) { (responder) throws(MutationFault) in
      responder.handlers[selector] = handler
    }
    return Outcome(changes: [.handler(id, selector, handler)])
  }

  private mutating func removeHandler(
    for selector: Selector, of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> Outcome {
    try graph.update(id, counting: Self.handler(selector)) { (responder) throws(MutationFault) in
      guard responder.handlers.removeValue(forKey: selector) != nil else {
        throw .unknownHandler(id, selector)
      }
    }
    try checkRequired(selector, of: id, in: catalog)
    return Outcome(changes: [.handlerRemoved(id, selector)])
  }

  /// Returns the holdings of a responder's own handler for a selector.
  private static func handler(_ selector: Selector) -> (Responder) -> Holdings {
    { $0.handlers[selector].map { Holdings($0, for: selector) } ?? Holdings() }
  }
}

extension Responder {
  /// The same, which nobody replaced any more when it moved to another parent (C4).
  fileprivate func movedFrom(_ old: Responder?) -> Responder {
    guard let old, old.isReplaced, old.links[.parentCoordinator] != links[.parentCoordinator] else {
      return self
    }
    var responder = self
    responder.coordinating?.replacedUnder = nil
    return responder
  }
}
