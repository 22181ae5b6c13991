import StoreSupport
import Testing

@testable import MenuStore

/// A journal in PostgreSQL that others share, with the word, the numbers and the time that a test expects.
final class AgreedJournal: SharedJournal {
  let agreement: JournalAgreement?
  private let journal: PostgreSQLJournal

  init(
    in schema: PostgreSQLSchemaForTests, agreeing agreement: JournalAgreement,
    clock: RetentionClock, at moment: Int64
  ) throws(JournalFault) {
    var configuration = PostgreSQLConfiguration(address: try schema.address)
    configuration.isShared = true
    journal = try PostgreSQLJournal(configuration, clock: clock)
    // The clock of the test is that of the database.
    clock.begin(at: moment)
    self.agreement = agreement
  }

  var shared: (any SharedJournal)? { self }
  var fault: JournalFault? { journal.fault }
  var refusal: JournalFault? { journal.refusal }
  var interval: Duration? { journal.interval }
  var clock: RetentionClock { journal.clock }
  var figures: JournalFigures { journal.figures }
  var sharingFigures: SharingFigures { journal.sharingFigures }
  var age: Duration? { journal.age }
  var isCaretaker: Bool { journal.isCaretaker }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try journal.recover(reading: read, stateOf: state)
  }

  func begin(_ follower: any JournalFollower) throws(JournalFault) { try journal.begin(follower) }

  func append(
    _ writes: [JournalWrite], ifStill isCurrent: () -> Bool, whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try journal.append(writes, ifStill: isCurrent, whenDurable: publish)
  }

  func lock(_ scope: BatchScope) throws(JournalFault) { try journal.lock(scope) }

  var histories: any Histories { journal.histories }

  func interrupt() { journal.interrupt() }

  func refresh(
    _ sessions: [JournalSubject], keys: [[UInt8]],
    whenDone done: @escaping @Sendable (JournalFault?) -> Void
  ) {
    journal.refresh(sessions, keys: keys, whenDone: done)
  }

  func release(_ body: (Set<JournalSubject>) -> [JournalSubject]) { journal.release(body) }

  func tell(read sessions: [String]) { journal.tell(read: sessions) }

  func close() { journal.close() }
}
