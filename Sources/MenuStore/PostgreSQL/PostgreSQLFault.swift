/// A failure of PostgreSQL.
enum PostgreSQLFault: Error, Equatable, Sendable {
  /// The connection is lost, or could not be made.
  case lost(String)
  /// The server refused, and the transaction is rolled back; `state` is the SQLSTATE.
  case refused(state: String, message: String)
}

extension JournalFault {
  /// Runs a closure that only PostgreSQL can make fail, and adds the database to its fault.
  static func of<Result>(
    database place: String, _ body: () throws(PostgreSQLFault) -> Result
  ) throws(JournalFault) -> Result {
    do throws(PostgreSQLFault) {
      return try body()
    } catch {
      throw JournalFault(error, place)
    }
  }

  init(_ fault: PostgreSQLFault, _ place: String) {
    switch fault {
    case .lost(let message): self = .unreachable(database: place, message: message)
    // The class 53 is for insufficient resources: this is `disk_full`.
    case .refused("53100", _): self = .noRoom(path: place)
    case .refused(let state, let message):
      self = .refusedByDatabase(place, state: state, message: message)
    }
  }
}

extension PostgreSQLConnection {
  /// Runs statements as a pipeline; see `exchange(_:)`.
  ///
  /// - Parameter place: The database, for the fault.
  func exchange(
    _ statements: [PostgreSQLStatement], in place: String
  ) throws(JournalFault) -> [PostgreSQLRow] {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try exchange(statements)
    }
  }

  /// Runs a statement, and returns its first row, if there is one.
  ///
  /// - Parameter place: The database, for the fault.
  func row(
    of text: String, _ values: [PostgreSQLValue] = [], in place: String
  ) throws(JournalFault) -> PostgreSQLRow? {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try row(of: text, values)
    }
  }

  /// Returns the last batch that a writer has committed.
  ///
  /// - Throws: `JournalFault.takenOver` if the database has no row of it any more.
  @discardableResult
  func lastBatch(of writer: [UInt8], in place: String) throws(JournalFault) -> Int64 {
    let row = try row(
      of: "SELECT batch FROM menud_writer WHERE id = $1", [.bytes(writer)], in: place)
    guard let batch = row?.int(0) else { throw .takenOver(database: place) }
    return batch
  }
}
