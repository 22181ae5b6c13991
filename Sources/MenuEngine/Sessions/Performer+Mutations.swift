import JSONText

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
