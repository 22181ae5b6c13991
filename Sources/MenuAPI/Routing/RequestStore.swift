import MenuEngine
import MenuStore
import MicroHTTP

/// The store as one request sees it. It records the tickets that the answer waits for, since an answer is sent
/// only when everything it shows is durable.
struct RequestStore {
  let store: SessionStore
  let waiting: Waiting

  var catalogEdition: CatalogEdition {
    let edition = store.catalogEdition
    waiting.note(edition.ticket)
    if waiting.position != nil { waiting.shown.note(edition) }
    return edition
  }

  /// The ids of the open sessions, in alphabetical order.
  var sessionIDs: [SessionID] {
    let (sessions, membership) = store.names
    waiting.note(membership)
    waiting.shown.noteOther()
    return sessions
  }

  /// Returns the catalogue and the session of an id at one moment.
  ///
  /// - Throws: A problem if the session is not in memory. The request is answered again once it is.
  func read(_ id: SessionID) throws(Problem) -> StoreSnapshot {
    let look = store.read(id)
    guard !look.isUnloaded else {
      waiting.missing.append(id)
      throw .notLoaded
    }
    waiting.note(look.catalog.ticket)
    waiting.note(look.session?.ticket ?? look.membership)
    if waiting.position != nil { waiting.shown.note(look, of: id) }
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
    let (found, ticket) = store.opening(of: token)
    waiting.note(ticket)
    if let edition = found?.edition {
      waiting.shown.note(edition)
    } else {
      waiting.shown.noteOther()
    }
    return found.map { ($0.id, $0.opening) }
  }

  /// Returns the answer kept under a key.
  func answer(under key: [UInt8]) -> IdempotencyEntry? {
    guard let kept = store.answer(under: key) else {
      waiting.shown.noteOther()
      return nil
    }
    waiting.note(kept.ticket)
    return kept.entry
  }

  /// The time at which an answer kept now expires.
  var answerExpiry: Int64 { store.retentionClock.expiry }

  /// Commits a proposal, unless a conflicting commit came first.
  func commit(_ proposal: Proposal) throws(Problem) -> CommitResult {
    do throws(JournalFault) {
      let commitment = try store.commit(proposal)
      switch commitment {
      case .committed(let ticket): waiting.noteCommit(ticket, isChange: proposal.isChange)
      case .repeated(_, let ticket): waiting.note(ticket)
      case .outdated: break
      }
      return commitment
    } catch {
      throw Problem(error)
    }
  }
}

/// The record of a request while it is answered, with the tickets that the answer waits for.
final class Waiting {
  /// The time at which the attempt to answer began, in nanoseconds.
  let start: Int
  /// The time at which the response was made, in nanoseconds.
  var end = 0
  var tickets: [Ticket] = []
  /// True if the request committed something.
  private(set) var hasCommitted = false
  /// True if the request committed more than its kept answer.
  private(set) var hasChanged = false
  /// The index of the route; nil if there is none.
  var route: Int?
  var postponement: Postponement
  /// The long poll of the answer; nil, the default, for none.
  var wait: Wait?
  let patience: Wait.Patience
  /// The body of the answer, if it is a stream.
  var stream: ResponseStream?
  /// The session charged for the request.
  var session: SessionID?
  /// The account charged for the request if no session is; nil for none.
  var payer: Payer?
  /// The position of the last commit of all replicas that the store had applied at the start of the request;
  /// nil without replicas, or if it is not needed.
  var position: Int64?
  /// True if the request has waited, and is answered anew.
  var isAgain = false
  /// True if the request is to be repeated once the store has applied the earlier commits of other replicas.
  var awaitsOthers = false
  /// True if the store has applied all commits of all replicas before the request.
  var isConfirmed = false
  /// The versions that the answer shows.
  var shown = ShownEditions()
  /// The sessions that were not in memory. The request is answered again once they are.
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

  init(
    since start: Int = 0, _ postponement: Postponement = .impossible,
    patience: Wait.Patience = .none
  ) {
    self.start = start
    self.postponement = postponement
    self.patience = patience
  }

  /// Records that the answer shows a commit that is durable when a ticket is settled.
  func note(_ ticket: Ticket) {
    if !ticket.isDurable { tickets.append(ticket) }
  }

  /// Records the commit of the request, which is durable when a ticket is settled.
  ///
  /// From then on the answer waits for that ticket alone: everything that the commit builds on is durable
  /// before it, or together with it.
  func noteCommit(_ ticket: Ticket, isChange: Bool) {
    hasCommitted = true
    hasChanged = isChange
    tickets = ticket.isDurable ? [] : [ticket]
  }
}
