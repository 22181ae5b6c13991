import Locks

// MARK: Reconnecting

extension PostgreSQLDatabase {
  /// The longest wait for a connection if no batch is in flight.
  private static let patience = Duration.seconds(2)

  /// Checks the connection, and replaces a lost one.
  func checkConnection() throws(JournalFault) {
    try checkReach()
    do throws(JournalFault) {
      try rollBack()
      try connection.checkAlive()
    } catch {
      guard case .unreachable(_, let message) = error else { throw error }
      _ = try reconnect(after: message, mayHave: nil)
    }
  }

  /// Replaces a connection that was given up, if there is none at present.
  func checkReach() throws(JournalFault) {
    if outage.fault != nil { _ = try reconnect(after: nil, mayHave: nil) }
  }

  /// Replaces a lost connection, and returns the number of the last committed batch.
  ///
  /// Changes are refused until a connection is found.
  ///
  /// - Parameters:
  ///   - message: The reason of the loss; nil if it has been reported.
  ///   - inFlight: The batch that was being committed, whose outcome is awaited; nil if there was none.
  func reconnect(
    after message: String?, mayHave inFlight: Int64?
  ) throws(JournalFault) -> Int64 {
    if let message {
      outage.begin(.unreachable(database: place, message: message))
      figures.lostConnections.add()
    }
    let start = ContinuousClock.now
    var pause = Duration.milliseconds(20)
    while true {
      do throws(JournalFault) {
        let found = try successor()
        outage.end()
        guard found == committed || found == inFlight else { throw .takenOver(database: place) }
        return found
      } catch {
        if case .takenOver = error {
          outage.end()
          end = error
          throw inFlight == nil ? error : .unresolved(database: place)
        }
        outage.begin(error)
        if inFlight == nil, start.duration(to: .now) > Self.patience { throw error }
      }
      guard outage.wait(pause) else {
        // Otherwise the next batch would reuse the number of the one in flight.
        end = .closed
        throw inFlight == nil ? .closed : .unresolved(database: place)
      }
      pause = min(pause * 2, .seconds(1))
    }
  }

  /// Opens a new connection with the lock; returns the number of the last committed batch.
  private func successor() throws(JournalFault) -> Int64 {
    let next = try PostgreSQLConnection(configuration.address, knownAs: place)
    try next.end(server)
    // Check before taking the lock, which a new writer would hold.
    try next.lastBatch(of: writer)
    try Self.lock(next, configuration)
    // Each batch changes this row too.
    _ = try next.row(of: PostgreSQLSchema.rejoin, [.bytes(writer)])
    // Check after taking the lock, when everything sent over the former connection is complete.
    let found = try next.lastBatch(of: writer)
    try next.prepare(configuration, PostgreSQLSchema.writingStatements)
    server = try next.serverProcess
    (connection, locked) = (next, nil)
    return found
  }
}

/// The period without a database, as other threads see it.
final class Outage: Sendable {
  private struct State {
    var fault: JournalFault?
    var start = ContinuousClock.now
    var isClosing = false
  }

  private let state = Monitor(State())

  /// The reason for which the database cannot be reached; nil if it can.
  var fault: JournalFault? { state.withLock(\.fault) }

  /// The reason, once the outage has lasted for some time.
  func fault(after time: Duration) -> JournalFault? {
    state.withLock { $0.start.duration(to: .now) < time ? nil : $0.fault }
  }

  func begin(_ fault: JournalFault) {
    state.withLock { state in
      if state.fault == nil { state.start = .now }
      state.fault = fault
    }
  }

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

/// A server process; its start time distinguishes it from others with the same id.
struct ServerProcess: Equatable {
  let id: Int64
  let start: Int64
}

extension PostgreSQLConnection {
  var serverProcess: ServerProcess {
    get throws(JournalFault) {
      let row = try row(
        of: "SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
      return ServerProcess(id: processID, start: row?.int(0) ?? 0)
    }
  }

  /// Ends the session of a former connection, in case the server has not detected its loss.
  fileprivate func end(_ process: ServerProcess) throws(JournalFault) {
    _ = try row(
      of: """
        SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity
        WHERE pid = $1::bigint AND backend_start = $2
        """, [.int(process.id), .int(process.start)])
  }

  /// Returns the number of a writer's last committed batch.
  ///
  /// - Throws: `JournalFault.takenOver` if the database no longer has a row for the writer.
  @discardableResult
  func lastBatch(of writer: [UInt8]) throws(JournalFault) -> Int64 {
    let row = try row(of: "SELECT batch FROM menud_writer WHERE id = $1", [.bytes(writer)])
    guard let batch = row?.int(0) else { throw .takenOver(database: place) }
    return batch
  }

  /// Applies the settings of a writing connection, and prepares statements.
  func prepare(
    _ configuration: PostgreSQLConfiguration, _ statements: String
  ) throws(JournalFault) {
    // A suspended client with locked rows must not block the others.
    try execute(
      """
      SET idle_in_transaction_session_timeout = 2000;
      \(configuration.durability == .full ? "" : "SET synchronous_commit = off;")
      \(PostgreSQLSchema.settings) \(statements)
      """)
  }
}
