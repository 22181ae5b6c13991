/// A journal in a PostgreSQL database.
///
/// It is written over one connection, which keeps other processes away. While the database
/// cannot be reached nothing is taken; a batch whose commit was under way is looked up before anything else
/// is taken.
package final class PostgreSQLJournal: Journal {
  private let storage: PostgreSQLStorage
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
  }

  deinit { close() }

  package var fault: JournalFault? { storage.outage.fault }
  package var refusal: JournalFault? { fault }
  /// It looks at the connection each second, so that its end is known before a change finds it.
  package var interval: Duration? { .seconds(1) }
  package var figures: JournalFigures { storage.figures }

  /// The database and its server, for messages.
  package var place: String { storage.place }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try storage.recover(reading: read, stateOf: state)
  }

  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    let hasMore = try storage.commit(writes)
    publish()
    return hasMore
  }

  package func interrupt() { storage.outage.close() }

  package func close() {
    interrupt()
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

  /// Uses the database.
  func withDatabase<Result>(
    _ body: (PostgreSQLDatabase) throws(JournalFault) -> Result
  ) throws(JournalFault) -> Result {
    try open.withLock { (open) throws(JournalFault) in
      guard let open else { throw .closed }
      return try body(open)
    }
  }

  func commit(_ writes: [JournalWrite]) throws(JournalFault) -> Bool {
    try withDatabase { (database) throws(JournalFault) in try database.commit(writes) }
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
