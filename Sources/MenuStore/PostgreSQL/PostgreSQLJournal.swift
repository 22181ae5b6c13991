/// A journal in a PostgreSQL database.
///
/// A thread of its own writes it, over one connection that excludes other processes. While the database cannot
/// be reached, nothing is accepted; a batch whose commit was under way is looked up first.
package final class PostgreSQLJournal: Journal {
  private let storage: PostgreSQLStorage
  private let commits: GroupCommit
  package let clock: RetentionClock

  /// Opens a journal, and creates it if there is none.
  ///
  /// - Throws: `JournalFault`; then nothing was changed.
  package init(
    _ configuration: PostgreSQLConfiguration, clock: RetentionClock
  ) throws(JournalFault) {
    let outage = Outage()
    let storage = PostgreSQLStorage(
      try PostgreSQLDatabase(configuration, clock: clock, outage), outage)
    self.storage = storage
    self.clock = clock
    // The connection is checked every second, so that its end is detected before a change meets it.
    commits = GroupCommit(storage.figures, lookingEvery: .seconds(1)) {
      (writes) throws(JournalFault) in
      try storage.commit(writes)
    }
  }

  deinit { close() }

  package var fault: JournalFault? { storage.outage.fault ?? commits.fault }
  package var figures: JournalFigures { storage.figures }

  /// The database and its server, for messages.
  package var place: String { storage.place }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    let recovery = try storage.recover(reading: read, stateOf: state)
    try commits.start(after: nil)
    return recovery
  }

  package func append(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    if let fault = storage.outage.fault { throw fault }
    return try commits.append(write)
  }

  package func startWriting() { commits.startWriting() }

  package func close() {
    // Waits for an unreachable database end.
    storage.outage.close()
    commits.close()
    storage.close()
  }
}

/// The open database, until it is closed.
final class PostgreSQLStorage: Sendable {
  private let open: Monitor<PostgreSQLDatabase?>
  let figures: JournalFigures
  let outage: Outage
  let place: String

  init(_ database: PostgreSQLDatabase, _ outage: Outage) {
    (figures, place) = (database.figures, database.place)
    self.outage = outage
    open = Monitor(database)
  }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try open.withLock { (open) throws(JournalFault) in
      guard let open else { throw .closed }
      return try open.recover(reading: read, stateOf: state)
    }
  }

  /// Prepares the next batch before it is taken.
  func prepare() { open.withLock { $0?.prepareShared() } }

  func commit(_ writes: [JournalWrite]) throws(JournalFault) -> Bool {
    try open.withLock { (open) throws(JournalFault) in
      guard let open else { throw .closed }
      return try open.commit(writes)
    }
  }

  /// Writes states for the next start, and releases the database to other processes.
  func close() {
    open.withLock { open in
      // Without them the next start takes longer; nothing else is lost.
      try? open?.writeStatesForNextStart()
      open?.release()
      open = nil
    }
  }
}
