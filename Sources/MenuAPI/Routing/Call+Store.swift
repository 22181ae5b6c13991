import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The only ways from a route to the store. Each looks whether the request's token opens the session;
/// one that it does not open is as if it were not there.
extension Call {
  var store: RequestStore { RequestStore(store: service.store, waiting: waiting) }

  /// The catalogue as it is now.
  var catalog: Catalog { store.catalog }

  /// The revision of the catalogue as it is now.
  var catalogRevision: Int { store.catalogRevision }

  /// Changes what the catalogue holds of a kind, by the mutation that `mutation` makes for it as it is
  /// now, and answers what `answer` says of that; when `mutation` throws, when a part of it is not as the
  /// request supposes, when the mutation is refused, or when the catalogue would hold too much, it is as
  /// it was.
  func changeCatalog(
    _ holding: CatalogHolding, _ part: CatalogPart,
    by mutation: (Catalog) throws(Problem) -> CatalogMutation,
    refusal: (CatalogMutationFault, Catalog) -> Problem,
    answer: (CatalogOutcome, Catalog) -> Response
  ) throws(Problem) -> Response {
    let limits = service.limits
    var response: Response?
    let (outcome, catalog) = try store.changeCatalog(
      by: { (catalog) throws(Problem) in
        try check(part, in: catalog)
        return try mutation(catalog)
      }, refusal: refusal,
      check: { (before, after) throws(Problem) in
        try limits.check(holding, of: after, grownFrom: before)
        try limits.check(.catalogChanges, of: after, grownFrom: before)
      },
      entry: { outcome, catalog in
        guard key != nil else { return nil }
        let made = answer(outcome, catalog)
        response = made
        return entry(for: made)
      })
    return response ?? answer(outcome, catalog)
  }

  /// The same by one mutation.
  func changeCatalog(
    _ holding: CatalogHolding, _ part: CatalogPart, by mutation: CatalogMutation,
    refusal: (CatalogMutationFault, Catalog) -> Problem,
    answer: (CatalogOutcome, Catalog) -> Response
  ) throws(Problem) -> Response {
    try changeCatalog(
      holding, part, by: { (_) throws(Problem) in mutation }, refusal: refusal, answer: answer)
  }

  /// The session of a name as it is now.
  ///
  /// - Parameter pointer: The part of the body that names it; nil when it is the path or the query.
  func snapshot(
    _ id: SessionID, at pointer: JSONPointer? = nil
  ) throws(Problem) -> SessionSnapshot {
    try postpone(for: id)
    guard let snapshot = store.snapshot(id), access.opens(snapshot.incarnation) else {
      throw .unknownSession(id.rawValue, at: pointer)
    }
    try charge(id)
    return snapshot
  }

  /// The session of a name as it is now, with the catalogue of the same moment.
  ///
  /// - Parameter pointer: The part of the body that names it; nil when it is the path or the query.
  func snapshotWithCatalog(
    _ id: SessionID, at pointer: JSONPointer? = nil
  ) throws(Problem) -> (snapshot: SessionSnapshot, catalog: Catalog) {
    try postpone(for: id)
    guard let found = store.snapshotWithCatalog(id), access.opens(found.snapshot.incarnation) else {
      throw .unknownSession(id.rawValue, at: pointer)
    }
    try charge(id)
    return found
  }

  /// The session that the path names as it is now, with the catalogue of the same moment.
  func snapshotWithCatalog() throws(Problem) -> (snapshot: SessionSnapshot, catalog: Catalog) {
    try snapshotWithCatalog(try session)
  }

  /// Which session is open under a name, and at which revision; nil when none is that the request may
  /// touch.
  func version(_ id: SessionID) -> SessionVersion? {
    store.version(id).flatMap { access.opens($0.incarnation) ? $0 : nil }
  }

  /// Opens the session that `session` makes under the present catalogue, unless one of its name is open or
  /// too many are, and answers what `answer` says of it and its incarnation.
  func open(
    _ id: SessionID, _ token: SessionToken?,
    answer: (Session, _ incarnation: Int) -> Response,
    _ session: (Catalog) throws(Problem) -> Session
  ) throws(Problem) -> Response {
    try checkOpening(of: id, store.version(id))
    let limit = service.limits.sessions
    var response: Response?
    let snapshot = try store.open(
      atMost: limit,
      entry: { session, incarnation in
        guard key != nil else { return nil }
        let made = answer(session, incarnation)
        response = made
        return entry(for: made, hiding: token)
      }, session)
    if let snapshot { return response ?? answer(snapshot.session, snapshot.incarnation) }
    guard let present = store.version(id) else { throw .tooManySessions(limit) }
    try checkOpening(of: id, present)
    throw .sessionExists(id)
  }

  /// Closes a session, when it is as `If-Match` supposes.
  func close(_ id: SessionID) throws(Problem) -> Response {
    let response = Response(status: .noContent)
    let isClosed = try store.close(id, entry: entry(for: response)) { (snapshot) throws(Problem) in
      guard access.opens(snapshot.incarnation) else { throw .unknownSession(id.rawValue) }
      try checkPrecondition(snapshot)
    }
    guard isClosed else { throw .unknownSession(id.rawValue) }
    service.plans.forget(id)
    return response
  }
}

extension Problem {
  /// The problem of a session that is open already.
  static func sessionExists(_ id: SessionID) -> Problem {
    Problem(
      .sessionExists,
      "The session \(quoted(id)) is open already; choose another id or close that one first.",
      at: JSONPointer.root.appending("id"))
  }
}
