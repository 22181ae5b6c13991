import MenuEngine
import MenuStore
import MicroHTTP

/// The store as one request sees it: as it is published, or as the writer's draft has it.
struct RequestStore {
  let store: SessionStore
  let waiting: Waiting

  var catalogEdition: CatalogEdition {
    let edition = waiting.draft?.catalogEdition ?? store.catalogEdition
    if waiting.isShared { waiting.shown.note(edition) }
    return edition
  }

  /// The ids of the open sessions, in alphabetical order.
  var sessionIDs: [SessionID] {
    if waiting.isShared { waiting.shown.noteOpenSessions(of: store) }
    return store.names
  }

  /// Returns the catalogue and the session of an id at one moment.
  ///
  /// - Throws: A problem if the session is not in memory, or is to be confirmed first. The request is answered again once
  ///   it is.
  func read(_ id: SessionID) throws(Problem) -> StoreSnapshot {
    let look = waiting.draft?.snapshot(of: id) ?? store.read(id)
    guard !look.isUnloaded, !waiting.mustConfirm(id) else {
      waiting.missing.append(id)
      throw .notLoaded
    }
    if waiting.isShared { waiting.shown.note(look, of: id) }
    return look
  }

  /// Returns the open sessions among some ids, each at a moment of its own.
  ///
  /// - Throws: As ``read(_:)``, if some are not in memory.
  func sessions(_ names: some Sequence<SessionID>) throws(Problem) -> [Session] {
    var sessions: [Session] = []
    for name in names {
      if let session = try? read(name).session?.session { sessions.append(session) }
    }
    guard waiting.missing.isEmpty else { throw .notLoaded }
    return sessions
  }

  /// Returns the session that a token belongs to, with its incarnation; nil if it belongs to no open session.
  func opening(of token: TokenDigest) -> (SessionID, Incarnation)? {
    let found = store.opening(of: token)
    if waiting.isShared {
      if let found, let edition = found.edition {
        waiting.shown.note(edition, of: found.id)
      } else {
        waiting.shown.noteOpenSessions(of: store)
      }
    }
    return found.map { ($0.id, $0.opening) }
  }

  /// Returns the answer kept under a key.
  func answer(under key: [UInt8]) -> IdempotencyEntry? {
    let kept = waiting.draft.map { $0.answer(under: key) } ?? store.answer(under: key)
    if kept == nil, waiting.isShared { waiting.shown.note(missing: key) }
    return kept
  }

  /// The time at which an answer kept now expires.
  var answerExpiry: Int64 { store.retentionClock.expiry }

  /// Proposes a change, which is carried out once the request has its response. A request proposes one.
  func propose(_ proposal: Proposal, whenPublished act: (@Sendable () -> Void)? = nil) {
    waiting.proposal = proposal
    waiting.whenPublished = act
  }
}

/// The notes about a request while it is answered.
final class Waiting {
  /// The time at which the attempt to answer began, in nanoseconds.
  let start: Int
  /// The time at which the response was made, in nanoseconds.
  var end = 0
  /// The processor time that the response took, in nanoseconds; 0 if nobody pays for the request.
  var cost = 0
  /// The writer's draft, if the request is answered by the writer; nil, the default, if by what is published.
  let draft: Draft?
  /// The change that the request makes; nil if it makes none.
  fileprivate(set) var proposal: Proposal?
  /// Called once the change is published.
  fileprivate(set) var whenPublished: (@Sendable () -> Void)?
  /// The index of the route that answers; nil if none does.
  var route: Int?
  var postponement: Postponement
  /// The wait of the answer; nil, the default, for none.
  var wait: Wait?
  let patience: Wait.Patience
  /// The body of the answer, if that comes in pieces. It begins once the change is published.
  var stream: (@Sendable () -> ResponseStream)?
  /// The session that pays for the request.
  var session: SessionID?
  /// The account charged for the request if no session is; nil for none.
  var payer: Payer?
  /// True if other replicas may have committed something that the answer is to show. The default is false.
  var isShared = false
  /// True if the request has waited for something, and is answered anew.
  let isAgain: Bool
  /// True if sessions are confirmed before they are read, since a stream goes on from there.
  var confirmsFirst = false
  /// True if nothing was done, since the store is to have first what other processes committed before the request came.
  var awaitsOthers = false
  /// The sessions of which the store has everything that any process committed before the request came, as it has of
  /// which are open and of the catalogue; nil if nothing is confirmed.
  let confirmed: Set<SessionID>?
  /// The editions that the answer shows.
  var shown = ShownEditions()
  /// The sessions that were not in memory, or are to be confirmed. The request is answered again once they are.
  var missing: [SessionID] = []

  /// The ways to postpone a request to the thread of long requests.
  enum Postponement {
    case possible
    case impossible
    /// It is postponed, and had no effect. `owes` is true if the session still has a debt.
    case wanted(owes: Bool)
    /// It is postponed because of its large body, which was not read; with its payer.
    case ahead(Payer)
  }

  /// True if a session is to be confirmed before it is read.
  func mustConfirm(_ id: SessionID) -> Bool {
    confirmsFirst && confirmed?.contains(id) != true
  }

  /// True if the sessions that the answer shows are confirmed. That there is no answer under a key is not: the first
  /// request with it may have been carried out since.
  var showsConfirmedSessions: Bool {
    guard let confirmed else { return false }
    return shown.ids.allSatisfy { confirmed.contains($0) }
  }

  /// Forgets the change that the request makes.
  func dropProposal() { (proposal, whenPublished) = (nil, nil) }

  init(
    since start: Int = 0, _ postponement: Postponement = .impossible,
    patience: Wait.Patience = .none, isAgain: Bool = false, confirmed: Set<SessionID>? = nil,
    on draft: Draft? = nil
  ) {
    self.start = start
    self.postponement = postponement
    self.patience = patience
    self.isAgain = isAgain
    self.confirmed = confirmed
    self.draft = draft
  }
}
