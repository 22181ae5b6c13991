package import MenuEngine
import Synchronization

/// The open sessions by id, and the catalogue they are read under: in memory, and what happens to
/// them in a journal, if there is one.
///
/// Reading takes a snapshot under a short lock and asks it outside; changing holds the lock of that
/// one session. What is accepted is in the journal's hands before it is seen, and durable when its
/// ticket is settled; when it cannot be made durable, it is taken back.
package final class SessionStore: Sendable {
  struct Slots: Sendable {
    var byID: [SessionID: SessionSlot] = [:]
    /// Which session each token is of.
    var byToken: [TokenDigest: Int] = [:]
    /// Settled when which sessions are open cannot be lost any more.
    var ticket = Ticket.durable
  }

  let slots = Mutex(Slots())
  let catalogState: Mutex<CatalogState>
  /// Held for writing while the catalogue changes, so that each record of a session stands behind
  /// the catalogue that it was made under, and before the next one.
  let order = ReadWriteLock()
  /// Where what happens is kept; nil when it is not.
  let journal: (any Journal)?
  let openings = Atomic(0)
  /// A time in milliseconds that only grows.
  let now: @Sendable () -> Int64
  /// How often something was taken back.
  let generation = Atomic(0)
  /// What has happened since the start.
  package let figures = StoreFigures()
  /// What was recovered from the journal; nil when there is none.
  package let recovery: JournalRecovery?
  /// The answers to requests with an idempotency key.
  package let answers: KeptAnswers

  /// A store without sessions, which keeps nothing.
  ///
  /// - Parameters:
  ///   - bounds: How many answers to requests with an idempotency key are kept.
  ///   - now: A time in milliseconds that only grows, from any beginning, for telling how long nobody
  ///     asked a session; one that stands still by default.
  package init(
    catalog: Catalog, keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    now: @escaping @Sendable () -> Int64 = { 0 }
  ) {
    self.now = now
    answers = KeptAnswers(bounds)
    catalogState = Mutex(CatalogState(catalog: catalog, ticket: .durable))
    journal = nil
    recovery = nil
  }

  /// A store of what a journal has; of nothing but the catalogue when that is new.
  ///
  /// - Throws: `JournalFault`, when the journal is not whole, or says what cannot be done again.
  package init(
    recovering journal: any Journal, catalog: Catalog,
    keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    now: @escaping @Sendable () -> Int64 = { 0 }
  ) throws(JournalFault) {
    self.now = now
    let replay = Replay()
    recovery = try journal.recover { (item) throws(JournalFault) in
      try replay.read(item)
    } stateOf: { subject in
      replay.state(of: subject)
    }
    self.journal = journal
    answers = KeptAnswers(bounds, recovered: replay.entries)
    catalogState = Mutex(CatalogState(catalog: replay.catalog ?? catalog, ticket: .durable))
    for session in replay.sessions.values { insert(session) }
    if replay.catalog == nil { try begin(catalog, in: journal) }
  }

  /// Everything is seen under a catalogue, which therefore comes first.
  private func begin(_ catalog: Catalog, in journal: any Journal) throws(JournalFault) {
    let record = JournalRecord(
      .opened, .catalog, revision: Int64(catalog.revision), payload: try catalog.stored())
    let ticket = try journal.append(
      JournalWrite(record: record, state: catalog.journalState))
    catalogState.withLock { $0.ticket = ticket }
  }

  private func insert(_ session: Session) {
    let incarnation = openings.add(1, ordering: .relaxed).newValue
    let slot = SessionSlot(session, incarnation: incarnation, at: now())
    slots.withLock { $0.insert(slot) }
  }

  /// Why something could not be kept the last time it was tried; nil when it could.
  package var fault: JournalFault? { journal?.fault }

  /// What the journal has done; nil when there is none.
  package var journalFigures: JournalFigures? { journal?.figures }

  /// Makes durable what is not yet, and lets go of the journal. Then nothing is accepted any more.
  package func close() { journal?.close() }
}

extension SessionStore {
  /// The names of the open sessions, in alphabetical order.
  package var sessionIDs: [SessionID] {
    slots.withLock { Array($0.byID.keys) }.sorted { $0.rawValue < $1.rawValue }
  }

  /// The number of open sessions.
  package var count: Int { slots.withLock(\.byID.count) }

  /// Settled when which sessions are open at this moment cannot be lost any more.
  package var ticket: Ticket { slots.withLock(\.ticket) }

  /// The session of a name as it is now.
  package func session(_ id: SessionID) -> Session? { snapshot(id)?.session }

  /// The session of a name as it is now, and which of the sessions of that name it is.
  package func snapshot(_ id: SessionID) -> SessionSnapshot? {
    // Before, so that what comes from something taken back meanwhile is known to be old.
    let generation = generation.load(ordering: .acquiring)
    return slot(id)?.snapshot(generation)
  }

  /// Which session is open under a name, at which revision, and its ticket.
  package func version(_ id: SessionID) -> (version: SessionVersion, ticket: Ticket)? {
    let generation = generation.load(ordering: .acquiring)
    return slot(id)?.version(generation)
  }

  /// Which session it is, of all that were ever opened, that a token is of; nil when it is of none
  /// that is open.
  package func incarnation(of token: TokenDigest) -> Int? { slots.withLock { $0.byToken[token] } }

  /// What is kept under a name, which is asked herewith.
  func slot(_ id: SessionID) -> SessionSlot? {
    let slot = slots.withLock { $0.byID[id] }
    slot?.lastAsked.store(now(), ordering: .relaxed)
    return slot
  }
}

extension SessionStore.Slots {
  mutating func insert(_ slot: SessionSlot) {
    byID[slot.id] = slot
    if let token = slot.token { byToken[token] = slot.incarnation }
  }

  mutating func remove(_ slot: SessionSlot) {
    guard byID[slot.id] === slot else { return }
    byID[slot.id] = nil
    if let token = slot.token { byToken[token] = nil }
  }
}
