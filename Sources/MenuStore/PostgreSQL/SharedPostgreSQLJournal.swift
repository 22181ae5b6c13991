import Locks
import Synchronization

/// A journal in a PostgreSQL database, shared by several replicas.
///
/// *Each session has one order, by its row in the database.* A batch is one exchange, which expects each session that it
/// changes at the edition that this replica knows. If another replica changed one of them, nothing of the batch is
/// committed; then its rows are locked, what is missing is read, and it is made again.
///
/// *A replica reads what it holds.* The *directory*, which sessions are open and the catalogue, is read by all. The
/// changes of a session are read by the replicas that have it in memory, when somebody asks for it or follows it.
package final class SharedPostgreSQLJournal: SharedJournal {
  private let storage: PostgreSQLStorage
  private let reader: PostgreSQLReader
  package let clock: RetentionClock
  package let agreement: JournalAgreement

  /// Opens a journal, and creates it if there is none.
  ///
  /// - Throws: `JournalFault`.
  package init(
    _ configuration: PostgreSQLConfiguration, clock: RetentionClock
  ) throws(JournalFault) {
    var configuration = configuration
    configuration.isShared = true
    let database = try PostgreSQLDatabase(configuration, clock: clock, Outage())
    agreement = try database.agree()
    storage = PostgreSQLStorage(database)
    self.clock = clock
    reader = PostgreSQLReader(configuration.address, storage.positions)
  }

  private var positions: JournalPositions { storage.positions }

  deinit { close() }

  package var fault: JournalFault? { storage.outage.fault ?? reader.fault }
  package var refusal: JournalFault? { storage.outage.fault }
  package var interval: Duration? { .seconds(1) }
  package var gathering: Duration? { .milliseconds(1) }
  package var figures: JournalFigures { storage.figures }
  package var sharingFigures: SharingFigures { positions.figures }
  package var age: Duration? {
    positions.lastReading.withLock(\.self)?.duration(to: .now)
  }
  package var isCaretaker: Bool { storage.housekeeping.isCaretaker.load(ordering: .relaxed) }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try storage.recover(reading: read, stateOf: state)
  }

  package func begin(_ follower: any JournalFollower) throws(JournalFault) {
    positions.begin(follower)
    try reader.start()
    try storage.housekeeping.start()
  }

  package func lock(_ scope: BatchScope) throws(JournalFault) {
    try storage.withDatabase { (database) throws(JournalFault) in try database.lock(scope) }
  }

  package func append(
    _ writes: [JournalWrite], ifStill isCurrent: () -> Bool, whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try storage.withDatabase { (database) throws(JournalFault) in
      try database.append(writes, ifStill: isCurrent, whenDurable: publish)
    }
    return false
  }

  package func refresh(_ sessions: [JournalSubject], keys: [[UInt8]]) -> Ticket {
    reader.refresh(sessions, keys: keys)
  }

  package func release(_ body: (Set<JournalSubject>) -> [JournalSubject]) {
    positions.release(body)
  }

  package var histories: any Histories { storage.histories }

  package func tell(read sessions: [String]) { reader.tell(read: sessions) }

  package func interrupt() { storage.outage.close() }

  package func close() {
    interrupt()
    reader.close()
    storage.close()
  }
}
