package import MenuEngine

/// A session and the catalogue at a past moment, and the change that led to it.
///
/// For a minute after a start, the store keeps the past of sessions that changed shortly before the start or since. If
/// the journal is shared, it keeps it for good. Followers of an earlier run or of another process resume from it.
package struct PastMoment: Sendable {
  /// The outcomes of the change; empty for a change of the catalogue and for the oldest moment.
  package let outcomes: [Outcome]
  /// The actor of a change of the session (T4); nil otherwise.
  package let actor: Principal?
  /// The session after it. The number of its edition is a position.
  package let session: SessionEdition
  /// The catalogue after it.
  package let catalog: CatalogEdition
}

/// A change that was read from the journal, and its subject before and after it.
struct ReplayedChange: Sendable {
  enum State: Sendable {
    case session(Session)
    case catalog(Catalog)

    fileprivate var subject: Follower.Subject {
      switch self {
      case .session(let session): .session(session.id)
      case .catalog: .catalog
      }
    }
  }

  let before: State
  let after: State
  let change: DurableCommit.Change
  /// The number of bytes of its record's payload.
  let payload: Int

  fileprivate var isOfCatalog: Bool { after.subject == .catalog }
}

/// The last changes that were read from the journal, in order.
struct ReplayedTail {
  private static let (most, mostOfCatalog) = (512, 8)

  private var changes: [ReplayedChange] = []
  private var countOfCatalog = 0

  mutating func append(_ change: ReplayedChange) {
    changes.append(change)
    if change.isOfCatalog { countOfCatalog += 1 }
    // Remove many at once, so that each change is moved once on average.
    if changes.count >= 2 * Self.most { removeFirst(Self.most) }
    if countOfCatalog > Self.mostOfCatalog, let first = changes.firstIndex(where: \.isOfCatalog) {
      removeFirst(first + 1)
    }
  }

  private mutating func removeFirst(_ count: Int) {
    countOfCatalog -= changes.prefix(count).count(where: \.isOfCatalog)
    changes.removeFirst(count)
  }

  mutating func removeAll() { self = ReplayedTail() }

  /// Returns the changes of the catalogue, and of the present incarnations of sessions.
  ///
  /// - Parameter sinceCatalog: True for only the changes since the last change of the catalogue.
  func changes(of sessions: [SessionID: Session], sinceCatalog: Bool) -> [ReplayedChange] {
    var last = changes.suffix(Self.most)
    if sinceCatalog, let index = last.lastIndex(where: \.isOfCatalog) {
      last = last[(index + 1)...]
    }
    return last.filter { change in
      guard case .session(let session) = change.after else { return true }
      // A different incarnation of the name has a different number.
      return sessions[session.id]?.openingNumber == session.openingNumber
    }
  }
}

extension World {
  /// The period after a start in which past states are available.
  struct Recent: Sendable {
    /// The time at which it ends; `Int64.max` if it never does, for followers that come from another process.
    let end: Int64
    /// The number of the last edition at the start; `Int.max` if the period never ends.
    let lastEdition: Int
    /// The number of sessions without followers whose commits are kept.
    var kept = 0

    /// The most such sessions.
    static let mostKept = 1024

    /// True if it never ends.
    var isLasting: Bool { lastEdition == .max }
  }

  /// True within that period.
  func isRecent(at time: Int64) -> Bool { recent.map { time < $0.end } ?? false }

  /// Appends changes read from the journal to the rings of their subjects, with the states after them.
  mutating func remember(
    _ changes: [ReplayedChange], within bounds: Follower.Bounds, at time: Int64,
    numbering numbers: EditionNumbers
  ) {
    for change in changes {
      let subject = change.after.subject
      if rings[subject] == nil, let former = edition(of: change.before, numbers) {
        beginRing(of: subject, with: former, within: bounds, at: time)
      }
      guard let state = edition(of: change.after, numbers) else { continue }
      let commit = DurableCommit(
        number: state.number, revision: state.revision, change: change.change)
      rings[subject]?.append(
        commit, state, size: change.change.size(payload: change.payload), keepingStateFrom: time,
        retiring: &retired)
      put(state)
    }
  }

  private func edition(
    of state: ReplayedChange.State, _ numbers: EditionNumbers
  ) -> FollowedState? {
    switch state {
    case .catalog(let catalog): .catalog(CatalogEdition(catalog, number: numbers.next()))
    case .session(let session):
      sessions[session.id].map { known in
        .session(SessionEdition(session, of: known.opening, number: numbers.next()))
      }
    }
  }

  /// Begins to keep the commits of a subject without followers, and its state before them.
  mutating func beginRing(
    of subject: Follower.Subject, with state: FollowedState, within bounds: Follower.Bounds,
    at time: Int64
  ) {
    rings[subject] = CommitRing(state, within: bounds, keepsBeginning: true)
    rings[subject]?.leave(at: time)
  }

  /// Begins to keep the commits of a session without followers, from one that was just published.
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
    beginRing(of: subject, with: .session(base), within: bounds, at: time)
  }

  /// Drops past states of sessions and the catalogue once that period is over. If it never ends, they are recomputed
  /// from the beginnings of their rings.
  mutating func forgetRecent(at time: Int64) {
    guard recent != nil else { return }
    if isRecent(at: time) {
      for subject in rings.keys {
        rings[subject]?.forgetStates(keptBefore: time - 60_000, retiring: &retired)
      }
    } else {
      for subject in rings.keys { rings[subject]?.forgetBeginning(retiring: &retired) }
      recent = nil
    }
  }

  /// Drops the states of sessions from before a change of the catalogue.
  mutating func forgetFormerCatalog() {
    for subject in rings.keys { rings[subject]?.beginNow(retiring: &retired) }
  }

  /// Returns the past of a session; nil if only its present state is available.
  fileprivate func past(of id: SessionID, at time: Int64) -> PastCommits? {
    guard let recent, isRecent(at: time), let last = sessions[id] else { return nil }
    var (first, sessionCommits) = (last, [(commit: DurableCommit, state: FollowedState?)]())
    if let ring = rings[.session(id)] {
      guard case .session(let beginning)? = ring.beginning, beginning.opening === last.opening
      else { return nil }
      (first, sessionCommits) = (beginning, ring.commitsSinceBeginning)
    }
    guard first.number <= recent.lastEdition else { return nil }
    var (firstCatalog, catalogCommits) = (catalog, sessionCommits.prefix(0))
    if !recent.isLasting {
      guard let ring = rings[.catalog], case .catalog(let beginning)? = ring.beginning else {
        return nil
      }
      (firstCatalog, catalogCommits) = (beginning, ring.commitsSinceBeginning[...])
    }
    guard !sessionCommits.isEmpty || !catalogCommits.isEmpty else { return nil }
    return PastCommits(
      first: first, firstCatalog: firstCatalog, last: last, lastCatalog: catalog,
      commits: sessionCommits + catalogCommits)
  }
}

/// A session and the catalogue at a past moment and at present, and the commits in between.
private struct PastCommits {
  let first: SessionEdition
  let firstCatalog: CatalogEdition
  let last: SessionEdition
  let lastCatalog: CatalogEdition
  /// The commits of the session, and then those of the catalogue.
  let commits: [(commit: DurableCommit, state: FollowedState?)]

  /// The moments from the first one on; empty if a commit cannot be replayed.
  var moments: [PastMoment] {
    var (session, catalog) = (first, firstCatalog)
    var moments = [PastMoment(outcomes: [], actor: nil, session: session, catalog: catalog)]
    for (commit, state) in commits.sorted(by: { $0.commit.number < $1.commit.number }) {
      var outcomes: [Outcome] = []
      var actor: Principal?
      if case .changed(by: let record, outcomes: let made) = commit.change {
        (outcomes, actor) = (made, record.actor)
      }
      switch state ?? self.state(after: commit, of: session, under: catalog) {
      case .session(let next): session = next
      case .catalog(let next): catalog = next
      case .noSession, nil: return []
      }
      moments.append(
        PastMoment(outcomes: outcomes, actor: actor, session: session, catalog: catalog))
    }
    return moments
  }

  /// Replays a commit.
  private func state(
    after commit: DurableCommit, of edition: SessionEdition, under catalog: CatalogEdition
  ) -> FollowedState? {
    if commit.number == last.number { return .session(last) }
    if commit.number == lastCatalog.number { return .catalog(lastCatalog) }
    switch commit.change {
    case .changed(by: let record, outcomes: _):
      var session = edition.session
      guard (try? session.apply(record, in: catalog.catalog, limits: .unlimited)) != nil,
        session.revision == commit.revision
      else { return nil }
      return .session(SessionEdition(session, of: edition.opening, number: commit.number))
    case .catalogChanged(by: let mutation):
      var changed = catalog.catalog
      guard (try? changed.apply(mutation)) != nil, changed.revision == commit.revision else {
        return nil
      }
      return .catalog(CatalogEdition(changed, number: commit.number))
    case .opened, .closed: return nil
    }
  }
}

extension Follower {
  /// The moments of the followed session from the oldest available one to a position from which it can be followed;
  /// empty if no past is available.
  package var past: [PastMoment] {
    guard case .session(let id) = subject else { return [] }
    let time = store.retentionClock.now
    return store.withWorld { $0.past(of: id, at: time) }?.moments ?? []
  }
}
