import Locks

/// Reads the histories of sessions from PostgreSQL, over a connection of its own, which is opened by the first query.
final class HistoryReader: Histories {
  private enum Reach {
    case none
    case connected(PostgreSQLConnection)
    case closed
  }

  /// The maximum time to wait for the server, because a request is waiting.
  private static let patience = Duration.seconds(2)

  private let address: PostgreSQLAddress
  private let place: String
  private let reach = Monitor(Reach.none)

  init(_ address: PostgreSQLAddress, at place: String) {
    (self.address, self.place) = (address, place)
  }

  func close() { reach.withLock { $0 = .closed } }

  /// Returns the rows that a query selects.
  func rows(for question: HistoryQuestion) throws(JournalFault) -> [HistoryRow] {
    let rows = try self.rows(
      HistoryQuestion.entries(in: "menud_history", opening: "incarnation"),
      of: question.scope + [.int(question.before), .int(Int64(question.limit))])
    return try rows.map { (row) throws(JournalFault) in
      guard let row = row.historyRow else {
        throw .damagedDatabase(place, .history(question.subject))
      }
      return row
    }
  }

  /// Returns the range of changes in a history; nil if it has no rows.
  func extent(for question: HistoryQuestion) throws(JournalFault) -> HistoryExtent? {
    let rows = try self.rows(
      HistoryQuestion.extent(in: "menud_history", opening: "incarnation"), of: question.scope)
    return rows.first.flatMap { HistoryExtent(beginning: $0.int(0), end: $0.int(1)) }
  }

  /// Reads the rows of all open sessions, those of each history in order.
  func readAll(_ read: (HistoryRow) throws(JournalFault) -> Void) throws(JournalFault) {
    try self.read(
      """
      SELECT h.\(HistoryQuestion.columns(opening: "incarnation").replacing(", ", with: ", h.")) \
      FROM menud_history h JOIN menud_subject e USING (subject, incarnation) \
      ORDER BY h.subject, h.incarnation, h.position
      """, of: []
    ) { (row) throws(JournalFault) in
      guard let row = row.historyRow else { throw .damagedDatabase(place, .histories) }
      try read(row)
    }
  }

  /// Returns the rows of a statement. If the connection was lost since the last one, it reconnects once.
  private func rows(
    _ statement: String, of values: [PostgreSQLValue]
  ) throws(JournalFault) -> [PostgreSQLRow] {
    let wasConnected = reach.withLock { if case .connected = $0 { true } else { false } }
    var rows: [PostgreSQLRow] = []
    do throws(JournalFault) {
      try read(statement, of: values) { rows.append($0) }
    } catch {
      guard wasConnected, case .unreachable = error else { throw error }
      rows = []
      try read(statement, of: values) { rows.append($0) }
    }
    return rows
  }

  private func read(
    _ statement: String, of values: [PostgreSQLValue],
    _ read: (PostgreSQLRow) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    try reach.withLock { (reach) throws(JournalFault) in
      do throws(JournalFault) {
        let connection = try connection(&reach)
        try connection.start(statement, values)
        while let found = try connection.next() { try read(found) }
      } catch {
        // A connection with unread rows cannot be used again.
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
      let new = try PostgreSQLConnection(address, knownAs: place, patience: Self.patience)
      // These return the first row without delay.
      try new.execute("SET enable_sort = off; SET enable_seqscan = off; SET enable_hashjoin = off")
      reach = .connected(new)
      return new
    }
  }
}

extension HistoryQuestion {
  /// The values that select the session's incarnation and the time.
  fileprivate var scope: [PostgreSQLValue] {
    [.text(subject.text), .int(opening), .int(oldest)]
  }
}

extension PostgreSQLRow {
  /// The row of a history; nil if it is malformed.
  fileprivate var historyRow: HistoryRow? {
    HistoryRow(
      subject: text(0), (1...5).map { int($0) }, record: bytes(6), result: bytes(7),
      checksum: int(8))
  }
}
