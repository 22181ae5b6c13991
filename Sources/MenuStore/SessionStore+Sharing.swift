package import MenuEngine
import Synchronization

// The other processes on a shared journal.

extension SessionStore: JournalFollower {
  package func follow(_ items: [JournalItem]) throws(JournalFault) -> [Ticket] {
    guard !items.isEmpty else { return [] }
    // No session leaves the memory in between, which would be there for one of both only.
    let (steps, tickets, wakings) = try replay.withLock { (replay) throws(JournalFault) in
      var steps: [ReplayedStep] = []
      for item in items { if let step = try replay?.step(item) { steps.append(step) } }
      replay?.endStep()
      let (tickets, wakings) = publish(steps)
      return (steps, tickets, wakings)
    }
    if steps.contains(where: \.hasDeliveries) { expectDeliveries() }
    for waking in wakings { finish(waking) }
    return tickets
  }

  /// Publishes what others committed, and takes back what does not stand on it.
  ///
  /// - Returns: The tickets of what is taken back, and the threads to wake.
  private func publish(_ steps: [ReplayedStep]) -> (tickets: [Ticket], wakings: [Waking]) {
    let (time, idleTime) = (retentionClock.now, now())
    return withWorld { world in
      let tickets = world.withdraw(besides: steps)
      let wakings = steps.map { step in
        world.publish(
          step,
          as: { session in
            session.openingNumber.map { Incarnation(number: $0, at: idleTime) } ?? newOpening()
          }, within: (followerBounds, bounds), at: time, idleTime: idleTime)
      }
      return (tickets, wakings)
    }
  }

  package func keep(_ writes: [JournalWrite]) {
    let tickets = Set(writes.compactMap { $0.ticket.map(ObjectIdentifier.init) })
    replay.withLock { replay in
      for commit in withWorld({ $0.keep(tickets) }) { replay?.take(commit) }
    }
  }

  package func state(of subject: JournalSubject) -> JournalState? {
    replay.withLock { $0?.state(of: subject) }
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
    let edition = try replay.withLock { (replay) throws(JournalFault) -> SessionEdition? in
      guard let (session, changes) = try replay?.session(id, from: items) else { return nil }
      replay?.load(session)
      return withWorld { $0.load(session, after: changes, at: time) }
    }
    guard let edition else {
      throw .unreadable(session, sequence: nil, reason: "There is nothing to make it of.")
    }
    if !edition.session.deliveries.isEmpty { expectDeliveries() }
    sharingFigures?.loads.add()
  }

  package func state(
    of session: JournalSubject, from items: [JournalItem]
  ) throws(JournalFault) -> [UInt8]? {
    guard let id = session.session else { return nil }
    let read = try replay.withLock { (replay) throws(JournalFault) in
      try replay?.session(id, from: items)
    }
    return read?.session.journalState()
  }
}

// MARK: Sessions in memory

extension SessionStore {
  /// Reads sessions that are open, but not in memory. The ticket is settled once they are, as far as they are still open.
  package func load(_ sessions: [SessionID]) -> Ticket {
    guard let shared else { return .durable }
    let loaded = Ticket()
    Ticket.whenSettled(sessions.map { shared.load(.session($0.rawValue)) }[...]) {
      loaded.settle($0)
    }
    return loaded
  }

  /// Lets go of the sessions that nobody asked this process for within that many milliseconds, and that nobody follows
  /// here; without other processes, of none.
  ///
  /// - Returns: The number of sessions.
  @discardableResult
  package func unloadIdle(forMoreThan patience: Int64) -> Int {
    guard let shared else { return 0 }
    let moment = now() - patience - 1
    let unloaded = replay.withLock { replay in
      let unloaded = withWorld { world in
        world.unload { $0.opening.lastRead.load(ordering: .relaxed) <= moment }
      }
      for edition in unloaded { replay?.unload(edition.session.id) }
      return unloaded
    }
    shared.sharingFigures.unloads.add(unloaded.count)
    return unloaded.count
  }

  /// Lets the other processes know which sessions were read here since the last time, so that none is closed as idle that
  /// is not.
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

  /// The number of sessions in memory.
  package var loadedCount: Int { withWorld(\.sessions.count) }
}

// MARK: Currency

extension SessionStore {
  /// The number of the last commit of all processes up to which this one has everything; nil if there are no others.
  package var sharedPosition: Int64? { shared?.position }

  /// True if the store lacks at most what others committed within so long a time.
  package func hasCaughtUp(within time: Duration) -> Bool {
    shared.map { $0.age.map { $0 < time } ?? false } ?? true
  }

  /// Finds out whether others committed something behind a position before now; see ``SharedJournal/confirm(_:)``.
  package func confirm(_ position: Int64) -> Ticket { shared?.confirm(position) ?? .durable }

  /// True if the store is still as an answer shows it.
  package func isCurrent(_ shown: ShownEditions) -> Bool { withWorld { shown.isCurrent(in: $0) } }

  /// Waits until it has what was committed before now by others; false if that takes more than two seconds.
  package func catchUp() -> Bool {
    guard let shared else { return true }
    let outcome = shared.confirm(shared.position).outcome(within: .seconds(2))
    return outcome == .durable || outcome == .failed(.conflict)
  }

  /// The word and numbers that the processes on a shared journal agree upon; nil without one.
  package var agreement: JournalAgreement? { shared?.agreement }

  /// The counters of what other processes do to this one; nil if there are none.
  package var sharingFigures: SharingFigures? { shared?.sharingFigures }

  /// True if this process is to do what one of them is to do only, such as closing what is idle.
  package var isCaretaker: Bool { shared?.isCaretaker ?? true }
}

extension JournalSubject {
  /// The name of the session; nil if it is not one.
  fileprivate var session: SessionID? {
    if case .session(let name) = self { SessionID(name) } else { nil }
  }
}
