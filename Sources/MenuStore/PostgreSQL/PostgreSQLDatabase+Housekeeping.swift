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
      isDue(keptHouseAt, after: configuration.housekeeping, at: now),
      isDue(triedHouseAt, after: min(.seconds(1), configuration.housekeeping), at: now)
    else { return }
    triedHouseAt = now
    // The first round looks at everything that earlier caretakers may have left.
    let past = keptHouseAt.map { Int64($0.duration(to: now) / .seconds(1)) + 90 }
    // Each is a transaction of its own, so that others do not wait for all of them.
    let covered = try count(of: "menud_remove_covered", .int(past ?? .max >> 32))
    let closed = try count(of: "menud_remove_closed")
    for statement in [
      PostgreSQLStatement("menud_remove_writers"),
      PostgreSQLStatement("menud_remove_expired", [.int(clock.now), .int(10_000)]),
      PostgreSQLStatement("menud_remove_surplus", [.int(Int64(configuration.keptAnswers))]),
    ] { _ = try exchange([statement]) }
    let isWhole = try writeStates(sharing)
    // Else there is another round soon.
    if isWhole, covered < Self.removalsAtOnce, closed < Self.closedAtOnce { keptHouseAt = now }
  }

  /// The maximum number of closed sessions whose records are removed at once, as in the statement.
  private static let closedAtOnce: Int64 = 1024

  /// Runs a statement, and returns the number in its row.
  private func count(
    of statement: String, _ values: PostgreSQLValue...
  ) throws(JournalFault) -> Int64 {
    try exchange([PostgreSQLStatement(statement, values)]).first?.int(0) ?? 0
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
  ///
  /// - Returns: False if there may be more sessions.
  private func writeStates(_ sharing: Sharing) throws(JournalFault) -> Bool {
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
    }
    guard !states.isEmpty else { return true }
    _ = try exchange([SharedState.statement(of: states), .commit])
    locked = nil
    if sessions.isEmpty { writtenCatalog = states.first?.place }
    figures.states.add(states.count)
    return sessions.isEmpty
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
