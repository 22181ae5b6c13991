import JSONText

extension Session {
  /// Applies one mutation; its revision grows by one, unless the mutation changes and sends nothing.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - catalog: The catalogue that the session was opened in, or one that succeeds it.
  ///   - isExplaining: True if what is performed has a trace. The default is false.
  ///   - limits: The limits of what the session holds. The default are those of ``SessionLimits/init()``.
  /// - Throws: ``MutationFault``; then the session is as it was.
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
  /// - Throws: ``MutationFault/inList(index:_:)`` with the index of the first one refused.
  public mutating func apply(
    _ mutations: [Mutation], in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> [Outcome] {
    let effort = Effort(limits)
    var performer = Performer(
      self, in: SessionContext(catalog, effort: effort, isExplaining: isExplaining))
    var outcomes: [Outcome] = []
    for (index, mutation) in mutations.enumerated() {
      do throws(MutationFault) {
        outcomes.append(try performer.apply(mutation))
        // The bounds of a single mutation do not include the effort of telling its changes.
        if mutations.count > 1 { try effort.check() }
      } catch {
        throw .inList(index: index, error)
      }
    }
    let leaving = Effort(limits)
    let resigned = performer.session.resignIfLeft(since: self, in: catalog, leaving)
    try leaving.check()
    // One that changed something, since no revision tells of another one.
    let last = outcomes.lastIndex { !$0.isNothing } ?? outcomes.indices.last
    if let last { outcomes[last].tell(resigned) }
    swap(&self, &performer.session)
    return outcomes
  }

  /// The amounts that it holds of everything that is limited.
  package var holdings: Holdings {
    var holdings = graph.holdings
    holdings.stateSize = stateSize
    let totals = deliveries.totals
    holdings.deliveries = totals.open
    holdings.deliverySize = totals.openSize
    return holdings
  }
}

extension Performer {
  /// Applies a mutation, and answers what came of it.
  ///
  /// - Throws: `MutationFault`; then a part of it may be done.
  mutating func apply(_ mutation: Mutation) throws(MutationFault) -> Outcome {
    var before = session
    // A state that two sessions share would be copied by each change of it.
    before.state = .null
    var outcome = try effort.bounding { () throws(MutationFault) in try change(by: mutation) }
    let owners = session.concludeUndo(outcome.changes)
    outcome.conclude(before, session, undoManagersOf: owners)
    if !outcome.isNothing || session.undo.differs(from: before.undo, in: owners) {
      session.revision += 1
    }
    effort.spend(outcome.writingEffort)
    return outcome
  }

  /// Does what a mutation tells and what follows from it.
  mutating func change(by mutation: Mutation) throws(MutationFault) -> Outcome {
    begin()
    let held = before
    session.noteOpeningAppearances(in: context)
    session.beginUndoEvent(isSent: mutation.operation.traits.contains(.sends))
    try mutation.perform(by: &self)
    var done = takeOutcome()
    try settle(&done)
    try effort.limits.check(session.holdings, grownFrom: held)
    return done
  }

  /// Begins anew, with nothing done yet.
  private mutating func begin() {
    changes = []
    events = []
    outcome = Outcome()
    trace = Trace(isRecording: trace.isRecording)
    effectCount = 0
    before = session.holdings
  }

  /// The outcome, with its trace where that belongs.
  private mutating func takeOutcome() -> Outcome {
    var outcome = outcome
    outcome.changes = changes
    outcome.events = events
    if outcome.isPlain {
      if !trace.steps.isEmpty { outcome.trace = trace }
    } else if outcome.segue != nil {
      outcome.segue?.trace = trace
    } else if outcome.message != nil {
      outcome.message?.trace = trace
    } else if outcome.performance == nil, outcome.processed.isEmpty, !trace.steps.isEmpty {
      outcome.trace = trace
    }
    return outcome
  }

  /// Tells view controllers what a mutation made of them: who came into view or left it; and removes
  /// instances that are dropped.
  private mutating func settle(_ done: inout Outcome) throws(MutationFault) {
    guard session.hasAppearances, done.changes.contains(where: { session.mayAppear(by: $0) }) else {
      return
    }
    begin()
    try settle()
    done.trace.append(trace)
    done.changes += changes
    done.noteDestinations(goneFrom: session.graph)
    done.events += events
  }
}

/// A change of a session, as a journal keeps it: the mutations that it accepted, all or none.
///
/// The records of a session, each done again under the catalogue of its moment, give the session again,
/// names and tokens included. A mutation's time is part of it (`dated`).
package struct SessionRecord: Sendable, Codable {
  /// The mutations, in order.
  package let mutations: [Mutation]

  /// A record of mutations that a session accepted.
  package init(_ mutations: [Mutation]) { self.mutations = mutations }
}

extension SessionRecord {
  /// Does again what happened: the session after it, and the outcomes.
  ///
  /// - Throws: `ReplayFault`, when the record does not follow what `session` is.
  package func replayed(
    on session: Session, in catalog: Catalog
  ) throws(ReplayFault) -> (session: Session, outcomes: [Outcome]) {
    var changed = session
    do throws(MutationFault) {
      // What was accepted was within the limits of that time, whatever they are now.
      let outcomes = try changed.apply(mutations, in: catalog, limits: .unlimited)
      return (changed, outcomes)
    } catch {
      throw .refused(session.id, error)
    }
  }
}

/// A reason why a record cannot be replayed; such a journal is not the one that was written.
package enum ReplayFault: Error, Equatable, Sendable {
  /// A mutation that was accepted is refused now.
  case refused(SessionID, MutationFault)
}
