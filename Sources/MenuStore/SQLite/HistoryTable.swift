/// The rows of histories in a SQLite file.
///
/// It begins no transactions. A row that is added removes those of its history that are beyond its bounds, and some of all
/// histories that are too old.
final class HistoryTable {
  /// The statements that create it, as SQLite stores them.
  static let tables = [
    """
    CREATE TABLE history (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, opening INTEGER NOT NULL, \
    position INTEGER NOT NULL, base INTEGER NOT NULL, revision INTEGER NOT NULL, \
    time INTEGER NOT NULL, record BLOB NOT NULL, result BLOB NOT NULL, \
    checksum INTEGER NOT NULL) STRICT
    """,
    "CREATE INDEX historyPosition ON history (subject, opening, position)",
  ]

  /// The most old rows that are removed with one that is added: more than one, so that they cannot pile up.
  private static let removalsAtOnce: Int64 = 4
  /// The number of bytes of one history after which those beyond the bound are removed.
  private static let step: Int64 = 1 << 14
  private static let columns =
    "subject, opening, position, base, revision, time, record, result, checksum"

  private let insert: SQLiteStatement
  private let removeFirst: SQLiteStatement
  private let removeOld: SQLiteStatement
  private let removeAll: SQLiteStatement

  /// Creates the table in a journal of a version that had none.
  init(_ connection: SQLiteConnection) throws(SQLiteFault) {
    if try connection.value(of: "SELECT 1 FROM sqlite_schema WHERE name = 'history'") == nil {
      // As `JournalFile.beginLogOnce` does.
      _ = try connection.value(of: "PRAGMA wal_checkpoint(TRUNCATE)")
      try connection.transaction { () throws(SQLiteFault) in
        try connection.execute(Self.tables.joined(separator: ";"))
      }
    }
    insert = try connection.prepare(
      """
      INSERT INTO history (\(Self.columns)) SELECT ?1, ?2, ?3 + coalesce((SELECT max(position) \
      FROM history WHERE subject = ?1 AND opening = ?2), 0), ?4, ?5, ?6, ?7, ?8, ?9 \
      RETURNING position
      """)
    removeFirst = try connection.prepare(
      "DELETE FROM history WHERE subject = ? AND opening = ? AND position <= ?")
    removeOld = try connection.prepare(
      "DELETE FROM history WHERE id IN (SELECT id FROM history ORDER BY id LIMIT ?) AND time < ?")
    removeAll = try connection.prepare("DELETE FROM history WHERE subject = ?")
  }

  /// Adds a row behind those of its session.
  func add(_ row: HistoryRow) throws(SQLiteFault) {
    let (subject, opening) = (SQLiteValue.text(row.subject.text), SQLiteValue.int(row.opening))
    try insert.start(
      subject, opening, .int(row.size), .int(row.base), .int(row.revision), .int(row.time),
      .blob(row.record), .blob(row.result), .int(row.checksum))
    _ = try insert.next()
    let end = insert[0].int ?? 0
    try insert.finish()
    try removeOld.start(.int(Self.removalsAtOnce), .int(row.beginning))
    try removeOld.finish()
    let last = end - Int64(row.bounds.size)
    guard last > 0, end / Self.step != (end - row.size) / Self.step else { return }
    try removeFirst.start(subject, opening, .int(last))
    try removeFirst.finish()
  }

  /// Removes the history of a session that is closed.
  func remove(_ subject: JournalSubject) throws(SQLiteFault) {
    try removeAll.start(.text(subject.text))
    try removeAll.finish()
  }

  /// Returns rows of the history of a session, in the order that is asked for.
  static func rows(
    _ question: HistoryQuestion, over connection: SQLiteConnection
  ) throws(SQLiteFault) -> [HistoryRow?] {
    let statement = try connection.prepare(
      """
      SELECT \(columns) FROM history WHERE subject = ? AND opening = ? AND position < ? \
      AND time >= ? ORDER BY position \(question.isFromBeginning ? "ASC" : "DESC") LIMIT ?
      """)
    try statement.start(
      .text(question.subject.text), .int(question.opening), .int(question.before),
      .int(question.since), .int(Int64(question.limit)))
    var rows: [HistoryRow?] = []
    while try statement.next() { rows.append(statement.historyRow) }
    return rows
  }

  /// Returns the statement that selects all rows, those of each history in order.
  static func all(over connection: SQLiteConnection) throws(SQLiteFault) -> SQLiteStatement {
    let statement = try connection.prepare("SELECT \(columns) FROM history ORDER BY id")
    try statement.start()
    return statement
  }
}

extension SQLiteStatement {
  /// The row of a history in the present row; nil if it is not as it was written.
  var historyRow: HistoryRow? {
    guard let subject = self[0].text, let opening = self[1].int, let position = self[2].int,
      let base = self[3].int, let revision = self[4].int, let time = self[5].int,
      let record = self[6].blob, let result = self[7].blob
    else { return nil }
    let row = HistoryRow(
      subject: JournalSubject(text: subject), opening: opening, base: base, revision: revision,
      time: time, record: record, result: result, position: position)
    return row.checksum == self[8].int ? row : nil
  }
}

// MARK: In the file

extension JournalFile {
  func history(_ question: HistoryQuestion) throws(JournalFault) -> [HistoryRow] {
    let rows = try JournalFault.of(place) { () throws(SQLiteFault) in
      try HistoryTable.rows(question, over: connection)
    }
    return try rows.map { (row) throws(JournalFault) in
      guard let row else { throw .damaged(path: place, .history(question.subject)) }
      return row
    }
  }

  func readHistories(
    _ read: (HistoryRow) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    let statement = try JournalFault.of(place) { () throws(SQLiteFault) in
      try HistoryTable.all(over: connection)
    }
    while try JournalFault.of(place, { () throws(SQLiteFault) in try statement.next() }) {
      guard let row = statement.historyRow else { throw .damaged(path: place, .histories) }
      try read(row)
    }
  }
}
