import Locks
package import MenuEngine
import Synchronization

/// The open sessions, the catalogue they are read under, and the answers to repeated requests: in memory,
/// and in a journal if there is one.
///
/// There are two verbs. *Reading* takes editions out of the world as it is at one moment. *Committing*
/// publishes a change that was made on a copy, if the editions that it was made from are still the present
/// ones, and appends it to the journal in the same order. One lock guards the world. It is held for a few
/// look-ups; nothing is computed, written or called back under it.
///
/// A commit is durable once its ticket is settled. If it cannot be made durable, it is rolled back.
package final class SessionStore: Sendable {
  private let world: Lock<World>
  /// The journal; nil if nothing is kept.
  private let journal: (any Journal)?
  private let openings = Atomic(0)
  private let catalogTurn = Lock(())
  /// A time in milliseconds that only grows.
  let now: @Sendable () -> Int64
  private let bounds: KeptAnswers.Bounds
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
  ///   - now: A time in milliseconds that only grows, from any beginning, by which sessions are idle and
  ///     answers expire; one that stands still by default.
  package init(
    catalog: Catalog, keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    now: @escaping @Sendable () -> Int64 = { 0 }
  ) {
    self.now = now
    self.bounds = bounds
    retentionClock = RetentionClock(retention: bounds.retention, now)
    world = Lock(World(catalog, ticket: .durable, answers: KeptAnswers()))
    journal = nil
    recovery = nil
  }

  /// A store of the content of a journal; of the catalogue alone if the journal is new.
  ///
  /// - Throws: `JournalFault` if the journal is damaged or holds what cannot be done again.
  package init(
    recovering journal: any Journal, catalog: Catalog,
    keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    now: @escaping @Sendable () -> Int64 = { 0 }
  ) throws(JournalFault) {
    self.now = now
    self.bounds = bounds
    let replay = Replay()
    recovery = try journal.recover { (item) throws(JournalFault) in
      try replay.read(item)
    } stateOf: { subject in
      replay.state(of: subject)
    }
    self.journal = journal
    retentionClock = journal.clock
    var ticket = Ticket.durable
    // Sessions are read under the catalogue, which therefore comes first.
    if replay.catalog == nil { ticket = try journal.begin(with: catalog) }
    let world = World(
      replay.catalog ?? catalog, ticket: ticket,
      answers: KeptAnswers(recovering: replay.entries, within: bounds))
    self.world = Lock(world)
    for session in replay.sessions.values {
      let opening = newOpening()
      self.world.withLock { $0.insert(session, opening) }
    }
  }

  /// Makes durable what is not yet, and closes the journal. Nothing is accepted afterwards.
  package func close() { journal?.close() }
}

extension Journal {
  fileprivate func begin(with catalog: Catalog) throws(JournalFault) -> Ticket {
    let record = JournalRecord(
      .opened, .catalog, revision: Int64(catalog.revision), payload: try catalog.stored())
    return try append(JournalWrite(record: record, state: catalog.journalState))
  }
}

// MARK: Reading

extension SessionStore {
  /// Returns the catalogue and the session of a name, as they are at one moment.
  package func read(_ id: SessionID) -> Look {
    let time = now()
    return world.withLock { world in
      let look = world.look(at: id)
      look.session?.opening.lastRead.store(time, ordering: .relaxed)
      return look
    }
  }

  /// The catalogue as it is now.
  package var catalogEdition: CatalogEdition { world.withLock(\.catalog) }

  /// The open sessions in the alphabetical order of their names.
  package var sessions: [SessionEdition] { sessionsAndMembership.sessions }

  /// The open sessions in the alphabetical order of their names. The ticket is settled once the opening or
  /// closing of the last one is durable, or was rolled back.
  package var sessionsAndMembership: (sessions: [SessionEdition], membership: Ticket) {
    let (sessions, ticket) = world.withLock { (Array($0.sessions.values), $0.membership) }
    return (sessions.sorted { $0.session.id.rawValue < $1.session.id.rawValue }, ticket)
  }

  /// Returns the open sessions that satisfy a condition, in no order.
  func sessions(where condition: (SessionEdition) -> Bool) -> [SessionEdition] {
    world.withLock { $0.sessions.values.filter(condition) }
  }

  /// The number of open sessions.
  package var count: Int { world.withLock(\.sessions.count) }

  /// Returns the opening whose token this is; nil if it is of no open session.
  ///
  /// The ticket is settled once that is durable.
  package func opening(of token: TokenDigest) -> (opening: Opening?, ticket: Ticket) {
    world.withLock { world in
      let edition = world.session(with: token)
      return (edition?.opening, edition?.ticket ?? world.membership)
    }
  }

  /// Returns the answer kept under a key; nil if there is none, or it has expired.
  ///
  /// The ticket is settled once the answer is durable.
  package func answer(under key: [UInt8]) -> (entry: IdempotencyEntry, ticket: Ticket)? {
    let now = retentionClock.now
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
  /// A new opening of a session, to be proposed.
  package func newOpening() -> Opening {
    Opening(number: openings.add(1, ordering: .relaxed).newValue, at: now())
  }

  /// Makes one change of the catalogue after the other, none of which is outdated then by another one.
  ///
  /// Whoever keeps changing the catalogue could outdate the others for ever without it.
  package func inTurnOfCatalog<Result: Sendable, Fault: Error>(
    _ change: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try catalogTurn.withLock { (_) throws(Fault) in try change() }
  }

  /// Publishes a proposal, if it was made for the world as it is.
  ///
  /// - Throws: `JournalFault` if the journal takes nothing at the moment. Then nothing is changed but that
  ///   expired answers are forgotten.
  package func commit(_ proposal: Proposal) throws(JournalFault) -> Commitment {
    let (record, state) = journal == nil ? (nil, nil) : (try proposal.record(), proposal.state)
    let now = retentionClock.now
    let commitment = try world.withLock { (world) throws(JournalFault) -> Commitment in
      // First, since a repetition finds the world changed by the request that it repeats.
      if let key = proposal.entry?.key, let kept = world.answers.answer(under: key, at: now) {
        return .repeated(kept.entry, kept.ticket)
      }
      guard world.admits(proposal) else { return .outdated }
      let former = world.former(of: proposal.action)
      let added = proposal.entry.map {
        world.answers.addTakingForgotten($0, within: bounds, at: now)
      }
      var ticket = Ticket.durable
      if let journal {
        let write = JournalWrite(
          record: record, state: state, entry: proposal.entry, forgotten: added?.forgotten ?? []
        ) { [self] in rollBack(to: former, added) }
        do throws(JournalFault) {
          ticket = try journal.append(write)
        } catch {
          if let added { world.answers.undo(added) }
          throw error
        }
      }
      if let added { world.answers.set(ticket, of: added) }
      world.publish(proposal.action, ticket)
      return .committed(ticket)
    }
    if case .committed = commitment { figures.note(proposal.action) }
    return commitment
  }

  private func rollBack(to former: World.Former, _ added: KeptAnswers.Added?) {
    world.withLock { world in
      world.restore(former)
      if let added { world.answers.undo(added) }
    }
  }
}
