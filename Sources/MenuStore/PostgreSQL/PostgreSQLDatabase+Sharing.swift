import Synchronization

extension PostgreSQLDatabase {
  /// Makes a batch durable after other replicas' commits, without the writes that conflict with them; returns
  /// true if there is more to do.
  ///
  /// The end of the journal is locked first, and the other replicas' commits are applied. Conflicting writes
  /// are retried while this replica holds the lock again, so that no write conflicts forever.
  func commitShared(_ writes: [JournalWrite]) throws(JournalFault) -> Bool {
    if let end { throw end }
    // Commits of other replicas change which states this one has to write, and which records it may remove.
    if writes.isEmpty, !isInTurn { try takeCare() }
    guard !writes.isEmpty || isInTurn || hasFailed || hasMore else {
      try checkConnection()
      return false
    }
    defer { settleOutdated() }
    // No effect if it was done before the batch was taken.
    prepareShared()
    do throws(JournalFault) {
      try write(writes)
      hasFailed = false
    } catch {
      hasFailed = true
      if error.isFinal { end = error }
      throw error
    }
    return isInTurn || hasMore
  }

  /// Locks the end of the journal before a batch is taken, so that the batch grows while another replica holds
  /// the lock.
  ///
  /// If that fails, the batch meets the fault.
  func prepareShared() {
    guard end == nil, !isInTurn, !hasFailed else { return }
    do throws(JournalFault) {
      try takeCare()
      readUnloadedStates()
      try lockHead()
    } catch {
      if error.isFinal { end = error }
      isInTurn = false
      try? rollBack()
    }
  }

  /// Applies the records of other replicas, and begins the housekeeping if this replica is the caretaker.
  private func takeCare() throws(JournalFault) {
    takeRecords()
    try seekCare()
    guard sharing?.isCaretaker.load(ordering: .relaxed) == true else { return }
    sharedBases.note(plan.base)
    sweepIfDue()
  }

  /// Reads the next sessions whose states are due and that are not in memory, while no request waits for it.
  private func readUnloadedStates() {
    unloadedStates = [:]
    guard let sweep, let sharing else { return }
    let next = sweep.waiting.suffix(Self.statesAtOnce).filter(sharing.isUnloaded)
    for session in next { unloadedStates[session] = .some(nil) }
    do throws(JournalFault) {
      var found = try contents(of: next, withCatalog: false)
      let older = found.filter(sharing.needsCatalog).map(\.subject)
      found += try contents(of: older, withCatalog: true)
      for contents in found {
        // The records of a damaged session stay. One with records not applied yet is read again.
        if case .success(let state) = Result(catching: { try sharing.state(of: contents) }) {
          unloadedStates[contents.subject] = state.map { .some($0) }
        }
      }
    } catch {
      // The connection is lost; the next batch meets the fault.
    }
  }

  private func contents(
    of sessions: [JournalSubject], withCatalog: Bool
  ) throws(JournalFault) -> [SubjectContents] {
    guard !sessions.isEmpty else { return [] }
    let results = try exchange(
      sessions.map { SubjectContents.statement(of: $0, withCatalog: withCatalog) })
    var found: [SubjectContents] = []
    for (session, rows) in zip(sessions, results) {
      // A damaged session is reported when it is requested.
      guard let contents = try? SubjectContents(of: session, rows, in: place) else { continue }
      found.append(contents)
    }
    return found
  }

  /// The progress of a write.
  private struct WriteProgress {
    /// The batch whose commit was begun and not answered.
    var sent: PostgreSQLBatch?
    var isWritten = false
  }

  private func write(_ writes: [JournalWrite]) throws(JournalFault) {
    let start = ContinuousClock.now
    var progress = WriteProgress()
    while true {
      progress.sent = nil
      do throws(JournalFault) {
        if !isInTurn { try lockHead() }
        if !progress.isWritten { try send(writes, &progress) }
        return try takeTurn()
      } catch {
        guard case .unreachable(_, let message) = error else {
          sharing?.endCommit()
          isInTurn = false
          try? rollBack()
          // What is committed stays so, whatever becomes of the turn.
          if progress.isWritten { return }
          throw error
        }
        do throws(JournalFault) {
          defer { sharing?.endCommit() }
          try reconnect(after: message, &progress)
        } catch {
          if progress.isWritten { return }
          throw error
        }
        // What is not written is not there, and nobody has waited for long.
        guard start.duration(to: .now) < .seconds(2) else {
          if progress.isWritten { return }
          throw error
        }
      }
    }
  }

  /// Commits those that are not withdrawn.
  private func send(
    _ writes: [JournalWrite], _ progress: inout WriteProgress
  ) throws(JournalFault) {
    let batch = try batch(of: writes.filter { $0.ticket?.isWithdrawn != true })
    if !batch.isEmpty {
      progress.sent = batch
      try send(batch)
      finish(batch)
      progress.sent = nil
    }
    progress.isWritten = true
  }

  /// Connects again, and finds out if the batch that was sent is committed.
  private func reconnect(
    after message: String, _ progress: inout WriteProgress
  ) throws(JournalFault) {
    let next = committed + 1
    let found = try reconnect(after: message, mayHave: progress.sent == nil ? nil : next)
    if found == next, let sent = progress.sent {
      finish(sent)
      progress.isWritten = true
    }
  }

  /// Commits a batch, which gives the lock back.
  private func send(_ batch: PostgreSQLBatch) throws(JournalFault) {
    let mark = PostgreSQLStatement(
      "menud_put_batch", [.bytes(writer), .int(committed + 1), .int(0), .int(0)])
    let head = PostgreSQLStatement(
      "menud_put_head", [.int(batch.last), .int(batch.base), .int(batch.removal ?? removed)])
    sharing?.beginCommit()
    isInTurn = false
    do throws(JournalFault) {
      _ = try exchange(
        [mark] + batch.statements + [
          head, PostgreSQLStatement("menud_notify", [.text("")]), .commit,
        ])
    } catch {
      guard case .refusedByDatabase(_, PostgreSQLSchema.notTheWriter, _) = error else {
        throw error
      }
      throw .takenOver(database: place)
    }
  }

  private func finish(_ batch: PostgreSQLBatch) {
    noteCommitted()
    take(batch)
    sharing?.endCommit(of: batch.writes, through: batch.last)
  }

  /// Locks the end of the journal, and applies the commits of other replicas.
  private func lockHead() throws(JournalFault) {
    guard let sharing else { return }
    let position = sharing.position
    let results = try exchange(
      [.begin] + SharedReading.statements(locking: true, after: position))
    guard let reading = SharedReading(results.dropFirst(), after: position) else {
      throw .damagedDatabase(place, .tables)
    }
    isInTurn = true
    outdated += try sharing.take(reading)
    takeRecords()
    plan.last = reading.head
    plan.noteBase(reading.base)
    sharedBases.note(reading.base)
    removed = reading.removed
  }

  /// Keeps or takes the lock for conflicting writes; releases it without any.
  private func takeTurn() throws(JournalFault) {
    if outdated.isEmpty {
      if isInTurn { _ = try exchange([.commit]) }
      isInTurn = false
    } else {
      if !isInTurn { try lockHead() }
      sharing?.figures.turns.add()
    }
  }

  /// Lets the conflicting writes be retried.
  private func settleOutdated() {
    let tickets = outdated
    outdated = []
    sharing?.returning.store(isInTurn ? tickets.count : 0, ordering: .relaxed)
    for ticket in tickets { ticket.settle(.failed(.conflict)) }
  }

  /// Takes over the records of other replicas.
  private func takeRecords() {
    for followed in sharing?.takeRecords() ?? [] {
      let subject = followed.record.subject
      positions[subject] = followed.record.kind == .closed ? nil : followed.place
      plan.note(
        JournalWrite(record: followed.record, state: followed.state), at: followed.sequence)
    }
  }

  private func rollBack() throws(PostgreSQLFault) { try connection.execute("ROLLBACK") }

  /// Becomes the caretaker if there is none; tried at most once a second.
  private func seekCare() throws(JournalFault) {
    guard let sharing, !isInTurn, !sharing.isCaretaker.load(ordering: .relaxed),
      caredAt.map({ $0.duration(to: .now) >= .seconds(1) }) ?? true
    else { return }
    caredAt = .now
    do throws(PostgreSQLFault) {
      let isCaretaker = try connection.row(of: PostgreSQLSchema.caretakerLock)?.flag(0) == true
      sharing.isCaretaker.store(isCaretaker, ordering: .relaxed)
    } catch {
      // The next user of the connection meets the fault.
    }
  }

  /// Returns the data that all replicas of the journal agree on.
  func agree() throws(JournalFault) -> JournalAgreement {
    let row = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.row(of: PostgreSQLSchema.share, [.int(clock.retention)])
    }
    guard let row, let openings = row.int(0), let nonce = row.text(1), let time = row.int(2),
      let shift = row.int(3)
    else { throw .damagedDatabase(place, .tables) }
    clock.begin(at: time - shift)
    return JournalAgreement(nonce: nonce, openings: Int(openings), time: time)
  }
}
