import MenuEngine

/// All durable contents of the store at one moment.
///
/// Editions are immutable: a commit replaces one by a new one. A reader takes references to editions under one short
/// lock, and uses them outside.
struct World: StoreContents, Sendable {
  private(set) var catalog: CatalogEdition
  /// The open sessions that are in memory: all of them, unless the journal is shared.
  private(set) var sessions: [SessionID: SessionEdition] = [:]
  /// The open sessions that are not in memory.
  private(set) var unloaded: [SessionID: UnloadedSession] = [:]
  /// The sessions that were found damaged, until they are reported.
  var newDamage: [SessionID: JournalFault] = [:]
  private var sessionsByToken: [TokenDigest: SessionID] = [:]
  /// The open sessions with deliveries, as far as known for those not in memory.
  private(set) var delivering: Set<SessionID> = []
  /// The closures to call when a session with deliveries changes, by the number of the watch.
  var deliveryWakers: [Int: @Sendable () -> Void] = [:]
  var answers: KeptAnswers
  /// False until a new journal has the catalogue; nothing is committed before.
  private(set) var isBegun: Bool
  /// The last commits of the subjects that are followed.
  var rings: [Follower.Subject: CommitRing] = [:]
  /// The period after a start in which past states are kept; nil later, and without a journal.
  var recent: Recent?
  var lastFollower = 0
  /// The commits, states and rings to release after the lock.
  var retired = RetiredCommits()

  init(_ catalog: Catalog, isBegun: Bool, answers: KeptAnswers) {
    self.catalog = CatalogEdition(catalog, number: 0)
    self.isBegun = isBegun
    self.answers = answers
  }
}

extension World {
  /// Returns the catalogue and the session of a name.
  func snapshot(of id: SessionID) -> StoreSnapshot {
    let session = sessions[id]
    let other = session == nil && !unloaded.isEmpty ? unloaded[id] : nil
    return StoreSnapshot(
      catalog: catalog, session: session, isUnloaded: other != nil,
      isDamaged: other?.damage != nil, count: count)
  }

  func session(_ id: SessionID) -> SessionEdition? { sessions[id] }

  func isOpen(_ id: SessionID) -> Bool { sessions[id] != nil || unloaded[id] != nil }

  /// The number of open sessions.
  var count: Int { sessions.count + unloaded.count }

  /// The names of the open sessions, in no order.
  var names: [SessionID] { Array(sessions.keys) + Array(unloaded.keys) }

  /// The incarnations of the open sessions.
  var openings: [Incarnation] { sessions.values.map(\.opening) + unloaded.values.map(\.opening) }

  /// Returns the incarnation of the open session of a name; nil if none is open.
  func opening(of id: SessionID) -> Incarnation? { sessions[id]?.opening ?? unloaded[id]?.opening }

  /// Returns the digest of a session's first token, which may be nil; the outer nil means that no session is open.
  func firstToken(of id: SessionID) -> TokenDigest?? {
    sessions[id].map(\.session.token) ?? unloaded[id].map(\.token)
  }

  /// Returns the name and the opening of the session with a token.
  func opening(with token: TokenDigest) -> (id: SessionID, opening: Incarnation)? {
    guard let id = sessionsByToken[token] else { return nil }
    return opening(of: id).map { (id, $0) }
  }
}

// MARK: Sessions that are not in memory

extension World {
  /// Adds an open session that is not loaded yet.
  mutating func add(_ session: UnloadedSession, named id: SessionID) {
    session.opening.isInMemory = false
    unloaded[id] = session
    if let token = session.token { sessionsByToken[token] = id }
  }

  /// Inserts a session that was loaded by replaying changes under the present catalogue; nil if it is not open, or
  /// already in memory.
  mutating func load(
    _ session: Session, after changes: [ReplayedChange], within bounds: Follower.Bounds,
    at time: Int64, numbering numbers: EditionNumbers
  ) -> SessionEdition? {
    guard let known = unloaded.removeValue(forKey: session.id) else { return nil }
    var first = session
    if case .session(let former)? = changes.first?.before { first = former }
    let edition = SessionEdition(first, of: known.opening, number: numbers.next())
    insert(edition)
    let subject = Follower.Subject.session(session.id)
    if rings[subject]?.isOfNoSession == true {
      let opened = DurableCommit(number: edition.number, revision: first.revision, change: .opened)
      rings[subject]?.append(opened, .session(edition), size: 256, retiring: &retired)
    } else {
      rings[subject]?.restart(with: .session(edition), at: time, retiring: &retired)
    }
    remember(changes, within: bounds, at: time, numbering: numbers)
    return sessions[session.id]
  }

  /// Unloads sessions without followers, and returns their names.
  mutating func unload(where condition: (SessionEdition) -> Bool) -> [SessionID] {
    let idle = sessions.values.filter { edition in
      condition(edition) && rings[.session(edition.session.id)]?.wakers.isEmpty != false
    }.map(\.session.id)
    for id in idle {
      unload(id)
      forget(.session(id))
    }
    return idle
  }

  /// Unloads a session even if it is followed; its followers restart once it is loaded again.
  mutating func unload(_ id: SessionID) {
    guard let edition = sessions.removeValue(forKey: id) else { return }
    edition.opening.isInMemory = false
    unloaded[id] = UnloadedSession(opening: edition.opening, token: edition.session.token)
    rings[.session(id)]?.forgetBeginning(retiring: &retired)
  }

  /// Removes a session that another process closed.
  mutating func forgetUnloaded(_ id: SessionID) {
    if let token = unloaded.removeValue(forKey: id)?.token { sessionsByToken[token] = nil }
    delivering.remove(id)
  }

  /// Records that a session has deliveries at a revision, unless it is in memory at that revision. Returns true if it
  /// is to be loaded, because deliveries are being watched.
  mutating func note(delivering id: SessionID, at revision: Int64) -> Bool {
    let isNewer = sessions[id].map { $0.session.revision < revision } ?? (unloaded[id] != nil)
    guard isNewer else { return false }
    delivering.insert(id)
    return !deliveryWakers.isEmpty
  }

  /// Records the fault of a session that cannot be loaded.
  mutating func note(_ damage: JournalFault, of id: SessionID) {
    guard let known = unloaded[id], known.damage != damage else { return }
    unloaded[id]?.damage = damage
    newDamage[id] = damage
  }
}

// MARK: Publishing

extension World {
  /// Replaces the present state by the one after a change, adds the change to the commits of its subject if that is
  /// followed, and returns the closures that wake the followers.
  mutating func publish(
    _ action: Proposal.Action, _ state: FollowedState, size: Int,
    within bounds: Follower.Bounds, at time: Int64
  ) -> [@Sendable () -> Void] {
    put(state)
    switch state {
    case .catalog:
      isBegun = true
      if recent?.isLasting == true { forgetFormerCatalog() }
    case .session(let edition):
      if !unloaded.isEmpty { unloaded[edition.session.id] = nil }
    case .noSession:
      if case .close(let base, unlessReadSince: _) = action { remove(base.session) }
    }
    let wakers = noteFollowed(action, state, size: size, within: bounds, at: time)
    guard !deliveryWakers.isEmpty, case .session(let edition) = state,
      delivering.contains(edition.session.id)
    else { return wakers }
    return wakers + deliveryWakers.values
  }

  /// Replaces an edition of a session or of the catalogue.
  mutating func put(_ state: FollowedState) {
    switch state {
    case .catalog(let edition): catalog = edition
    case .session(let edition): insert(edition)
    case .noSession: break
    }
  }

  /// Adds a session, or replaces an earlier edition of it.
  mutating func insert(_ edition: SessionEdition) {
    let session = edition.session
    if !session.deliveries.isEmpty {
      delivering.insert(session.id)
    } else if !delivering.isEmpty {
      delivering.remove(session.id)
    }
    // The token belongs to the incarnation, so it is set only once.
    guard sessions.updateValue(edition, forKey: session.id) == nil else { return }
    // The session may have been unloaded since the change was made.
    edition.opening.isInMemory = true
    if let token = session.token { sessionsByToken[token] = session.id }
  }

  private mutating func remove(_ session: Session) {
    sessions.removeValue(forKey: session.id)?.opening.isInMemory = false
    // The session may have been unloaded since the change was made.
    unloaded[session.id] = nil
    delivering.remove(session.id)
    if let token = session.token { sessionsByToken[token] = nil }
  }
}
