package import MenuEngine

/// The world after a batch of changes.
///
/// Each change sees the earlier ones. Only the writer sees a draft until all its changes are durable and published.
package final class Draft: StoreContents {
  let store: SessionStore
  private(set) var catalog: CatalogEdition
  /// The catalogue before the batch.
  private let base: CatalogEdition
  private var bases: [SessionID: SessionEdition?] = [:]
  /// The sessions that the batch changes; nil for those that it closes.
  private var sessions: [SessionID: SessionEdition?] = [:]
  private var answers: [AnswerKey: IdempotencyEntry] = [:]
  private(set) var count: Int
  /// The changes in order, and the state that each leads to.
  private(set) var commits: [(commit: Commit, state: FollowedState?)] = []

  /// Creates a draft of the present world, which begins a new journal.
  init(of store: SessionStore) throws(JournalFault) {
    self.store = store
    let isBegun: Bool
    (catalog, count, isBegun) = store.withWorld { ($0.catalog, $0.count, $0.isBegun) }
    base = catalog
    if !isBegun, store.isKept {
      commits.append((try Commit(beginningWith: catalog), .catalog(catalog)))
    }
  }

  func session(_ id: SessionID) -> SessionEdition? {
    if let edition = sessions[id] ?? bases[id] { return edition }
    let edition = store.withWorld { $0.sessions[id] }
    bases[id] = .some(edition)
    return edition
  }

  func isOpen(_ id: SessionID) -> Bool {
    if let edition = sessions[id] { return edition != nil }
    return store.withWorld { $0.isOpen(id) }
  }

  /// Returns the catalogue and the session of a name.
  package func snapshot(of id: SessionID) -> StoreSnapshot {
    let isKnown = sessions[id] != nil
    let session = session(id)
    return StoreSnapshot(
      catalog: catalog, session: session,
      isUnloaded: session == nil && !isKnown && isOpen(id), count: count)
  }

  /// True if the sessions and the catalogue that the batch has read are unchanged.
  var isCurrent: Bool {
    store.withWorld { world in
      world.catalog === base && bases.allSatisfy { world.sessions[$0] === $1 }
    }
  }

  /// The catalogue.
  package var catalogEdition: CatalogEdition { catalog }

  /// Returns the answer kept under a key; nil if there is none, or it has expired.
  package func answer(under key: [UInt8]) -> IdempotencyEntry? { answer(under: AnswerKey(key)) }

  func answer(under key: AnswerKey) -> IdempotencyEntry? {
    if let entry = answers[key] { return entry }
    let now = store.retentionClock.now
    return store.withWorld { $0.answers.answer(under: key, at: now) }
  }

  /// Applies a change if it is based on the draft's contents.
  func take(_ commit: Commit) -> CommitResult {
    // Check this first: the original request has changed the world since.
    if let key = commit.answer?.key, let kept = answer(under: key) { return .repeated(kept) }
    guard admits(commit) else { return .outdated }
    let state = commit.state(numbering: store.numbers)
    switch state {
    case .catalog(let edition)?: catalog = edition
    case .session(let edition)?: sessions[edition.session.id] = .some(edition)
    case .noSession?, nil: break
    }
    switch commit.action {
    case .open: count += 1
    case .close(let base, unlessReadSince: _):
      sessions[base.session.id] = .some(nil)
      count -= 1
    case .begin, .change, .changeCatalog, .keepAnswer, .keepRefusal: break
    }
    if let answer = commit.answer { answers[answer.key] = answer.entry }
    commits.append((commit, state))
    return .committed
  }
}

/// The sessions and the catalogue on which changes are based: the world's, or a draft's.
protocol StoreContents {
  var catalog: CatalogEdition { get }
  /// The number of open sessions.
  var count: Int { get }
  func session(_ id: SessionID) -> SessionEdition?
  /// True if a session of the name is open, whether or not it is in memory.
  func isOpen(_ id: SessionID) -> Bool
}

extension StoreContents {
  /// Returns true if a change is based on these contents.
  func admits(_ commit: Commit) -> Bool {
    switch commit.action {
    case .begin: false
    case .open(let session, _, atMost: let most):
      commit.catalog === catalog && !isOpen(session.id) && count < most
    case .change(let base, to: _, by: _, _):
      commit.catalog === catalog && session(base.session.id) === base
    case .close(let base, unlessReadSince: nil): session(base.session.id) === base
    case .close(let base, unlessReadSince: let moment?):
      session(base.session.id) === base && base.opening.isIdle(since: moment)
    case .changeCatalog, .keepAnswer: commit.catalog === catalog
    // The refusal stands whatever happened since.
    case .keepRefusal(let base, _, _): session(base.session.id)?.opening === base.opening
    }
  }
}

extension Commit {
  /// Returns the state of its subject after the change, under a new number; nil if it has no subject.
  func state(numbering numbers: EditionNumbers) -> FollowedState? {
    switch action {
    case .begin: .catalog(catalog)
    case .open(let session, let opening, atMost: _):
      .session(SessionEdition(session, of: opening, number: numbers.next()))
    case .change(let base, to: let session, by: _, _):
      .session(SessionEdition(session, of: base.opening, number: numbers.next()))
    case .close: .noSession(number: numbers.next())
    case .changeCatalog(by: _, to: let changed):
      .catalog(CatalogEdition(changed, number: numbers.next()))
    case .keepAnswer, .keepRefusal: nil
    }
  }
}
