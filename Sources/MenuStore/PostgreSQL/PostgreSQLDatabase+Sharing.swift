import Synchronization

// The batches of a replica.

extension PostgreSQLDatabase {
  /// Makes additions durable, unless another replica committed what they do not stand on; see
  /// ``SharedJournal/append(_:ifStill:whenDurable:)``.
  func appendShared(
    _ writes: [JournalWrite], ifStill isCurrent: () -> Bool, whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    if let end { throw end }
    guard let sharing else { throw .closed }
    guard !writes.isEmpty else {
      try lookAfter()
      publish()
      return false
    }
    let records = writes.compactMap(\.record)
    let isOfDirectory = records.contains { $0.kind != .changed || $0.subject == .catalog }
    if isOfDirectory, locked != .directory { throw .conflict }
    let held = sharing.beginCommit(
      of: Set(records.map(\.subject)), changingDirectory: isOfDirectory)
    do throws(JournalFault) {
      // The reader may have let the follower have newer ones before.
      guard isCurrent() else { throw .conflict }
      let batch = try SharedBatch(
        of: writes, after: held, markingEvery: configuration.snapshotEvery, at: clock.now)
      let directory = try write(batch)
      noteCommitted()
      publish()
      sharing.endCommit(leaving: batch.positions, directory: directory)
      laggingStates.note(batch, at: .now)
    } catch {
      sharing.endCommit()
      fail(error)
      throw error
    }
    // The batch is committed, whatever becomes of this.
    try? keepHouse()
    return false
  }

  /// Looks whether the connection lasts and replaces it if not, and does what the caretaker has to do.
  private func lookAfter() throws(JournalFault) {
    do throws(JournalFault) {
      try giveLockBack()
      try checkConnection()
      try keepHouse()
    } catch {
      guard case .unreachable(_, let message) = error else { throw error }
      _ = try reconnect(after: message, mayHave: nil)
    }
  }

  /// Locks what a batch is to change until the next append, and lets the follower have what other replicas committed of
  /// it.
  func lock(_ scope: BatchScope) throws(JournalFault) {
    if let end { throw end }
    guard let sharing else { return }
    do throws(JournalFault) {
      try giveLockBack()
      let reading = sharing.statements(for: scope.sessions, keys: scope.keys)
      let locks = scope.locks
      let results = try exchange(locks + reading.all)
      locked = scope.changesDirectory ? .directory : .sessions
      guard let found = SharedReading(results.dropFirst(locks.count), of: reading) else {
        throw .damagedDatabase(place, .tables)
      }
      try sharing.takeLocked(found)
    } catch {
      fail(error)
      if case .unreachable(_, let message) = error {
        _ = try reconnect(after: message, mayHave: nil)
      }
      if case .refusedByDatabase(_, PostgreSQLSchema.deadlock, _) = error { throw .conflict }
      throw error
    }
  }

  private func fail(_ fault: JournalFault) {
    if fault.isFinal { end = fault }
    try? giveLockBack()
  }

  /// Rolls the transaction of a lock back, if there is one.
  func giveLockBack() throws(JournalFault) {
    guard locked != nil else { return }
    locked = nil
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.rollBack()
    }
  }

  /// Commits a batch, which gives the locks back; returns the end of the directory, if the batch changes it.
  ///
  /// If the connection is lost meanwhile, it is looked up whether the batch is there, however long that takes.
  private func write(_ batch: SharedBatch) throws(JournalFault) -> Int64? {
    let next = committed + 1
    let mark = PostgreSQLStatement(
      "menud_put_batch", [.bytes(writer), .int(next), .int(0), .int(0)])
    var statements = [mark] + batch.statements
    if batch.changesDirectory {
      statements.append(PostgreSQLStatement("menud_put_head", [.bytes(writer)]))
    }
    // Without BEGIN, a pipeline is one transaction.
    statements =
      locked == nil
      ? [PostgreSQLStatement("menud_keep_catalog")] + statements : statements + [.commit]
    do throws(JournalFault) {
      let results = try exchange(statements)
      locked = nil
      return batch.changesDirectory ? results[statements.count - 2].int(0) : nil
    } catch {
      switch error {
      case .unreachable(_, let message):
        guard try reconnect(after: message, mayHave: next) == next else { throw error }
        return batch.changesDirectory ? try readDirectoryEnd(after: next) : nil
      case .refusedByDatabase(_, PostgreSQLSchema.notTheWriter, _):
        throw .takenOver(database: place)
      case .refusedByDatabase(_, PostgreSQLSchema.outdated, _),
        .refusedByDatabase(_, PostgreSQLSchema.deadlock, _):
        throw .conflict
      default: throw error
      }
    }
  }

  /// The end of the directory after this replica's last batch, which is committed whatever happens to the connection.
  private func readDirectoryEnd(after batch: Int64) throws(JournalFault) -> Int64 {
    while true {
      do throws(JournalFault) {
        return try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
          try connection.row(
            of: "SELECT sequence FROM menud_writer WHERE id = $1", [.bytes(writer)])?.int(0) ?? 0
        }
      } catch {
        guard case .unreachable(_, let message) = error else { throw error }
        _ = try reconnect(after: message, mayHave: batch)
      }
    }
  }

  /// The data that this process and others on the journal have in common.
  func agree() throws(JournalFault) -> JournalAgreement {
    let row = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.execute(PostgreSQLSchema.makingLock)
      try connection.execute(PostgreSQLSchema.goOn)
      try connection.execute(PostgreSQLSchema.makingUnlock)
      return try connection.row(of: PostgreSQLSchema.share, [.int(clock.retention)])
    }
    guard let row, let openings = row.int(0), let nonce = row.text(1), let time = row.int(2),
      let shift = row.int(3)
    else { throw .damagedDatabase(place, .tables) }
    clock.begin(at: time - shift)
    return JournalAgreement(nonce: nonce, openings: Int(openings), time: time)
  }
}

extension BatchScope {
  /// The statements that lock it, in an order that all replicas keep.
  fileprivate var locks: [PostgreSQLStatement] {
    [.begin]
      + (changesDirectory ? [PostgreSQLStatement("menud_lock_head")] : [])
      + [
        PostgreSQLStatement(changesCatalog ? "menud_lock_catalog" : "menud_keep_catalog"),
        PostgreSQLStatement("menud_lock_subjects", [.texts(sessions.map(\.text))]),
      ]
  }
}

extension PostgreSQLDatabase {
  /// The rows that are locked.
  enum Locked {
    /// Those of its sessions.
    case sessions
    /// The end of the directory too.
    case directory
  }
}
