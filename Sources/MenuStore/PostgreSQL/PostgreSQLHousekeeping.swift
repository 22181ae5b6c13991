import Locks
import Synchronization

/// Keeps a journal in PostgreSQL small, on its own thread and connection.
///
/// Each process writes the states of the sessions that it changed. One of them, the *caretaker*, also removes obsolete
/// rows, and writes the states of sessions that are older than the catalogue.
final class PostgreSQLHousekeeping: Sendable {
  /// The maximum number and bytes of the states that one statement writes.
  private static let (statesAtOnce, bytesAtOnce) = (16, 1 << 20)
  /// The maximum numbers of records, closed sessions and answers that one statement removes, as in the statements.
  private static let (recordsAtOnce, closedAtOnce, answersAtOnce): (Int64, Int64, Int64) =
    (4096, 1024, 10_000)

  private let configuration: PostgreSQLConfiguration
  private let positions: JournalPositions
  private let clock: RetentionClock
  private let figures: JournalFigures
  private let thread = BackgroundThread()
  private let isClosing = Monitor(false)
  /// True while this process is the caretaker, as the only process of an exclusive journal always is.
  let isCaretaker = Atomic(false)

  init(_ database: PostgreSQLDatabase) {
    configuration = database.configuration
    positions = database.positions
    (clock, figures) = (database.clock, database.figures)
  }

  func start() throws(JournalFault) {
    try thread.start(or: JournalFault.ofThread) { [self] in run() }
  }

  /// Ends the thread after its present statement.
  func close() {
    isClosing.withLock { $0 = true }
    isClosing.signal()
    thread.finish()
  }

  /// Waits for a time; returns false after `close()`.
  private func rest(_ time: Duration) -> Bool {
    isClosing.wait(time) { $0 ? false : nil } ?? true
  }

  /// The data kept between rounds.
  private struct Rounds {
    var connection: PostgreSQLConnection?
    /// The time at which the last complete round began.
    var last: ContinuousClock.Instant?
    /// The sessions whose states cannot be made; their records stay.
    var unreadable: Set<JournalSubject> = []
    /// The position of the catalogue whose state was written last.
    var catalog: SubjectPosition?
  }

  private func run() {
    defer { isCaretaker.store(false, ordering: .relaxed) }
    let pause = min(.seconds(1), configuration.housekeeping)
    var (rounds, hasMore) = (Rounds(), true)
    while rest(hasMore ? .milliseconds(10) : pause) {
      do throws(JournalFault) {
        let connection: PostgreSQLConnection
        if let known = rounds.connection {
          connection = known
        } else {
          connection = try connected()
        }
        rounds.connection = connection
        try connection.lastBatch(of: positions.writer)
        try attempt { () throws(JournalFault) in try writeLaggingStates(over: connection) }
        try attempt { () throws(JournalFault) in try becomeCaretakerIfFree(over: connection) }
        hasMore = isRoundDue(rounds) ? try !makeRound(&rounds, over: connection) : false
      } catch {
        if case .takenOver = error { return positions.noteReplaced() }
        hasMore = false
        figures.housekeepingFailures.add()
        isCaretaker.store(false, ordering: .relaxed)
        rounds = Rounds()
      }
    }
  }

  /// Performs a step. If the database refuses it, the other steps are performed nevertheless.
  private func attempt(_ step: () throws(JournalFault) -> Void) throws(JournalFault) {
    do throws(JournalFault) {
      try step()
    } catch {
      if case .unreachable = error { throw error }
      figures.housekeepingFailures.add()
    }
  }

  private func connected() throws(JournalFault) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(
      configuration.address, knownAs: positions.place, patience: .seconds(30))
    try connection.prepare(configuration, PostgreSQLSchema.housekeepingStatements)
    return connection
  }

  private func becomeCaretakerIfFree(over connection: PostgreSQLConnection) throws(JournalFault) {
    guard !isCaretaker.load(ordering: .relaxed) else { return }
    var isFree = !configuration.isShared
    if !isFree {
      let row = try connection.row(of: PostgreSQLSchema.caretakerLock)
      isFree = row?.flag(0) == true
    }
    isCaretaker.store(isFree, ordering: .relaxed)
  }

  private func isRoundDue(_ rounds: Rounds) -> Bool {
    guard isCaretaker.load(ordering: .relaxed) else { return false }
    return rounds.last.map { $0.duration(to: .now) >= configuration.housekeeping } ?? true
  }

  /// Removes some obsolete rows, and writes some states of sessions older than the catalogue; returns true if nothing
  /// is left.
  private func makeRound(
    _ rounds: inout Rounds, over connection: PostgreSQLConnection
  ) throws(JournalFault) -> Bool {
    let start = ContinuousClock.now
    // The first round considers everything, because earlier caretakers may have left some.
    let past = rounds.last.map { Int64($0.duration(to: start) / .seconds(1)) + 90 }
    let isClean = try remove(since: past ?? .max >> 32, over: connection)
    var isWhole = true
    try attempt { () throws(JournalFault) in
      isWhole = try writeOlderStates(&rounds, over: connection)
    }
    guard isWhole, isClean else { return false }
    rounds.last = start
    rounds.unreadable = []
    return true
  }

  /// Removes some obsolete rows; returns true if none are left.
  ///
  /// - Parameter past: The age in seconds up to which written states are considered.
  private func remove(
    since past: Int64, over connection: PostgreSQLConnection
  ) throws(JournalFault) -> Bool {
    // Replicas that have loaded a session may still have to read its records.
    let age = PostgreSQLValue.int(configuration.isShared ? 60 : 0)
    var statements: [(PostgreSQLStatement, most: Int64)] = [
      (PostgreSQLStatement("menud_remove_covered", [.int(past), age]), Self.recordsAtOnce),
      (PostgreSQLStatement("menud_remove_closed", [age]), Self.closedAtOnce),
      (
        PostgreSQLStatement("menud_remove_expired", [.int(clock.now), .int(Self.answersAtOnce)]),
        Self.answersAtOnce
      ),
    ]
    if configuration.isShared {
      statements.append((PostgreSQLStatement("menud_remove_writers"), .max))
      let most = PostgreSQLValue.int(Int64(configuration.keptAnswers))
      statements.append((PostgreSQLStatement("menud_remove_surplus", [most]), .max))
    }
    var isClean = true
    // Each is a transaction of its own, so that other processes do not wait for all of them.
    for (statement, most) in statements where rest(.zero) {
      try attempt { () throws(JournalFault) in
        let count = try connection.exchange([statement]).first?.int(0) ?? 0
        isClean = isClean && count < most
      }
    }
    return isClean
  }

  /// Writes the states that are due.
  private func writeLaggingStates(over connection: PostgreSQLConnection) throws(JournalFault) {
    var waiting = positions.dueMarks[...]
    while !waiting.isEmpty, rest(.zero) {
      var (marks, states, bytes) = ([LaggingStates.Mark](), [SubjectState](), 0)
      while marks.count < Self.statesAtOnce, bytes < Self.bytesAtOnce,
        let mark = waiting.popFirst()
      {
        marks.append(mark)
        // If a state cannot be made, its records stay.
        guard let state = mark.state else { continue }
        states.append(state)
        bytes += state.payload.count
      }
      try write(states, over: connection)
      positions.remove(marks)
    }
  }

  private func write(
    _ states: [SubjectState], over connection: PostgreSQLConnection
  ) throws(JournalFault) {
    guard !states.isEmpty else { return }
    _ = try connection.exchange([SubjectState.statement(of: states)])
    figures.states.add(states.count)
  }

  /// Writes states of sessions with changes from before the last change of the catalogue, some at a time, once these
  /// are old enough; finally the state of the catalogue, whose records are then obsolete.
  ///
  /// - Returns: False if there may be more sessions.
  private func writeOlderStates(
    _ rounds: inout Rounds, over connection: PostgreSQLConnection
  ) throws(JournalFault) -> Bool {
    // Read the catalogue before the older sessions: all changes under it were committed before the next catalogue.
    let catalog = positions.catalogMark
    let delay = configuration.stateDelay.components.seconds
    let older = try connection.exchange(
      [
        PostgreSQLStatement(
          "menud_read_older", [.texts(rounds.unreadable.map(\.text)), .int(delay)])
      ])[0]
    guard older.count > 0 else {
      guard rounds.unreadable.isEmpty, let catalog, catalog.place.edition > 0,
        catalog.place != rounds.catalog, let state = catalog.state
      else { return true }
      try write([state], over: connection)
      rounds.catalog = catalog.place
      return true
    }
    var waiting = (0..<older.count).compactMap { index -> (JournalSubject, Int64)? in
      older.seek(index)
      return older.flag(1) ? (older.subject, older.int(2) ?? 0) : nil
    }[...]
    let isWhole = waiting.isEmpty
    while !waiting.isEmpty, rest(.zero) {
      let some = waiting.prefix(Self.statesAtOnce)
      waiting = waiting.dropFirst(some.count)
      let states = try states(of: Array(some), over: connection)
      rounds.unreadable.formUnion(Set(some.map(\.0)).subtracting(states.map(\.subject)))
      try write(states, over: connection)
    }
    return isWhole
  }

  /// Returns the states of sessions after their last older change, omitting those that cannot be made.
  private func states(
    of sessions: [(subject: JournalSubject, last: Int64)], over connection: PostgreSQLConnection
  ) throws(JournalFault) -> [SubjectState] {
    let place = positions.place
    let results = try connection.exchange(
      sessions.map { SubjectContents.statement(of: $0.subject, withCatalog: true) })
    return zip(sessions, results).compactMap { session, rows in
      let contents = try? SubjectContents(
        of: session.subject, rows, in: place, through: session.last)
      return contents.flatMap { try? positions.state(of: $0) }
    }
  }
}
