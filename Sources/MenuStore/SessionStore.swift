package import MenuEngine
import Synchronization

/// The open sessions by id, and the catalogue they are read under, in memory.
///
/// Reading takes a snapshot under a short lock and asks it outside; changing holds the lock of that
/// one session.
package final class SessionStore: Sendable {
  private let currentCatalog: Mutex<Catalog>
  private let slots = Mutex(Slots())
  private let openings = Atomic(0)
  private let now: @Sendable () -> Int64

  /// A store without sessions.
  ///
  /// - Parameter now: A time in milliseconds that only goes on, by which sessions are found that nobody
  ///   asks any more. The default stands still.
  package init(catalog: Catalog, now: @escaping @Sendable () -> Int64 = { 0 }) {
    currentCatalog = Mutex(catalog)
    self.now = now
  }

  /// The catalogue as it is now.
  package var catalog: Catalog { currentCatalog.withLock(\.self) }

  /// The revision of the catalogue as it is now.
  package var catalogRevision: Int { currentCatalog.withLock(\.revision) }

  /// Changes the catalogue by the mutation that `mutation` makes for it as it is now, and answers what
  /// that did, and the catalogue afterwards; nobody else changes it meanwhile.
  ///
  /// - Parameter check: Looks at the catalogue before and after.
  /// - Throws: What `mutation` and `check` throw, or what `refusal` makes of why the catalogue refuses
  ///   it; then it is as it was.
  @discardableResult
  package func changeCatalog<Fault: Error>(
    by mutation: (Catalog) throws(Fault) -> CatalogMutation,
    refusal: (CatalogMutationFault, Catalog) -> Fault,
    check: (_ before: Catalog, _ after: Catalog) throws(Fault) -> Void = { (_, _) in }
  ) throws(Fault) -> (outcome: CatalogOutcome, catalog: Catalog) {
    try currentCatalog.withLock {
      (catalog) throws(Fault) -> (outcome: CatalogOutcome, catalog: Catalog) in
      let mutation = try mutation(catalog)
      var changed = catalog
      let outcome: CatalogOutcome
      do throws(CatalogMutationFault) {
        outcome = try changed.apply(mutation)
      } catch {
        throw refusal(error, catalog)
      }
      try check(catalog, changed)
      catalog = changed
      return (outcome, changed)
    }
  }

  /// Changes the catalogue by a mutation.
  ///
  /// - Throws: `CatalogMutationFault`; then it is as it was.
  @discardableResult
  package func changeCatalog(
    by mutation: CatalogMutation
  ) throws(CatalogMutationFault) -> (outcome: CatalogOutcome, catalog: Catalog) {
    try changeCatalog(
      by: { (_) throws(CatalogMutationFault) in mutation }, refusal: { fault, _ in fault })
  }

  /// The names of the open sessions, in alphabetical order.
  package var sessionIDs: [SessionID] {
    slots.withLock { Array($0.byID.keys) }.sorted { $0.rawValue < $1.rawValue }
  }

  /// The number of open sessions.
  package var count: Int { slots.withLock(\.byID.count) }

  /// The session of a name as it is now.
  package func session(_ id: SessionID) -> Session? { slot(id)?.session.withLock(\.self) }

  /// The session of a name as it is now, and which of the sessions of that name it is.
  package func snapshot(_ id: SessionID) -> SessionSnapshot? { slot(id)?.snapshot }

  /// Which session is open under a name, and at which revision.
  package func version(_ id: SessionID) -> SessionVersion? {
    slot(id).map { slot in
      SessionVersion(
        incarnation: slot.incarnation, revision: slot.session.withLock(\.revision))
    }
  }

  /// Adds a session, unless one of its name is open or there would be more than `most`; answers the
  /// session, or nil when it did not.
  @discardableResult
  package func open(_ session: Session, atMost most: Int = .max) -> SessionSnapshot? {
    let time = now()
    return slots.withLock { slots in
      guard slots.byID[session.id] == nil, slots.byID.count < most else { return nil }
      let incarnation = openings.add(1, ordering: .relaxed).newValue
      let slot = Slot(session, incarnation: incarnation, at: time)
      slots.byID[session.id] = slot
      if let token = session.token { slots.byToken[token] = incarnation }
      return slot.snapshot
    }
  }

  /// Forgets a session, unless `check` throws; answers whether it was open.
  package func close<Fault: Error>(
    _ id: SessionID, check: (SessionSnapshot) throws(Fault) -> Void = { (_) throws(Never) in }
  ) throws(Fault) -> Bool {
    guard let slot = slot(id) else { return false }
    return try close(slot, check: check)
  }

  /// Forgets the sessions that nobody asked for longer than that many milliseconds, but for some; answers
  /// their names in alphabetical order.
  package func closeIdle(
    forMoreThan patience: Int64, besides kept: Set<SessionID> = []
  ) -> [SessionID] {
    let time = now()
    let idle = slots.withLock { slots in
      slots.byID.filter { $1.idleTime(at: time) > patience && !kept.contains($0) }
    }
    let closed = idle.filter { _, slot in
      do throws(StillAsked) {
        return try close(slot) { (_) throws(StillAsked) in
          if slot.idleTime(at: time) <= patience { throw StillAsked() }
        }
      } catch {
        return false
      }
    }
    return closed.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// Somebody asked the session meanwhile.
  private struct StillAsked: Error {}

  private func close<Fault: Error>(
    _ slot: Slot, check: (SessionSnapshot) throws(Fault) -> Void
  ) throws(Fault) -> Bool {
    // Under the session's own lock, so that it does not change after it was checked, and before the
    // other one, so that nobody waits for this session but those who want it.
    try slot.session.withLock { (session) throws(Fault) -> Bool in
      try check(SessionSnapshot(session: session, incarnation: slot.incarnation))
      return slots.withLock { slots in
        guard slots.byID[session.id] === slot else { return false }
        slots.byID[session.id] = nil
        if let token = session.token { slots.byToken[token] = nil }
        return true
      }
    }
  }

  /// Changes a session and answers what `change` does, or nil when it is not open. Nobody else
  /// changes it meanwhile.
  package func change<Result: Sendable, Fault: Error>(
    _ id: SessionID, _ change: (inout SessionSnapshot, Catalog) throws(Fault) -> Result
  ) throws(Fault) -> Result? {
    guard let slot = slot(id) else { return nil }
    let catalog = catalog
    return try slot.session.withLock { (session) throws(Fault) -> Result in
      var snapshot = SessionSnapshot(session: session, incarnation: slot.incarnation)
      let result = try change(&snapshot, catalog)
      session = snapshot.session
      return result
    }
  }

  /// Which session it is, of all that were ever opened, that a token is of; nil when it is of none
  /// that is open.
  package func incarnation(of token: TokenDigest) -> Int? { slots.withLock { $0.byToken[token] } }

  /// What is kept under a name, which is asked herewith.
  private func slot(_ id: SessionID) -> Slot? {
    let slot = slots.withLock { $0.byID[id] }
    slot?.lastAsked.store(now(), ordering: .relaxed)
    return slot
  }

  private struct Slots {
    var byID: [SessionID: Slot] = [:]
    /// Which session each token is of.
    var byToken: [TokenDigest: Int] = [:]
  }

  /// One session behind its lock.
  private final class Slot: Sendable {
    let session: Mutex<Session>
    let incarnation: Int
    /// When somebody asked it last.
    let lastAsked: Atomic<Int64>

    init(_ session: Session, incarnation: Int, at time: Int64) {
      self.session = Mutex(session)
      self.incarnation = incarnation
      lastAsked = Atomic(time)
    }

    /// How long nobody has asked it; nothing when the clock went back.
    func idleTime(at time: Int64) -> Int64 { time &- lastAsked.load(ordering: .relaxed) }

    var snapshot: SessionSnapshot {
      SessionSnapshot(session: session.withLock(\.self), incarnation: incarnation)
    }
  }
}

/// A session as it is at one moment.
package struct SessionSnapshot: Sendable {
  /// The session.
  package var session: Session
  /// Which session it is of all that were ever opened, so that one closed and another opened under
  /// its name are told apart.
  package let incarnation: Int
}

extension SessionSnapshot {
  /// Which session it is, and at which revision.
  package var version: SessionVersion {
    SessionVersion(incarnation: incarnation, revision: session.revision)
  }
}

/// What tells a session at one moment from every other session and moment of this run.
package struct SessionVersion: Hashable, Sendable {
  /// Which session it is of all that were ever opened.
  package let incarnation: Int
  /// How many mutations it had accepted.
  package let revision: Int
}
