import Locks

/// Reads the histories of sessions from PostgreSQL, over a connection of its own, which begins with the first question.
final class HistoryReader: Sendable {
  private enum Reach {
    case none
    case connected(PostgreSQLConnection)
    case closed
  }

  private static let columns =
    "subject, incarnation, position, base, revision, time, record, result, checksum"
  /// The time for which the server may be silent: whoever asks is waiting.
  private static let patience = Duration.seconds(5)

  private let address: PostgreSQLAddress
  private let place: String
  private let reach = Monitor(Reach.none)

  init(_ address: PostgreSQLAddress, at place: String) {
    (self.address, self.place) = (address, place)
  }

  func close() { reach.withLock { $0 = .closed } }

  /// Returns the rows that a question asks for. A connection that was lost since the last question is replaced once.
  func answer(to question: HistoryQuestion) throws(JournalFault) -> [HistoryRow] {
    let statement = """
      SELECT \(Self.columns) FROM menud_history WHERE subject = $1 AND incarnation = $2 \
      AND position < $3 AND time >= $4 \
      ORDER BY position \(question.isFromBeginning ? "ASC" : "DESC") LIMIT $5
      """
    let values: [PostgreSQLValue] = [
      .text(question.subject.text), .int(question.opening), .int(question.before),
      .int(question.since), .int(Int64(question.limit)),
    ]
    let wasConnected = reach.withLock { if case .connected = $0 { true } else { false } }
    do throws(JournalFault) {
      return try rows(of: statement, values)
    } catch {
      guard wasConnected, case .unreachable = error else { throw error }
      return try rows(of: statement, values)
    }
  }

  private func rows(
    of statement: String, _ values: [PostgreSQLValue]
  ) throws(JournalFault) -> [HistoryRow] {
    var rows: [HistoryRow] = []
    try read(statement, of: values) { rows.append($0) }
    return rows
  }

  /// Reads all rows, those of each history in order.
  func readAll(_ read: (HistoryRow) throws(JournalFault) -> Void) throws(JournalFault) {
    try self.read(
      "SELECT \(Self.columns) FROM menud_history ORDER BY subject, incarnation, position", of: [],
      read)
  }

  private func read(
    _ statement: String, of values: [PostgreSQLValue],
    _ read: (HistoryRow) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    try reach.withLock { (reach) throws(JournalFault) in
      do throws(JournalFault) {
        let connection = try connection(&reach)
        try ofDatabase { () throws(PostgreSQLFault) in try connection.start(statement, values) }
        while let found = try ofDatabase({ () throws(PostgreSQLFault) in try connection.next() }) {
          guard let row = found.historyRow else { throw .damagedDatabase(place, .histories) }
          try read(row)
        }
      } catch {
        // One whose rows were not all read cannot be asked again.
        if error != .closed { reach = .none }
        throw error
      }
    }
  }

  private func connection(_ reach: inout Reach) throws(JournalFault) -> PostgreSQLConnection {
    switch reach {
    case .closed: throw .closed
    case .connected(let known): return known
    case .none:
      let new = try ofDatabase { () throws(PostgreSQLFault) in
        try PostgreSQLConnection(address, patience: Self.patience)
      }
      reach = .connected(new)
      return new
    }
  }

  private func ofDatabase<Result>(
    _ body: () throws(PostgreSQLFault) -> Result
  ) throws(JournalFault) -> Result { try JournalFault.of(database: place, body) }
}

extension PostgreSQLRow {
  /// The row of a history; nil if it is not as it was written.
  fileprivate var historyRow: HistoryRow? {
    guard let subject = text(0), let opening = int(1), let position = int(2), let base = int(3),
      let revision = int(4), let time = int(5), let record = bytes(6), let result = bytes(7)
    else { return nil }
    let row = HistoryRow(
      subject: JournalSubject(text: subject), opening: opening, base: base, revision: revision,
      time: time, record: record, result: result, position: position)
    return row.checksum == int(8) ? row : nil
  }
}
