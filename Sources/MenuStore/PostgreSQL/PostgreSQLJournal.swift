import Locks
import Synchronization

/// A journal in a PostgreSQL database, for one process or shared by several replicas.
///
/// One connection writes, and another one keeps the tables small. While the database is unreachable, changes are
/// refused; a batch whose commit was in flight is looked up before anything else is accepted. An exclusive journal is
/// locked against other processes.
///
/// *In a shared journal, the row of each session orders its changes.* A batch is one exchange, which expects each
/// session that it changes at the edition that this replica has. If another replica changed one of them, the whole
/// batch is rolled back; then its rows are locked, the missing records are read, and the batch is made again.
///
/// *A replica reads only what it has loaded.* Every replica reads the *directory*: the set of open sessions, and the
/// catalogue. The changes of a session are read by the replicas that have it in memory, when a request needs it or a
/// follower exists.
package final class PostgreSQLJournal: SharedJournal {
  /// Nil once it is closed.
  private let database: Monitor<PostgreSQLDatabase?>
  private let positions: JournalPositions
  private let housekeeping: PostgreSQLHousekeeping
  /// Reads what other replicas commit; nil if the journal is not shared.
  private let reader: PostgreSQLReader?
  private let outage: Outage
  private let historyReader: HistoryReader
  package let agreement: JournalAgreement?
  package let clock: RetentionClock
  package let figures: JournalFigures
  /// The database and its server, for messages.
  package let place: String

  /// Opens a journal, and creates it if there is none.
  ///
  /// - Throws: `JournalFault`; nothing is changed then.
  package init(
    _ configuration: PostgreSQLConfiguration, clock: RetentionClock
  ) throws(JournalFault) {
    let database = try PostgreSQLDatabase(configuration, clock: clock, Outage())
    agreement = configuration.isShared ? try database.agree() : nil
    (positions, figures, outage) = (database.positions, database.figures, database.outage)
    (place, self.clock) = (database.place, clock)
    housekeeping = PostgreSQLHousekeeping(database)
    reader =
      configuration.isShared ? PostgreSQLReader(configuration.address, database.positions) : nil
    historyReader = HistoryReader(configuration.address, at: database.place)
    self.database = Monitor(database)
  }

  deinit { close() }

  package var shared: (any SharedJournal)? { reader == nil ? nil : self }
  package var fault: JournalFault? { outage.fault ?? reader?.fault }
  package var refusal: JournalFault? { outage.fault }
  /// The connection is checked each second, so that a loss is detected before the next change.
  package var interval: Duration? { .seconds(1) }
  package var gathering: Duration? { .milliseconds(1) }
  package var sharingFigures: SharingFigures { positions.figures }
  package var age: Duration? {
    positions.lastReading.withLock(\.self)?.duration(to: .now)
  }
  package var isCaretaker: Bool { housekeeping.isCaretaker.load(ordering: .relaxed) }
  package var histories: any Histories { historyReader }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try withDatabase { (database) throws(JournalFault) in
      try database.recover(reading: read, stateOf: state)
    }
  }

  package func begin(_ follower: any JournalFollower) throws(JournalFault) {
    positions.begin(follower)
    try reader?.start()
    try housekeeping.start()
  }

  package func lock(_ scope: BatchScope) throws(JournalFault) {
    try withDatabase { (database) throws(JournalFault) in try database.lock(scope) }
  }

  package func append(
    _ writes: [JournalWrite], ifStill isCurrent: () -> Bool, whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try withDatabase { (database) throws(JournalFault) in
      try database.append(writes, ifStill: isCurrent, whenDurable: publish)
    }
    return false
  }

  package func refresh(
    _ sessions: [JournalSubject], keys: [[UInt8]],
    whenDone done: @escaping @Sendable (JournalFault?) -> Void
  ) {
    guard let reader else { return done(nil) }
    reader.refresh(sessions, keys: keys, whenDone: done)
  }

  package func release(_ body: (Set<JournalSubject>) -> [JournalSubject]) {
    positions.release(body)
  }

  package func tell(read sessions: [String]) { reader?.tell(read: sessions) }

  package func interrupt() { outage.close() }

  /// Releases the database to other processes, and stops background work.
  package func close() {
    interrupt()
    reader?.close()
    database.withLock { database in
      database?.release()
      database = nil
    }
    housekeeping.close()
    historyReader.close()
  }

  /// Uses the database, until it is closed.
  private func withDatabase<Result>(
    _ body: (PostgreSQLDatabase) throws(JournalFault) -> Result
  ) throws(JournalFault) -> Result {
    try database.withLock { (database) throws(JournalFault) in
      guard let database else { throw .closed }
      return try body(database)
    }
  }
}
