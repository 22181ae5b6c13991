import MenuEngine
import Synchronization

/// Everything that the store holds at one moment.
///
/// Editions never change: a commit puts a new one in the place of an old one. A reader takes
/// references to editions under one short lock, and follows them outside.
struct World: Sendable {
  private(set) var catalog: CatalogEdition
  /// The open sessions that are in memory: all of them, unless the journal is shared.
  private(set) var sessions: [SessionID: SessionEdition] = [:]
  /// The open sessions that are not in memory.
  private(set) var unloaded: [SessionID: UnloadedSession] = [:]
  private var sessionsByToken: [TokenDigest: SessionID] = [:]
  var answers: KeptAnswers
  /// Settled once the opening or closing of the last session is durable, or was rolled back.
  var membership = Ticket.durable
  /// False until a new journal has the catalogue; nothing else is committed before.
  var isBegun: Bool
  var lastEdition = 0
  /// The last commits of the subjects that are followed.
  var rings: [Follower.Subject: CommitRing] = [:]
  /// The sessions and the catalogue as they were at the start; nil after a minute, and without a journal.
  var recent: Recent?
  /// The commits that are not known to be durable, in order; empty if no other process commits.
  var unsettled: [UnsettledCommit] = []
  var lastFollower = 0
  /// The commits, states and rings to release once the world is no longer locked.
  var retired = RetiredCommits()

  init(_ catalog: Catalog, isBegun: Bool, answers: KeptAnswers) {
    self.catalog = CatalogEdition(catalog, number: 0, ticket: .durable)
    self.isBegun = isBegun
    self.answers = answers
  }
}

extension World {
  /// The catalogue and the session of a name.
  func snapshot(of id: SessionID) -> StoreSnapshot {
    let session = sessions[id]
    return StoreSnapshot(
      catalog: catalog, session: session,
      isUnloaded: session == nil && !unloaded.isEmpty && unloaded[id] != nil, count: count,
      membership: session == nil ? membership : .durable)
  }

  /// The number of open sessions.
  var count: Int { sessions.count + unloaded.count }

  /// The names of the open sessions, in no order.
  var names: [SessionID] { Array(sessions.keys) + Array(unloaded.keys) }

  /// The openings of the open sessions.
  var openings: [Incarnation] { sessions.values.map(\.opening) + unloaded.values.map(\.opening) }

  /// Returns the opening of the session of a name; nil if none is open.
  func opening(of id: SessionID) -> Incarnation? { sessions[id]?.opening ?? unloaded[id]?.opening }

  /// Returns the name of the session with a token, itself if it is in memory, and its opening.
  func session(
    with token: TokenDigest
  ) -> (id: SessionID, edition: SessionEdition?, opening: Incarnation)? {
    guard let id = sessionsByToken[token] else { return nil }
    if let edition = sessions[id] { return (id, edition, edition.opening) }
    return unloaded[id].map { (id, nil, $0.opening) }
  }
}

// MARK: Sessions that are not in memory

extension World {
  /// Adds an open session that is not read yet.
  mutating func add(_ session: UnloadedSession, named id: SessionID) {
    unloaded[id] = session
    if let token = session.token { sessionsByToken[token] = id }
  }

  /// Takes a session that was read again, made by these changes under the present catalogue; nil if it is not open, or
  /// here already.
  mutating func load(
    _ session: Session, after changes: [ReplayedChange], at time: Int64
  ) -> SessionEdition? {
    guard let known = unloaded.removeValue(forKey: session.id) else { return nil }
    var session = session
    session.openingNumber = known.opening.number
    let edition = edition(of: session, known.opening, .durable)
    sessions[session.id] = edition
    // They were made again under the catalogue that is durable.
    recent?.replayed[session.id] =
      changes.isEmpty || !catalog.ticket.isDurable ? nil : Replayed(changes: changes, time: time)
    restartFollowed(.session(session.id))
    return edition
  }

  /// Lets go of sessions, as far as they are durable and nobody follows them, and returns them.
  mutating func unload(where condition: (SessionEdition) -> Bool) -> [SessionEdition] {
    let idle = sessions.values.filter { edition in
      edition.ticket.isDurable && condition(edition)
        && rings[.session(edition.session.id)]?.wakers.isEmpty != false
    }
    for edition in idle {
      let id = edition.session.id
      sessions[id] = nil
      unloaded[id] = UnloadedSession(opening: edition.opening, token: edition.session.token)
      recent?.replayed[id] = nil
      forget(.session(id))
    }
    return idle
  }

  /// Forgets a session that another process closed.
  mutating func forgetUnloaded(_ id: SessionID) {
    if let token = unloaded.removeValue(forKey: id)?.token { sessionsByToken[token] = nil }
  }
}

extension World {
  /// True if a proposal was made for the world as it is.
  func admits(_ proposal: Proposal) -> Bool {
    switch proposal.action {
    case .open(let session, _, atMost: let most):
      proposal.catalog === catalog && sessions[session.id] == nil && unloaded[session.id] == nil
        && count < most
    case .change(let base, to: _, by: _, _):
      proposal.catalog === catalog && sessions[base.session.id] === base
    case .close(let base, unlessReadSince: nil): sessions[base.session.id] === base
    case .close(let base, unlessReadSince: let moment?):
      sessions[base.session.id] === base
        && base.opening.isIdle(since: moment)
    case .changeCatalog, .keepAnswer: proposal.catalog === catalog
    }
  }

  /// The editions that an action replaces.
  func former(of action: Proposal.Action) -> Former {
    switch action {
    case .open(let session, _, atMost: _): .session(session.id, nil, membership: membership)
    case .change(let base, to: _, by: _, _): .session(base.session.id, base, membership: nil)
    case .close(let base, unlessReadSince: _):
      .session(base.session.id, base, membership: membership)
    case .changeCatalog: .catalog(catalog)
    case .keepAnswer: .nothing
    }
  }

  /// Puts the editions of an action in the place of the present ones.
  mutating func publish(_ action: Proposal.Action, _ ticket: Ticket) {
    switch action {
    case .open(let session, let opening, atMost: _):
      replace(nil, by: edition(of: session, opening, ticket))
      membership = ticket
    case .change(let base, to: let session, by: _, _):
      sessions[session.id] = edition(of: session, base.opening, ticket)
    case .close(let base, unlessReadSince: _):
      replace(base, by: nil)
      membership = ticket
    case .changeCatalog(by: _, to: let changed):
      lastEdition += 1
      catalog = CatalogEdition(changed, number: lastEdition, ticket: ticket)
      if recent?.isLasting == true { forgetPast() }
    case .keepAnswer: break
    }
  }

  /// Publishes the catalogue with which a new journal begins.
  mutating func begin(with begun: Catalog, _ ticket: Ticket) -> Waking {
    lastEdition += 1
    catalog = CatalogEdition(begun, number: lastEdition, ticket: ticket)
    rings[.catalog]?.restart(with: .catalog(catalog), retiring: &retired)
    if recent?.isLasting == true { forgetPast() }
    isBegun = true
    return Waking(subject: .catalog, ticket: rings[.catalog]?.ticketToAwait())
  }

  /// Adds a session as it was recovered.
  mutating func insert(_ session: Session, _ opening: Incarnation) {
    replace(nil, by: edition(of: session, opening, .durable))
  }

  private mutating func edition(
    of session: Session, _ opening: Incarnation, _ ticket: Ticket
  ) -> SessionEdition {
    lastEdition += 1
    return SessionEdition(session, of: opening, number: lastEdition, ticket: ticket)
  }

  private mutating func replace(_ old: SessionEdition?, by new: SessionEdition?) {
    if let old {
      sessions[old.session.id] = nil
      if let token = old.session.token { sessionsByToken[token] = nil }
    }
    if let new {
      sessions[new.session.id] = new
      if let token = new.session.token { sessionsByToken[token] = new.session.id }
    }
  }
}

extension World {
  /// The editions that a commit replaced.
  enum Former: Sendable {
    /// The session of a name, or that there was none; with the ticket of membership if that changed.
    case session(SessionID, SessionEdition?, membership: Ticket?)
    case catalog(CatalogEdition)
    /// The catalogue before the journal had one.
    case beginning(CatalogEdition)
    case nothing
  }

  /// Rolls back a commit that is not durable. Commits are rolled back the last first.
  ///
  /// An edition that comes back keeps its number: it is the same session or catalogue, so what was found
  /// out about it still holds. If it is not durable either, it is rolled back next.
  mutating func restore(_ former: Former) {
    switch former {
    case .session(let id, let edition, membership: let ticket):
      let undone = membership
      replace(sessions[id], by: edition)
      if let ticket { membership = ticket }
      rollBackFollowed(.session(id))
      // Once for all commits of a batch, which have one ticket.
      if membership !== undone { restartAbsent() }
    case .catalog(let edition):
      catalog = edition
      if recent?.isLasting == true { forgetPast() }
      rollBackFollowed(.catalog)
    case .beginning: isBegun = false
    case .nothing: break
    }
  }
}
