import Glibc

/// A reason why a journal cannot be used, or does not take something.
package enum JournalFault: Error, Hashable, Sendable {
  /// There is no room left on the disk.
  case noRoom(path: String)
  /// The system refused; the number is its `errno`.
  case system(path: String, code: Int32)
  /// The system took what was written and failed to flush it; the number is its `errno`. A process that
  /// starts now would find it.
  case unflushed(path: String, code: Int32)
  /// Writes failed after an `unflushed`, so that what was refused may be found by the next start.
  case outcomeUnknown
  /// The path is a symbolic link, whose target is not there.
  case danglingLink(path: String)
  /// A file of the open journal was removed or replaced.
  case removed(path: String)
  /// SQLite refused for a reason of its own.
  case refused(path: String, message: String)
  /// Another process has the journal; which, when it says.
  case locked(path: String, holder: Int32?)
  /// Another program has the file open in SQLite.
  case busy(path: String)
  /// There is a file, but it is another program's.
  case foreign(path: String)
  /// It was written by a version of the program that was never released.
  case unreleased(place: String)
  /// It was written by a version of the program that knows more.
  case newer(path: String, version: Int64, known: Int64)
  /// It is not as it was written.
  case damaged(path: String, Damage)
  /// A record or state cannot be understood, although it is as it was written.
  case unreadable(JournalSubject, sequence: Int64?, reason: String)
  /// Something cannot be written as bytes, and so was not accepted.
  case unwritable(JournalSubject, reason: String)
  /// The journal was closed.
  case closed
  /// The database cannot be reached at the moment; the message is libpq's.
  case unreachable(database: String, message: String)
  /// The database refused, with that SQLSTATE.
  case refusedByDatabase(String, state: String, message: String)
  /// Another process has the journal in that database.
  case lockedDatabase(String)
  /// The search path leads to no schema in which the journal could be.
  case noSchema(database: String, searchPath: String)
  /// Another process took the journal over, or the database is not the one that it was.
  case takenOver(database: String)
  /// The connection was lost while a change was committed, and nobody knows whether it was.
  case unresolved(database: String)
  /// Another process committed what this does not stand on.
  case conflict
  /// The database has no longer what this process has not read yet.
  case fellBehind(database: String)
  /// The database's content is not as it was written.
  case damagedDatabase(String, Damage)

  /// True if the disk has no room, whether that was told when it was written or flushed.
  package var isOfRoom: Bool {
    switch self {
    case .noRoom: true
    case .unflushed(_, let code): [ENOSPC, EDQUOT].contains(code)
    case .system, .danglingLink, .removed, .outcomeUnknown, .refused, .locked, .busy, .foreign,
      .unreleased, .newer, .damaged, .unreadable, .unwritable, .closed, .unreachable, .refusedByDatabase,
      .lockedDatabase, .noSchema, .takenOver, .unresolved, .conflict, .fellBehind,
      .damagedDatabase:
      false
    }
  }

  /// True if the database is not there, or not for this process.
  package var isOfReach: Bool {
    switch self {
    case .unreachable, .lockedDatabase, .takenOver, .fellBehind: true
    case .noRoom, .system, .danglingLink, .removed, .unflushed, .outcomeUnknown, .refused, .locked, .busy,
      .foreign, .unreleased, .newer, .damaged, .unreadable, .unwritable, .closed,
      .refusedByDatabase, .noSchema, .unresolved, .conflict, .damagedDatabase:
      false
    }
  }

  /// True if nothing will be taken until the program is started again.
  package var isFinal: Bool {
    switch self {
    case .takenOver, .fellBehind, .unreadable, .damagedDatabase: true
    default: false
    }
  }

  /// The part that is not as it was written.
  package enum Damage: Hashable, Sendable {
    /// The file is empty, which no journal ever is.
    case empty
    /// The file has a log of SQLite's beside it, but is not there itself.
    case onlyLog(path: String)
    /// SQLite's log has whole writes behind one that is not as it was written; of the records up to `last`, those from
    /// `first` on are lost with it.
    case log(path: String, first: Int64, last: Int64)
    /// SQLite says what is wrong.
    case file(String)
    /// The tables are not those of a journal.
    case tables
    /// The extent that the journal says it has.
    case extent
    /// A record that has others behind it.
    case record(sequence: Int64)
    /// A record that others stand behind is not there.
    case missingRecord(sequence: Int64)
    case state(JournalSubject)
    /// There are more or fewer states than there should be, or others.
    case states
    /// The same for the entries of idempotency.
    case entries
    /// A row of the history of a session.
    case history(JournalSubject)
    /// A row of a history whose session is unknown.
    case histories
    /// Records of a subject are missing, or are others.
    case recordsOf(JournalSubject)
  }
}

/// The result of a recovery.
package struct JournalRecovery: Hashable, Sendable {
  /// The number of records in the journal.
  package var records: Int64 = 0
  /// The number of those that were handed out.
  package var replayed: Int64 = 0
  /// The number of states that were handed out.
  package var states: Int64 = 0
  /// The number of entries of idempotency that were handed out.
  package var entries: Int64 = 0
  /// The number of the last record; 0 when there never was one.
  package var last: Int64 = 0
  /// A number after which openings are numbered as nobody did before; 0 if the journal does not need that.
  package var openings = 0
  /// The notices for the operator.
  package var notices: [JournalNotice] = []

  package init() {}

  /// True if records that somebody may have heard of are not there.
  package var lacksRecords: Bool { notices.contains(where: \.isOfMissingRecords) }
}

/// A notice for the operator about a journal that was opened.
package enum JournalNotice: Hashable, Sendable {
  /// There was none, and so it is new.
  case created(path: String)
  /// The last record is not as it was written and was left out.
  case lastRecordDamaged(sequence: Int64)
  /// Records are missing at the end, although the journal once had them.
  case recordsMissing(first: Int64, last: Int64)
  /// SQLite's log ends in something that was not written to its end, and was left out.
  case unfinishedWrite(path: String, bytes: Int64)
  /// Records were acknowledged and are not there.
  case acknowledgedMissing(first: Int64, last: Int64)
  /// The file that says up to where records were acknowledged cannot be read.
  case markUnreadable(path: String)
}
