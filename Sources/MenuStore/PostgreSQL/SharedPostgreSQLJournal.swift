import Locks
import Synchronization

/// A journal in a PostgreSQL database, shared by several replicas.
///
/// Each batch is committed with the end of the journal locked, from publishing what other processes committed to the
/// commit. A thread of its own reads what they commit meanwhile.
package final class SharedPostgreSQLJournal: SharedJournal {
  private let storage: PostgreSQLStorage
  private let sharing: Sharing
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
    let outage = Outage()
    let database = try PostgreSQLDatabase(configuration, clock: clock, outage)
    agreement = try database.agree()
    let sharing = database.sharing ?? Sharing(place: database.place)
    self.sharing = sharing
    let storage = PostgreSQLStorage(database, outage)
    self.storage = storage
    self.clock = clock
    reader = PostgreSQLReader(configuration.address, sharing, place: storage.place)
  }

  deinit { close() }

  package var fault: JournalFault? { storage.outage.fault ?? reader.fault }
  package var refusal: JournalFault? { storage.outage.fault }
  package var interval: Duration? { .seconds(1) }
  package var haste: Duration { .milliseconds(5) }
  package var figures: JournalFigures { storage.figures }
  package var sharingFigures: SharingFigures { sharing.figures }
  package var age: Duration? {
    sharing.lastReading.withLock(\.self)?.duration(to: .now)
  }
  package var position: Int64 { sharing.position }
  package var isCaretaker: Bool { sharing.isCaretaker.load(ordering: .relaxed) }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try storage.recover(reading: read, stateOf: state)
  }

  package func begin(_ follower: any JournalFollower) throws(JournalFault) {
    sharing.begin(follower)
    try reader.start()
  }

  package func lock() { try? storage.withDatabase { $0.lockInAdvance() } }

  package func beginBatch() throws(JournalFault) {
    try storage.withDatabase { (database) throws(JournalFault) in try database.beginBatch() }
  }

  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try storage.withDatabase { (database) throws(JournalFault) in
      try database.appendShared(writes, whenDurable: publish)
    }
  }

  package func confirm(_ position: Int64) -> Ticket { reader.confirm(position) }

  package func tell(read sessions: [String]) { reader.tell(read: sessions) }

  package func load(_ session: JournalSubject) -> Ticket { reader.load(session) }

  package func interrupt() { storage.outage.close() }

  package func close() {
    interrupt()
    reader.close()
    storage.close()
  }
}
