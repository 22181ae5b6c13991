/// The rows of histories in a SQLite file, grouped by session.
///
/// It begins no transactions. From time to time, adding a row removes older rows of its history that exceed the
/// bounds. The rows of a session that no longer changes are removed when it is closed.
final class HistoryTable {
  /// The statement that creates it, as SQLite stores it.
  static let table = """
    CREATE TABLE history (subject TEXT NOT NULL, opening INTEGER NOT NULL, \
    position INTEGER NOT NULL, sequence INTEGER NOT NULL, base INTEGER NOT NULL, \
    revision INTEGER NOT NULL, time INTEGER NOT NULL, record BLOB NOT NULL, result BLOB NOT NULL, \
    checksum INTEGER NOT NULL, PRIMARY KEY (subject, opening, position)) STRICT, WITHOUT ROWID
    """

  /// The maximum number of bytes added to a history between two removals of excess rows.
  private static let step: Int64 = 1 << 14

  private let insert: SQLiteStatement
  private let end: SQLiteStatement
  private let removeFirst: SQLiteStatement
  private let removeAll: SQLiteStatement
  /// The last positions of the histories to which rows were added since the opening, or since a fault.
  private var ends: [JournalSubject: (opening: Int64, position: Int64)] = [:]

  init(_ connection: SQLiteConnection) throws(JournalFault) {
    insert = try connection.prepare("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    end = try connection.prepare(
      "SELECT max(position) FROM history WHERE subject = ? AND opening = ?")
    removeFirst = try connection.prepare(
      """
      DELETE FROM history WHERE subject = ?1 AND opening = ?2 AND (position <= ?3 OR time < ?4)
      """)
    removeAll = try connection.prepare("DELETE FROM history WHERE subject = ?")
  }

  /// Adds a row after those of its session, together with the last record.
  func add(_ row: HistoryRow, at sequence: Int64) throws(JournalFault) {
    let former = try lastPosition(of: row)
    let position = former + row.size
    try insert.run(
      .text(row.subject.text), .int(row.opening), .int(position), .int(sequence), .int(row.base),
      .int(row.revision), .int(row.time), .blob(row.record), .blob(row.result),
      .int(row.checksum))
    ends[row.subject] = (row.opening, position)
    let step = max(1, min(Self.step, Int64(row.bounds.size / 4)))
    guard position / step != former / step else { return }
    try removeFirst.run(
      .text(row.subject.text), .int(row.opening), .int(position - Int64(row.bounds.size)),
      .int(row.oldest))
  }

  private func lastPosition(of row: HistoryRow) throws(JournalFault) -> Int64 {
    if let known = ends[row.subject], known.opening == row.opening { return known.position }
    try end.start(.text(row.subject.text), .int(row.opening))
    var position: Int64 = 0
    while try end.next() { position = end[0].int ?? 0 }
    return position
  }

  /// Removes the history of a closed session.
  func remove(_ subject: JournalSubject) throws(JournalFault) {
    ends[subject] = nil
    try removeAll.run(.text(subject.text))
  }

  /// Discards the positions that a failed transaction added.
  func rollBack() { ends = [:] }
}

// MARK: In the file

extension JournalFile {
  /// Returns the table, which is added with the first batch to a journal of a format without histories.
  func historyTable() throws(JournalFault) -> HistoryTable {
    if let histories { return histories }
    try JournalSchema.addHistory(connection)
    let table = try HistoryTable(connection)
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

  /// Returns the range of changes in a session's history; nil if it has no rows.
  func historyExtent(_ question: HistoryQuestion) throws(JournalFault) -> HistoryExtent? {
    guard histories != nil else { return nil }
    var extent: HistoryExtent?
    try read(
      HistoryQuestion.extent(in: "history", opening: "opening"),
      .text(question.subject.text), .int(question.opening), .int(question.oldest)
    ) { extent = HistoryExtent(beginning: $0[0].int, end: $0[1].int) }
    return extent
  }

  /// Reads the rows of all histories; the rows of one history are in order.
  func readHistories(
    _ read: (HistoryRow) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    guard histories != nil else { return }
    try self.read(
      """
      SELECT \(HistoryQuestion.columns(opening: "opening")) FROM history \
      ORDER BY subject, opening, position
      """
    ) { (statement) throws(JournalFault) in
      guard let row = statement.historyRow else { throw .damaged(path: place, .histories) }
      try read(row)
    }
  }

  private func read(
    _ text: String, _ values: SQLiteValue...,
    row read: (SQLiteStatement) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    let statement = try connection.prepare(text)
    try statement.start(values)
    while try statement.next() { try read(statement) }
  }
}

extension SQLiteStatement {
  /// The history row in the present row; nil if it is malformed.
  fileprivate var historyRow: HistoryRow? {
    HistoryRow(
      subject: self[0].text, (1...5).map { self[$0].int }, record: self[6].blob,
      result: self[7].blob, checksum: self[8].int)
  }
}
