package import MenuEngine

/// A session from the oldest moment that is still known, step by step up to a position from which on it can be
/// followed.
///
/// The store knows it for a minute after a start, of the sessions that changed shortly before or since: for those who
/// followed them before.
package struct SessionPast: Sendable {
  /// The session at the oldest moment.
  package let first: SessionEdition
  /// The steps from there on, in order: outcomes, and the session after them. The number of the last edition is a
  /// position.
  package let steps: [(outcomes: [Outcome], session: SessionEdition)]
  /// The catalogue, which was the same all the time.
  package let catalog: CatalogEdition
}

/// A change that a start found in the journal.
struct ReplayedChange: Sendable {
  let before: Session
  let mutations: [Mutation]
  /// The revision that it led to.
  let revision: Int
}

/// The last changes that a start found in the journal.
struct ReplayedTail {
  private static let most = 1024

  private var changes: [ReplayedChange] = []

  /// Adds a change.
  mutating func append(_ change: ReplayedChange) {
    changes.append(change)
    // Many at once, so that each is moved once on average.
    if changes.count >= 2 * Self.most { changes.removeFirst(Self.most) }
  }

  /// Forgets all, since the catalogue changed.
  mutating func removeAll() { changes = [] }

  /// The last changes of the sessions as they are open now.
  func bySession(of sessions: [SessionID: Session]) -> [SessionID: [ReplayedChange]] {
    var found: [SessionID: [ReplayedChange]] = [:]
    for change in changes.suffix(Self.most) {
      // Another opening of the name has another number; an older journal has none.
      guard let number = change.before.openingNumber,
        sessions[change.before.id]?.openingNumber == number
      else { continue }
      found[change.before.id, default: []].append(change)
    }
    return found
  }
}

extension World {
  /// The changes of a session that were replayed, and the time of that.
  struct Replayed: Sendable {
    let changes: [ReplayedChange]
    let time: Int64
  }

  /// The part of the world that is kept for a minute after a start.
  struct Recent: Sendable {
    /// The time until which it is kept.
    let end: Int64
    /// The catalogue at the start, or after its last change if the past is kept for good.
    var catalog: CatalogEdition
    /// The number of the last edition at the start; `Int.max` if the past is kept for good, for those who followed
    /// another process.
    let lastEdition: Int
    var replayed: [SessionID: Replayed]
    /// The number of sessions whose commits are kept since, although nobody follows them.
    var kept = 0

    /// The most such sessions.
    static let mostKept = 1024

    /// True if it is kept for good.
    var isLasting: Bool { lastEdition == .max }
  }

  /// True if sessions are remembered as they were at the start.
  func isRecent(at time: Int64) -> Bool { recent.map { time < $0.end } ?? false }

  /// Begins to keep the commits of a session with one that was just published, if nobody follows it.
  mutating func rememberBase(
    of action: Proposal.Action, within bounds: Follower.Bounds, at time: Int64
  ) {
    guard case .change(let base, to: _, by: _, _) = action, isRecent(at: time),
      let kept = recent?.isLasting == true ? rings.count : recent?.kept, kept < Recent.mostKept,
      base.number <= recent?.lastEdition ?? 0
    else { return }
    let subject = Follower.Subject.session(base.session.id)
    if recent?.isLasting == true, rings[subject]?.isForgotten(at: time) == true { forget(subject) }
    guard rings[subject] == nil else { return }
    recent?.kept = kept + 1
    var ring = CommitRing(.session(base), within: bounds, keepsBeginning: true)
    ring.leave(at: time)
    rings[subject] = ring
  }

  /// Forgets how sessions were at the start, or when they were read, if that is a minute ago, and hands that over.
  mutating func forgetRecent(at time: Int64) -> Recent? {
    if recent?.isLasting == true {
      let former = recent
      recent?.replayed = former?.replayed.filter { time - $0.value.time <= 60_000 } ?? [:]
      return former
    }
    guard recent != nil, !isRecent(at: time) else { return nil }
    forgetBeginnings()
    return recent.take()
  }

  /// Forgets how sessions were before a change of the catalogue.
  mutating func forgetPast() {
    forgetBeginnings()
    recent?.catalog = catalog
    recent?.replayed = [:]
  }

  private mutating func forgetBeginnings() {
    for subject in rings.keys { rings[subject]?.forgetBeginning(retiring: &retired) }
  }

  /// The changes that were replayed of a session, and the session as it was after them; nil if nothing is known but the
  /// session as it is.
  fileprivate mutating func known(
    of id: SessionID, at time: Int64
  ) -> (replayed: [ReplayedChange], last: SessionEdition, catalog: CatalogEdition, number: Int)? {
    guard let recent, isRecent(at: time), recent.catalog === catalog else { return nil }
    let replayed = recent.replayed[id]?.changes ?? []
    var last = sessions[id]
    if case .session(let beginning)? = rings[.session(id)]?.beginning { last = beginning }
    guard let last, last.ticket.isDurable,
      replayed.last?.revision ?? last.session.revision
        == last.session.revision, !replayed.isEmpty || last !== sessions[id]
    else { return nil }
    lastEdition += replayed.count
    return (replayed, last, catalog, lastEdition - replayed.count)
  }
}

extension Follower {
  /// Returns the session that is followed as it was before, if that is known.
  package var past: SessionPast? {
    guard case .session(let id) = subject else { return nil }
    return store.past(of: id)
  }
}

extension SessionStore {
  /// The commits that are kept since an edition, one by one: whoever followed another process may know any of them.
  private func kept(
    after edition: SessionEdition, under catalog: CatalogEdition
  ) -> [(outcomes: [Outcome], session: SessionEdition)] {
    let news = news(of: .session(edition.session.id), after: edition.number, atMost: .max)
    guard case .commits(let commits, _) = news else { return [] }
    var steps: [(outcomes: [Outcome], session: SessionEdition)] = []
    var session = edition.session
    for commit in commits {
      guard case .changed(by: let mutations, let outcomes) = commit.change,
        (try? session.apply(mutations, in: catalog.catalog, limits: .unlimited)) != nil,
        session.revision == commit.revision
      else { break }
      let next = SessionEdition(
        session, of: edition.opening, number: commit.number, ticket: .durable)
      steps.append((outcomes, next))
    }
    return steps
  }

  fileprivate func past(of id: SessionID) -> SessionPast? {
    let time = retentionClock.now
    guard let (replayed, last, catalog, number) = withWorld({ $0.known(of: id, at: time) }) else {
      return nil
    }
    var editions: [SessionEdition] = []
    for (index, change) in replayed.enumerated() {
      editions.append(
        SessionEdition(
          change.before, of: last.opening, number: number + index + 1, ticket: .durable))
    }
    editions.append(last)
    var steps: [(outcomes: [Outcome], session: SessionEdition)] = []
    for (change, next) in zip(replayed, editions.dropFirst()) {
      var session = change.before
      guard
        let outcomes = try? session.apply(
          change.mutations, in: catalog.catalog, limits: .unlimited)
      else { return nil }
      steps.append((outcomes, next))
    }
    if shared != nil { steps += kept(after: last, under: catalog) }
    return SessionPast(first: editions[0], steps: steps, catalog: catalog)
  }
}
