// MARK: Taking over

extension PostgreSQLDatabase {
  /// Registers as the writer, or as one of several. An earlier one that had the journal for itself, or a replica if this
  /// one wants it for itself, meets a fault when it writes again.
  func begin(at end: End) throws(JournalFault) {
    let isShared = configuration.isShared
    writer = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      if !isShared { try connection.execute(PostgreSQLSchema.takeOver) }
      return try connection.row(of: PostgreSQLSchema.join)?.bytes(0) ?? []
    }
    holdings.begin(as: writer, at: end)
  }

  /// The data that this process and others on the journal have in common.
  func agree() throws(JournalFault) -> JournalAgreement {
    let row = try connection.row(
      of: PostgreSQLSchema.share, [.int(clock.retention)], in: place)
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
  /// Makes additions durable; see ``SharedJournal/append(_:ifStill:whenDurable:)``. Without any it finds out
  /// whether some could be made durable.
  func append(
    _ writes: [JournalWrite], ifStill isCurrent: () -> Bool, whenDurable publish: () -> Void
  ) throws(JournalFault) {
    if let end { throw end }
    guard !writes.isEmpty else {
      try checkConnection()
      if hasFailed { _ = try write(nil) }
      hasFailed = false
      return publish()
    }
    let records = writes.compactMap(\.record)
    let isOfDirectory = records.contains { $0.kind != .changed || $0.subject == .catalog }
    if configuration.isShared, isOfDirectory, locked != .directory { throw .conflict }
    let held = holdings.beginCommit(
      of: Set(records.map(\.subject)), changingDirectory: isOfDirectory)
    do throws(JournalFault) {
      // The reader may have let the follower have newer ones before.
      guard isCurrent() else { throw .conflict }
      let batch = try PostgreSQLBatch(
        of: writes, after: held, markingEvery: configuration.snapshotEvery,
        at: configuration.isShared ? clock.now : .max)
      let directory = try write(batch)
      publish()
      holdings.endCommit(of: batch, directory: directory)
    } catch {
      holdings.endCommit()
      throw ended(by: error)
    }
  }

  /// Locks what a batch is to change until the next append, and lets the follower have what other replicas committed of
  /// it.
  func lock(_ scope: BatchScope) throws(JournalFault) {
    if let end { throw end }
    do throws(JournalFault) {
      try rollBack()
      let reading = holdings.statements(for: scope.sessions, keys: scope.keys)
      let locks = scope.locks
      let results = try connection.exchange(locks + reading.all, in: place)
      locked = scope.changesDirectory ? .directory : .sessions
      guard let found = SharedReading(results.dropFirst(locks.count), of: reading) else {
        throw .damagedDatabase(place, .tables)
      }
      try holdings.takeLocked(found)
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
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.rollBack()
    }
  }

  /// Gives locks back, and notes a fault if it is final. Returns what a batch failed for.
  private func ended(by fault: JournalFault) -> JournalFault {
    try? rollBack()
    var fault = fault
    if case .refusedByDatabase(_, let state, _) = fault {
      if state == PostgreSQLSchema.notTheWriter { fault = .takenOver(database: place) }
      if PostgreSQLSchema.conflicts.contains(state) { fault = .conflict }
      if state == PostgreSQLSchema.deadlock, configuration.isShared { fault = .conflict }
    }
    // Nobody else may write to a journal that is not shared.
    if fault == .conflict, !configuration.isShared { fault = .takenOver(database: place) }
    if fault.isFinal { end = fault }
    hasFailed = fault != .conflict
    return fault
  }

  /// Commits a batch, which gives the locks back; returns the end of the directory, if the batch changes it. Nil stands
  /// for one that changes nothing.
  ///
  /// If the connection is lost meanwhile, it is looked up whether the batch is there, however long that takes.
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
      let results = try connection.exchange(statements, in: place)
      (locked, committed) = (nil, next)
      return changesDirectory ? results[head].int(0) : nil
    } catch {
      guard case .unreachable(_, let message) = error else { throw error }
      guard try reconnect(after: message, mayHave: next) == next else { throw error }
      committed = next
      return changesDirectory ? try readDirectoryEnd() : nil
    }
  }

  /// The statements that lock what a batch needs without ``lock(_:)``, before anything is changed.
  private func locks(for batch: PostgreSQLBatch) -> [PostgreSQLStatement] {
    guard batch.changesDirectory else {
      return configuration.isShared ? [PostgreSQLStatement("menud_keep_catalog")] : []
    }
    // The caretaker may be writing states of these, and under the catalogue. Statements behind this one see them.
    var scope = BatchScope()
    scope.sessions = Set(batch.positions.keys)
    scope.changesCatalog = batch.positions[.catalog] != nil
    return scope.rowLocks
  }

  /// The end of the directory after this process's last batch, which is committed whatever happens to the connection.
  private func readDirectoryEnd() throws(JournalFault) -> Int64 {
    while true {
      do throws(JournalFault) {
        return try connection.row(
          of: "SELECT sequence FROM menud_writer WHERE id = $1", [.bytes(writer)], in: place)?
          .int(0) ?? 0
      } catch {
        guard case .unreachable(_, let message) = error else { throw error }
        _ = try reconnect(after: message, mayHave: committed)
      }
    }
  }
}

extension BatchScope {
  /// The statements that lock it, in an order that all replicas keep.
  fileprivate var locks: [PostgreSQLStatement] {
    [.begin] + (changesDirectory ? [PostgreSQLStatement("menud_lock_head")] : []) + rowLocks
  }

  /// Those for the catalogue and the sessions.
  fileprivate var rowLocks: [PostgreSQLStatement] {
    [
      PostgreSQLStatement(changesCatalog ? "menud_lock_catalog" : "menud_keep_catalog"),
      PostgreSQLStatement("menud_lock_subjects", [.texts(sessions.map(\.text))]),
    ]
  }
}
