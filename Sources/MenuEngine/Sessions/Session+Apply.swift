import JSONText

extension Session {
  /// Applies one mutation; its revision grows by one, unless the mutation changes and sends nothing.
  ///
  /// With `isExplaining`, what is performed has a trace; by default it has none.
  ///
  /// - Throws: `MutationFault`; then the session is as it was.
  public mutating func apply(
    _ mutation: Mutation, in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> Outcome {
    do throws(MutationFault) {
      return try apply([mutation], in: catalog, isExplaining: isExplaining, limits: limits)[0]
    } catch {
      if case .inList(index: _, let fault) = error { throw fault }
      throw error
    }
  }

  /// Applies mutations in order, all or none; the revision grows by the number of those that change or
  /// send something. Whether focus left the screen is decided when all are applied (R8).
  ///
  /// - Throws: `MutationFault.inList` with the index of the first one refused.
  public mutating func apply(
    _ mutations: [Mutation], in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> [Outcome] {
    let effort = Effort(limits)
    var performer = Performer(
      self, in: SessionContext(catalog, effort: effort, isExplaining: isExplaining))
    var outcomes: [Outcome] = []
    for (index, mutation) in mutations.enumerated() {
      do throws(MutationFault) {
        outcomes.append(try performer.apply(mutation))
        // The bounds of a single mutation do not include the effort of telling its changes.
        if mutations.count > 1 { try effort.check() }
      } catch {
        throw .inList(index: index, error)
      }
    }
    let leaving = Effort(limits)
    let resigned = performer.session.resignIfLeft(since: self, in: catalog, leaving)
    try leaving.check()
    // One that changed something, since no revision tells of another one.
    let last = outcomes.lastIndex { !$0.isNothing } ?? outcomes.indices.last
    if let last { outcomes[last].tell(resigned) }
    swap(&self, &performer.session)
    return outcomes
  }

  /// The amounts that it holds of everything that is limited.
  public var holdings: Holdings {
    var holdings = graph.holdings
    holdings.stateSize = stateSize
    let totals = deliveries.totals
    holdings.deliveries = totals.open
    holdings.deliverySize = totals.openSize
    return holdings
  }
}
