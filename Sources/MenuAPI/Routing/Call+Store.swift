import JSONText
import MenuEngine
import MenuStore

/// The only ways from a route to the store. Each looks whether the request's token opens the session;
/// one that it does not open is as if it were not there.
extension Call {
  var store: RequestStore { RequestStore(store: service.store, waiting: waiting) }

  /// The catalogue as it is now.
  var catalog: Catalog { store.catalog }

  /// The revision of the catalogue as it is now.
  var catalogRevision: Int { store.catalogRevision }

  /// Changes what the catalogue holds of a kind, by the mutation that `mutation` makes for it as it is
  /// now; when that throws, when it is refused, or when the catalogue would hold too much, it is as it
  /// was.
  func changeCatalog(
    _ holding: CatalogHolding, by mutation: (Catalog) throws(Problem) -> CatalogMutation,
    refusal: (CatalogMutationFault, Catalog) -> Problem
  ) throws(Problem) -> (outcome: CatalogOutcome, catalog: Catalog) {
    let limits = service.limits
    return try store.changeCatalog(
      by: mutation, refusal: refusal,
      check: { (before, after) throws(Problem) in
        try limits.check(holding, of: after, grownFrom: before)
        try limits.check(.catalogChanges, of: after, grownFrom: before)
      })
  }

  /// The same by one mutation.
  @discardableResult
  func changeCatalog(
    _ holding: CatalogHolding, by mutation: CatalogMutation,
    refusal: (CatalogMutationFault, Catalog) -> Problem
  ) throws(Problem) -> CatalogOutcome {
    try changeCatalog(holding, by: { (_) throws(Problem) in mutation }, refusal: refusal).outcome
  }

  /// The session of a name as it is now.
  ///
  /// - Parameter pointer: The part of the body that names it; nil when it is the path or the query.
  func snapshot(
    _ id: SessionID, at pointer: JSONPointer? = nil
  ) throws(Problem) -> SessionSnapshot {
    guard let snapshot = store.snapshot(id), access.opens(snapshot.incarnation) else {
      throw .unknownSession(id.rawValue, at: pointer)
    }
    return snapshot
  }

  /// Which session is open under a name, and at which revision; nil when none is that the request may
  /// touch.
  func version(_ id: SessionID) -> SessionVersion? {
    store.version(id).flatMap { access.opens($0.incarnation) ? $0 : nil }
  }

  /// Opens a session, unless one of its name is open or too many are.
  func open(_ session: Session) throws(Problem) -> SessionSnapshot {
    let limit = service.limits.sessions
    if let snapshot = try store.open(session, atMost: limit) { return snapshot }
    guard store.version(session.id) != nil else { throw .tooManySessions(limit) }
    throw Problem(
      .sessionExists,
      "The session \(quoted(session.id)) is open already; choose another id or close that one first.",
      at: JSONPointer.root.appending("id"))
  }

  /// Closes a session, when it is as `If-Match` supposes.
  func close(_ id: SessionID) throws(Problem) {
    let isClosed = try store.close(id) { (snapshot) throws(Problem) in
      guard access.opens(snapshot.incarnation) else { throw .unknownSession(id.rawValue) }
      try checkPrecondition(snapshot)
    }
    guard isClosed else { throw .unknownSession(id.rawValue) }
  }
}
