/// The address of a journal in PostgreSQL, and its settings.
package struct PostgreSQLConfiguration: Sendable {
  package var address: PostgreSQLAddress
  /// The durability of acknowledged changes; `normal` and `off` are the same here.
  package var durability = Durability.full
  /// The number of records of a changed session before its state replaces them.
  package var snapshotEvery = 50
  /// True if other replicas may share the journal. The default is false.
  package var isShared = false
  /// True if the database must not be changed. The default is false.
  package var isOnlyRead = false
  /// The time between two housekeeping rounds of the caretaker; the default is ten seconds.
  package var housekeeping = Duration.seconds(10)
  /// The time after which the state of a session is written, unless it changes often; the default is one minute.
  package var stateDelay = Duration.seconds(60)
  /// The maximum number of answers kept in a shared journal; the default is 100,000.
  package var keptAnswers = KeptAnswers.Bounds().count

  /// Creates the configuration of a journal at an address. Missing tables are created.
  package init(address: PostgreSQLAddress) { self.address = address }
}

/// The open database of a journal: the connection that writes, whose lock excludes other processes.
///
/// One thread uses it at a time.
final class PostgreSQLDatabase {
  let configuration: PostgreSQLConfiguration
  /// The connection; it is replaced when it is lost.
  var connection: PostgreSQLConnection
  /// The part of the journal that this process holds.
  let positions: JournalPositions
  /// The rows that are locked for the next batch; nil if none are.
  var locked: Locked?
  var server: ServerProcess
  /// The notices about the opening, for the operator.
  let notices: [JournalNotice]
  /// The number of the last batch.
  var committed: Int64 = 0
  /// True if the last batch failed.
  var hasFailed = false
  /// The final fault, after which nothing is accepted; nil if there is none.
  var end: JournalFault?
  let clock: RetentionClock
  let figures = JournalFigures()
  let outage: Outage

  /// The kinds of locked rows.
  enum Locked {
    /// The rows of the batch's sessions.
    case sessions
    /// The end of the directory, and the rows of the sessions.
    case directory
  }

  /// The end of the recovered contents.
  struct End {
    /// The end of the directory.
    var directory: Int64 = 0
    /// The record of the last change of the catalogue.
    var catalogAt: Int64 = 0
    /// The position of each subject in memory.
    var positions: [JournalSubject: SubjectPosition] = [:]
    /// The sessions with so many records after their states that new states are due.
    var marks: [LaggingStates.Mark] = []
  }

  /// Opens the database, and creates missing tables, unless it is read-only.
  init(
    _ configuration: PostgreSQLConfiguration, clock: RetentionClock, _ outage: Outage
  ) throws(JournalFault) {
    connection = try PostgreSQLConnection(configuration.address)
    (server, notices) = try Self.prepare(connection, configuration)
    self.configuration = configuration
    positions = JournalPositions(place: connection.place, stateDelay: configuration.stateDelay)
    self.clock = clock
    self.outage = outage
  }

  /// The database and its server, for messages.
  var place: String { connection.place }

  /// Takes the lock, and creates missing tables.
  private static func prepare(
    _ connection: PostgreSQLConnection, _ configuration: PostgreSQLConfiguration
  ) throws(JournalFault) -> (ServerProcess, [JournalNotice]) {
    let place = connection.place
    try lock(connection, configuration)
    let server = try connection.serverProcess
    guard let found = try PostgreSQLSchema.format(of: connection) else {
      throw .unreleased(place: place)
    }
    let known = PostgreSQLSchema.format
    guard found <= known else { throw .newer(path: place, version: found, known: known) }
    guard found == known || found == 0 else { throw .unreleased(place: place) }
    guard !configuration.isOnlyRead else {
      try connection.execute("SET default_transaction_read_only = on")
      return (server, [])
    }
    try makeTables(connection)
    try connection.prepare(configuration, PostgreSQLSchema.writingStatements)
    return (server, found == 0 ? [.created(path: place)] : [])
  }

  /// Creates missing tables; a lock lets only one process at a time do so.
  private static func makeTables(_ connection: PostgreSQLConnection) throws(JournalFault) {
    guard try !PostgreSQLSchema.additions(to: connection).isEmpty else { return }
    try connection.execute(PostgreSQLSchema.makingLock)
    // The statements of one script are one transaction.
    try connection.execute(
      try PostgreSQLSchema.format(of: connection) == 0
        ? PostgreSQLSchema.tables : try PostgreSQLSchema.additions(to: connection))
    try connection.execute(PostgreSQLSchema.makingUnlock)
  }

  static func lock(
    _ connection: PostgreSQLConnection, _ configuration: PostgreSQLConfiguration
  ) throws(JournalFault) {
    let row = try connection.row(
      of: configuration.isShared ? PostgreSQLSchema.sharedLock : PostgreSQLSchema.lock)
    if row?.flag(0) == true { return }
    // Without a schema, the lock is missing too.
    let path = try connection.row(
      of: "SELECT current_setting('search_path') WHERE current_schema() IS NULL")
    throw path?.text(0).map { .noSchema(database: connection.place, searchPath: $0) }
      ?? .lockedDatabase(connection.place)
  }
}
