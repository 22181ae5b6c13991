import Locks
package import MenuEngine
import Synchronization

/// The open sessions, the catalogue they are read under, and the answers to repeated requests: in memory,
/// and in a journal if there is one.
///
/// *The writer takes changes in order, makes them durable, and then publishes them. Readers read what is published.*
/// So nothing that is visible can be lost, and no answer waits for anything but its own change.
///
/// *Reading* takes editions out of the world as it is at one moment. *Committing* hands a change to the writer, which
/// carries it out on a draft that nobody else sees. *Following* gets the commits of a session or of the catalogue, in
/// order. One lock guards the world. It is held for a few look-ups; nothing is computed, written or called back under
/// it.
package final class SessionStore: Sendable {
  private let world: Lock<World>
  /// The journal; nil if nothing is kept.
  private let journal: (any Journal)?
  /// The journal if other processes commit to it too.
  let shared: (any SharedJournal)?
  /// Carries out the changes on a thread of its own; nil without a journal.
  private let writer: Writer?
  /// Held while a change is carried out without a journal, on the thread that asks for it.
  private let writing = Lock(())
  /// Reads what other processes committed.
  let reader: Monitor<StoredReader>
  let numbers = EditionNumbers()
  private let openings: Atomic<Int>
  /// The time up to which other processes know what was read here.
  let readsTold = Atomic(Int64.min)
  /// A time in milliseconds that only grows.
  let now: @Sendable () -> Int64
  let bounds: KeptAnswers.Bounds
  let followerBounds: Follower.Bounds
  /// True if something is followed, so that the sizes of commits are needed.
  let isFollowed = Atomic(false)
  /// True if a session may have deliveries.
  let mayHaveDeliveries = Atomic(true)
  /// The clock by which kept answers expire.
  package let retentionClock: RetentionClock
  /// The counters of the store since the start.
  package let figures = StoreFigures()
  /// The result of the recovery; nil without a journal.
  package let recovery: JournalRecovery?

  /// A store without sessions, which keeps nothing.
  ///
  /// - Parameters:
  ///   - bounds: The number of answers to requests with an idempotency key that are kept, and for how long.
  ///   - followerBounds: The number of commits of what is followed that are kept, and their size.
  ///   - firstOpening: The number from which on openings are numbered; one by chance, so that an opening of an earlier
  ///     run hardly had the number of a later one.
  ///   - now: A time in milliseconds that only grows, from any beginning, by which sessions are idle and
  ///     answers expire; one that stands still by default.
  package init(
    catalog: Catalog, keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    following followerBounds: Follower.Bounds = Follower.Bounds(),
    openingsAfter firstOpening: Int = 0, now: @escaping @Sendable () -> Int64 = { 0 }
  ) {
    self.now = now
    self.bounds = bounds
    self.followerBounds = followerBounds
    openings = Atomic(firstOpening)
    retentionClock = RetentionClock(retention: bounds.retention, now)
    world = Lock(World(catalog, isBegun: true, answers: KeptAnswers()))
    (journal, shared, writer, recovery) = (nil, nil, nil, nil)
    reader = Monitor(StoredReader())
  }

  /// A store of the content of a journal; of the catalogue alone if the journal is new.
  ///
  /// - Throws: `JournalFault` if the journal is damaged or holds what cannot be done again.
  package convenience init(
    recovering journal: any Journal, catalog: Catalog,
    keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    following followerBounds: Follower.Bounds = Follower.Bounds(),
    openingsAfter firstOpening: Int = 0, now: @escaping @Sendable () -> Int64 = { 0 }
  ) throws(JournalFault) {
    try self.init(
      recovering: journal, catalog: catalog, keeping: bounds, following: followerBounds,
      openingsAfter: firstOpening, now: now, by: WriterThread())
  }

  /// A store whose changes a worker carries out.
  init(
    recovering journal: any Journal, catalog: Catalog,
    keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    following followerBounds: Follower.Bounds = Follower.Bounds(),
    openingsAfter firstOpening: Int = 0, now: @escaping @Sendable () -> Int64 = { 0 },
    by worker: any WriterWorker
  ) throws(JournalFault) {
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
    shared = journal as? any SharedJournal
    retentionClock = journal.clock
    world = Lock(
      World(
        replay.catalog ?? catalog, isBegun: replay.catalog != nil,
        answers: KeptAnswers(recovering: replay.entries, within: bounds)))
    self.reader = Monitor(reader)
    let writer = Writer(for: journal, by: worker)
    self.writer = writer
    insert(Array(replay.sessions.values))
    insert(replay.unread)
    if let shared {
      openings.store(shared.agreement.openings, ordering: .relaxed)
      remember(replay.tail, of: replay.sessions, isLasting: true)
      try shared.begin(self)
    } else if !replay.sessions.isEmpty {
      remember(replay.tail, of: replay.sessions)
    }
    let fault = try journal.probe()
    try writer.start(after: fault, steps)
    if replay.catalog == nil { try writer.add(Job(commit: nil, make: nil, finish: { _ in })) }
  }

  deinit { close() }

  /// Carries out the changes that it was given, and closes the journal. Nothing is accepted afterwards.
  package func close() {
    tellReads()
    journal?.interrupt()
    writer?.close()
    journal?.close()
  }

  /// Adds the sessions that were recovered, under the numbers of their openings.
  ///
  /// If acknowledged commits are missing, each gets another number for this run: a revision could tell of something
  /// else than it did then.
  private func insert(_ sessions: [Session]) {
    let known = sessions.compactMap(\.openingNumber).max() ?? 0
    openings.store(max(openings.load(ordering: .relaxed), known), ordering: .relaxed)
    let isCertain = recovery?.notices.contains(where: \.isOfMissingRecords) != true
    for session in sessions {
      let number = isCertain ? session.openingNumber : nil
      let opening = number.map { Incarnation(number: $0, at: now()) } ?? newOpening()
      let edition = SessionEdition(session, of: opening, number: numbers.next())
      world.withLock { $0.insert(edition) }
    }
  }

  /// Adds the sessions that were not read.
  private func insert(_ labels: [SessionID: SessionLabel]) {
    let time = now()
    world.withLock { world in
      for (id, label) in labels {
        let opening = Incarnation(number: label.opening, at: time)
        world.add(UnloadedSession(opening: opening, token: label.token), named: id)
      }
    }
  }

  /// Keeps the last changes, and what comes after them, for those who followed them before the start.
  private func remember(
    _ tail: ReplayedTail, of sessions: [SessionID: Session], isLasting: Bool = false
  ) {
    let replayed = isLasting ? tail.sinceCatalog : tail
    let time = retentionClock.now
    let end = isLasting ? .max : time + 60_000
    let last = isLasting ? .max : numbers.last
    world.withLock { world in
      world.recent = World.Recent(
        end: end, catalog: world.catalog, formerCatalogs: replayed.catalogs, lastEdition: last,
        replayed: replayed.bySession(of: sessions).mapValues {
          World.Replayed(changes: $0, time: time)
        })
    }
    isFollowed.store(true, ordering: .relaxed)
  }
}

extension JournalNotice {
  /// True if records that somebody may have heard of are not there.
  fileprivate var isOfMissingRecords: Bool {
    switch self {
    case .recordsMissing, .acknowledgedMissing, .lastRecordDamaged: true
    case .created, .unfinishedWrite, .markUnreadable: false
    }
  }
}

// MARK: Reading

extension SessionStore {
  /// Returns the catalogue and the session of a name, as they are at one moment.
  package func read(_ id: SessionID) -> StoreSnapshot {
    let time = now()
    let look = withWorld { $0.snapshot(of: id) }
    look.session?.opening.lastRead.store(time, ordering: .relaxed)
    return look
  }

  /// Looks at the world or changes it, under the lock. What it holds no more is released after that.
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

  /// Returns the name and the opening of the session whose token this is, and itself if it is in memory; nil if it is
  /// of no open session.
  package func opening(
    of token: TokenDigest
  ) -> (id: SessionID, edition: SessionEdition?, opening: Incarnation)? {
    world.withLock { $0.session(with: token) }
  }

  /// Returns the answer kept under a key; nil if there is none, or it has expired.
  package func answer(under key: [UInt8]) -> IdempotencyEntry? {
    let (now, key) = (retentionClock.now, AnswerKey(key))
    return world.withLock { $0.answers.answer(under: key, at: now) }
  }

  /// The kept answers, the oldest first.
  var answers: [IdempotencyEntry] { world.withLock(\.answers.entries) }

  /// The reason why the last write of the journal failed; nil if it did not.
  package var fault: JournalFault? { journal?.fault ?? writer?.fault }

  /// The counters of the journal; nil without one.
  package var journalFigures: JournalFigures? { journal?.figures }

  /// True if there is a journal.
  var isKept: Bool { journal != nil }
}

// MARK: Committing

extension SessionStore {
  /// Returns a new incarnation of a session, to be proposed.
  package func newOpening() -> Incarnation {
    Incarnation(number: openings.add(1, ordering: .relaxed).newValue, at: now())
  }

  /// Carries out a change at once if nothing is kept, and nothing else was changed since it was made; false if it is not
  /// carried out.
  package func commitAtOnce(_ proposal: Proposal) -> Bool {
    guard writer == nil, let commit = try? Commit(proposal, for: self),
      let wakers = writing.withLock({ _ in publish(commit) })
    else { return false }
    for wake in wakers { wake() }
    return true
  }

  /// Carries out a change. If something else was changed since it was made, it is made again by the writer.
  ///
  /// - Parameters:
  ///   - make: Makes the change on the writer's draft; nil if a change that is outdated is not to be made.
  ///   - finish: Called if the change is carried out later, on the writer's thread: once it is durable and published, or
  ///     with the reason why it is not. Then nothing is changed.
  /// - Returns: The result if the change is carried out already; nil if it will be.
  /// - Throws: `JournalFault` if the journal takes nothing at the moment. Then nothing is changed.
  package func commit(
    _ proposal: Proposal, remaking make: (@Sendable (Draft) -> Proposal?)?,
    finish: @escaping @Sendable (Result<CommitResult, JournalFault>) -> Void
  ) throws(JournalFault) -> CommitResult? {
    let commit = try Commit(proposal, for: self)
    guard let writer else { return try commitHere(Job(commit: commit, make: make, finish: finish)) }
    if let refusal = journal?.refusal { throw refusal }
    try writer.add(Job(commit: commit, make: make, finish: finish))
    return nil
  }

  /// Carries out changes, and returns their results once all are durable and published. Those that are outdated are
  /// not made.
  package func commit(_ proposals: [Proposal]) -> [Result<CommitResult, JournalFault>] {
    let results = Monitor([Int: Result<CommitResult, JournalFault>]())
    for (index, proposal) in proposals.enumerated() {
      let note = { @Sendable (result: Result<CommitResult, JournalFault>) in
        results.withLock { $0[index] = result }
        results.signal()
      }
      do throws(JournalFault) {
        if let result = try commit(proposal, remaking: nil, finish: note) { note(.success(result)) }
      } catch {
        note(.failure(error))
      }
    }
    let all = results.wait { $0.count == proposals.count ? $0 : nil } ?? [:]
    return proposals.indices.map { all[$0] ?? .failure(.closed) }
  }

  /// The same of one change.
  @discardableResult
  package func commit(_ proposal: Proposal) throws(JournalFault) -> CommitResult {
    try commit([proposal])[0].get()
  }

  /// Carries out a job on this thread.
  private func commitHere(_ job: Job) throws(JournalFault) -> CommitResult {
    let (result, wakers) = try writing.withLock { (_) throws(JournalFault) in
      if let commit = job.commit, let published = publish(commit) {
        return (CommitResult.committed, published)
      }
      let draft = try Draft(of: self)
      return (try job.run(on: draft).get(), publish(draft.commits))
    }
    for wake in wakers { wake() }
    return result
  }

  /// Publishes a change if it was made of the world as it is; nil if not.
  private func publish(_ commit: Commit) -> [@Sendable () -> Void]? {
    let now = retentionClock.now
    let wakers = withWorld { world -> [@Sendable () -> Void]? in
      if let key = commit.answer?.key, world.answers.answer(under: key, at: now) != nil {
        return nil
      }
      guard world.admits(commit) else { return nil }
      return publish(commit, commit.state(numbering: numbers), in: &world, at: now)
    }
    if wakers != nil { note(commit) }
    return wakers
  }

  /// Publishes changes in order, and returns how their followers are woken.
  private func publish(
    _ commits: [(commit: Commit, state: FollowedState?)]
  ) -> [@Sendable () -> Void] {
    guard !commits.isEmpty else { return [] }
    let now = retentionClock.now
    let wakers = withWorld { world in
      commits.flatMap { publish($0.commit, $0.state, in: &world, at: now) }
    }
    for (commit, _) in commits { note(commit) }
    return wakers
  }

  func publish(
    _ commit: Commit, _ state: FollowedState?, in world: inout World, at now: Int64
  ) -> [@Sendable () -> Void] {
    if let answer = commit.answer {
      world.answers.put(answer, within: bounds, at: now, isJournaled: isKept)
    }
    guard let state else { return [] }
    return world.publish(commit.action, state, size: commit.size, within: followerBounds, at: now)
  }

  private func note(_ commit: Commit) {
    figures.note(commit.action)
    if commit.action.hasDeliveries { expectDeliveries() }
  }
}

// MARK: Writing

extension SessionStore {
  private var steps: Writer.Steps {
    Writer.Steps(
      prepare: { [weak self] in self?.shared?.lock() },
      carryOut: { [weak self] (jobs) throws(JournalFault) in
        guard let self else { throw .closed }
        return try carryOut(jobs)
      })
  }

  /// Carries out a batch of jobs; see ``Writer/CarryOut``.
  private func carryOut(_ jobs: [Job]) throws(JournalFault) -> Writer.Batch {
    guard let journal else { throw .closed }
    let start = ContinuousClock.now
    while true {
      do throws(JournalFault) {
        return try attempt(jobs, journal)
      } catch {
        // Nothing of the batch is in the database, so that it can be carried out again.
        guard shared != nil, !jobs.isEmpty, case .unreachable = error,
          start.duration(to: .now) < .seconds(2)
        else { throw error }
      }
    }
  }

  private func attempt(
    _ jobs: [Job], _ journal: any Journal
  ) throws(JournalFault) -> Writer.Batch {
    // What other processes committed is in the world then, and nothing more comes until this batch is durable.
    if !jobs.isEmpty || !withWorld(\.isBegun) { try shared?.beginBatch() }
    let draft = try Draft(of: self)
    var batch = Writer.Batch(results: jobs.map { $0.run(on: draft) })
    var writes = draft.commits.map(\.commit.write)
    if writes.isEmpty, !jobs.isEmpty, shared == nil { return batch }
    let forgotten = withWorld(\.answers.forgotten)
    if !forgotten.isEmpty, !writes.isEmpty {
      // In an order, so that the same changes make the same file.
      writes[0].forgotten = forgotten.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    }
    let start = ContinuousClock.now
    var (end, wakers) = (start, [@Sendable () -> Void]())
    batch.hasMore = try journal.append(writes) {
      end = .now
      if !writes.isEmpty { withWorld { $0.answers.endForgetting(forgotten) } }
      wakers = publish(draft.commits)
    }
    journal.figures.noteDurable(writes, in: start.duration(to: end))
    for wake in wakers { wake() }
    return batch
  }
}
