/// The rows of histories in a SQLite file.
///
/// It begins no transactions. A row that is added removes those of its history that are beyond its bounds, and some of all
/// histories that are too old.
final class HistoryTable {
  /// The statements that create it, as SQLite stores them.
  static let tables = [
    """
    CREATE TABLE history (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, \
    subject TEXT NOT NULL, opening INTEGER NOT NULL, position INTEGER NOT NULL, \
    base INTEGER NOT NULL, revision INTEGER NOT NULL, time INTEGER NOT NULL, \
    record BLOB NOT NULL, result BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT
    """,
    "CREATE INDEX historyPosition ON history (subject, opening, position)",
  ]

  /// The most old rows that are removed with one that is added: more than one, so that they cannot pile up.
  private static let removalsAtOnce: Int64 = 4
  /// The number of bytes of one history after which those beyond the bound are removed.
  private static let step: Int64 = 1 << 14

  private let insert: SQLiteStatement
  private let removeFirst: SQLiteStatement
  private let removeOld: SQLiteStatement
  private let removeAll: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(SQLiteFault) {
    insert = try connection.prepare(
      """
      INSERT INTO history (sequence, \(HistoryQuestion.columns(opening: "opening"))) \
      SELECT ?1, ?2, ?3, ?4 + coalesce((SELECT max(position) FROM history \
      WHERE subject = ?2 AND opening = ?3), 0), ?5, ?6, ?7, ?8, ?9, ?10 RETURNING position
      """)
    removeFirst = try connection.prepare(
      "DELETE FROM history WHERE subject = ? AND opening = ? AND position <= ?")
    removeOld = try connection.prepare(
      "DELETE FROM history WHERE id IN (SELECT id FROM history ORDER BY id LIMIT ?) AND time < ?")
    removeAll = try connection.prepare("DELETE FROM history WHERE subject = ?")
  }

  /// Adds a row behind those of its session, with the last record.
  func add(_ row: HistoryRow, at sequence: Int64) throws(SQLiteFault) {
    let (subject, opening) = (SQLiteValue.text(row.subject.text), SQLiteValue.int(row.opening))
    try insert.start(
      .int(sequence), subject, opening, .int(row.size), .int(row.base), .int(row.revision),
      .int(row.time), .blob(row.record), .blob(row.result), .int(row.checksum))
    _ = try insert.next()
    let end = insert[0].int ?? 0
    try insert.finish()
    try removeOld.start(.int(Self.removalsAtOnce), .int(row.oldest))
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
}

// MARK: In the file

extension JournalFile {
  /// The table, which a journal of a version without histories gets with its first batch.
  func historyTable() throws(JournalFault) -> HistoryTable {
    if let histories { return histories }
    let table = try JournalFault.of(place) { () throws(SQLiteFault) in
      try JournalSchema.addHistory(connection)
      return try HistoryTable(connection)
    }
    histories = table
    return table
  }

  /// Returns rows of the history of a session, the latest first.
  func history(_ question: HistoryQuestion) throws(JournalFault) -> [HistoryRow] {
    guard histories != nil else { return [] }
    var rows: [HistoryRow] = []
    try read(
      HistoryQuestion.entries(in: "history", opening: "opening"),
      .text(question.subject.text), .int(question.opening), .int(question.oldest),
      .int(question.before), .int(Int64(question.limit))
    ) { (statement) throws(JournalFault) in
      guard let row = statement.historyRow else {
        throw .damaged(path: place, .history(question.subject))
      }
      rows.append(row)
    }
    return rows
  }

  /// Returns the revision after which the history of a session knows all changes; nil if it has no rows.
  func historyBeginning(_ question: HistoryQuestion) throws(JournalFault) -> Int64? {
    guard histories != nil else { return nil }
    var beginning: Int64?
    try read(
      HistoryQuestion.beginning(in: "history", opening: "opening"),
      .text(question.subject.text), .int(question.opening), .int(question.oldest)
    ) { beginning = $0[0].int }
    return beginning
  }

  /// Reads the rows of all histories, those of each in order.
  func readHistories(
    _ read: (HistoryRow) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    guard histories != nil else { return }
    try self.read(
      "SELECT \(HistoryQuestion.columns(opening: "opening")) FROM history ORDER BY id"
    ) { (statement) throws(JournalFault) in
      guard let row = statement.historyRow else { throw .damaged(path: place, .histories) }
      try read(row)
    }
  }

  private func read(
    _ text: String, _ values: SQLiteValue...,
    row read: (SQLiteStatement) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    let statement = try JournalFault.of(place) { () throws(SQLiteFault) in
      let statement = try connection.prepare(text)
      try statement.start(values)
      return statement
    }
    while try JournalFault.of(place, { () throws(SQLiteFault) in try statement.next() }) {
      try read(statement)
    }
  }
}

extension SQLiteStatement {
  /// The row of a history in the present row; nil if it is not as it was written.
  fileprivate var historyRow: HistoryRow? {
    HistoryRow(
      subject: self[0].text, (1...5).map { self[$0].int }, record: self[6].blob,
      result: self[7].blob, checksum: self[8].int)
  }
}
