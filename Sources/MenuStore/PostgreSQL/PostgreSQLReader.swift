import Glibc
import Locks
import Synchronization

/// Reads other replicas' commits to a shared journal, on its own thread and connection; the committing thread would
/// have to wait for the disk.
///
/// It reads on request; one reading serves all waiting requests. Otherwise it reads once a second, and more often
/// while a session is followed.
final class PostgreSQLReader: Sendable {
  /// The maximum time for which a request waits for an unreachable database.
  private static let patience = Duration.seconds(2)
  /// The maximum number of sessions loaded with one reading, so that requests do not wait long for it.
  private static let sessionsAtOnce = 16
  /// The time between two readings while a session is followed, and while none is.
  private static let (pause, longPause) = (Duration.milliseconds(50), Duration.seconds(1))

  private struct Question {
    let sessions: [JournalSubject]
    let keys: [[UInt8]]
    /// Called with nil once the reading is applied, or with the fault that prevented it.
    let done: @Sendable (JournalFault?) -> Void
    let time: ContinuousClock.Instant
  }

  private struct State {
    var questions: [Question] = []
    /// The sessions read here of which the other replicas have not been notified yet.
    var readSessions: Set<String> = []
    var isClosing = false
    /// The final fault, after which nothing is read; nil if there is none.
    var end: JournalFault?
  }

  private let state = Monitor(State())
  private let address: PostgreSQLAddress
  private let positions: JournalPositions
  private let thread = BackgroundThread()
  private let outage = Outage()
  /// The ends of a pipe that wakes the thread.
  private let (reading, writing): (Int32, Int32)

  init(_ address: PostgreSQLAddress, _ positions: JournalPositions) {
    self.address = address
    self.positions = positions
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

  private var place: String { positions.place }

  /// The reason for which the database cannot be read; nil if it can.
  var fault: JournalFault? { outage.fault }

  func start() throws(JournalFault) {
    try thread.start(or: JournalFault.ofThread) { [self] in run() }
  }

  /// Ends the thread. Waiting requests fail as if the database were unreachable.
  func close() {
    state.withLock { $0.isClosing = true }
    wake()
    thread.finish()
  }

  /// Reads all earlier commits of other processes; see ``SharedJournal/refresh(_:keys:whenDone:)``.
  func refresh(
    _ sessions: [JournalSubject], keys: [[UInt8]],
    whenDone done: @escaping @Sendable (JournalFault?) -> Void
  ) {
    let question = Question(sessions: sessions, keys: keys, done: done, time: .now)
    let outage = outage.fault(after: Self.patience)
    let (isFirst, end) = state.withLock { state in
      let end = state.end ?? outage
      if end == nil { state.questions.append(question) }
      return (state.questions.count == 1, end)
    }
    if let end { done(end) } else if isFirst { wake() }
    positions.figures.confirmations.add()
  }

  /// Notifies the other replicas that sessions were read here.
  func tell(read sessions: [String]) {
    state.withLock { $0.readSessions.formUnion(sessions) }
    wake()
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(writing, &byte, 1)
  }

  private var isClosing: Bool { state.withLock(\.isClosing) }

  private func run() {
    var connection: PostgreSQLConnection?
    // The followed sessions that could not be loaded, and when. They are retried after a while.
    var damaged: [JournalSubject: ContinuousClock.Instant] = [:]
    var deliveriesRead = ContinuousClock.Instant.now - Self.longPause
    // The sessions with deliveries that a client is waiting for.
    var awaited: [JournalSubject] = []
    while !isClosing {
      do throws(JournalFault) {
        let present: PostgreSQLConnection
        if let connection { present = connection } else { present = try connected() }
        connection = present
        damaged = damaged.filter { $0.value + .seconds(10) > .now }
        let followed = (awaited + (positions.follower?.followed ?? [])).filter {
          damaged[$0] == nil || !isUnloaded($0)
        }
        let pause = followed.isEmpty ? Self.longPause : Self.pause
        try wait(over: present, for: pause)
        for session in try read(over: present, following: followed) { damaged[session] = .now }
        awaited = []
        if deliveriesRead + Self.longPause <= .now {
          awaited = try readDeliveries(over: present)
          deliveriesRead = .now
        }
        try tellReads(over: present)
        outage.end()
      } catch {
        connection = nil
        outage.begin(error)
        if error.isFinal { return end(with: error) }
        // After a longer outage, requests fail at once.
        fail(
          error, before: .now - (outage.fault(after: Self.patience) == nil ? Self.patience : .zero))
        rest()
      }
    }
    if let connection { try? tellReads(over: connection) }
    end(with: .closed)
  }

  /// Waits for a request, a notification, or a timeout.
  private func wait(over connection: PostgreSQLConnection, for time: Duration) throws(JournalFault)
  {
    let payloads = try connection.idle(untilReadable: reading, for: time)
    for payload in payloads where !payload.isEmpty {
      positions.follower?.noteRead(payload.split(separator: " ").map(String.init))
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe Glibc.read(reading, &bytes, bytes.count) > 0 {}
  }

  private func connected() throws(JournalFault) -> PostgreSQLConnection {
    let writer = positions.writer
    let connection = try PostgreSQLConnection(
      address, knownAs: place, patience: Self.patience)
    // Check before and after taking the lock, which another process may hold exclusively.
    try connection.lastBatch(of: writer)
    guard try connection.row(of: PostgreSQLSchema.sharedLock)?.flag(0) == true else {
      throw .unreachable(
        database: place, message: "Another process has the journal for itself.")
    }
    try connection.execute(PostgreSQLSchema.settings + PostgreSQLSchema.readingStatements)
    let hash = try connection.row(of: "SELECT hashtext(current_schema())")?.int(0) ?? 0
    try connection.execute("LISTEN \"menud_\(hash)\"")
    // The other replicas were not notified of earlier reads.
    positions.follower?.noteRead(nil)
    wake()
    try connection.lastBatch(of: writer)
    return connection
  }

  /// True if a session is open, and not in memory.
  private func isUnloaded(_ session: JournalSubject) -> Bool {
    positions.follower?.isUnloaded(session) == true
  }

  private func rest() {
    var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    // New questions do not shorten the pause.
    if isClosing { return }
    _ = unsafe poll(&descriptor, 0, 50)
  }
}

// MARK: Questions

extension PostgreSQLReader {
  /// Reads the news of requested and followed sessions, and completes the requests; returns the sessions that could
  /// not be loaded.
  private func read(
    over connection: PostgreSQLConnection, following followed: [JournalSubject]
  ) throws(JournalFault) -> [JournalSubject] {
    let questions = state.withLock { state in
      defer { state.questions = [] }
      return state.questions
    }
    let start = ContinuousClock.now
    let wanted = Set(followed).union(questions.lazy.flatMap(\.sessions))
    do throws(JournalFault) {
      let faults = try refresh(wanted, keys: questions.flatMap(\.keys), over: connection)
      positions.figures.readings.add()
      positions.lastReading.withLock { $0 = start }
      positions.follower?.noteCurrent(Array(wanted), since: start)
      let passing = faults.filter(\.value.isOfReach)
      if passing.count < faults.count {
        positions.follower?.note(damaged: faults.filter { !$0.value.isOfReach })
      }
      for question in questions {
        question.done(
          passing.isEmpty ? nil : question.sessions.lazy.compactMap { passing[$0] }.first)
      }
      return Array(faults.keys)
    } catch {
      // The requests wait for the next attempt.
      state.withLock { $0.questions.insert(contentsOf: questions, at: 0) }
      throw error
    }
  }

  /// Reads until there is no news of the sessions and all of them are loaded; returns the faults of those that could
  /// not be.
  private func refresh(
    _ wanted: Set<JournalSubject>, keys: [[UInt8]], over connection: PostgreSQLConnection
  ) throws(JournalFault) -> [JournalSubject: JournalFault] {
    let reading = positions.statements(for: wanted, keys: keys, readingDirectory: false)
    let results = try connection.exchange(reading.all)
    guard let found = SharedReading(results[...], of: reading) else {
      throw .damagedDatabase(place, .tables)
    }
    var loader = Loader()
    var isTaken = try positions.takeSessions(found, of: wanted, waiting: Self.patience)
    // Allow more rounds than an undisturbed reading needs.
    for _ in 0..<8 + wanted.count / Self.sessionsAtOnce * 2 {
      loader.sessions = wanted.filter { !loader.isOver($0) && isUnloaded($0) }
      guard !isTaken || !loader.sessions.isEmpty else { break }
      try read(wanted, keys: keys, &loader, over: connection)
      isTaken = true
    }
    // A loaded session may have been unloaded since, which is no fault.
    for session in loader.tried where !loader.isOver(session) && isUnloaded(session) {
      loader.faults[session] = .unreachable(
        database: place, message: "A session cannot be read.")
    }
    return loader.faults
  }

  /// The sessions to load.
  private struct Loader {
    var sessions: Set<JournalSubject> = []
    /// The sessions that were read.
    var tried: Set<JournalSubject> = []
    /// The sessions that are read with the catalogue.
    var withCatalog: Set<JournalSubject> = []
    /// The sessions that were loaded, and possibly unloaded again.
    var loaded: Set<JournalSubject> = []
    /// The faults of the sessions that could not be loaded.
    var faults: [JournalSubject: JournalFault] = [:]

    /// True if the session needs no further attempt.
    func isOver(_ session: JournalSubject) -> Bool {
      loaded.contains(session) || faults[session] != nil
    }
  }

  /// Reads a consistent snapshot, and some of the missing sessions.
  private func read(
    _ wanted: Set<JournalSubject>, keys: [[UInt8]], _ loader: inout Loader,
    over connection: PostgreSQLConnection
  ) throws(JournalFault) {
    let reading = positions.statements(for: wanted, keys: keys)
    let sessions = Array(loader.sessions.prefix(Self.sessionsAtOnce))
    loader.tried.formUnion(sessions)
    let loads = sessions.map { session in
      SubjectContents.statement(of: session, withCatalog: loader.withCatalog.contains(session))
    }
    let results = try connection.exchange(
      [.beginSnapshot] + reading.all + loads + [.commit])
    let end = reading.all.count + 1
    guard results.count == end + loads.count + 1,
      let found = SharedReading(results[1..<end], of: reading)
    else { throw .damagedDatabase(place, .tables) }
    guard try positions.take(found, waiting: Self.patience) else {
      throw .unreachable(database: place, message: "A commit takes long.")
    }
    for (session, rows) in zip(sessions, results[end...]) {
      do throws(JournalFault) {
        let contents = try SubjectContents(of: session, rows, in: place)
        switch try positions.load(session, contents, at: found.end, waiting: Self.patience) {
        case .done: loader.loaded.insert(session)
        case .needsCatalog: loader.withCatalog.insert(session)
        case .tooEarly: break
        }
      } catch {
        loader.faults[session] = error
      }
    }
  }

  /// Reads which sessions may have deliveries, and returns those to load because a client is waiting for deliveries.
  private func readDeliveries(
    over connection: PostgreSQLConnection
  ) throws(JournalFault) -> [JournalSubject] {
    let results = try connection.exchange(
      [PostgreSQLStatement("menud_read_delivering", [])])
    guard let rows = results.first else { throw .damagedDatabase(place, .tables) }
    var sessions: [JournalSubject: Int64] = [:]
    for index in 0..<rows.count {
      rows.seek(index)
      sessions[rows.subject] = rows.int(1)
    }
    return positions.follower?.note(delivering: sessions) ?? []
  }

  /// Fails all waiting and future requests.
  private func end(with fault: JournalFault) {
    state.withLock { $0.end = fault }
    fail(fault, before: .now)
  }

  /// Fails the requests that have waited since before a moment.
  private func fail(_ fault: JournalFault, before moment: ContinuousClock.Instant) {
    let questions = state.withLock { state in
      let old = state.questions.filter { $0.time <= moment }
      state.questions.removeAll { $0.time <= moment }
      return old
    }
    for question in questions { question.done(fault) }
  }

  /// Sends the ids of sessions that were read here, as many as fit in each notification.
  private func tellReads(over connection: PostgreSQLConnection) throws(JournalFault) {
    let names = state.withLock { state in
      defer { state.readSessions = [] }
      return Array(state.readSessions)
    }
    // An id has at most 128 bytes, and a notification less than 8,000.
    let payloads = stride(from: 0, to: names.count, by: 60).map { start in
      names[start...].prefix(60).joined(separator: " ")
    }
    guard !payloads.isEmpty else { return }
    do throws(JournalFault) {
      _ = try connection.exchange(
        payloads.map { PostgreSQLStatement("menud_notify", [.text($0)]) })
    } catch {
      state.withLock { $0.readSessions.formUnion(names) }
      throw error
    }
  }
}
