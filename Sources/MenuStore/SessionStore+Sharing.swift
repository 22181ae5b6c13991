import Locks
package import MenuEngine
import Synchronization

// The other processes on a shared journal.

extension SessionStore: JournalFollower {
  package func follow(_ items: [JournalItem]) throws(JournalFault) {
    guard !items.isEmpty else { return }
    let (catalog, sessions) = loaded(items)
    let steps = try reader.withLock { (reader) throws(JournalFault) in
      let replay = Replay(reader, after: catalog, sessions)
      var steps: [ReplayedStep] = []
      for item in items { steps.append(try replay.step(item)) }
      return steps
    }
    let (time, idleTime) = (retentionClock.now, now())
    let wakers = withWorld { world in
      steps.flatMap { publish($0, in: &world, at: time, idleTime: idleTime) }
    }
    for wake in wakers { wake() }
  }

  /// The catalogue and the loaded sessions to which the items belong.
  private func loaded(_ items: [JournalItem]) -> (Catalog?, [SessionID: Session]) {
    withWorld { world in
      var sessions: [SessionID: Session] = [:]
      for case .record(let record, sequence: _) in items {
        guard let id = record.subject.session else { continue }
        sessions[id] = world.sessions[id]?.session
      }
      return (world.isBegun ? world.catalog.catalog : nil, sessions)
    }
  }

  /// Publishes a change that another process committed.
  ///
  /// - Parameter idleTime: The time for measuring idleness; a change counts as a read.
  private func publish(
    _ step: ReplayedStep, in world: inout World, at time: Int64, idleTime: Int64
  ) -> [@Sendable () -> Void] {
    let (action, state): (Proposal.Action, FollowedState)
    switch step {
    case .began(let begun):
      (action, state) = (.begin, .catalog(CatalogEdition(begun, number: numbers.next())))
    case .changedCatalog(let changed, by: let mutation):
      action = .changeCatalog(by: mutation, to: changed)
      state = .catalog(CatalogEdition(changed, number: numbers.next()))
    case .opened(let session):
      let opening =
        session.openingNumber.map { Incarnation(number: $0, at: idleTime) } ?? newOpening()
      action = .open(session, opening, atMost: .max)
      state = .session(SessionEdition(session, of: opening, number: numbers.next()))
    case .changed(let session, by: let record, let outcomes):
      guard let base = world.sessions[session.id] else { return [] }
      base.opening.lastReadElsewhere.store(idleTime, ordering: .relaxed)
      base.opening.noteChangeElsewhere()
      action = .change(base, to: session, by: record, outcomes)
      state = .session(SessionEdition(session, of: base.opening, number: numbers.next()))
    case .unread(let id, let label):
      guard world.opening(of: id) == nil else { return [] }
      let opening = Incarnation(number: label.opening, at: idleTime)
      world.add(UnloadedSession(opening: opening, token: label.token), named: id)
      return []
    case .passedOver: return []
    case .closed(let id):
      guard let base = world.sessions[id] else {
        world.forgetUnloaded(id)
        return []
      }
      (action, state) = (.close(base, unlessReadSince: nil), .noSession(number: numbers.next()))
    case .kept(let answer):
      world.answers.put(answer, within: bounds, at: time, isJournaled: false)
      return []
    }
    return world.publish(action, state, size: 256, within: followerBounds, at: time)
  }

  package var followed: [JournalSubject] {
    withWorld { world in
      world.rings.compactMap { subject, ring in
        guard case .session(let id) = subject, !ring.wakers.isEmpty, world.isOpen(id) else {
          return nil
        }
        return .session(id.rawValue)
      }
    }
  }

  package var catalogState: (revision: Int64, state: JournalState) {
    let catalog = catalogEdition.catalog
    return (Int64(catalog.revision), catalog.journalState)
  }

  package func note(delivering sessions: [JournalSubject: Int64]) -> [JournalSubject] {
    withWorld { world in
      sessions.compactMap { subject, revision in
        subject.session.flatMap { world.note(delivering: $0, at: revision) } == true
          ? subject : nil
      }
    }
  }

  package func note(damaged sessions: [JournalSubject: JournalFault]) {
    withWorld { world in
      for (subject, damage) in sessions {
        if let id = subject.session { world.note(damage, of: id) }
      }
    }
  }

  package func noteCurrent(_ sessions: [JournalSubject], since time: ContinuousClock.Instant) {
    withWorld { world in
      for id in sessions.lazy.compactMap(\.session) {
        world.sessions[id]?.opening.noteCurrent(since: time)
      }
    }
  }

  package func unload(_ session: JournalSubject) {
    guard let id = session.session else { return }
    withWorld { $0.unload(id) }
  }

  package func noteRead(_ sessions: [String]?) {
    let time = now()
    withWorld { world in
      for opening in sessions.map({ $0.compactMap(SessionID.init).compactMap(world.opening(of:)) })
        ?? world.openings
      { opening.lastReadElsewhere.store(time, ordering: .relaxed) }
    }
  }

  package func isUnloaded(_ session: JournalSubject) -> Bool {
    guard let id = session.session else { return false }
    return withWorld { $0.unloaded[id] != nil }
  }

  package func load(
    _ session: JournalSubject, from items: [JournalItem]
  ) throws(JournalFault) {
    guard let id = session.session, isUnloaded(session) else { return }
    let time = retentionClock.now
    let read = try read(id, from: items, with: reader)
    let wakers = read.flatMap { session, changes in
      withWorld { world -> [@Sendable () -> Void]? in
        let loaded = world.load(
          session, after: changes, within: followerBounds, at: time, numbering: numbers)
        return loaded.map { _ in
          (world.rings[.session(id)].map { Array($0.wakers.values) } ?? [])
            + (world.delivering.contains(id) ? Array(world.deliveryWakers.values) : [])
        }
      }
    }
    guard let wakers else {
      throw .unreadable(session, sequence: nil, reason: "There is nothing to make it of.")
    }
    for wake in wakers { wake() }
    sharingFigures?.loads.add()
  }

  package func state(
    of session: JournalSubject, from items: [JournalItem]
  ) throws(JournalFault) -> [UInt8]? {
    guard let id = session.session else { return nil }
    return try read(id, from: items, with: stateReader)?.session.journalState()
  }

  private func read(
    _ id: SessionID, from items: [JournalItem], with reader: Monitor<StoredReader>
  ) throws(JournalFault) -> (session: Session, changes: [ReplayedChange])? {
    let catalog = catalogEdition.catalog
    return try reader.withLock { (reader) throws(JournalFault) in
      try Replay(reader, after: catalog, [:]).session(id, from: items)
    }
  }
}

// MARK: Sessions in memory

extension SessionStore {
  /// Reads what other processes have committed so far to the directory and to the given sessions. Open sessions are
  /// then in memory.
  ///
  /// - Parameters:
  ///   - keys: The idempotency keys whose answers are read too.
  ///   - done: Called once the reading is complete, with a fault if it failed; immediately if the journal is not
  ///     shared.
  package func refresh(
    _ sessions: some Sequence<SessionID>, keys: [[UInt8]] = [],
    whenDone done: @escaping @Sendable (JournalFault?) -> Void
  ) {
    guard let shared else { return done(nil) }
    shared.refresh(sessions.map { .session($0.rawValue) }, keys: keys, whenDone: done)
  }

  /// Unloads the sessions that were not read in this process for that many milliseconds, and that have no followers
  /// here. It does nothing if the journal is not shared.
  ///
  /// - Returns: The number of unloaded sessions.
  @discardableResult
  package func unloadIdle(forMoreThan patience: Int64) -> Int {
    guard let shared else { return 0 }
    let moment = now() - patience - 1
    var count = 0
    shared.release { busy in
      let names = withWorld { world in
        world.unload { edition in
          edition.opening.lastRead.load(ordering: .relaxed) <= moment
            && !busy.contains(edition.session.subject)
        }
      }
      count = names.count
      return names.map { .session($0.rawValue) }
    }
    shared.sharingFigures.unloads.add(count)
    return count
  }

  /// Notifies the other processes of the sessions that were read here since the last call, so that they are not closed
  /// as idle.
  package func tellReads() {
    guard let shared else { return }
    let moment = readsTold.exchange(now(), ordering: .relaxed)
    let isRead = { (opening: Incarnation) in opening.lastRead.load(ordering: .relaxed) >= moment }
    let read = withWorld { world in
      world.sessions.filter { isRead($0.value.opening) }.map(\.key)
        + world.unloaded.filter { isRead($0.value.opening) }.map(\.key)
    }
    if !read.isEmpty { shared.tell(read: read.map(\.rawValue)) }
  }

  /// Returns the sessions found damaged since the last call, each with its fault.
  package func takeDamage() -> [SessionID: JournalFault] {
    withWorld { world in
      defer { world.newDamage = [:] }
      return world.newDamage
    }
  }

  /// The number of sessions in memory.
  package var loadedCount: Int { withWorld(\.sessions.count) }
}

// MARK: Currency

extension SessionStore {
  /// True if other processes may commit too.
  package var isShared: Bool { shared != nil }

  /// True if the store includes every commit to the directory that is older than `time`.
  package func hasCaughtUp(within time: Duration) -> Bool {
    shared.map { $0.age.map { $0 < time } ?? false } ?? true
  }

  /// The nonce and the numbers that all processes on a shared journal agree upon; nil if it is not shared.
  package var agreement: JournalAgreement? { shared?.agreement }

  /// The counters of sharing the journal; nil if it is not shared.
  package var sharingFigures: SharingFigures? { shared?.sharingFigures }

  /// True if this process performs the tasks of only one process, such as closing idle sessions.
  package var isCaretaker: Bool { shared?.isCaretaker ?? true }
}

extension JournalSubject {
  /// The name of the session; nil if it is not one.
  fileprivate var session: SessionID? {
    if case .session(let name) = self { SessionID(name) } else { nil }
  }
}
