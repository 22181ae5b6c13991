// MARK: Taking over

extension PostgreSQLDatabase {
  /// Registers as the only writer or as one of several; returns the number after which incarnations can be numbered.
  ///
  /// A process that had the journal exclusively fails at its next write; so do replicas if this process takes it
  /// exclusively.
  func begin(at end: End) throws(JournalFault) -> Int64 {
    let isShared = configuration.isShared
    let former = try connection.row(
      of: isShared ? PostgreSQLSchema.takeOverForAll : PostgreSQLSchema.takeOver)
    let writer = try connection.row(
      of: PostgreSQLSchema.join, [.int(isShared ? 1 : 0)])
    positions.begin(as: writer?.bytes(0) ?? [], at: end)
    return former?.int(0) ?? 0
  }

  /// The id of the writer in the database; empty until the journal is recovered.
  var writer: [UInt8] { positions.writer }

  /// Returns the data on which all processes that share the journal agree.
  func agree() throws(JournalFault) -> JournalAgreement {
    let row = try connection.row(
      of: PostgreSQLSchema.share, [.int(clock.retention)])
    guard let row, let openings = row.int(0), let nonce = row.text(1), let time = row.int(2),
      let shift = row.int(3)
    else { throw .damagedDatabase(place, .tables) }
    clock.begin(at: time - shift)
    return JournalAgreement(nonce: nonce, openings: Int(openings), time: time)
  }

  /// Releases the journal to other processes.
  func release() {
    try? rollBack()
    if configuration.isShared {
      _ = try? connection.row(of: "DELETE FROM menud_writer WHERE id = $1", [.bytes(writer)])
    }
    // Otherwise the lock would last until the server detects the end of the connection.
    try? connection.execute("SELECT pg_advisory_unlock_all()")
  }
}

// MARK: Writing

extension PostgreSQLDatabase {
  /// Makes additions durable; see ``SharedJournal/append(_:ifStill:whenDurable:)``. Without additions, it checks the
  /// connection, and after a failure that a batch could be committed.
  func append(
    _ writes: [JournalWrite], ifStill isCurrent: () -> Bool, whenDurable publish: () -> Void
  ) throws(JournalFault) {
    if let end { throw end }
    guard !writes.isEmpty else {
      do throws(JournalFault) {
        try checkConnection()
        if hasFailed || positions.isReplaced { _ = try write(nil) }
      } catch {
        throw ended(by: error)
      }
      hasFailed = false
      return publish()
    }
    try checkReach()
    let records = writes.compactMap(\.record)
    let isOfDirectory = records.contains { $0.kind != .changed || $0.subject == .catalog }
    if configuration.isShared, isOfDirectory, locked != .directory { throw .conflict }
    let held = positions.beginCommit(
      of: Set(records.map(\.subject)), changingDirectory: isOfDirectory)
    do throws(JournalFault) {
      // The reader may have passed newer commits to the follower.
      guard isCurrent() else { throw .conflict }
      let batch = try PostgreSQLBatch(
        of: writes, after: held, markingEvery: configuration.snapshotEvery,
        at: configuration.isShared ? clock.now : .max)
      let directory = try write(batch)
      publish()
      positions.endCommit(of: batch, directory: directory)
    } catch {
      positions.endCommit()
      throw ended(by: error)
    }
  }

  /// Locks the rows of the next batch, and passes the follower the commits of other replicas to them.
  func lock(_ scope: BatchScope) throws(JournalFault) {
    if let end { throw end }
    try checkReach()
    do throws(JournalFault) {
      try rollBack()
      let reading = positions.statements(for: scope.sessions, keys: scope.keys)
      let locks = scope.locks
      let results = try connection.exchange(locks + reading.all)
      locked = scope.changesDirectory ? .directory : .sessions
      guard let found = SharedReading(results.dropFirst(locks.count), of: reading) else {
        throw .damagedDatabase(place, .tables)
      }
      try positions.takeLocked(found)
    } catch {
      if case .unreachable(_, let message) = error {
        _ = try reconnect(after: message, mayHave: nil)
      }
      throw ended(by: error)
    }
  }

  /// Rolls the transaction of a lock back, if there is one.
  func rollBack() throws(JournalFault) {
    guard locked != nil else { return }
    locked = nil
    try connection.rollBack()
  }

  /// Releases the locks after a failure, and returns the fault for callers. A final fault ends the journal.
  private func ended(by fault: JournalFault) -> JournalFault {
    try? rollBack()
    var fault = fault
    if case .refusedByDatabase(_, let state, _) = fault {
      if state == PostgreSQLSchema.notTheWriter { fault = .takenOver(database: place) }
      if PostgreSQLSchema.conflicts.contains(state) { fault = .conflict }
    }
    // No other process may write to an exclusive journal.
    if fault == .conflict, !configuration.isShared { fault = .takenOver(database: place) }
    if case .refusedByDatabase(_, PostgreSQLSchema.deadlock, _) = fault { fault = .conflict }
    if fault.isFinal { end = fault }
    hasFailed = fault != .conflict
    return fault
  }

  /// Commits a batch and releases the locks; returns the end of the directory if the batch changes it. A nil batch
  /// changes nothing.
  ///
  /// If the connection is lost meanwhile, it waits until it can look up whether the batch was committed, however long
  /// that takes.
  private func write(_ batch: PostgreSQLBatch?) throws(JournalFault) -> Int64? {
    let next = committed + 1
    var statements = [
      PostgreSQLStatement("menud_put_batch", [.bytes(writer), .int(next)])
    ]
    // Without BEGIN, a pipeline is one transaction.
    if locked == nil, let batch { statements += locks(for: batch) }
    statements += batch?.statements ?? []
    let (head, changesDirectory) = (statements.count, batch?.changesDirectory == true)
    if changesDirectory {
      statements.append(PostgreSQLStatement("menud_put_head", [.bytes(writer)]))
    }
    if locked != nil { statements.append(.commit) }
    do throws(JournalFault) {
      let results = try connection.exchange(statements)
      (locked, committed) = (nil, next)
      return changesDirectory ? results[head].int(0) : nil
    } catch {
      guard case .unreachable(_, let message) = error else { throw error }
      guard try reconnect(after: message, mayHave: next) == next else { throw error }
      committed = next
      return changesDirectory ? try readDirectoryEnd() : nil
    }
  }

  /// The statements that lock the rows of a batch, if ``lock(_:)`` has not.
  private func locks(for batch: PostgreSQLBatch) -> [PostgreSQLStatement] {
    guard batch.changesDirectory else {
      return configuration.isShared ? [PostgreSQLStatement("menud_keep_catalog")] : []
    }
    // Later statements then see the states that housekeeping is writing.
    return [BatchScope.lock(of: batch.positions.keys)]
  }

  /// Returns the end of the directory after this process's last batch, which stays committed even if the connection
  /// fails.
  private func readDirectoryEnd() throws(JournalFault) -> Int64 {
    while true {
      do throws(JournalFault) {
        let row = try connection.row(
          of: "SELECT sequence FROM menud_writer WHERE id = $1", [.bytes(writer)])
        guard let end = row?.int(0) else { throw .takenOver(database: place) }
        return end
      } catch {
        guard case .unreachable(_, let message) = error else { throw error }
        _ = try reconnect(after: message, mayHave: committed)
      }
    }
  }
}

extension BatchScope {
  /// The statements that lock the scope, in the same order for all replicas.
  fileprivate var locks: [PostgreSQLStatement] {
    [.begin]
      + (changesDirectory ? [PostgreSQLStatement("menud_lock_head")] : [])
      + [
        PostgreSQLStatement(changesCatalog ? "menud_lock_catalog" : "menud_keep_catalog"),
        Self.lock(of: sessions),
      ]
  }

  /// The statement that locks subjects.
  fileprivate static func lock(of subjects: some Sequence<JournalSubject>) -> PostgreSQLStatement {
    PostgreSQLStatement("menud_lock_subjects", [.texts(subjects.map(\.text))])
  }
}
