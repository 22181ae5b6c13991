import Glibc
import Synchronization

/// The address of a journal in PostgreSQL, and its settings.
package struct PostgreSQLConfiguration: Sendable {
  package var address: PostgreSQLAddress
  /// The durability of acknowledged changes; `normal` and `off` are the same here.
  package var durability = Durability.full
  /// The number of records of a changed session before its state replaces them.
  package var snapshotEvery = 50
  /// The minimum number of last records that are kept beside states, as in SQLite. A shared journal keeps
  /// them for a minute.
  package var keptRecords = 512
  /// True if other replicas may share the journal. The default is false.
  package var isShared = false
  /// The time between two rounds of housekeeping on a shared journal; the default is ten seconds.
  package var housekeeping = Duration.seconds(10)
  /// The time after which the state of a session is written to a shared journal; the default is a minute.
  package var stateDelay = Duration.seconds(60)
  /// The number of answers that are kept in a shared journal; the default is 100,000.
  package var keptAnswers = KeptAnswers.Bounds().count

  /// Creates the configuration of a journal at an address; its tables are created if there are none.
  package init(address: PostgreSQLAddress) { self.address = address }
}

/// The open database of a journal: one connection, whose lock excludes other processes.
///
/// One thread uses it at a time.
final class PostgreSQLDatabase {
  let configuration: PostgreSQLConfiguration
  /// The connection; it is replaced when it is lost.
  private(set) var connection: PostgreSQLConnection
  /// The progress of this replica; nil if the journal is not shared.
  let sharing: Sharing?
  /// The rows that are locked for the next batch; nil if none are.
  var locked: Locked?
  /// The time at which it was looked whether there is a caretaker.
  var caredAt: ContinuousClock.Instant?
  /// The time of this replica's last round as the caretaker.
  var keptHouseAt: ContinuousClock.Instant?
  /// The time at which it began a round, whole or not.
  var triedHouseAt: ContinuousClock.Instant?
  /// The time at which this replica looked for states to write.
  var wroteStatesAt: ContinuousClock.Instant?
  /// The states of sessions that this replica has changed, and not written so far.
  var laggingStates: LaggingStates
  /// The catalogue's edition of which this replica wrote the state last.
  var writtenCatalog: SubjectPosition?
  private var server: ServerProcess
  /// The notices about the opening, for the operator.
  private(set) var notices: [JournalNotice] = []
  /// The id of the writer in the database; empty until the journal is recovered.
  private(set) var writer: [UInt8] = []
  private(set) var committed: Int64 = 0
  /// The position of each present subject's last record.
  var positions: [JournalSubject: SubjectPosition] = [:]
  var plan: SnapshotPlan
  var sweep: PostgreSQLSweep?
  /// The positions of the subjects when the sweep became due.
  var duePositions: [JournalSubject: SubjectPosition] = [:]
  /// The end of the directory when the journal was recovered.
  var directoryEnd: Int64 = 0
  /// The record of the last change of the catalogue when the journal was recovered.
  var catalogAt: Int64 = 0
  /// The time before which no states are written again, since some could not be made.
  var sweepsAgain: ContinuousClock.Instant?
  /// The last record that is no longer in the database.
  var removed: Int64 = 0
  /// True if the last batch failed.
  var hasFailed = false
  /// The fault after which nothing will be accepted any more; nil without one.
  var end: JournalFault?
  let clock: RetentionClock
  let figures = JournalFigures()
  let outage: Outage

  /// Opens the database, and creates the tables if there are none.
  init(
    _ configuration: PostgreSQLConfiguration, clock: RetentionClock, _ outage: Outage
  ) throws(JournalFault) {
    let connection = try JournalFault.of(database: "PostgreSQL") { () throws(PostgreSQLFault) in
      try PostgreSQLConnection(configuration.address)
    }
    self.connection = connection
    (server, notices) = try Self.prepare(connection, configuration)
    self.configuration = configuration
    sharing = configuration.isShared ? Sharing(place: connection.place) : nil
    self.clock = clock
    self.outage = outage
    laggingStates = LaggingStates(after: configuration.stateDelay)
    plan = SnapshotPlan(
      every: configuration.snapshotEvery,
      keepingLast: configuration.keptRecords)
  }

  /// The database and its server, for messages.
  var place: String { connection.place }

  /// Takes the lock, and creates the tables if there are none.
  private static func prepare(
    _ connection: PostgreSQLConnection, _ configuration: PostgreSQLConfiguration
  ) throws(JournalFault) -> (ServerProcess, [JournalNotice]) {
    let place = connection.place
    try lock(connection, configuration)
    let (server, found) = try JournalFault.of(database: place) {
      () throws(PostgreSQLFault) -> (ServerProcess, Int64?) in
      (try connection.serverProcess, try PostgreSQLSchema.format(of: connection))
    }
    guard let found else { throw .unreleased(place: place) }
    let known = PostgreSQLSchema.format
    guard found <= known else { throw .newer(path: place, version: found, known: known) }
    guard found == known || found == 0 else { throw .unreleased(place: place) }
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      if found == 0 { try makeTables(connection) }
      try connection.prepare(configuration)
    }
    return (server, found == 0 ? [.created(path: place)] : [])
  }

  /// Creates the tables; a lock lets one process at a time do so.
  private static func makeTables(_ connection: PostgreSQLConnection) throws(PostgreSQLFault) {
    try connection.execute(PostgreSQLSchema.makingLock)
    // The statements of one script are one transaction.
    if try PostgreSQLSchema.format(of: connection) == 0 {
      try connection.execute(PostgreSQLSchema.tables)
    }
    try connection.execute(PostgreSQLSchema.makingUnlock)
  }

  private static func lock(
    _ connection: PostgreSQLConnection, _ configuration: PostgreSQLConfiguration
  ) throws(JournalFault) {
    let isLocked = try JournalFault.of(database: connection.place) { () throws(PostgreSQLFault) in
      try connection.row(
        of: configuration.isShared ? PostgreSQLSchema.sharedLock : PostgreSQLSchema.lock)?.flag(0)
    }
    guard isLocked == true else { throw .lockedDatabase(connection.place) }
  }
}

// MARK: Writing

extension PostgreSQLDatabase {
  /// Takes the journal over from the earlier writer, which meets a fault when it writes again.
  func take(afterRecord last: Int64, base: Int64) throws(JournalFault) {
    if let sharing { return try join(sharing, at: last) }
    writer = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      // Replicas that share the journal later agree anew upon the clock by which answers expire.
      try connection.execute("UPDATE menud_head SET shift = NULL")
      let row = try connection.row(
        of: """
          WITH former AS (DELETE FROM menud_writer)
          INSERT INTO menud_writer (batch, sequence, base) VALUES (0, $1, $2) RETURNING id
          """, [.int(last), .int(base)])
      return row?.bytes(0) ?? []
    }
  }

  /// Makes statements durable as the next batch, atomically.
  ///
  /// If the connection is lost meanwhile, waits for the database until it is known whether they are committed.
  func commit(
    _ statements: [PostgreSQLStatement], through last: Int64, base: Int64
  ) throws(JournalFault) {
    if let end { throw end }
    let next = committed + 1
    let mark = PostgreSQLStatement(
      "menud_put_batch", [.bytes(writer), .int(next), .int(last), .int(base)])
    let start = ContinuousClock.now
    var isFirst = true
    while true {
      do throws(PostgreSQLFault) {
        try connection.transact([mark] + statements)
        committed = next
        return
      } catch {
        switch error {
        case .refused(PostgreSQLSchema.notTheWriter, _):
          throw ended(by: .takenOver(database: place))
        case .refused: throw JournalFault(error, place)
        case .lost(let message):
          if try reconnect(after: message, mayHave: next) == next {
            committed = next
            return
          }
          // It was not committed and never will be: the session that it was sent in is over. No request has
          // waited for long, so it can be sent again, once.
          guard isFirst, start.duration(to: .now) < .seconds(2) else {
            throw JournalFault(error, place)
          }
          isFirst = false
        }
      }
    }
  }

  /// Checks the connection, and replaces a lost one.
  func checkConnection() throws(JournalFault) {
    if let end { throw end }
    do throws(PostgreSQLFault) {
      try connection.checkAlive()
    } catch {
      guard case .lost(let message) = error else { throw JournalFault(error, place) }
      _ = try reconnect(after: message, mayHave: nil)
    }
  }

  /// Registers as one of several writers.
  private func join(_ sharing: Sharing, at last: Int64) throws(JournalFault) {
    writer = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.row(of: PostgreSQLSchema.join)?.bytes(0) ?? []
    }
    sharing.begin(as: writer, at: last, holding: positions, catalogAt: catalogAt)
  }

  /// Runs statements as a pipeline.
  func exchange(
    _ statements: [PostgreSQLStatement]
  ) throws(JournalFault) -> [PostgreSQLRow] {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.exchange(statements)
    }
  }

  /// Records that the next batch is committed.
  func noteCommitted() { committed += 1 }

  /// Releases the journal to other processes.
  func release() {
    if sharing != nil {
      try? giveLockBack()
      _ = try? connection.row(of: "DELETE FROM menud_writer WHERE id = $1", [.bytes(writer)])
    }
    // Otherwise the lock would last until the server detects the end of the connection.
    try? connection.execute("SELECT pg_advisory_unlock_all()")
  }

  private func ended(by fault: JournalFault) -> JournalFault {
    end = fault
    return fault
  }
}

// MARK: Reconnecting

extension PostgreSQLDatabase {
  /// Replaces a lost connection; returns the last batch that the database has.
  ///
  /// - Parameter inFlight: The batch that was being committed; nil if there was none.
  func reconnect(
    after message: String, mayHave inFlight: Int64?
  ) throws(JournalFault) -> Int64 {
    figures.lostConnections.add()
    outage.begin(.unreachable(database: place, message: message))
    defer { outage.end() }
    var pause = Duration.milliseconds(20)
    while true {
      do throws(JournalFault) {
        let found = try successor()
        guard found == committed || found == inFlight else { throw .takenOver(database: place) }
        return found
      } catch {
        if case .takenOver = error {
          end = error
          throw inFlight == nil ? error : .unresolved(database: place)
        }
        outage.begin(error)
      }
      guard outage.wait(pause) else {
        throw inFlight == nil ? .closed : .unresolved(database: place)
      }
      pause = min(pause * 2, .seconds(1))
    }
  }

  /// Opens another connection with the lock; returns the last committed batch.
  private func successor() throws(JournalFault) -> Int64 {
    let place = place
    let former = server
    let next = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      let next = try PostgreSQLConnection(configuration.address)
      try next.end(former)
      return next
    }
    // Before the lock, which a new writer would hold.
    guard try lastBatch(next) != nil else { throw .takenOver(database: place) }
    try Self.lock(next, configuration)
    if sharing != nil {
      // Each batch changes the row too.
      _ = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
        try next.row(of: PostgreSQLSchema.rejoin, [.bytes(writer)])
      }
    }
    // After the lock, so that everything sent over the former connection is over.
    guard let found = try lastBatch(next) else { throw .takenOver(database: place) }
    server = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try next.prepare(configuration)
      return try next.serverProcess
    }
    (connection, locked) = (next, nil)
    // Another process may be the caretaker by now.
    sharing?.isCaretaker.store(false, ordering: .relaxed)
    return found
  }

  private func lastBatch(_ connection: PostgreSQLConnection) throws(JournalFault) -> Int64? {
    try JournalFault.of(database: connection.place) { () throws(PostgreSQLFault) in
      try connection.row(
        of: "SELECT batch FROM menud_writer WHERE id = $1", [.bytes(writer)])?.int(0)
    }
  }
}

/// The period without a database, as other threads see it.
final class Outage: Sendable {
  private struct State {
    var fault: JournalFault?
    var isClosing = false
  }

  private let state = Monitor(State())

  /// The reason for which the database cannot be reached; nil if it can.
  var fault: JournalFault? { state.withLock(\.fault) }

  func begin(_ fault: JournalFault) { state.withLock { $0.fault = fault } }

  func end() { state.withLock { $0.fault = nil } }

  /// Ends every wait for the database, present and future.
  func close() {
    state.withLock { $0.isClosing = true }
    state.signal()
  }

  /// Waits for a time; returns false after `close()`.
  func wait(_ time: Duration) -> Bool {
    state.wait(time) { $0.isClosing ? false : nil } ?? true
  }
}

/// A server process; its start distinguishes it from others with its id.
struct ServerProcess: Equatable {
  let id: Int64
  let start: Int64
}

extension PostgreSQLConnection {
  fileprivate var serverProcess: ServerProcess {
    get throws(PostgreSQLFault) {
      let row = try row(
        of: "SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
      return ServerProcess(id: processID, start: row?.int(0) ?? 0)
    }
  }

  /// Ends the session of a former connection, if the server has not detected its end.
  fileprivate func end(_ process: ServerProcess) throws(PostgreSQLFault) {
    _ = try row(
      of: """
        SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity
        WHERE pid = $1::bigint AND backend_start = $2
        """, [.int(process.id), .int(process.start)])
  }

  fileprivate func prepare(_ configuration: PostgreSQLConfiguration) throws(PostgreSQLFault) {
    // A client that is gone must not keep the lock for hours. Unix sockets have no such timeout.
    try execute(
      """
      SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
      \(configuration.durability == .full ? "" : "SET synchronous_commit = off;")
      \(PostgreSQLSchema.statements)
      """)
    guard configuration.isShared else { return }
    // A replica that is suspended with rows locked must not stop the others.
    try execute(
      """
      SET idle_in_transaction_session_timeout = 2000;
      \(PostgreSQLSchema.settings) \(PostgreSQLSchema.sharedStatements)
      """)
  }
}
