/// A failure of PostgreSQL.
enum PostgreSQLFault: Error, Equatable, Sendable {
  /// There is no connection, or no longer.
  case lost(String)
  /// The server refused, and nothing of the transaction is left; the state is its SQLSTATE.
  case refused(state: String, message: String)
}

extension JournalFault {
  /// Does what only PostgreSQL can refuse, about that database.
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
    // The class of what the server has too little of: `disk_full` is one.
    case .refused("53100", _): self = .noRoom(path: place)
    case .refused(let state, let message):
      self = .refusedByDatabase(place, state: state, message: message)
    }
  }
}
