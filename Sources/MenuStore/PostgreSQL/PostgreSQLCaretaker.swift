import Locks
import Synchronization

/// Keeps a journal in PostgreSQL small, over a connection and on a thread of its own, so that no change waits for it.
///
/// Each process writes the states of the sessions that it changed. One of them, the caretaker, removes what nobody needs,
/// and writes the states of what is older than the catalogue.
final class PostgreSQLCaretaker: Sendable {
  /// The maximum number of states written with one statement.
  private static let statesAtOnce = 16
  /// The pause between two statements of a round, which leaves the database to others.
  private static let breath = Duration.milliseconds(10)
  /// The maximum numbers of records, closed sessions and answers that one statement removes, as in the statements.
  private static let (recordsAtOnce, closedAtOnce, answersAtOnce): (Int64, Int64, Int64) =
    (4096, 1024, 10_000)

  private let configuration: PostgreSQLConfiguration
  private let holdings: Holdings
  private let clock: RetentionClock
  private let figures: JournalFigures
  private let thread = BackgroundThread()
  private let isClosing = Monitor(false)
  /// True while this process is the caretaker of all.
  let isAppointed = Atomic(false)

  init(_ database: PostgreSQLDatabase) {
    configuration = database.configuration
    holdings = database.holdings
    (clock, figures) = (database.clock, database.figures)
  }

  func start() throws(JournalFault) {
    try JournalFault.starting(thread) { [self] in run() }
  }

  /// Ends the thread.
  func close() {
    isClosing.withLock { $0 = true }
    isClosing.signal()
    thread.finish()
  }

  /// Waits for a time; returns false after `close()`.
  private func rest(_ time: Duration) -> Bool {
    isClosing.wait(time) { $0 ? false : nil } ?? true
  }

  private func run() {
    let short = min(.seconds(1), configuration.housekeeping)
    var (round, pause) = (Round(), Duration.zero)
    while rest(pause) {
      do throws(JournalFault) {
        if round.connection == nil { round.connection = try connected() }
        guard let connection = round.connection, try isWriter(over: connection) else { return }
        let isOver = try work(&round, over: connection)
        let isAppointed = isAppointed.load(ordering: .relaxed)
        pause = !isOver ? Self.breath : isAppointed ? configuration.housekeeping : short
      } catch {
        // The next one begins with everything that was left.
        isAppointed.store(false, ordering: .relaxed)
        (round, pause) = (Round(), short)
      }
    }
    isAppointed.store(false, ordering: .relaxed)
  }

  /// The rounds over one connection.
  private struct Round {
    var connection: PostgreSQLConnection?
    /// The time at which the last whole one began.
    var last: ContinuousClock.Instant?
    /// The sessions whose states cannot be made. Their records stay.
    var unreadable: Set<JournalSubject> = []
    /// The position of the catalogue of which the state was written last.
    var catalog: SubjectPosition?
  }

  private func connected() throws(JournalFault) -> PostgreSQLConnection {
    try JournalFault.of(database: holdings.place) { () throws(PostgreSQLFault) in
      let connection = try PostgreSQLConnection(configuration.address)
      try connection.execute(PostgreSQLSchema.settings + PostgreSQLSchema.housekeepingStatements)
      return connection
    }
  }

  /// True if no other process took the journal over for itself.
  private func isWriter(over connection: PostgreSQLConnection) throws(JournalFault) -> Bool {
    try connection.row(
      of: "SELECT batch FROM menud_writer WHERE id = $1", [.bytes(holdings.writer)],
      in: holdings.place) != nil
  }

  /// Does some of what is due; returns true if nothing is left.
  private func work(
    _ round: inout Round, over connection: PostgreSQLConnection
  ) throws(JournalFault) -> Bool {
    guard try writeLaggingStates(over: connection) else { return false }
    if !isAppointed.load(ordering: .relaxed) {
      let row = try connection.row(of: PostgreSQLSchema.caretakerLock, in: holdings.place)
      isAppointed.store(row?.flag(0) == true, ordering: .relaxed)
    }
    guard isAppointed.load(ordering: .relaxed) else { return true }
    let start = ContinuousClock.now
    // The first round looks at everything that earlier caretakers may have left.
    let past = round.last.map { Int64($0.duration(to: start) / .seconds(1)) + 90 }
    let counts = try remove(since: past ?? .max >> 32, over: connection)
    let isWhole = try writeOlderStates(&round, over: connection)
    guard isWhole, counts.records < Self.recordsAtOnce, counts.closed < Self.closedAtOnce,
      counts.answers < Self.answersAtOnce
    else { return false }
    round.last = start
    round.unreadable = []
    return true
  }

  /// Removes what nobody needs, and returns the numbers of what it removed.
  ///
  /// - Parameter past: The number of seconds since which states were written that are looked at.
  private func remove(
    since past: Int64, over connection: PostgreSQLConnection
  ) throws(JournalFault) -> (records: Int64, closed: Int64, answers: Int64) {
    // Each is a transaction of its own, so that others do not wait for all of them.
    let count = { (name: String, values: [PostgreSQLValue]) throws(JournalFault) -> Int64 in
      let statement = PostgreSQLStatement(name, values)
      return try connection.exchange([statement], in: self.holdings.place).first?.int(0) ?? 0
    }
    // Replicas that have a session may still have to read them.
    let age = PostgreSQLValue.int(configuration.isShared ? 60 : 0)
    let records = try count("menud_remove_covered", [.int(past), age])
    let closed = try count("menud_remove_closed", [age])
    let answers = try count(
      "menud_remove_expired", [.int(clock.now), .int(Self.answersAtOnce)])
    if configuration.isShared {
      _ = try count("menud_remove_writers", [])
      _ = try count("menud_remove_surplus", [.int(Int64(configuration.keptAnswers))])
    }
    return (records, closed, answers)
  }

  /// Writes some of the states that are due; returns true if there are no more.
  private func writeLaggingStates(
    over connection: PostgreSQLConnection
  ) throws(JournalFault) -> Bool {
    let due = holdings.dueMarks(atMost: Self.statesAtOnce)
    // The records of one that cannot be made stay.
    let states = due.compactMap(\.state)
    if !states.isEmpty {
      _ = try connection.exchange([SubjectState.statement(of: states)], in: holdings.place)
      figures.states.add(states.count)
    }
    holdings.remove(due)
    return due.count < Self.statesAtOnce
  }

  /// Writes the states of sessions with changes from before the last change of the catalogue, some at a time, once these
  /// are old enough, and at last the catalogue's: nobody needs its records any more then.
  ///
  /// - Returns: False if there may be more sessions.
  private func writeOlderStates(
    _ round: inout Round, over connection: PostgreSQLConnection
  ) throws(JournalFault) -> Bool {
    let delay = configuration.stateDelay.components.seconds
    let results = try connection.exchange(
      [
        .begin, PostgreSQLStatement("menud_keep_catalog"),
        PostgreSQLStatement(
          "menud_read_older", [.texts(round.unreadable.map(\.text)), .int(delay)]),
      ], in: holdings.place)
    let older = results[2]
    let sessions = (0..<older.count).compactMap { index in
      older.seek(index)
      return older.flag(1) ? older.subject : nil
    }
    var states = try states(of: sessions, over: connection)
    round.unreadable.formUnion(Set(sessions).subtracting(states.map(\.subject)))
    if older.count == 0, round.unreadable.isEmpty, let state = holdings.catalogState(),
      state.place.edition > 0, state.place != round.catalog
    {
      states = [state]
      round.catalog = state.place
    }
    let writing = states.isEmpty ? [] : [SubjectState.statement(of: states)]
    _ = try connection.exchange(writing + [.commit], in: holdings.place)
    figures.states.add(states.count)
    return sessions.isEmpty
  }

  /// The states of sessions, as far as they can be made.
  private func states(
    of sessions: [JournalSubject], over connection: PostgreSQLConnection
  ) throws(JournalFault) -> [SubjectState] {
    guard !sessions.isEmpty else { return [] }
    let place = holdings.place
    let results = try connection.exchange(
      sessions.map { SubjectContents.statement(of: $0, withCatalog: true) }, in: place)
    return zip(sessions, results).compactMap { session, rows in
      guard let contents = try? SubjectContents(of: session, rows, in: place) else { return nil }
      return try? holdings.state(of: contents)
    }
  }
}
