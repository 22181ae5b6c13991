import MenuEngine
import MenuStore

/// The store as one request sees it: it notes what the answer has to wait for, since nothing is to be
/// seen that could be lost yet.
struct RequestStore {
  let store: SessionStore
  let waiting: Waiting

  /// The catalogue as it is now.
  var catalog: Catalog {
    let catalog = store.catalog
    waiting.note(store.catalogTicket)
    return catalog
  }

  /// The revision of the catalogue as it is now.
  var catalogRevision: Int {
    let revision = store.catalogRevision
    waiting.note(store.catalogTicket)
    return revision
  }

  /// The session of a name as it is now, and which of the sessions of that name it is.
  func snapshot(_ id: SessionID) -> SessionSnapshot? {
    let snapshot = store.snapshot(id)
    waiting.note(snapshot?.ticket ?? store.ticket)
    return snapshot
  }

  /// Which session is open under a name, and at which revision.
  func version(_ id: SessionID) -> SessionVersion? {
    let found = store.version(id)
    waiting.note(found?.ticket ?? store.ticket)
    return found?.version
  }

  /// Which session it is, of all that were ever opened, that a token is of; nil when it is of none
  /// that is open.
  func incarnation(of token: TokenDigest) -> Int? {
    let incarnation = store.incarnation(of: token)
    waiting.note(store.ticket)
    return incarnation
  }

  /// Adds a session, unless one of its name is open or there would be more than `most`; answers the
  /// session, or nil when it did not.
  func open(
    _ session: Session, atMost most: Int, entry: (_ incarnation: Int) -> IdempotencyEntry?
  ) throws(Problem) -> SessionSnapshot? {
    do throws(JournalFault) {
      let snapshot = try store.open(session, atMost: most, entry: entry)
      waiting.note(snapshot?.ticket ?? store.ticket, isChange: snapshot != nil)
      return snapshot
    } catch {
      throw Problem(error)
    }
  }

  /// Forgets a session, unless `check` throws; answers whether it was open.
  func close(
    _ id: SessionID, entry: IdempotencyEntry?, check: (SessionChange) throws(Problem) -> Void
  ) throws(Problem) -> Bool {
    let closed = try store.close(id, unkept: Problem.init(_:), entry: entry, check: check)
    waiting.note(closed?.ticket ?? store.ticket, isChange: closed != nil)
    return closed != nil
  }

  /// Changes a session and answers what `change` does, or nil when it is not open.
  func change<Result: Sendable>(
    _ id: SessionID, _ change: (inout SessionChange, Catalog) throws(Problem) -> Result
  ) throws(Problem) -> Result? {
    waiting.note(store.catalogTicket)
    let accepted = try store.change(id, unkept: Problem.init(_:), change)
    waiting.note(accepted?.ticket ?? store.ticket, isChange: accepted != nil)
    return accepted?.result
  }

  /// Changes the catalogue by the mutation that `mutation` makes for it as it is now, and answers what
  /// that did, and the catalogue afterwards.
  func changeCatalog(
    by mutation: (Catalog) throws(Problem) -> CatalogMutation,
    refusal: (CatalogMutationFault, Catalog) -> Problem,
    check: (_ before: Catalog, _ after: Catalog) throws(Problem) -> Void,
    entry: (CatalogOutcome, Catalog) -> IdempotencyEntry?
  ) throws(Problem) -> (outcome: CatalogOutcome, catalog: Catalog) {
    let change = try store.changeCatalog(
      by: mutation,
      refusal: { fault, catalog in
        switch fault {
        case .refused(let fault): refusal(fault, catalog)
        case .unkept(let fault): Problem(fault)
        }
      }, check: check, entry: entry)
    waiting.note(change.ticket, isChange: change.outcome.isChanged)
    return (change.outcome, change.catalog)
  }
}

/// What the answer to a request has to wait for.
final class Waiting {
  private(set) var tickets: [Ticket] = []
  /// Whether the request changed something.
  private(set) var hasChanged = false
  /// Which of the routes answers; nil when none does.
  var route: Int?

  /// Notes that the answer shows what is durable when a ticket is settled.
  func note(_ ticket: Ticket, isChange: Bool = false) {
    if isChange { hasChanged = true }
    if !ticket.isDurable { tickets.append(ticket) }
  }
}
