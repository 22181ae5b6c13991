import MenuEngine
import MenuStore
import MicroHTTP

/// The store as one request sees it: it notes what the answer has to wait for, since no answer may show
/// what can still be lost.
struct RequestStore {
  let store: SessionStore
  let waiting: Waiting

  /// The catalogue as it is now.
  var catalogEdition: CatalogEdition {
    let edition = store.catalogEdition
    waiting.note(edition.ticket)
    if waiting.position != nil { waiting.shown.note(edition) }
    return edition
  }

  /// The names of the open sessions, in alphabetical order.
  var sessionIDs: [SessionID] {
    let (sessions, membership) = store.names
    waiting.note(membership)
    waiting.shown.noteOther()
    return sessions
  }

  /// Returns the catalogue and the session of a name, as they are at one moment.
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

  /// Returns the sessions of some names, as far as they are open, each as it is at a moment of its own.
  ///
  /// - Throws: A problem if some are not in memory, as when one is read.
  func sessions(_ names: some Sequence<SessionID>) throws(Problem) -> [Session] {
    var sessions: [Session] = []
    for name in names {
      if let session = try? read(name).session?.session { sessions.append(session) }
    }
    guard waiting.missing.isEmpty else { throw .notLoaded }
    return sessions
  }

  /// Returns the session whose token this is, and its opening; nil if it is of no open session.
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

  /// The time at which an answer of this moment expires.
  var answerExpiry: Int64 { store.retentionClock.expiry }

  /// Publishes a proposal, if it was made for the world as it is.
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

/// The notes about a request while it is answered: among others the tickets that the answer waits for.
final class Waiting {
  /// The time at which it was begun to be answered, in nanoseconds.
  let start: Int
  /// The time at which the response was made, in nanoseconds.
  var end = 0
  var tickets: [Ticket] = []
  /// True if the request committed something.
  private(set) var hasCommitted = false
  /// True if the request committed more than its answer.
  private(set) var hasChanged = false
  /// The index of the route that answers; nil if none does.
  var route: Int?
  var postponement: Postponement
  /// The wait of the answer besides its tickets; nil, the default, for none.
  var wait: Wait?
  let patience: Wait.Patience
  /// The body of the answer, if that comes in pieces.
  var stream: ResponseStream?
  /// The session that pays for the request.
  var session: SessionID?
  /// The account that pays for the request if no session does; nil if nobody does.
  var payer: Payer?
  /// The last commit of all processes up to which the store had everything when the request was begun; nil if there
  /// are no other processes, or if nobody needs to know.
  var position: Int64?
  /// True if the request has waited for something, and is answered anew.
  var isAgain = false
  /// True if nothing was done, since the store is to have first what other processes committed before the request came.
  var awaitsOthers = false
  /// True if the store has everything that any process committed before the request came.
  var isConfirmed = false
  /// The editions that the answer shows.
  var shown = ShownEditions()
  /// The sessions that were not in memory. The request is answered again once they are.
  var missing: [SessionID] = []

  /// The ways in which a request may be left to the thread that answers long ones.
  enum Postponement {
    case possible
    case impossible
    /// It is left to that thread, and nothing was done. The session may not have paid off its long
    /// requests yet.
    case wanted(owes: Bool)
    /// The same of a request with a large body, of which nothing was read, and of who pays for it.
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

  /// Notes that the answer shows what is durable when a ticket is settled.
  func note(_ ticket: Ticket) {
    if !ticket.isDurable { tickets.append(ticket) }
  }

  /// Notes that the request committed something, which is durable when a ticket is settled.
  ///
  /// The answer waits for that ticket alone from then on: everything that the commit builds on is durable
  /// before it, or together with it.
  func noteCommit(_ ticket: Ticket, isChange: Bool) {
    hasCommitted = true
    hasChanged = isChange
    tickets = ticket.isDurable ? [] : [ticket]
  }
}
