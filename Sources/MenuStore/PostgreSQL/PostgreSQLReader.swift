import Glibc
import Locks
import Synchronization

/// Reads other replicas' commits to a shared journal, over a connection and on a thread of its own: on the
/// committing thread it would wait for the disk.
///
/// It reads when a notification arrives, and to confirm that no commit came before a request. All confirmations
/// requested during one reading share the next.
final class PostgreSQLReader: Sendable {
  /// The time for which a confirmation waits for an unreachable database.
  private static let patience = Duration.seconds(2)
  /// The maximum number of sessions of one reading, so that confirmations do not wait long for it.
  private static let sessionsAtOnce = 16

  private struct Question {
    let position: Int64
    let ticket: Ticket
    let time: ContinuousClock.Instant
  }

  private struct State {
    var questions: [Question] = []
    /// The sessions that were read here, until the other replicas are notified.
    var readSessions: [String] = []
    var isClosing = false
    /// The fault after which nothing will be read any more; nil without one.
    var end: JournalFault?
  }

  private let state = Monitor(State())
  private let address: PostgreSQLAddress
  private let sharing: Sharing
  private let place: String
  private let thread = BackgroundThread()
  private let outage = Outage()
  /// The ends of a pipe that wakes the thread.
  private let (reading, writing): (Int32, Int32)

  init(_ address: PostgreSQLAddress, _ sharing: Sharing, place: String) {
    self.address = address
    self.sharing = sharing
    self.place = place
    var ends: [Int32] = [-1, -1]
    _ = unsafe pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    Glibc.close(reading)
    Glibc.close(writing)
  }

  /// The reason for which the database cannot be read; nil if it can.
  var fault: JournalFault? { outage.fault }

  func start() throws(JournalFault) {
    try JournalFault.starting(thread) { [self] in run() }
  }

  /// Ends the thread. Waiting confirmations fail as if the database were unreachable.
  func close() {
    state.withLock { $0.isClosing = true }
    wake()
    thread.finish()
  }

  /// Confirms whether anything was committed after a position before now.
  func confirm(_ position: Int64) -> Ticket {
    let question = Question(position: position, ticket: Ticket(), time: .now)
    let (isFirst, end) = state.withLock { state in
      if state.end == nil { state.questions.append(question) }
      return (state.questions.count == 1, state.end)
    }
    if let end { question.ticket.settle(.failed(end)) } else if isFirst { wake() }
    sharing.figures.confirmations.add()
    return question.ticket
  }

  /// Loads a session that is not in the follower's memory.
  func load(_ session: JournalSubject) -> Ticket {
    let ticket = sharing.want(session)
    guard !ticket.isDurable else { return ticket }
    if let end = state.withLock(\.end) { giveUp(end, wantedBefore: .now) } else { wake() }
    return ticket
  }

  /// Notifies the other replicas that sessions were read here.
  func tell(read sessions: [String]) {
    state.withLock { $0.readSessions += sessions }
    wake()
  }

  /// Sends the ids of sessions that were read here, as many as fit in each notification.
  private func tellReads(over connection: PostgreSQLConnection) throws(JournalFault) {
    let names = state.withLock { state in
      defer { state.readSessions = [] }
      return state.readSessions
    }
    // An id has at most 128 bytes, and a notification less than 8,000.
    let payloads = stride(from: 0, to: names.count, by: 60).map { start in
      names[start...].prefix(60).joined(separator: " ")
    }
    guard !payloads.isEmpty else { return }
    do throws(PostgreSQLFault) {
      _ = try connection.exchange(
        payloads.map { PostgreSQLStatement("menud_notify", [.text($0)]) })
    } catch {
      state.withLock { $0.readSessions += names }
      throw JournalFault(error, place)
    }
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(writing, &byte, 1)
  }

  private var isClosing: Bool { state.withLock(\.isClosing) }

  private func run() {
    var connection: PostgreSQLConnection?
    while !isClosing {
      do throws(JournalFault) {
        let present: PostgreSQLConnection
        if let connection { present = connection } else { present = try connected() }
        connection = present
        let payloads = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
          try present.idle(untilReadable: reading, for: .seconds(1))
        }
        for payload in payloads where !payload.isEmpty {
          sharing.noteRead(payload.split(separator: " ").map(String.init))
        }
        drain()
        try read(over: present)
        try tellReads(over: present)
        outage.end()
      } catch {
        connection = nil
        outage.begin(error)
        if error.isFinal { return end(with: error) }
        fail(error, before: .now - Self.patience)
        pause()
      }
    }
    if let connection { try? tellReads(over: connection) }
    end(with: .closed)
  }

  /// Fails all waiting confirmations, and all future ones.
  private func end(with fault: JournalFault) {
    let questions = state.withLock { state in
      state.end = fault
      defer { state.questions = [] }
      return state.questions
    }
    for question in questions { question.ticket.settle(.failed(fault)) }
    giveUp(fault, wantedBefore: .now)
  }

  private func connected() throws(JournalFault) -> PostgreSQLConnection {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      let connection = try PostgreSQLConnection(address, patience: Self.patience)
      guard try connection.row(of: PostgreSQLSchema.sharedLock)?.flag(0) == true else {
        throw .lost("Another process has the journal for itself.")
      }
      try connection.execute(PostgreSQLSchema.sharedStatements)
      let hash = try connection.row(of: "SELECT hashtext(current_schema())")?.int(0) ?? 0
      try connection.execute("LISTEN \"menud_\(hash)\"")
      // Earlier reads of sessions were not notified.
      sharing.noteRead(nil)
      wake()
      return connection
    }
  }

  /// Reads the commits and the wanted sessions, and answers the confirmations requested before.
  private func read(over connection: PostgreSQLConnection) throws(JournalFault) {
    let questions = state.withLock { state in
      defer { state.questions = [] }
      return state.questions
    }
    let wanted = sharing.wanted(atMost: Self.sessionsAtOnce)
    let (start, position) = (ContinuousClock.now, sharing.position)
    do throws(JournalFault) {
      let statements =
        SharedReading.statements(locking: false, after: position)
        + wanted.map { SubjectContents.statement(of: $0.session, withCatalog: $0.withCatalog) }
      let results = try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
        try connection.exchange(statements)
      }
      guard let reading = SharedReading(results.prefix(3), after: position),
        results.count == 3 + wanted.count
      else { throw .damagedDatabase(place, .tables) }
      guard try sharing.take(reading, waiting: Self.patience) else {
        throw .unreachable(database: place, message: "A commit takes long.")
      }
      sharing.figures.readings.add()
      sharing.lastReading.withLock { $0 = start }
      for question in questions {
        question.ticket.settle(
          question.position >= reading.head ? .durable : .failed(.conflict))
      }
      for (session, rows) in zip(wanted.map(\.session), results.dropFirst(3)) {
        load(session, rows)
      }
      // Longer waits are for sessions that change all the time, or that the database does not have.
      giveUp(
        .unreachable(database: place, message: "A session cannot be read."),
        wantedBefore: start - Self.patience)
      if !sharing.wanted(atMost: 1).isEmpty { wake() }
    } catch {
      // They wait a little longer.
      state.withLock { $0.questions.insert(contentsOf: questions, at: 0) }
      throw error
    }
  }

  /// Answers those who have waited since before a moment.
  private func fail(_ fault: JournalFault, before moment: ContinuousClock.Instant) {
    let questions = state.withLock { state in
      let old = state.questions.filter { $0.time <= moment }
      state.questions.removeAll { $0.time <= moment }
      return old
    }
    for question in questions { question.ticket.settle(.failed(fault)) }
    giveUp(fault, wantedBefore: moment)
  }

  /// Hands a session to the follower and answers its waiting requests, unless it must be read again.
  private func load(_ session: JournalSubject, _ rows: PostgreSQLRow) {
    do throws(JournalFault) {
      let contents = try SubjectContents(of: session, rows, in: place)
      try sharing.load(session, contents)?.settle(.durable)
    } catch {
      sharing.giveUp(session)?.settle(.failed(error))
    }
  }

  /// Fails the loads that have waited since before a moment.
  private func giveUp(_ fault: JournalFault, wantedBefore moment: ContinuousClock.Instant) {
    for ticket in sharing.giveUp(wantedBefore: moment) { ticket.settle(.failed(fault)) }
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe Glibc.read(reading, &bytes, bytes.count) > 0 {}
  }

  private func pause() {
    var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    // New requests do not shorten the pause.
    if isClosing { return }
    _ = unsafe poll(&descriptor, 0, 50)
  }
}
