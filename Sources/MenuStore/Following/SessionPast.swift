package import MenuEngine

/// A session from the oldest moment that is still known, step by step up to a position from which on it can be
/// followed.
///
/// The store knows it for a minute after a start, of the sessions that changed shortly before or since, and for good if
/// other processes commit too: for those who followed them before, or elsewhere.
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

/// A change that was read from the journal, and its subject before and after it.
enum ReplayedChange: Sendable {
  case session(from: Session, to: Session, by: [Mutation], [Outcome])
  case catalog(from: Catalog, to: Catalog, by: CatalogMutation)

  fileprivate var isOfCatalog: Bool { if case .catalog = self { true } else { false } }
}

/// The last changes that were read from the journal, in order.
struct ReplayedTail {
  /// Half as many as a ring keeps, so that those who come later go on, too.
  private static let (most, mostOfCatalog) = (512, 8)

  private var changes: [ReplayedChange] = []
  private var countOfCatalog = 0

  mutating func append(_ change: ReplayedChange) {
    changes.append(change)
    if change.isOfCatalog { countOfCatalog += 1 }
    // Many at once, so that each is moved once on average.
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

  /// The changes of the catalogue, and of sessions as they are open now.
  ///
  /// - Parameter isShort: True if only those since the last change of the catalogue are wanted.
  func changes(
    of sessions: [SessionID: Session], sinceCatalog isShort: Bool
  ) -> [ReplayedChange] {
    var last = changes.suffix(Self.most)
    if isShort, let index = last.lastIndex(where: \.isOfCatalog) { last = last[(index + 1)...] }
    return last.filter { change in
      guard case .session(from: let former, to: _, by: _, _) = change else { return true }
      // Another opening of the name has another number.
      return sessions[former.id]?.openingNumber == former.openingNumber
    }
  }
}

extension World {
  /// The time for which the store knows sessions and the catalogue as they were at the start, or when they were read.
  struct Recent: Sendable {
    /// The end of that time; `Int64.max` if it never ends, for those who followed another process.
    let end: Int64
    /// The number of the last edition at the start; `Int.max` if the time never ends.
    let lastEdition: Int
    /// The number of sessions whose commits are kept since, although nobody follows them.
    var kept = 0

    /// The most such sessions.
    static let mostKept = 1024

    /// True if it never ends.
    var isLasting: Bool { lastEdition == .max }
  }

  /// True if sessions are remembered as they were at the start.
  func isRecent(at time: Int64) -> Bool { recent.map { time < $0.end } ?? false }

  /// Adds changes that were read from the journal to the commits of their subjects, as if they were made now: whoever
  /// followed these before goes on from there.
  mutating func remember(
    _ changes: [ReplayedChange], within bounds: Follower.Bounds, at time: Int64,
    numbering numbers: EditionNumbers
  ) {
    for change in changes {
      switch change {
      case .session(from: let former, to: let session, by: let mutations, let outcomes):
        guard let opening = sessions[session.id]?.opening else { continue }
        let subject = Follower.Subject.session(session.id)
        if rings[subject] == nil {
          let first = SessionEdition(former, of: opening, number: numbers.next())
          beginRing(of: subject, with: .session(first), within: bounds, at: time)
        }
        let edition = SessionEdition(session, of: opening, number: numbers.next())
        insert(edition)
        append(
          .changed(by: mutations, outcomes: outcomes), of: subject, revision: session.revision,
          leadingTo: .session(edition))
      case .catalog(from: let former, to: let changed, by: let mutation):
        if rings[.catalog] == nil {
          let first = CatalogEdition(former, number: numbers.next())
          beginRing(of: .catalog, with: .catalog(first), within: bounds, at: time)
        }
        catalog = CatalogEdition(changed, number: numbers.next())
        append(
          .catalogChanged(by: mutation), of: .catalog, revision: changed.revision,
          leadingTo: .catalog(catalog))
      }
    }
  }

  /// Begins to keep the commits of a subject that nobody follows, and its state before them.
  mutating func beginRing(
    of subject: Follower.Subject, with state: FollowedState, within bounds: Follower.Bounds,
    at time: Int64
  ) {
    rings[subject] = CommitRing(state, within: bounds, keepsBeginning: true)
    rings[subject]?.leave(at: time)
  }

  private mutating func append(
    _ change: DurableCommit.Change, of subject: Follower.Subject, revision: Int,
    leadingTo state: FollowedState
  ) {
    rings[subject]?.append(
      DurableCommit(number: state.number, revision: revision, change: change), state, size: 256,
      retiring: &retired)
  }

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
    beginRing(of: subject, with: .session(base), within: bounds, at: time)
  }

  /// Forgets how sessions and the catalogue were at the start, if that is a minute ago.
  mutating func forgetRecent(at time: Int64) {
    guard recent != nil, !isRecent(at: time) else { return }
    forgetBeginnings()
    recent = nil
  }

  /// Forgets how subjects were before their commits.
  mutating func forgetBeginnings() {
    for subject in rings.keys { rings[subject]?.forgetBeginning(retiring: &retired) }
  }

  /// The commits of a session and of the catalogue since the oldest moment that is known; nil if nothing but the present
  /// is.
  fileprivate func past(of id: SessionID, at time: Int64) -> KnownPast? {
    guard let recent, isRecent(at: time), let last = sessions[id] else { return nil }
    let first: SessionEdition
    switch (rings[.session(id)], rings[.session(id)]?.beginning) {
    case (nil, _): first = last
    case (_, .session(let beginning)?) where beginning.opening === last.opening: first = beginning
    default: return nil
    }
    guard first.number <= recent.lastEdition else { return nil }
    var firstCatalog = catalog
    if case .catalog(let beginning)? = rings[.catalog]?.beginning { firstCatalog = beginning }
    let commits = [Follower.Subject.session(id): first.number, .catalog: firstCatalog.number]
      .flatMap { subject, number in rings[subject]?.commits(after: number) ?? [] }
    guard !commits.isEmpty else { return nil }
    return KnownPast(
      first: first, firstCatalog: firstCatalog, last: last, lastCatalog: catalog,
      commits: commits.sorted { $0.number < $1.number })
  }
}

/// A session and the catalogue as they were once, the commits since then, and both as they are.
private struct KnownPast {
  let first: SessionEdition
  let firstCatalog: CatalogEdition
  let last: SessionEdition
  let lastCatalog: CatalogEdition
  let commits: [DurableCommit]

  /// The session step by step; nil if a commit cannot be made again.
  var past: SessionPast? {
    var (session, catalog, steps) = (first, firstCatalog, [SessionPast.Step]())
    for commit in commits {
      var made: [Outcome] = []
      switch commit.change {
      case .changed(by: let mutations, let outcomes):
        made = outcomes
        guard let next = edition(of: commit, by: mutations, after: session, under: catalog) else {
          return nil
        }
        session = next
      case .catalogChanged(by: let mutation):
        guard let next = edition(of: commit, by: mutation, after: catalog) else { return nil }
        catalog = next
      case .opened, .closed: return nil
      }
      steps.append(SessionPast.Step(outcomes: made, session: session, catalog: catalog))
    }
    return SessionPast(first: first, catalog: firstCatalog, steps: steps)
  }

  private func edition(
    of commit: DurableCommit, by mutations: [Mutation], after edition: SessionEdition,
    under catalog: CatalogEdition
  ) -> SessionEdition? {
    if commit.number == last.number { return last }
    var session = edition.session
    guard (try? session.apply(mutations, in: catalog.catalog, limits: .unlimited)) != nil,
      session.revision == commit.revision
    else { return nil }
    return SessionEdition(session, of: edition.opening, number: commit.number)
  }

  private func edition(
    of commit: DurableCommit, by mutation: CatalogMutation, after edition: CatalogEdition
  ) -> CatalogEdition? {
    if commit.number == lastCatalog.number { return lastCatalog }
    var catalog = edition.catalog
    guard (try? catalog.apply(mutation)) != nil else { return nil }
    return CatalogEdition(catalog, number: commit.number)
  }
}

extension Follower {
  /// Returns the session that is followed as it was before, if that is known.
  package var past: SessionPast? {
    guard case .session(let id) = subject else { return nil }
    let time = store.retentionClock.now
    return store.withWorld { $0.past(of: id, at: time) }?.past
  }
}
