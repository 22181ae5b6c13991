import Synchronization

// The states that a replica writes, and what one of them does for all: the caretaker.

extension PostgreSQLDatabase {
  /// Writes states that are due. If this replica is the caretaker, removes what nobody needs, and writes states of what is
  /// older than the catalogue.
  func keepHouse() throws(JournalFault) {
    guard let sharing else { return }
    let now = ContinuousClock.now
    if isDue(wroteStatesAt, after: configuration.housekeeping, at: now) {
      try writeLaggingStates(at: now)
    }
    if !sharing.isCaretaker.load(ordering: .relaxed), isDue(caredAt, after: .seconds(1), at: now) {
      caredAt = now
      try seekCare(sharing)
    }
    guard sharing.isCaretaker.load(ordering: .relaxed),
      isDue(keptHouseAt, after: configuration.housekeeping, at: now)
    else { return }
    // The first round looks at everything that earlier caretakers may have left.
    let past = keptHouseAt.map { Int64($0.duration(to: now) / .seconds(1)) + 90 }
    keptHouseAt = now
    // Each is a transaction of its own, so that others do not wait for all of them.
    for statement in [
      PostgreSQLStatement("menud_remove_covered", [.int(past ?? .max >> 32)]),
      PostgreSQLStatement("menud_remove_closed"), PostgreSQLStatement("menud_remove_writers"),
      PostgreSQLStatement("menud_remove_expired", [.int(clock.now), .int(10_000)]),
      PostgreSQLStatement("menud_remove_surplus", [.int(Int64(configuration.keptAnswers))]),
    ] { _ = try exchange([statement]) }
    try writeStates(sharing)
  }

  private func isDue(
    _ last: ContinuousClock.Instant?, after interval: Duration, at now: ContinuousClock.Instant
  ) -> Bool {
    last.map { $0.duration(to: now) >= interval } ?? true
  }

  private func writeLaggingStates(at now: ContinuousClock.Instant) throws(JournalFault) {
    wroteStatesAt = now
    let states = laggingStates.removeDue(atMost: Self.statesAtOnce, at: now)
    guard !states.isEmpty else { return }
    _ = try exchange([SharedState.statement(of: states)])
    figures.states.add(states.count)
    // There may be more of them.
    if states.count == Self.statesAtOnce { wroteStatesAt = nil }
  }

  private func seekCare(_ sharing: Sharing) throws(JournalFault) {
    let isCaretaker = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.row(of: PostgreSQLSchema.caretakerLock)?.flag(0) == true
    }
    sharing.isCaretaker.store(isCaretaker, ordering: .relaxed)
    keptHouseAt = nil
  }

  /// Writes the states of sessions with changes from before the last change of the catalogue, some at a time, and at
  /// last the catalogue's: nobody needs its records any more then.
  private func writeStates(_ sharing: Sharing) throws(JournalFault) {
    let results = try exchange([
      .begin, PostgreSQLStatement("menud_keep_catalog"), PostgreSQLStatement("menud_read_older"),
    ])
    locked = .sessions
    defer { try? giveLockBack() }
    let older = results[2]
    let sessions = (0..<older.count).map { index in
      older.seek(index)
      return older.subject
    }
    var states: [SharedState] = []
    for contents in try contents(of: sessions) {
      // The records of one that is damaged stay.
      if let state = try? sharing.state(of: contents) { states.append(state) }
    }
    if sessions.isEmpty, let state = sharing.catalogState(), state.place.edition > 0,
      state.place != writtenCatalog
    {
      states = [state]
      writtenCatalog = state.place
    }
    guard !states.isEmpty else { return }
    _ = try exchange([SharedState.statement(of: states), .commit])
    locked = nil
    figures.states.add(states.count)
    // There may be more of them.
    if !sessions.isEmpty { keptHouseAt = .now - configuration.housekeeping }
  }

  private func contents(of sessions: [JournalSubject]) throws(JournalFault) -> [SubjectContents] {
    guard !sessions.isEmpty else { return [] }
    let results = try exchange(
      sessions.map { SubjectContents.statement(of: $0, withCatalog: true) })
    return zip(sessions, results).compactMap { session, rows in
      try? SubjectContents(of: session, rows, in: place)
    }
  }
}
