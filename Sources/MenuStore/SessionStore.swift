import Locks
package import MenuEngine
import Synchronization

/// The open sessions, their catalogue, and the answers to repeated requests: in memory, and in a journal if there is
/// one.
///
/// *The writer takes changes in order, makes them durable, and then publishes them. Readers see only published
/// states.* So everything visible is durable, and an answer waits only for its own change.
///
/// *Reading* takes immutable editions from the world. *Committing* hands a change to the writer, which applies it to a
/// draft that no reader sees. *Following* delivers the commits of a session or of the catalogue in order. One lock
/// guards the world. It is held for a few look-ups; nothing is computed, written or called back under it.
package final class SessionStore: Sendable {
  private let world: Lock<World>
  /// The journal; nil if changes are not durable.
  let journal: (any Journal)?
  /// The journal if other processes commit to it too.
  let shared: (any SharedJournal)?
  /// Carries out the changes on a thread of its own; nil without a journal.
  let writer: Writer?
  /// Serializes changes without a journal, which run on the calling thread.
  let writing = Lock(())
  /// Reads what other processes committed.
  let reader: Monitor<StoredReader>
  /// Reads sessions whose states are written in the background; changes do not wait for it.
  let stateReader = Monitor(StoredReader())
  let numbers = EditionNumbers()
  let openings: Atomic<Int>
  /// The time up to which other processes have been notified of reads here.
  let readsTold = Atomic(Int64.min)
  /// A time in milliseconds that only grows.
  let now: @Sendable () -> Int64
  let bounds: KeptAnswers.Bounds
  let followerBounds: Follower.Bounds
  /// True if something is followed, so that the sizes of commits are needed.
  let isFollowed = Atomic(false)
  /// The settings of histories; nil if there are none.
  package let history: HistorySettings?
  /// The clock by which kept answers expire.
  package let retentionClock: RetentionClock
  /// The counters of the store since the start.
  package let figures = StoreFigures()
  /// The result of the recovery; nil without a journal.
  package let recovery: JournalRecovery?

  /// Creates a store without sessions and without a journal.
  ///
  /// - Parameters:
  ///   - bounds: The bounds of the answers kept for requests with an idempotency key.
  ///   - followerBounds: The bounds of the commits kept for followers.
  ///   - history: The settings of histories. The default is nil, for no histories.
  ///   - firstOpening: The number after which incarnations are numbered. Pass a random one, so that the numbers of an
  ///     earlier run are unlikely to recur. The default is 0.
  ///   - now: A monotonic time in milliseconds, by which sessions become idle and answers expire. The default stands
  ///     still.
  package init(
    catalog: Catalog, keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    following followerBounds: Follower.Bounds = Follower.Bounds(),
    remembering history: HistorySettings? = nil, openingsAfter firstOpening: Int = 0,
    now: @escaping @Sendable () -> Int64 = { 0 }
  ) {
    self.now = now
    self.history = history
    self.bounds = bounds
    self.followerBounds = followerBounds
    openings = Atomic(firstOpening)
    retentionClock = RetentionClock(retention: bounds.retention, now)
    world = Lock(World(catalog, isBegun: true, answers: KeptAnswers()))
    (journal, shared, writer, recovery) = (nil, nil, nil, nil)
    reader = Monitor(StoredReader())
  }

  /// Creates a store with the contents of a journal; a new journal holds the catalogue alone.
  ///
  /// - Parameter worker: Runs the writer; the default is a thread.
  /// - Throws: `JournalFault` if the journal is damaged or cannot be replayed.
  package init(
    recovering journal: any Journal, catalog: Catalog,
    keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    following followerBounds: Follower.Bounds = Follower.Bounds(),
    remembering history: HistorySettings? = nil, openingsAfter firstOpening: Int = 0,
    now: @escaping @Sendable () -> Int64 = { 0 }, by worker: any WriterWorker = WriterThread()
  ) throws(JournalFault) {
    self.history = history
    (self.now, self.bounds, self.followerBounds) = (now, bounds, followerBounds)
    openings = Atomic(firstOpening)
    let reader = StoredReader()
    let replay = Replay(reader)
    recovery = try journal.recover { (item) throws(JournalFault) in
      try replay.read(item)
    } stateOf: { subject in
      replay.state(of: subject)
    }
    self.journal = journal
    shared = journal.shared
    retentionClock = journal.clock
    world = Lock(
      World(
        replay.catalog ?? catalog, isBegun: replay.catalog != nil,
        answers: KeptAnswers(recovering: replay.entries, within: bounds)))
    self.reader = Monitor(reader)
    let writer = Writer(for: journal, by: worker)
    self.writer = writer
    try begin(after: replay)
    let fault = try journal.probe()
    try writer.start(after: fault) { [weak self] (jobs) throws(JournalFault) in
      guard let self else { throw .closed }
      return try carryOut(jobs)
    }
    if replay.catalog == nil { try writer.add(Job(commit: nil, make: nil, finish: { _ in })) }
  }

  deinit { close() }

  /// Adds the recovered contents, and starts to follow other processes.
  private func begin(after replay: Replay) throws(JournalFault) {
    try numberOpenings(of: replay)
    insert(replay.sessions)
    insert(replay.unread)
    if let agreement {
      openings.store(agreement.openings, ordering: .relaxed)
      remember(replay.tail, of: replay.sessions, isLasting: true)
    } else if !replay.sessions.isEmpty {
      remember(replay.tail, of: replay.sessions)
    }
    try journal?.begin(self)
  }

  /// Completes the pending changes, and closes the journal. Later changes are refused.
  package func close() {
    tellReads()
    journal?.interrupt()
    writer?.close()
    journal?.close()
  }

  /// Chooses the first number for later incarnations, which no incarnation had before.
  ///
  /// If acknowledged commits are missing, each session starts a new incarnation, durably, before the first answer:
  /// otherwise the same revision could denote different contents.
  private func numberOpenings(of replay: Replay) throws(JournalFault) {
    let numbers = replay.sessions.values.compactMap(\.openingNumber)
    let known = max(numbers.max() ?? 0, recovery?.openings ?? 0)
    let first = openings.load(ordering: .relaxed)
    guard let journal, recovery?.lacksRecords == true else {
      return openings.store(max(first, known), ordering: .relaxed)
    }
    // The missing commits may have opened sessions as well.
    openings.store(known + first, ordering: .relaxed)
    try journal.beginAgain(with: try replay.beginSessionsAgain { newOpening().number })
  }

  /// Adds the recovered sessions, with the numbers of their incarnations.
  private func insert(_ sessions: [SessionID: Session]) {
    for session in sessions.values {
      let opening =
        session.openingNumber.map { Incarnation(number: $0, at: now()) } ?? newOpening()
      let edition = SessionEdition(session, of: opening, number: numbers.next())
      world.withLock { $0.insert(edition) }
    }
  }

  /// Adds the sessions that remain unloaded.
  private func insert(_ labels: [SessionID: SessionLabel]) {
    let time = now()
    world.withLock { world in
      for (id, label) in labels {
        let opening = Incarnation(number: label.opening, at: time)
        world.add(UnloadedSession(opening: opening, token: label.token), named: id)
      }
    }
  }

  /// Keeps the last changes and later ones, so that followers from before the start can resume.
  private func remember(
    _ tail: ReplayedTail, of sessions: [SessionID: Session], isLasting: Bool = false
  ) {
    let changes = tail.changes(of: sessions, sinceCatalog: isLasting)
    let time = retentionClock.now
    world.withLock { world in
      world.remember(changes, within: followerBounds, at: time, numbering: numbers)
      if !isLasting, world.rings[.catalog] == nil {
        let catalog = FollowedState.catalog(world.catalog)
        world.beginRing(of: .catalog, with: catalog, within: followerBounds, at: time)
      }
      world.recent = World.Recent(
        end: isLasting ? .max : time + 60_000, lastEdition: isLasting ? .max : numbers.last)
    }
    isFollowed.store(true, ordering: .relaxed)
  }
}

// MARK: Reading

extension SessionStore {
  /// Returns the catalogue and the session of a name at one moment.
  ///
  /// - Parameter isUse: True if the read counts as use of the session, which keeps it from becoming idle.
  package func read(_ id: SessionID, isUse: Bool = true) -> StoreSnapshot {
    let time = now()
    let look = withWorld { $0.snapshot(of: id) }
    if isUse { look.session?.opening.lastRead.store(time, ordering: .relaxed) }
    return look
  }

  /// Reads or changes the world under the lock. Retired objects are released after the lock.
  func withWorld<Result: Sendable, Fault: Error>(
    _ body: (inout World) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    var retired = RetiredCommits()
    defer { withExtendedLifetime(retired) {} }
    return try world.withLock { (world) throws(Fault) in
      defer { swap(&retired, &world.retired) }
      return try body(&world)
    }
  }

  /// The catalogue as it is now.
  package var catalogEdition: CatalogEdition { world.withLock(\.catalog) }

  /// The open sessions that are in memory, in the alphabetical order of their names.
  package var sessions: [SessionEdition] {
    allSessions.sorted { $0.session.id.rawValue < $1.session.id.rawValue }
  }

  /// The names of the open sessions, in alphabetical order.
  package var names: [SessionID] {
    world.withLock(\.names).sorted { $0.rawValue < $1.rawValue }
  }

  /// The open sessions that are in memory, in no order.
  var allSessions: [SessionEdition] { world.withLock { Array($0.sessions.values) } }

  /// The number of open sessions.
  package var count: Int { world.withLock(\.count) }

  /// Returns the opening of the session of a name; nil if none is open.
  package func opening(of id: SessionID) -> Incarnation? { world.withLock { $0.opening(of: id) } }

  /// Returns the name and the incarnation of the open session with this token; nil if there is none.
  package func opening(
    of token: TokenDigest
  ) -> (id: SessionID, opening: Incarnation)? {
    world.withLock { $0.opening(with: token) }
  }

  /// Returns the digest of an open session's first token, which may be nil; the outer nil means that no session is
  /// open.
  package func firstToken(of id: SessionID) -> TokenDigest?? {
    world.withLock { $0.firstToken(of: id) }
  }

  /// Returns the answer kept under a key; nil if there is none, or it has expired.
  package func answer(under key: [UInt8]) -> IdempotencyEntry? {
    let (now, key) = (retentionClock.now, AnswerKey(key))
    return world.withLock { $0.answers.answer(under: key, at: now) }
  }

  /// The kept answers, the oldest first.
  var answers: [IdempotencyEntry] { world.withLock(\.answers.entries) }

  /// The reason why the last write of the journal failed; nil if it did not.
  package var fault: JournalFault? {
    // A final fault takes precedence over a temporary one.
    if let fault = writer?.fault, fault.isFinal { return fault }
    return journal?.fault ?? writer?.fault
  }

  /// Returns the latest fault by which the journal refused changes since the last call; nil if it refused none.
  package func takeWriteFault() -> JournalFault? { writer?.takeFault() }

  /// The counters of the journal; nil without one.
  package var journalFigures: JournalFigures? { journal?.figures }

  /// True if there is a journal.
  package var isKept: Bool { journal != nil }
}
