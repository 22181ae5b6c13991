import MenuEngine

/// Everything that the store holds at one moment, all of it durable.
///
/// Editions never change: a commit puts a new one in the place of an old one. A reader takes
/// references to editions under one short lock, and follows them outside.
struct World: StoreContents, Sendable {
  private(set) var catalog: CatalogEdition
  /// The open sessions that are in memory: all of them, unless the journal is shared.
  private(set) var sessions: [SessionID: SessionEdition] = [:]
  /// The open sessions that are not in memory.
  private(set) var unloaded: [SessionID: UnloadedSession] = [:]
  /// The sessions that were found damaged, until that is told.
  var newDamage: [SessionID: JournalFault] = [:]
  private var sessionsByToken: [TokenDigest: SessionID] = [:]
  /// The open sessions with deliveries, as far as that is known of those that are not in memory.
  private(set) var delivering: Set<SessionID> = []
  /// Called when a session with deliveries changes, by the numbers of watches.
  var deliveryWakers: [Int: @Sendable () -> Void] = [:]
  var answers: KeptAnswers
  /// False until a new journal has the catalogue; nothing else is committed before.
  private(set) var isBegun: Bool
  /// The last commits of the subjects that are followed.
  var rings: [Follower.Subject: CommitRing] = [:]
  /// The period in which sessions are known as they were at the start; nil after that, and without a journal.
  var recent: Recent?
  var lastFollower = 0
  /// The commits, states and rings to release once the world is no longer locked.
  var retired = RetiredCommits()

  init(_ catalog: Catalog, isBegun: Bool, answers: KeptAnswers) {
    self.catalog = CatalogEdition(catalog, number: 0)
    self.isBegun = isBegun
    self.answers = answers
  }
}

extension World {
  /// The catalogue and the session of a name.
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

  /// The openings of the open sessions.
  var openings: [Incarnation] { sessions.values.map(\.opening) + unloaded.values.map(\.opening) }

  /// Returns the opening of the session of a name; nil if none is open.
  func opening(of id: SessionID) -> Incarnation? { sessions[id]?.opening ?? unloaded[id]?.opening }

  /// Returns the digest of the first token of a session, which may be nil; nil if none is open.
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
  /// Adds an open session that is not read yet.
  mutating func add(_ session: UnloadedSession, named id: SessionID) {
    session.opening.isInMemory = false
    unloaded[id] = session
    if let token = session.token { sessionsByToken[token] = id }
  }

  /// Takes a session that was read again, made by these changes under the present catalogue; nil if it is not open, or
  /// here already.
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

  /// Lets go of sessions, as far as nobody follows them, and returns their names.
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

  /// Lets go of a session, whoever follows it: the commits that they know begin anew once it is loaded again.
  mutating func unload(_ id: SessionID) {
    guard let edition = sessions.removeValue(forKey: id) else { return }
    edition.opening.isInMemory = false
    unloaded[id] = UnloadedSession(opening: edition.opening, token: edition.session.token)
    rings[.session(id)]?.forgetBeginning(retiring: &retired)
  }

  /// Forgets a session that another process closed.
  mutating func forgetUnloaded(_ id: SessionID) {
    if let token = unloaded.removeValue(forKey: id)?.token { sessionsByToken[token] = nil }
    delivering.remove(id)
  }

  /// Notes that a session has deliveries at a revision, if it is not in memory at that revision; returns true if it is to
  /// be read then, since somebody watches.
  mutating func note(delivering id: SessionID, at revision: Int64) -> Bool {
    let isNewer = sessions[id].map { $0.session.revision < revision } ?? (unloaded[id] != nil)
    guard isNewer else { return false }
    delivering.insert(id)
    return !deliveryWakers.isEmpty
  }

  /// Notes what is wrong with a session that cannot be read.
  mutating func note(_ damage: JournalFault, of id: SessionID) {
    guard let known = unloaded[id], known.damage != damage else { return }
    unloaded[id]?.damage = damage
    newDamage[id] = damage
  }
}

// MARK: Publishing

extension World {
  /// Puts the state that a change led to in the place of the present one, adds the change to the commits of its
  /// subject if that is followed, and returns how the followers are woken.
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

  /// Puts a session or the catalogue in the place of an earlier edition of it.
  mutating func put(_ state: FollowedState) {
    switch state {
    case .catalog(let edition): catalog = edition
    case .session(let edition): insert(edition)
    case .noSession: break
    }
  }

  /// Puts a session in the place of an earlier edition of it, if there is one.
  mutating func insert(_ edition: SessionEdition) {
    let session = edition.session
    if !session.deliveries.isEmpty {
      delivering.insert(session.id)
    } else if !delivering.isEmpty {
      delivering.remove(session.id)
    }
    // The token is that of the opening.
    guard sessions.updateValue(edition, forKey: session.id) == nil else { return }
    // It may have left the memory since the change was made.
    edition.opening.isInMemory = true
    if let token = session.token { sessionsByToken[token] = session.id }
  }

  private mutating func remove(_ session: Session) {
    sessions.removeValue(forKey: session.id)?.opening.isInMemory = false
    // It may have left the memory since the change was made.
    unloaded[session.id] = nil
    delivering.remove(session.id)
    if let token = session.token { sessionsByToken[token] = nil }
  }
}
