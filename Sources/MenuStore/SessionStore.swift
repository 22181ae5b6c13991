import Locks
package import MenuEngine
import Synchronization

/// The open sessions by id, and the catalogue they are read under: in memory, and what happens to
/// them in a journal, if there is one.
///
/// Reading takes a snapshot under a short lock of that one session and asks it outside; changing holds
/// the lock all the while. Nothing that is read is behind a lock that all readers need, but that a session
/// is not there. What is accepted is in the journal's hands before it is seen, and durable when its
/// ticket is settled; when it cannot be made durable, it is taken back.
package final class SessionStore: Sendable {
  struct Slots: Sendable {
    private(set) var byID: [SessionID: SessionSlot] = [:]
    /// Settled when which sessions are open cannot be lost any more.
    var ticket = Ticket.durable
    /// The same for those who only look.
    let directory: SlotDirectory
  }

  let slots: Lock<Slots>
  let directory = SlotDirectory()
  let catalogState: Mirrored<CatalogState>
  /// Held for writing while the catalogue changes, so that each record of a session stands behind
  /// the catalogue that it was made under, and before the next one.
  let order = ReadWriteLock()
  /// Where what happens is kept; nil when it is not.
  let journal: (any Journal)?
  let openings = Atomic(0)
  /// A time in milliseconds that only grows.
  let now: @Sendable () -> Int64
  /// How often something was taken back; it grows under the lock of what that was.
  let generation = Atomic(0)
  /// The counters of the store since the start.
  package let figures = StoreFigures()
  /// The result of the recovery; nil without a journal.
  package let recovery: JournalRecovery?
  /// The answers to requests with an idempotency key.
  package let answers: KeptAnswers

  /// A store without sessions, which keeps nothing.
  ///
  /// - Parameters:
  ///   - bounds: How many answers to requests with an idempotency key are kept.
  ///   - now: A time in milliseconds that only grows, from any beginning, for telling how long nobody
  ///     asked a session and when answers expire; one that stands still by default.
  package init(
    catalog: Catalog, keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    now: @escaping @Sendable () -> Int64 = { 0 }
  ) {
    self.now = now
    answers = KeptAnswers(bounds, by: RetentionClock(retention: bounds.retention, now))
    slots = Lock(Slots(directory: directory))
    catalogState = Mirrored(CatalogState(catalog: catalog, ticket: .durable))
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
    answers = KeptAnswers(bounds, by: journal.clock, recovered: replay.entries)
    slots = Lock(Slots(directory: directory))
    catalogState = Mirrored(
      CatalogState(catalog: replay.catalog ?? catalog, ticket: .durable))
    for session in replay.sessions.values { insert(session) }
    if replay.catalog == nil { try begin(catalog, in: journal) }
  }

  /// Everything is seen under a catalogue, which therefore comes first.
  private func begin(_ catalog: Catalog, in journal: any Journal) throws(JournalFault) {
    let record = JournalRecord(
      .opened, .catalog, revision: Int64(catalog.revision), payload: try catalog.stored())
    let ticket = try journal.append(
      JournalWrite(record: record, state: catalog.journalState))
    catalogState.change { $0.ticket = ticket }
  }

  private func insert(_ session: Session) {
    let incarnation = openings.add(1, ordering: .relaxed).newValue
    let slot = SessionSlot(session, incarnation: incarnation, at: now())
    slots.withLock { $0.insert(slot) }
  }

  /// Why something could not be kept the last time it was tried; nil when it could.
  package var fault: JournalFault? { journal?.fault }

  /// The counters of the journal; nil without one.
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

  /// The session of a name as it is now.
  package func session(_ id: SessionID) -> Session? { snapshot(id)?.session }

  /// The session of a name as it is now, and which of the sessions of that name it is.
  ///
  /// - Parameter note: Is given the ticket of what was found, or of that there is nothing.
  package func snapshot(
    _ id: SessionID, noting note: (Ticket) -> Void = { _ in }
  ) -> SessionSnapshot? {
    guard let slot = slot(id, noting: note) else { return nil }
    let snapshot = slot.state.withLock { slot.snapshot(of: $0, presentGeneration) }
    note(snapshot.ticket)
    return snapshot
  }

  /// The session of a name as it is now, and the catalogue that it was changed under last: no change of
  /// either comes between the two looks.
  ///
  /// - Parameter note: Is given the ticket of what was found, or of that there is nothing, and that of the
  ///   catalogue.
  package func snapshotWithCatalog(
    _ id: SessionID, noting note: (Ticket) -> Void = { _ in }
  ) -> (snapshot: SessionSnapshot, catalog: Catalog)? {
    guard let slot = slot(id, noting: note) else { return nil }
    // A catalogue that is the same before and after was so in between. Waiting for those who change is
    // only needed where it keeps changing.
    for _ in 0..<4 {
      let before = catalogVersion
      let found = lookTogether(at: slot)
      let isSame =
        before.revision == found.catalog.catalog.revision
        && before.generation == found.snapshot.version.generation
        && before.generation == presentGeneration
      if isSame { return noted(found, note) }
    }
    return noted(order.reading { lookTogether(at: slot) }, note)
  }

  private typealias Look = (snapshot: SessionSnapshot, catalog: CatalogState)

  private func lookTogether(at slot: SessionSlot) -> Look {
    let snapshot = slot.state.withLock { slot.snapshot(of: $0, presentGeneration) }
    return (snapshot, catalogState.reading { $0 })
  }

  private func noted(
    _ look: Look, _ note: (Ticket) -> Void
  ) -> (snapshot: SessionSnapshot, catalog: Catalog) {
    note(look.snapshot.ticket)
    note(look.catalog.ticket)
    return (look.snapshot, look.catalog.catalog)
  }

  /// Which session is open under a name, and at which revision.
  ///
  /// - Parameter note: Is given the ticket of what was found, or of that there is nothing.
  package func version(
    _ id: SessionID, noting note: (Ticket) -> Void = { _ in }
  ) -> SessionVersion? {
    guard let slot = slot(id, noting: note) else { return nil }
    let (version, ticket) = slot.state.withLock { state in
      (slot.version(of: state, presentGeneration), state.ticket)
    }
    note(ticket)
    return version
  }

  /// Which session it is, of all that were ever opened, that a token is of; nil when it is of none
  /// that is open.
  ///
  /// - Parameter note: Is given the ticket of that session, or of that there is none.
  package func incarnation(
    of token: TokenDigest, noting note: (Ticket) -> Void = { _ in }
  ) -> Int? {
    if let slot = directory[token] {
      note(slot.state.withLock(\.ticket))
      return slot.incarnation
    }
    let (incarnation, ticket) = slots.withLock { ($0.directory[token]?.incarnation, $0.ticket) }
    note(ticket)
    return incarnation
  }

  /// Returns the slot of a name, and notes that it is asked now.
  ///
  /// - Parameter note: Is given the ticket of that there is nothing.
  func slot(_ id: SessionID, noting note: (Ticket) -> Void) -> SessionSlot? {
    let slot = directory[id] ?? lateSlot(id, noting: note)
    slot?.lastAsked.store(now(), ordering: .relaxed)
    return slot
  }

  private func lateSlot(_ id: SessionID, noting note: (Ticket) -> Void) -> SessionSlot? {
    let (slot, absence) = slots.withLock { slots in
      let slot = slots.byID[id]
      return (slot, slot == nil ? slots.ticket : nil)
    }
    if let absence { note(absence) }
    return slot
  }

  /// How often something was taken back, for whoever holds the lock of what is looked at.
  var presentGeneration: Int { generation.load(ordering: .acquiring) }
}

extension SessionStore.Slots {
  mutating func insert(_ slot: SessionSlot) {
    byID[slot.id] = slot
    directory.insert(slot)
  }

  mutating func remove(_ slot: SessionSlot) {
    guard byID[slot.id] === slot else { return }
    byID[slot.id] = nil
    directory.remove(slot)
  }
}
