import JSONText

extension Session {
  /// Applies one mutation. The revision grows by one, unless the mutation changes and sends nothing.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - catalog: The catalogue that the session was opened in, or a successor of it.
  ///   - isExplaining: True to trace everything that is performed. The default is false.
  ///   - limits: The limits of the session. The default is ``SessionLimits/init()``.
  ///   - isDry: True if the session is a copy that is discarded, so that no confirmation is required (W4). The default
  ///     is false.
  /// - Throws: ``MutationFault``; the session is unchanged then.
  package mutating func apply(
    _ mutation: Mutation, in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits(), isDry: Bool = false
  ) throws(MutationFault) -> Outcome {
    do throws(MutationFault) {
      return try apply(
        [mutation], in: catalog, isExplaining: isExplaining, limits: limits, isDry: isDry)[0]
    } catch {
      if case .inList(index: _, let fault) = error { throw fault }
      throw error
    }
  }

  /// Applies mutations in order, all or none. The revision grows by the number of mutations that change or send
  /// something. Loss of focus is decided after the last one (R8).
  ///
  /// - Throws: ``MutationFault/inList(index:_:)`` with the index of the first refused mutation.
  package mutating func apply(
    _ mutations: [Mutation], in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits(), isDry: Bool = false
  ) throws(MutationFault) -> [Outcome] {
    try apply(
      SessionRecord(mutations), in: catalog, isExplaining: isExplaining, limits: limits,
      isDry: isDry)
  }

  /// Applies the mutations of an actor (T4), as the other `apply` does.
  package mutating func apply(
    _ record: SessionRecord, in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits(), isDry: Bool = false
  ) throws(MutationFault) -> [Outcome] {
    try apply(
      record, in: catalog, isExplaining: isExplaining, isDry: isDry, spending: Effort(limits))
  }

  /// Returns the session with the results of what its first change computes, so that several changes that start from
  /// it do not compute it again.
  package func beforeChanges(in catalog: Catalog, spending effort: Effort) -> Session {
    var session = self
    session.noteOpeningAppearances(in: SessionContext(catalog, effort: effort))
    return session
  }

  /// Returns the session after hypothetical mutations of an actor (M13).
  ///
  /// - Parameter effort: The effort shared by all hypothetical mutations; they are refused beyond its limit.
  package func assuming(
    _ record: SessionRecord, in catalog: Catalog, spending effort: Effort
  ) throws(MutationFault) -> Session {
    var assumed = self
    _ = try assumed.apply(
      record, in: catalog, isExplaining: false, isDry: true, spending: effort)
    return assumed
  }

  private mutating func apply(
    _ record: SessionRecord, in catalog: Catalog, isExplaining: Bool, isDry: Bool,
    spending effort: Effort
  ) throws(MutationFault) -> [Outcome] {
    let mutations = record.mutations
    let context = SessionContext(
      catalog, effort: effort, isExplaining: isExplaining, isDry: isDry, actor: record.actor)
    var performer = Performer(self, in: context)
    var outcomes: [Outcome] = []
    for (index, mutation) in mutations.enumerated() {
      do throws(MutationFault) {
        outcomes.append(try performer.apply(mutation))
        // A single mutation is not charged for the effort of reporting its changes.
        if mutations.count > 1 { try effort.check() }
      } catch {
        throw .inList(index: index, error)
      }
    }
    let leaving = Effort(effort.limits)
    let resigned = performer.session.resignIfLeft(since: self, in: catalog, leaving)
    effort.spend(leaving.spent)
    try leaving.check()
    // Attach the loss of focus to a mutation that has a revision.
    let last = outcomes.lastIndex { !$0.isNothing } ?? outcomes.indices.last
    if let last, !resigned.isEmpty { outcomes[last].tell(resigned) }
    performer.session.noteQuiet(after: record, since: revision)
    swap(&self, &performer.session)
    return outcomes
  }

  /// The usage of all limited resources.
  package var holdings: Holdings {
    var holdings = graph.holdings
    holdings[.stateSize] = stateSize
    let totals = deliveries.totals
    holdings[.deliveries] = totals.open
    holdings[.deliverySize] = totals.openSize
    return holdings
  }
}

extension Performer {
  /// Applies a mutation and returns its outcome.
  ///
  /// - Throws: `MutationFault`; the mutation may then be partly applied.
  mutating func apply(_ mutation: Mutation) throws(MutationFault) -> Outcome {
    var before = session
    // Each change would copy a shared state.
    before.state = .null
    var outcome = try effort.bounding { () throws(MutationFault) in try change(by: mutation) }
    let owners = session.concludeUndo(outcome.changes)
    outcome.conclude(before, session, undoManagersOf: owners)
    if !owners.isEmpty { outcome.undoName = session.undo.takeRegisteredName(of: owners) }
    if !outcome.isNothing || session.undo.differs(from: before.undo, in: owners)
      || mutation.operation.traits.contains(.changesTokens)
    {
      session.revision += 1
    }
    effort.spend(outcome.writingEffort)
    return outcome
  }

  /// Applies a mutation and everything that follows from it.
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

  private mutating func begin() {
    changes = []
    events = []
    outcome = Outcome()
    trace = Trace(isRecording: trace.isRecording)
    effectCount = 0
    before = session.holdings
  }

  /// Takes the outcome, with the trace in its result if it has one.
  private mutating func takeOutcome() -> Outcome {
    // Moved, not copied: a change would copy a shared trace.
    var taken = Outcome()
    swap(&taken, &outcome)
    taken.changes = changes
    taken.events = events
    taken.keep(trace)
    return taken
  }

  /// Notifies view controllers that came into view or left it, and removes dropped instances.
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

/// The accepted mutations of one change of a session, as in a journal: all or none.
///
/// Replaying the records of a session, each under the catalogue of its time, gives the same session, including names
/// and tokens. A mutation's time is part of it (`dated`).
package struct SessionRecord: Sendable, Codable {
  package let mutations: [Mutation]
  /// The actor; nil in the stored form for a change without a token (T4).
  private let by: Principal?

  /// Creates the record of mutations by an actor; the default has no token.
  package init(_ mutations: [Mutation], by actor: Principal = .local) {
    self.mutations = mutations
    by = actor == .local ? nil : actor
  }

  private enum CodingKeys: String, CodingKey {
    case mutations
    case by = "actor"
  }

  /// The actor of the change (T4).
  package var actor: Principal { by ?? .local }

  /// True if it only reports the progress of claims.
  package var isProgress: Bool {
    !mutations.isEmpty && mutations.allSatisfy { $0.operation.traits.contains(.isProgress) }
  }
}

extension SessionRecord {
  /// Replays the record. Returns the session after it and the outcomes.
  ///
  /// - Throws: `ReplayFault` if the record does not fit `session`.
  package func replayed(
    on session: Session, in catalog: Catalog
  ) throws(ReplayFault) -> (session: Session, outcomes: [Outcome]) {
    var changed = session
    do throws(MutationFault) {
      // The mutations were within the limits of their time; the present limits do not apply.
      let outcomes = try changed.apply(self, in: catalog, limits: .unlimited)
      return (changed, outcomes)
    } catch {
      throw .refused(session.id, error)
    }
  }
}

/// A reason why a record cannot be replayed. The journal then differs from what was written.
package enum ReplayFault: Error, Equatable, Sendable {
  /// An accepted mutation was refused on replay.
  case refused(SessionID, MutationFault)
}
