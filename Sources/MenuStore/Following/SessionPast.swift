package import MenuEngine

/// A session from the oldest moment that is still known, step by step up to a position from which on it can be
/// followed.
///
/// The store knows it for a minute after a start, of the sessions that changed shortly before or since: for those who
/// followed them before.
package struct SessionPast: Sendable {
  /// The session at the oldest moment.
  package let first: SessionEdition
  /// The catalogue at that moment.
  package let catalog: CatalogEdition
  /// The steps from there on, in order. The number of the last editions are positions.
  package let steps: [Step]

  /// The oldest moment as a step without outcomes, and the steps from there on.
  package var moments: [Step] { [Step(outcomes: [], session: first, catalog: catalog)] + steps }

  /// A change of the session, or of the catalogue, which has no outcomes.
  package struct Step: Sendable {
    package let outcomes: [Outcome]
    /// The session after it.
    package let session: SessionEdition
    /// The catalogue after it.
    package let catalog: CatalogEdition
  }
}

/// A change that a start found in the journal.
struct ReplayedChange: Sendable {
  let before: Session
  let mutations: [Mutation]
  /// The revision that it led to.
  let revision: Int
  /// The number of changes that were replayed before it.
  let index: Int
}

/// A catalogue that a start found to be replaced.
struct ReplayedCatalog: Sendable {
  let catalog: Catalog
  /// The number of changes that were replayed until it was replaced.
  let end: Int
}

/// The last changes that a start found in the journal.
struct ReplayedTail {
  private static let most = 1024
  private static let mostCatalogs = 8

  private var changes: [ReplayedChange] = []
  /// The number of changes.
  private var count = 0
  /// The catalogues before the present one, the last ones in order.
  private(set) var catalogs: [ReplayedCatalog] = []
  /// The number of changes before the first of these.
  private var beginning = 0

  /// Adds a change of a session that led to a revision.
  mutating func append(_ mutations: [Mutation], to session: Session, reaching revision: Int) {
    changes.append(
      ReplayedChange(before: session, mutations: mutations, revision: revision, index: count))
    count += 1
    // Many at once, so that each is moved once on average.
    if changes.count >= 2 * Self.most { changes.removeFirst(Self.most) }
  }

  /// Adds a change of the catalogue.
  mutating func append(replaced catalog: Catalog) {
    catalogs.append(ReplayedCatalog(catalog: catalog, end: count))
    if catalogs.count > Self.mostCatalogs { beginning = catalogs.removeFirst().end }
  }

  /// Those since the last change of the catalogue.
  var sinceCatalog: ReplayedTail {
    var tail = self
    if let last = catalogs.last { (tail.catalogs, tail.beginning) = ([], last.end) }
    return tail
  }

  /// Forgets all.
  mutating func removeAll() { self = ReplayedTail() }

  /// The last changes of the sessions as they are open now.
  func bySession(of sessions: [SessionID: Session]) -> [SessionID: [ReplayedChange]] {
    var found: [SessionID: [ReplayedChange]] = [:]
    for change in changes.suffix(Self.most) where change.index >= beginning {
      // Another opening of the name has another number.
      guard sessions[change.before.id]?.openingNumber == change.before.openingNumber else {
        continue
      }
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
    /// The catalogues before that one; none if the past is kept for good.
    let formerCatalogs: [ReplayedCatalog]
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
  /// session and the catalogue as they are.
  fileprivate func known(
    of id: SessionID, at time: Int64, numbering numbers: EditionNumbers
  ) -> KnownPast? {
    guard let recent, isRecent(at: time) else { return nil }
    let replayed = recent.replayed[id]?.changes ?? []
    let formerCatalogs = recent.formerCatalogs
    var last = sessions[id]
    if case .session(let beginning)? = rings[.session(id)]?.beginning { last = beginning }
    guard let last, last.number <= recent.lastEdition,
      replayed.last?.revision ?? last.session.revision == last.session.revision
    else { return nil }
    let isOther =
      last !== sessions[id] || recent.catalog !== catalog || !formerCatalogs.isEmpty
    guard isOther || !replayed.isEmpty else { return nil }
    return KnownPast(
      replayed: replayed, last: last, formerCatalogs: formerCatalogs, catalog: recent.catalog,
      number: numbers.next(replayed.count + formerCatalogs.count) - 1)
  }
}

/// The changes of a session and of the catalogue that a start replayed.
private struct KnownPast {
  let replayed: [ReplayedChange]
  /// The session after that.
  let last: SessionEdition
  let formerCatalogs: [ReplayedCatalog]
  /// The catalogue after these.
  let catalog: CatalogEdition
  /// The number before those that its editions may have.
  let number: Int

  /// The session from before the first change to the last one, step by step; nil if a change cannot be made again.
  var past: SessionPast? {
    let sessions =
      replayed.enumerated().map { index, change in
        SessionEdition(
          change.before, of: last.opening, number: number + index + 1)
      } + [last]
    let catalogs =
      formerCatalogs.enumerated().map { index, former in
        CatalogEdition(
          former.catalog, number: number + replayed.count + index + 1)
      } + [catalog]
    var steps: [SessionPast.Step] = []
    var (changeCount, catalogCount) = (0, 0)
    while steps.count < replayed.count + formerCatalogs.count {
      var outcomes: [Outcome] = []
      if catalogCount < formerCatalogs.count,
        replayed[changeCount...].first?.index ?? .max >= formerCatalogs[catalogCount].end
      {
        catalogCount += 1
      } else {
        let change = replayed[changeCount]
        var session = change.before
        let made = try? session.apply(
          change.mutations, in: catalogs[catalogCount].catalog, limits: .unlimited)
        guard let made else { return nil }
        outcomes = made
        changeCount += 1
      }
      steps.append(
        SessionPast.Step(
          outcomes: outcomes, session: sessions[changeCount], catalog: catalogs[catalogCount]))
    }
    return SessionPast(first: sessions[0], catalog: catalogs[0], steps: steps)
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
  private func kept(after edition: SessionEdition, under catalog: CatalogEdition) -> [SessionPast
    .Step]
  {
    let news = news(of: .session(edition.session.id), after: edition.number, atMost: .max)
    guard case .commits(let commits, _) = news else { return [] }
    var steps: [SessionPast.Step] = []
    var session = edition.session
    for commit in commits {
      guard case .changed(by: let mutations, let outcomes) = commit.change,
        (try? session.apply(mutations, in: catalog.catalog, limits: .unlimited)) != nil,
        session.revision == commit.revision
      else { break }
      let next = SessionEdition(
        session, of: edition.opening, number: commit.number)
      steps.append(SessionPast.Step(outcomes: outcomes, session: next, catalog: catalog))
    }
    return steps
  }

  fileprivate func past(of id: SessionID) -> SessionPast? {
    let time = retentionClock.now
    guard let known = withWorld({ $0.known(of: id, at: time, numbering: numbers) }),
      let past = known.past
    else {
      return nil
    }
    guard shared != nil else { return past }
    let since = kept(after: known.last, under: known.catalog)
    return SessionPast(first: past.first, catalog: past.catalog, steps: past.steps + since)
  }
}
