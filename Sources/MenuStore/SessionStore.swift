import Locks
package import MenuEngine
import Synchronization

/// The open sessions, the catalogue they are read under, and the answers to repeated requests: in memory,
/// and in a journal if there is one.
///
/// There are three verbs. *Reading* takes editions out of the world as it is at one moment. *Committing*
/// publishes a change that was made on a copy, if the editions that it was made from are still the present
/// ones, and appends it to the journal in the same order. *Following* gets the commits of a session or of the
/// catalogue, in order, once they are durable. One lock guards the world. It is held for a few
/// look-ups; nothing is computed, written or called back under it.
///
/// A commit is durable once its ticket is settled. If it cannot be made durable, it is rolled back.
package final class SessionStore: Sendable {
  private let world: Lock<World>
  /// The journal; nil if nothing is kept.
  private let journal: (any Journal)?
  /// The journal if other processes commit to it too.
  let shared: (any SharedJournal)?
  /// The content of a shared journal, as far as it is known to be durable.
  let replay: Monitor<Replay?>
  private let openings: Atomic<Int>
  private let catalogTurn = Lock(())
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
    journal = nil
    shared = nil
    replay = Monitor(nil)
    recovery = nil
  }

  /// A store of the content of a journal; of the catalogue alone if the journal is new.
  ///
  /// - Throws: `JournalFault` if the journal is damaged or holds what cannot be done again.
  package init(
    recovering journal: any Journal, catalog: Catalog,
    keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    following followerBounds: Follower.Bounds = Follower.Bounds(),
    openingsAfter firstOpening: Int = 0, now: @escaping @Sendable () -> Int64 = { 0 }
  ) throws(JournalFault) {
    self.now = now
    self.bounds = bounds
    self.followerBounds = followerBounds
    openings = Atomic(firstOpening)
    let replay = Replay()
    recovery = try journal.recover { (item) throws(JournalFault) in
      try replay.read(item)
    } stateOf: { subject in
      replay.state(of: subject)
    }
    self.journal = journal
    let shared = journal as? any SharedJournal
    self.shared = shared
    self.replay = Monitor(nil)
    retentionClock = journal.clock
    world = Lock(
      World(
        replay.catalog ?? catalog, isBegun: replay.catalog != nil,
        answers: KeptAnswers(recovering: replay.entries, within: bounds)))
    insert(Array(replay.sessions.values))
    insert(replay.unread)
    if let shared {
      try share(shared, after: replay)
    } else if !replay.sessions.isEmpty {
      remember(replay.tail, of: replay.sessions)
    }
    let waking = try world.withLock { (world) throws(JournalFault) in try begin(&world) }
    if let waking { finish(waking) }
  }

  /// Lets others commit to the journal from now on.
  private func share(
    _ journal: any SharedJournal, after start: Replay
  ) throws(JournalFault) {
    openings.store(journal.agreement.openings, ordering: .relaxed)
    remember(start.tail, of: start.sessions, isLasting: true)
    start.endStart()
    replay.withLock { $0 = start }
    try journal.begin(self)
  }

  /// Makes durable what is not yet, and closes the journal. Nothing is accepted afterwards.
  package func close() {
    tellReads()
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
      world.withLock { $0.insert(session, opening) }
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
    world.withLock { world in
      world.recent = World.Recent(
        end: end, catalog: world.catalog, formerCatalogs: replayed.catalogs,
        lastEdition: isLasting ? .max : world.lastEdition,
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
    let (look, waking) = withWorld { world in
      let waking = try? begin(&world)
      let look = world.snapshot(of: id)
      look.session?.opening.lastRead.store(time, ordering: .relaxed)
      return (look, waking)
    }
    if let waking { finish(waking) }
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

  /// The names of the open sessions, in alphabetical order. The ticket is settled once the opening or closing of the
  /// last one is durable, or was rolled back.
  package var names: (sessions: [SessionID], membership: Ticket) {
    let (names, ticket) = world.withLock { world in
      (world.names, world.membership)
    }
    return (names.sorted { $0.rawValue < $1.rawValue }, ticket)
  }

  /// The open sessions that are in memory, in no order.
  var allSessions: [SessionEdition] { world.withLock { Array($0.sessions.values) } }

  /// The number of open sessions.
  package var count: Int { world.withLock(\.count) }

  /// Returns the name and the opening of the session whose token this is, and itself if it is in memory; nil if it is
  /// of no open session.
  ///
  /// The ticket is settled once that is durable.
  package func opening(of token: TokenDigest) -> (
    found: (id: SessionID, edition: SessionEdition?, opening: Incarnation)?, ticket: Ticket
  ) {
    world.withLock { world in
      guard let found = world.session(with: token) else { return (nil, world.membership) }
      return (found, found.edition?.ticket ?? .durable)
    }
  }

  /// Returns the answer kept under a key; nil if there is none, or it has expired.
  ///
  /// The ticket is settled once the answer is durable.
  package func answer(under key: [UInt8]) -> (entry: IdempotencyEntry, ticket: Ticket)? {
    let (now, key) = (retentionClock.now, AnswerKey(key))
    return world.withLock { world in
      world.answers.answer(under: key, at: now).map { ($0.entry, $0.ticket) }
    }
  }

  /// The kept answers, the oldest first.
  var answers: [IdempotencyEntry] { world.withLock(\.answers.entries) }

  /// The reason why the last write of the journal failed; nil if it did not.
  package var fault: JournalFault? { journal?.fault }

  /// The counters of the journal; nil without one.
  package var journalFigures: JournalFigures? { journal?.figures }
}

// MARK: Committing

extension SessionStore {
  /// Returns a new incarnation of a session, to be proposed.
  package func newOpening() -> Incarnation {
    Incarnation(number: openings.add(1, ordering: .relaxed).newValue, at: now())
  }

  /// Makes changes of the catalogue one after the other, so that none is outdated by another.
  ///
  /// Without it, a client that keeps changing the catalogue could outdate the others for ever.
  package func inTurnOfCatalog<Result: Sendable, Fault: Error>(
    _ change: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try catalogTurn.withLock { (_) throws(Fault) in try change() }
  }

  /// Publishes a proposal, if it was made for the world as it is.
  ///
  /// - Throws: `JournalFault` if the journal takes nothing at the moment. Then nothing is changed but that
  ///   expired answers are forgotten.
  package func commit(_ proposal: Proposal) throws(JournalFault) -> CommitResult {
    let commit = try PreparedCommit(
      proposal, isKept: journal != nil, isFollowed: isFollowed.load(ordering: .relaxed),
      at: retentionClock.now)
    let (result, waking) = try withWorld {
      (world) throws(JournalFault) -> (CommitResult, Waking?) in
      if let waking = try begin(&world) { return (.outdated, waking) }
      // First, since a repetition finds the world changed by the request that it repeats.
      if let key = commit.key, let kept = world.answers.answer(under: key, at: commit.now) {
        return (.repeated(kept.entry, kept.ticket), nil)
      }
      guard world.admits(proposal) else { return (.outdated, nil) }
      let (ticket, waking) = try publish(commit, in: &world)
      return (.committed(ticket), waking)
    }
    if let waking { finish(waking) }
    if case .committed = result {
      figures.note(proposal.action)
      if proposal.hasDeliveries { expectDeliveries() }
    }
    return result
  }

  /// Appends a commit to the journal, and publishes it.
  private func publish(
    _ commit: PreparedCommit, in world: inout World
  ) throws(JournalFault) -> (Ticket, Waking) {
    let action = commit.proposal.action
    let former = world.former(of: action)
    let added = commit.answer.map { world.answers.add($0, within: bounds, at: commit.now) }
    var ticket = Ticket.durable
    let mark = shared.map { _ in UnsettledCommit.Mark() }
    if let journal {
      let write = commit.write(forgetting: added?.forgotten ?? []) { [self] in
        rollBack(to: former, added, mark)
      }
      do throws(JournalFault) {
        ticket = try journal.append(write)
      } catch {
        if let added { world.answers.undo(added) }
        throw error
      }
    }
    if let mark {
      world.unsettled.append(
        UnsettledCommit(mark: mark, action: action, former: former, added: added, ticket: ticket))
    }
    if let added { world.answers.set(ticket, of: added) }
    world.publish(action, ticket)
    let waking = world.noteFollowed(
      action, size: commit.size, within: followerBounds, at: commit.now)
    return (ticket, waking)
  }

  /// Does what a commit leaves to be done under no lock: wakes the journal's thread and the followers.
  func finish(_ waking: Waking) {
    journal?.startWriting()
    if let subject = waking.subject, let ticket = waking.ticket {
      wakeFollowers(of: subject, onceSettled: ticket)
    }
  }

  /// Adds the catalogue to a new journal, again if that was rolled back: everything else stands behind it.
  ///
  /// - Returns: The threads to wake; nil if it was there already.
  private func begin(_ world: inout World) throws(JournalFault) -> Waking? {
    guard !world.isBegun, let journal else { return nil }
    let catalog = world.catalog.catalog
    let record = JournalRecord(
      .opened, .catalog, revision: Int64(catalog.revision), payload: try catalog.stored())
    let former = World.Former.beginning(world.catalog)
    let mark = shared.map { _ in UnsettledCommit.Mark() }
    let write = JournalWrite(record: record, state: catalog.journalState) { [self] in
      rollBack(to: former, nil, mark)
    }
    let ticket = try journal.append(write)
    if let mark {
      world.unsettled.append(
        UnsettledCommit(mark: mark, action: nil, former: former, added: nil, ticket: ticket))
    }
    return world.begin(with: catalog, ticket)
  }

  /// Takes back a commit that could not be made durable.
  private func rollBack(
    to former: World.Former, _ added: KeptAnswers.Added?, _ mark: UnsettledCommit.Mark?
  ) {
    withWorld { world in
      // What others committed may have taken it back already.
      if let mark, !world.forget(mark) { return }
      world.restore(former)
      if let added { world.answers.undo(added) }
      if mark != nil { world.settleMembership() }
    }
  }
}
