import MenuEngine
import MenuStore
import MicroHTTP

/// The store as one request sees it: the published state, or the writer's draft.
struct RequestStore {
  let store: SessionStore
  let waiting: Waiting

  var catalogEdition: CatalogEdition { waiting.draft?.catalogEdition ?? store.catalogEdition }

  /// The ids of the open sessions, in alphabetical order.
  var sessionIDs: [SessionID] { store.names }

  /// Returns the catalogue and the session of an id at one moment.
  ///
  /// - Throws: A problem if the session is not in memory or must be confirmed first; the request is answered again
  ///   afterwards. Another problem if the session is damaged.
  ///
  /// - Parameter isUse: False if the session is only listed, which does not keep it from becoming idle.
  func read(_ id: SessionID, isUse: Bool = true) throws(Problem) -> StoreSnapshot {
    let look = waiting.draft?.snapshot(of: id) ?? store.read(id, isUse: isUse)
    if waiting.isShared { waiting.read.append(id) }
    guard !look.isUnloaded, waiting.isCurrent(look, of: id) else {
      if look.isDamaged, waiting.confirmed?.contains(id) == true { throw .damagedSession(id) }
      waiting.unconfirmed = (waiting.unconfirmed ?? []) + [id]
      throw .notLoaded
    }
    return look
  }

  /// Returns the open sessions among some ids, except damaged ones. Each is read at a separate moment.
  ///
  /// - Throws: As ``read(_:)``, if some are not in memory, unless the request has waited; it is retried once they are
  ///   loaded.
  func sessions(_ names: some Sequence<SessionID>) throws(Problem) -> [Session] {
    var sessions: [Session] = []
    for name in names {
      if let session = try? read(name, isUse: false).session?.session { sessions.append(session) }
    }
    if waiting.isAgain { waiting.unconfirmed = nil }
    guard waiting.unconfirmed == nil else { throw .notLoaded }
    return sessions
  }

  /// Returns the open sessions with deliveries, as ``sessions(_:)``.
  func sessionsWithDeliveries() throws(Problem) -> [Session] { try sessions(store.delivering) }

  /// Returns the answer kept under a key.
  func answer(under key: [UInt8]) -> IdempotencyEntry? {
    let kept = waiting.draft.map { $0.answer(under: key) } ?? store.answer(under: key)
    if kept == nil, waiting.isShared { waiting.unansweredKeys.append(key) }
    return kept
  }

  /// The time at which an answer kept now expires.
  var answerExpiry: Int64 { store.retentionClock.expiry }

  /// Proposes a change, which is committed once the request has its response. A request proposes at most one.
  func propose(_ proposal: Proposal, whenPublished act: (@Sendable () -> Void)? = nil) {
    waiting.proposal = proposal
    waiting.whenPublished = act
  }

  /// Proposes to record a refusal, which is the answer of the request.
  func proposeToNote(_ refusal: Proposal) { waiting.noteOfRefusal = refusal }
}

/// The context of a request while it is answered.
final class Waiting {
  /// The time at which the attempt to answer began, in nanoseconds.
  let start: Int
  /// The time at which the response was made, in nanoseconds.
  var end = 0
  /// The processor time of the response, in nanoseconds; 0 if the request is not charged.
  var cost = 0
  /// The writer's draft, if the request is answered by the writer; nil, the default, for the published state.
  let draft: Draft?
  /// The change that the request makes; nil if it makes none.
  fileprivate(set) var proposal: Proposal?
  /// The proposal to record the refusal of the request; nil if there is none.
  fileprivate(set) var noteOfRefusal: Proposal?
  /// Called once the change is published.
  fileprivate(set) var whenPublished: (@Sendable () -> Void)?
  /// The index of the route; nil if there is none.
  var route: Int?
  var postponement: Postponement
  /// The pending wait of the answer; nil, the default, for none.
  var wait: Wait?
  let patience: Wait.Patience
  /// The stream with the body of the answer; nil for a plain body. It begins once the change is published.
  var stream: (@Sendable () -> ResponseStream)?
  /// The session that is charged for the request.
  var session: SessionID?
  /// The account charged for the request if no session is; nil for none.
  var payer: Payer?
  /// True if the request has waited and is being answered again.
  let isAgain: Bool
  /// The answer's required currency. The default is `.published`.
  var currency = Currency.published
  /// The sessions for which, like for the directory and the catalogue, the store includes all commits before the
  /// request; nil if nothing is confirmed.
  let confirmed: Set<SessionID>?
  /// Runs the attempts of a postponed request; nil, the default, if it was not postponed.
  let worker: Worker.Runner?
  /// The sessions that were read, if other processes may have changed them.
  var read: [SessionID] = []
  /// The keys under which no answer was found, if other processes may have stored one.
  var unansweredKeys: [[UInt8]] = []
  /// The sessions that are not in memory or not current enough; empty if only the directory is not current, and nil if
  /// everything is. The request is answered again once they are.
  var unconfirmed: [SessionID]?

  /// The required currency of the data that a request reads.
  enum Currency {
    /// The state published here is sufficient: no other process commits, or the writer's draft is read.
    case published
    /// The state published here is sufficient for a proposal: the writer ensures that a change is based on the current
    /// state. Without a change, the request is answered again.
    case proposed
    /// The state was read recently, and the client has seen nothing newer.
    case recent(Recency)
    /// The state was read after the request arrived.
    case confirmed
  }

  /// The ways to postpone a request to the thread of long requests.
  enum Postponement {
    case possible
    case impossible
    /// The request is postponed and had no effect. `owes` is true if the session still has a debt.
    case wanted(owes: Bool)
    /// The request is postponed because of its large body, which was not read; with its payer.
    case ahead(Payer)
  }

  /// True if other processes may have committed changes that the answer must include.
  var isShared: Bool {
    if case .published = currency { false } else { true }
  }

  /// Returns true if a session is current enough.
  fileprivate func isCurrent(_ look: StoreSnapshot, of id: SessionID) -> Bool {
    // A closed session is confirmed with the directory.
    let isConfirmed = confirmed.map { look.session == nil || $0.contains(id) } ?? false
    return switch currency {
    case .published, .proposed: true
    case .recent(let recency): isConfirmed || recency.covers(look)
    case .confirmed: isConfirmed
    }
  }

  /// Returns true if an answer without a change may not be current.
  func isUncertain(_ response: Response, under catalog: @autoclosure () -> Catalog) -> Bool {
    switch currency {
    case .published: false
    case .proposed: true
    case .recent(let recency):
      // The token may be of a session that was opened elsewhere.
      confirmed == nil && read.isEmpty
        && (response.status == .unauthorized || !recency.covers(catalog()))
    case .confirmed: confirmed == nil
    }
  }

  /// Drops the change that the request makes.
  func dropProposal() { (proposal, whenPublished) = (nil, nil) }

  /// Drops the recorded refusal of a request that is answered otherwise.
  func dropNoteOfRefusal() { noteOfRefusal = nil }

  init(
    since start: Int = 0, _ postponement: Postponement = .impossible,
    patience: Wait.Patience = .none, isAgain: Bool = false, confirmed: Set<SessionID>? = nil,
    by worker: Worker.Runner? = nil, on draft: Draft? = nil
  ) {
    self.start = start
    self.postponement = postponement
    self.patience = patience
    self.isAgain = isAgain
    self.confirmed = confirmed
    self.worker = worker
    self.draft = draft
  }
}

/// The limit for answers that may be slightly outdated, but not older than the client's last answer.
struct Recency {
  let request: Request
  let nonce: String

  /// The maximum age of the data in an answer.
  static let age = Duration.milliseconds(250)

  /// Returns true if a session and its catalogue are recent enough.
  func covers(_ look: StoreSnapshot) -> Bool {
    let edition = look.session
    guard edition?.opening.isCurrent(within: Self.age) ?? true else { return false }
    return !isOlder(
      (edition?.opening.number, edition?.session.revision ?? -1, look.catalog.catalog.revision))
  }

  /// Returns true if the catalogue is recent enough.
  func covers(_ catalog: Catalog) -> Bool { !isOlder((nil, -1, catalog.revision)) }

  private func isOlder(_ shown: (opening: Int?, session: Int, catalog: Int)) -> Bool {
    EntityTag.isNamed(in: request, nonce: nonce, newerThan: shown)
  }
}
