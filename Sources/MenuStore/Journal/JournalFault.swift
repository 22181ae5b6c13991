import Glibc

/// A reason why a journal cannot be used, or refuses an addition.
package enum JournalFault: Error, Hashable, Sendable {
  /// There is no room left on the disk.
  case noRoom(path: String)
  /// A system call failed with this `errno`.
  case system(path: String, code: Int32)
  /// The data was written, but flushing it failed with this `errno`. A process that starts now would read it.
  case unflushed(path: String, code: Int32)
  /// Writes failed after an `unflushed`, so the next start may find refused changes.
  case outcomeUnknown
  /// The path is a symbolic link, whose target is not there.
  case danglingLink(path: String)
  /// A file of the open journal was removed or replaced.
  case removed(path: String)
  /// SQLite refused for a reason of its own.
  case refused(path: String, message: String)
  /// Another process has locked the journal; `holder` is its id, if known.
  case locked(path: String, holder: Int32?)
  /// Another program has the file open in SQLite.
  case busy(path: String)
  /// The file belongs to another program.
  case foreign(path: String)
  /// It was written by a version of the program that was never released.
  case unreleased(place: String)
  /// It was written in a newer format than this program supports.
  case newer(path: String, version: Int64, known: Int64)
  /// The contents are damaged.
  case damaged(path: String, Damage)
  /// A record or state is intact, but cannot be decoded.
  case unreadable(JournalSubject, sequence: Int64?, reason: String)
  /// An addition cannot be encoded, so it was refused.
  case unwritable(JournalSubject, reason: String)
  /// The journal was closed.
  case closed
  /// The database cannot be reached at the moment; the message is libpq's.
  case unreachable(database: String, message: String)
  /// The database refused a statement with this SQLSTATE.
  case refusedByDatabase(String, state: String, message: String)
  /// Another process has locked the journal in that database.
  case lockedDatabase(String)
  /// The search path has no schema for the journal.
  case noSchema(database: String, searchPath: String)
  /// Another process took the journal over, or the database was replaced.
  case takenOver(database: String)
  /// The connection was lost during a commit, and its outcome is unknown.
  case unresolved(database: String)
  /// Another process committed a conflicting change first.
  case conflict
  /// The database no longer has records that this process has not read yet.
  case fellBehind(database: String)
  /// The contents of the database are damaged.
  case damagedDatabase(String, Damage)

  /// True if the disk is full, whether writing or flushing failed.
  package var isOfRoom: Bool {
    switch self {
    case .noRoom: true
    case .unflushed(_, let code): [ENOSPC, EDQUOT].contains(code)
    case .system, .danglingLink, .removed, .outcomeUnknown, .refused, .locked, .busy, .foreign,
      .unreleased, .newer, .damaged, .unreadable, .unwritable, .closed, .unreachable,
      .refusedByDatabase, .lockedDatabase, .noSchema, .takenOver, .unresolved, .conflict,
      .fellBehind, .damagedDatabase:
      false
    }
  }

  /// True if the database is unavailable, or unavailable to this process.
  package var isOfReach: Bool {
    switch self {
    case .unreachable, .lockedDatabase, .takenOver, .fellBehind: true
    case .noRoom, .system, .danglingLink, .removed, .unflushed, .outcomeUnknown, .refused, .locked,
      .busy, .foreign, .unreleased, .newer, .damaged, .unreadable, .unwritable, .closed,
      .refusedByDatabase, .noSchema, .unresolved, .conflict, .damagedDatabase:
      false
    }
  }

  /// True if every addition is refused until the program is restarted.
  package var isFinal: Bool {
    switch self {
    case .takenOver, .fellBehind, .unreadable, .damagedDatabase: true
    default: false
    }
  }

  /// The damaged part.
  package enum Damage: Hashable, Sendable {
    /// The file is empty, which no journal ever is.
    case empty
    /// SQLite's log is present, but the file itself is missing.
    case onlyLog(path: String)
    /// SQLite's log has complete writes after a damaged one; of the records up to `last`, those from `first` on are
    /// lost.
    case log(path: String, first: Int64, last: Int64)
    /// The fault that SQLite reports.
    case file(String)
    /// The tables do not match the schema of a journal.
    case tables
    /// The extent of the journal, as stored in it.
    case extent
    /// A record that has later ones.
    case record(sequence: Int64)
    /// A missing record that has later ones.
    case missingRecord(sequence: Int64)
    case state(JournalSubject)
    /// The number or the checksum of the states is wrong.
    case states
    /// The number or the checksum of the idempotency entries is wrong.
    case entries
    /// A row of the history of a session.
    case history(JournalSubject)
    /// A row of a history whose session is unknown.
    case histories
    /// Records of a subject are missing or different.
    case recordsOf(JournalSubject)
  }
}

/// The result of a recovery.
package struct JournalRecovery: Hashable, Sendable {
  /// The number of records in the journal.
  package var records: Int64 = 0
  /// The number of records that were replayed.
  package var replayed: Int64 = 0
  /// The number of states that were read.
  package var states: Int64 = 0
  /// The number of idempotency entries that were read.
  package var entries: Int64 = 0
  /// The number of the last record; 0 if there never was one.
  package var last: Int64 = 0
  /// The number after which incarnations can be numbered safely; 0 if the journal does not need one.
  package var openings = 0
  /// The notices for the operator.
  package var notices: [JournalNotice] = []

  package init() {}

  /// True if records are missing that may have been acknowledged.
  package var lacksRecords: Bool { notices.contains(where: \.isOfMissingRecords) }
}

/// A notice for the operator about a journal that was opened.
package enum JournalNotice: Hashable, Sendable {
  /// There was no journal, so a new one was created.
  case created(path: String)
  /// The last record is damaged, and was dropped.
  case lastRecordDamaged(sequence: Int64)
  /// Records are missing at the end that the journal once had.
  case recordsMissing(first: Int64, last: Int64)
  /// SQLite's log ends in an incomplete write, which was dropped.
  case unfinishedWrite(path: String, bytes: Int64)
  /// Acknowledged records are missing.
  case acknowledgedMissing(first: Int64, last: Int64)
  /// The file with the last acknowledged record cannot be read.
  case markUnreadable(path: String)
}
