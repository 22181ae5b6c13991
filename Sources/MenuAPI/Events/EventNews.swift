import MenuEngine
import MenuStore

/// The followers of a session and of the catalogue.
final class EventSources: Sendable {
  let session: Follower
  let catalog: Follower

  /// Follows both from now on.
  init(_ id: SessionID, of store: SessionStore, wake: @escaping @Sendable () -> Void) {
    session = store.follow(.session(id), wake: wake)
    catalog = store.follow(.catalog, wake: wake)
  }
}

/// The versions of a session and of the catalogue that a channel has reached in following durable commits.
struct FollowedVersions {
  // An unread channel retains no former version.
  private weak var session: SessionEdition?
  private weak var catalog: CatalogEdition?
  private var opening: Incarnation?
  /// The position of each follower.
  private var positions: (session: Int?, catalog: Int?)

  /// The versions before any.
  init() {}

  init(of snapshot: Snapshot) {
    (session, catalog) = (snapshot.sessionEdition, snapshot.catalogEdition)
    opening = snapshot.sessionEdition.opening
    positions = (snapshot.sessionEdition.number, snapshot.catalogEdition.number)
  }

  /// Takes all news; nil if there are none.
  mutating func follow(_ sources: EventSources) -> EventNews? {
    var news = EventNews()
    // Repeat until neither has news, so that both versions are of the same moment.
    while news.take(sources.session, &positions.session)
      || news.take(sources.catalog, &positions.catalog)
    {}
    guard news.hasAny else { return nil }
    // Without news, the version is the present one, unless it was replaced just now.
    if news.session == nil, session == nil { _ = news.take(sources.session, &positions.session) }
    if news.catalog == nil, catalog == nil { _ = news.take(sources.catalog, &positions.catalog) }
    (news.session, news.catalog) = (news.session ?? session, news.catalog ?? catalog)
    // Followers of this incarnation ignore a new one.
    if let new = news.session, let opening, opening !== new.opening {
      news.end = news.end ?? "sessionClosed"
    }
    (session, catalog) = (news.session, news.catalog)
    opening = news.session?.opening ?? opening
    return news
  }

  /// The session and the catalogue; nil before both are known, and once one of them is no longer the present one.
  var snapshot: Snapshot? {
    guard let session, let catalog else { return nil }
    return Snapshot(sessionEdition: session, catalogEdition: catalog)
  }
}

/// The durable commits of a session and of the catalogue since the last ones taken.
struct EventNews {
  /// The outcomes of the mutations of one commit, their actor, and the revision of the session after it.
  struct Change {
    let revision: Int
    let outcomes: [Outcome]
    let actor: Principal
  }

  var hasAny = false
  var isAnew = false
  var changes: [Change] = []
  fileprivate(set) var session: SessionEdition?
  /// The catalogue after them.
  fileprivate(set) var catalog: CatalogEdition?
  /// True if the catalogue was replaced.
  private(set) var isOfCatalog = false
  /// The reason why the session was closed.
  var end: String?

  /// The session and the catalogue after the news; nil if one of them is no longer in memory.
  var snapshot: Snapshot? {
    guard let session, let catalog else { return nil }
    return Snapshot(sessionEdition: session, catalogEdition: catalog)
  }

  /// Takes all news of a follower; returns false if there are none.
  mutating func take(_ follower: Follower, _ position: inout Int?) -> Bool {
    var tookAny = false
    while true {
      switch follower.news(after: position) {
      case .none: return tookAny
      case .commits(let commits, let state):
        for commit in commits { take(commit) }
        position = state?.number ?? commits.last?.number ?? position
        if let state { take(state) }
      case .anew(let state):
        if case .session = state { isAnew = true }
        position = state.number
        take(state)
      }
      (hasAny, tookAny) = (true, true)
    }
  }

  private mutating func take(_ commit: DurableCommit) {
    switch commit.change {
    case .opened: isAnew = true
    case .changed(by: let record, let outcomes):
      changes.append(
        Change(revision: commit.revision, outcomes: outcomes, actor: record.actor))
    case .closed(let isExpired): end = isExpired ? "expired" : "sessionClosed"
    case .catalogChanged: break
    }
  }

  private mutating func take(_ state: FollowedState) {
    switch state {
    case .catalog(let edition): (catalog, isOfCatalog) = (edition, true)
    case .session(let edition): session = edition
    case .noSession: end = end ?? "sessionClosed"
    }
  }
}
