/// A journal in a PostgreSQL database.
///
/// One connection writes, and keeps other processes away; another one keeps the tables small. While the database cannot
/// be reached nothing is taken; a batch whose commit was under way is looked up before anything else is taken.
package final class PostgreSQLJournal: Journal {
  private let storage: PostgreSQLStorage
  package let clock: RetentionClock

  /// Opens a journal, and creates it if there is none.
  ///
  /// - Throws: `JournalFault`; then nothing was changed.
  package init(
    _ configuration: PostgreSQLConfiguration, clock: RetentionClock
  ) throws(JournalFault) {
    storage = PostgreSQLStorage(try PostgreSQLDatabase(configuration, clock: clock, Outage()))
    self.clock = clock
  }

  deinit { close() }

  package var fault: JournalFault? { storage.outage.fault }
  package var refusal: JournalFault? { fault }
  /// It looks at the connection each second, so that its end is known before a change finds it.
  package var interval: Duration? { .seconds(1) }
  package var gathering: Duration? { .milliseconds(1) }
  package var figures: JournalFigures { storage.figures }

  /// The database and its server, for messages.
  package var place: String { storage.place }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try storage.recover(reading: read, stateOf: state)
  }

  package func writeStates(of source: any StateSource) throws(JournalFault) {
    storage.positions.begin(source)
    try storage.housekeeping.start()
  }

  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try storage.withDatabase { (database) throws(JournalFault) in
      try database.append(writes, ifStill: { true }, whenDurable: publish)
    }
    return false
  }

  package var histories: any Histories { storage.histories }

  package func interrupt() { storage.outage.close() }

  package func close() {
    interrupt()
    storage.close()
  }
}

/// The open database and its housekeeping, until it is closed.
final class PostgreSQLStorage: Sendable {
  private let open: Monitor<PostgreSQLDatabase?>
  let positions: JournalPositions
  let housekeeping: PostgreSQLHousekeeping
  let figures: JournalFigures
  let outage: Outage
  let histories: HistoryReader
  let place: String

  init(_ database: PostgreSQLDatabase) {
    histories = HistoryReader(database.configuration.address, at: database.place)
    (positions, figures, outage) = (database.positions, database.figures, database.outage)
    place = database.place
    housekeeping = PostgreSQLHousekeeping(database)
    open = Monitor(database)
  }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try withDatabase { (database) throws(JournalFault) in
      try database.recover(reading: read, stateOf: state)
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

  /// Releases the database to other processes, and ends housekeeping.
  func close() {
    open.withLock { open in
      open?.release()
      open = nil
    }
    housekeeping.close()
    histories.close()
  }
}
