import Locks
import Synchronization

/// A journal in a PostgreSQL database, shared by several replicas.
///
/// One thread commits batches; for each it locks the end of the journal, applies the other replicas' commits,
/// and commits. Another thread reads the other replicas' commits.
package final class SharedPostgreSQLJournal: SharedJournal {
  private let storage: PostgreSQLStorage
  private let sharing: Sharing
  private let reader: PostgreSQLReader
  private let commits: GroupCommit
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
    let commit: GroupCommit.Commit = { (writes) throws(JournalFault) in
      try storage.commit(writes)
    }
    commits = GroupCommit(
      storage.figures, lookingEvery: .seconds(1), hurryingAfter: .milliseconds(5),
      sharesTickets: false, returning: { sharing.returning.load(ordering: .relaxed) },
      preparing: { storage.prepare() }, commit)
  }

  deinit { close() }

  package var fault: JournalFault? { storage.outage.fault ?? reader.fault ?? commits.fault }
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
    try commits.start(after: nil)
    try reader.start()
  }

  package func append(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    if let fault = storage.outage.fault { throw fault }
    return try commits.append(write)
  }

  package func startWriting() { commits.startWriting() }

  package func confirm(_ position: Int64) -> Ticket { reader.confirm(position) }

  package func tell(read sessions: [String]) { reader.tell(read: sessions) }

  package func load(_ session: JournalSubject) -> Ticket { reader.load(session) }

  package func close() {
    // Waits for an unreachable database end.
    storage.outage.close()
    commits.close()
    reader.close()
    storage.close()
  }
}
