import Synchronization

extension PostgreSQLDatabase {
  /// Makes additions durable behind what other processes committed; see ``Journal/append(_:whenDurable:)``.
  func appendShared(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    if let end { throw end }
    // Others change what this process may have to write states of, and remove.
    if writes.isEmpty, !isLocked {
      try takeCare()
      guard hasFailed || hasMore else {
        try checkConnection()
        return false
      }
    }
    try beginBatch()
    do throws(JournalFault) {
      try write(batch(of: writes), of: writes, publish)
      hasFailed = false
    } catch {
      fail(error)
      throw error
    }
    return hasMore
  }

  /// Locks the end of the journal, unless something failed before. If that fails, `beginBatch` finds out why.
  func lockInAdvance() {
    guard end == nil, !hasFailed, !isLocked else { return }
    do throws(JournalFault) { try lockEnd() } catch { fail(error) }
  }

  /// Locks the end of the journal, and lets the follower have what other processes committed.
  func beginBatch() throws(JournalFault) {
    if let end { throw end }
    guard !isLocked else { return }
    do throws(JournalFault) {
      try lockEnd()
    } catch {
      fail(error)
      if case .unreachable(_, let message) = error {
        _ = try reconnect(after: message, mayHave: nil)
      }
      throw error
    }
  }

  private func lockEnd() throws(JournalFault) {
    try takeCare()
    readUnloadedStates()
    try lockHead()
  }

  private func fail(_ fault: JournalFault) {
    hasFailed = true
    if fault.isFinal { end = fault }
    guard isLocked else { return }
    isLocked = false
    try? rollBack()
  }

  /// Takes over what others did, and begins what the caretaker has to do, if that is this process.
  private func takeCare() throws(JournalFault) {
    takeRecords()
    try seekCare()
    guard sharing?.isCaretaker.load(ordering: .relaxed) == true else { return }
    sharedBases.note(plan.base)
    sweepIfDue()
  }

  /// Reads the next sessions whose states are due, as far as they are not in memory, while nobody waits for that.
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
        // The records of one that is damaged stay. One that is not followed so far is read again.
        if case .success(let state) = Result(catching: { try sharing.state(of: contents) }) {
          unloadedStates[contents.subject] = state.map { .some($0) }
        }
      }
    } catch {
      // The connection is lost, which the next batch finds out.
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
      // One that is damaged is told of when somebody asks for it.
      guard let contents = try? SubjectContents(of: session, rows, in: place) else { continue }
      found.append(contents)
    }
    return found
  }

  /// Commits a batch, which gives the lock back, and publishes it.
  ///
  /// If the connection is lost meanwhile, it is looked up whether the batch is there, however long that takes.
  private func write(
    _ batch: PostgreSQLBatch, of writes: [JournalWrite], _ publish: () -> Void
  ) throws(JournalFault) {
    guard !batch.isEmpty else {
      _ = try exchange([.commit])
      isLocked = false
      return publish()
    }
    sharing?.beginCommit()
    do throws(JournalFault) {
      do throws(JournalFault) {
        try send(batch)
      } catch {
        guard case .unreachable(_, let message) = error else { throw error }
        let next = committed + 1
        guard try reconnect(after: message, mayHave: next) == next else { throw error }
      }
    } catch {
      sharing?.endCommit()
      throw error
    }
    noteCommitted()
    take(batch)
    publish()
    sharing?.endCommit(of: writes, through: batch.last)
  }

  private func send(_ batch: PostgreSQLBatch) throws(JournalFault) {
    let mark = PostgreSQLStatement(
      "menud_put_batch", [.bytes(writer), .int(committed + 1), .int(0), .int(0)])
    let head = PostgreSQLStatement(
      "menud_put_head", [.int(batch.last), .int(batch.base), .int(batch.removal ?? removed)])
    do throws(JournalFault) {
      _ = try exchange(
        [mark] + batch.statements + [
          head, PostgreSQLStatement("menud_notify", [.text("")]), .commit,
        ])
      isLocked = false
    } catch {
      guard case .refusedByDatabase(_, PostgreSQLSchema.notTheWriter, _) = error else {
        throw error
      }
      throw .takenOver(database: place)
    }
  }

  /// Locks the end of the journal, and takes over what others committed.
  private func lockHead() throws(JournalFault) {
    guard let sharing else { return }
    let position = sharing.position
    let results = try exchange(
      [.begin] + SharedReading.statements(locking: true, after: position))
    guard let reading = SharedReading(results.dropFirst(), after: position) else {
      throw .damagedDatabase(place, .tables)
    }
    isLocked = true
    try sharing.take(reading)
    takeRecords()
    plan.last = reading.head
    plan.noteBase(reading.base)
    sharedBases.note(reading.base)
    removed = reading.removed
  }

  /// Takes over which records others added.
  private func takeRecords() {
    for followed in sharing?.takeRecords() ?? [] {
      let subject = followed.record.subject
      positions[subject] = followed.record.kind == .closed ? nil : followed.place
      plan.note(
        JournalWrite(record: followed.record, state: followed.state), at: followed.sequence)
    }
  }

  private func rollBack() throws(PostgreSQLFault) { try connection.execute("ROLLBACK") }

  /// Becomes the caretaker if nobody is; looked at once in a second.
  private func seekCare() throws(JournalFault) {
    guard let sharing, !isLocked, !sharing.isCaretaker.load(ordering: .relaxed),
      caredAt.map({ $0.duration(to: .now) >= .seconds(1) }) ?? true
    else { return }
    caredAt = .now
    do throws(PostgreSQLFault) {
      let isCaretaker = try connection.row(of: PostgreSQLSchema.caretakerLock)?.flag(0) == true
      sharing.isCaretaker.store(isCaretaker, ordering: .relaxed)
    } catch {
      // Whoever needs the connection next finds that out.
    }
  }

  /// The data that this process and others on the journal have in common.
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
