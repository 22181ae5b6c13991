import StoreSupport
import Testing

@testable import MenuStore

/// A journal in PostgreSQL that others share, with the word, the numbers and the time that a test expects.
final class AgreedJournal: SharedJournal {
  let agreement: JournalAgreement
  private let journal: SharedPostgreSQLJournal

  init(
    in schema: PostgreSQLSchemaForTests, agreeing agreement: JournalAgreement, clock: RetentionClock
  ) throws(JournalFault) {
    journal = try SharedPostgreSQLJournal(
      PostgreSQLConfiguration(address: try schema.address), clock: clock)
    // They are opened one after the other, while the clocks of tests stand still.
    clock.begin(at: 0)
    self.agreement = agreement
  }

  var fault: JournalFault? { journal.fault }
  var refusal: JournalFault? { journal.refusal }
  var interval: Duration? { journal.interval }
  var haste: Duration { journal.haste }
  var clock: RetentionClock { journal.clock }
  var figures: JournalFigures { journal.figures }
  var sharingFigures: SharingFigures { journal.sharingFigures }
  var position: Int64 { journal.position }
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
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try journal.append(writes, whenDurable: publish)
  }

  func lock() { journal.lock() }

  func beginBatch() throws(JournalFault) { try journal.beginBatch() }

  func interrupt() { journal.interrupt() }

  func confirm(_ position: Int64) -> Ticket { journal.confirm(position) }

  func load(_ session: JournalSubject) -> Ticket { journal.load(session) }

  func tell(read sessions: [String]) { journal.tell(read: sessions) }

  func close() { journal.close() }
}
