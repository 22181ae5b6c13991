import MenuEngine
import MenuStore

/// The store as one request sees it: it notes what the answer has to wait for, since nothing is to be
/// seen that could be lost yet.
struct RequestStore {
  let store: SessionStore
  let waiting: Waiting

  /// The catalogue as it is now.
  var catalog: Catalog {
    let (catalog, ticket, generation) = store.catalogSnapshot
    waiting.note(ticket)
    waiting.note(generation: generation)
    return catalog
  }

  /// The revision of the catalogue as it is now.
  var catalogRevision: Int {
    let (revision, ticket, generation) = store.catalogVersion
    waiting.note(ticket)
    waiting.note(generation: generation)
    return revision
  }

  /// The names of the open sessions, in alphabetical order.
  var sessionIDs: [SessionID] { store.sessionIDs }

  /// The session of a name as it is now, and which of the sessions of that name it is.
  func snapshot(_ id: SessionID) -> SessionSnapshot? {
    let snapshot = store.snapshot(id) { waiting.note($0) }
    if let snapshot { waiting.note(generation: snapshot.version.generation) }
    return snapshot
  }

  /// The session of a name as it is now, with the catalogue of the same moment.
  func snapshotWithCatalog(_ id: SessionID) -> (snapshot: SessionSnapshot, catalog: Catalog)? {
    let found = store.snapshotWithCatalog(id) { waiting.note($0) }
    if let found { waiting.note(generation: found.snapshot.version.generation) }
    return found
  }

  /// Which session is open under a name, and at which revision.
  func version(_ id: SessionID) -> SessionVersion? {
    let version = store.version(id) { waiting.note($0) }
    if let version { waiting.note(generation: version.generation) }
    return version
  }

  /// Which session it is, of all that were ever opened, that a token is of; nil when it is of none
  /// that is open.
  func incarnation(of token: TokenDigest) -> Int? {
    store.incarnation(of: token) { waiting.note($0) }
  }

  /// Adds a session, unless one of its name is open or there would be more than `most`; answers the
  /// session, or nil when it did not.
  func open(
    atMost most: Int, entry: (Session, _ incarnation: Int) -> IdempotencyEntry?,
    _ session: (Catalog) throws(Problem) -> Session
  ) throws(Problem) -> SessionSnapshot? {
    let snapshot = try store.open(
      atMost: most, noting: { waiting.note($0) }, unkept: Problem.init(_:), entry: entry, session)
    if let snapshot { waiting.noteChange(snapshot.ticket) }
    return snapshot
  }

  /// Forgets a session, unless `check` throws; answers whether it was open.
  func close(
    _ id: SessionID, entry: IdempotencyEntry?, check: (SessionChange) throws(Problem) -> Void
  ) throws(Problem) -> Bool {
    let closed = try store.close(
      id, noting: { waiting.note($0) }, unkept: Problem.init(_:), entry: entry, check: check)
    if let closed { waiting.noteChange(closed.ticket) }
    return closed != nil
  }

  /// Changes a session and answers what `change` does, or nil when it is not open.
  func change<Result: Sendable>(
    _ id: SessionID, _ change: (inout SessionChange, Catalog) throws(Problem) -> Result
  ) throws(Problem) -> Result? {
    let accepted = try store.change(
      id, noting: { waiting.note($0) }, unkept: Problem.init(_:), change)
    if let accepted, accepted.isChange { waiting.noteChange(accepted.ticket) }
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
      noting: { waiting.note($0) }, by: mutation,
      refusal: { fault, catalog in
        switch fault {
        case .refused(let fault): refusal(fault, catalog)
        case .unkept(let fault): Problem(fault)
        }
      }, check: check, entry: entry)
    if change.outcome.isChanged {
      waiting.noteChange(change.ticket)
    } else {
      waiting.note(change.ticket)
    }
    return (change.outcome, change.catalog)
  }
}

/// The notes about a request while it is answered: among others the tickets that the answer waits for.
final class Waiting {
  /// When it was begun to be answered, in nanoseconds.
  let start: Int
  /// When the response was made, in nanoseconds.
  var end = 0
  private(set) var tickets: [Ticket] = []
  /// True if the request changed something.
  private(set) var hasChanged = false
  /// True if something was taken back between one look and the next, so that they do not go together.
  private(set) var isTorn = false
  /// Which of the routes answers; nil when none does.
  var route: Int?
  private var generation: Int?
  /// True if the request may be left to whoever answers long ones, before it looks at any session.
  var mayBePostponed: Bool
  /// True if it is left to them; then nothing was done.
  var isPostponed = false
  /// True if the session of the request did not pay off its long requests yet.
  var owes = false
  /// The session that pays for the request.
  var session: SessionID?

  init(since start: Int = 0, mayBePostponed: Bool = false) {
    self.start = start
    self.mayBePostponed = mayBePostponed
  }

  /// Notes that the answer shows what is durable when a ticket is settled.
  func note(_ ticket: Ticket) {
    if !ticket.isDurable { tickets.append(ticket) }
  }

  /// Notes how often something had been taken back at a look.
  func note(generation: Int) {
    if let first = self.generation, first != generation { isTorn = true }
    self.generation = generation
  }

  /// Notes that the request changed something, which is durable when a ticket is settled.
  ///
  /// That alone counts from then on: what the change stands on becomes durable before it or together
  /// with it, and what was taken back before it is nothing to it.
  func noteChange(_ ticket: Ticket) {
    hasChanged = true
    tickets = ticket.isDurable ? [] : [ticket]
  }
}
