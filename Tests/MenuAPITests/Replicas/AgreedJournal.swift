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

  /// Waits until everything that was added is settled, and whoever waited for that has been called.
  func settle() {
    guard let ticket = try? journal.append(JournalWrite()) else { return }
    journal.startWriting()
    #expect(ticket.wait() == .durable)
  }

  var fault: JournalFault? { journal.fault }
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

  func append(_ write: JournalWrite) throws(JournalFault) -> Ticket { try journal.append(write) }

  func startWriting() { journal.startWriting() }

  func confirm(_ position: Int64) -> Ticket { journal.confirm(position) }

  func load(_ session: JournalSubject) -> Ticket { journal.load(session) }

  func tell(read sessions: [String]) { journal.tell(read: sessions) }

  func close() { journal.close() }
}
