package import MenuEngine

/// A copy of a session on which a change is made.
///
/// It changes only by the mutations that are applied here, so that the journal gets all of them.
package struct SessionChange: Sendable {
  /// The session as it is so far.
  package private(set) var session: Session
  /// The edition of the session that the change begins with.
  package let base: SessionEdition
  package let catalogEdition: CatalogEdition
  /// The answer to keep under the request's idempotency key; nil, the default, to keep none.
  package var entry: IdempotencyEntry?
  /// True if the session stays as it is, whatever is applied (A9). The default is false.
  package var isDry = false
  /// The actor of the change (T4).
  package let actor: Principal
  private(set) var mutations: [Mutation] = []
  private(set) var outcomes: [Outcome] = []
  private let figures: StoreFigures
  private let history: HistorySettings?
  /// The mutations that were refused, and the members that say why; nil if the history has no such entry.
  private(set) var refusal: (SessionRecord, members: [UInt8])?

  /// True if anything changed it.
  package var isChanged: Bool { !mutations.isEmpty }

  /// A change of a session under the catalogue of the same moment.
  ///
  /// - Parameters:
  ///   - actor: The actor; the default has no token.
  ///   - history: The settings of histories, which may note refusals; the default is nil.
  package init(
    of base: SessionEdition, under catalog: CatalogEdition, by actor: Principal = .local,
    _ figures: StoreFigures, noting history: HistorySettings? = nil
  ) {
    session = base.session
    self.actor = actor
    self.base = base
    catalogEdition = catalog
    (self.figures, self.history) = (figures, history)
  }

  /// The catalogue that the change is made under.
  package var catalog: Catalog { catalogEdition.catalog }

  /// Applies mutations in order, all or none, and once: they are one record.
  ///
  /// - Throws: `MutationFault.inList` with the index of the first one refused.
  package mutating func apply(
    _ mutations: [Mutation], isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> [Outcome] {
    do throws(MutationFault) {
      var changed = session
      let outcomes = try changed.apply(
        SessionRecord(mutations, by: actor), in: catalog, isExplaining: isExplaining,
        limits: limits, isDry: isDry)
      accept(&changed, by: mutations, with: outcomes)
      return outcomes
    } catch {
      figures.noteRefused(mutations, error)
      if let history, history.keepsRefusals, !isDry {
        refusal = history.writer.members(of: error).map {
          (SessionRecord(mutations, by: actor), members: $0)
        }
      }
      throw error
    }
  }

  /// Applies one mutation, with a trace of what it performs if asked.
  ///
  /// - Throws: `MutationFault`; then nothing is changed.
  package mutating func apply(
    _ mutation: Mutation, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> Outcome {
    do throws(MutationFault) {
      return try apply([mutation], isExplaining: isExplaining, limits: limits)[0]
    } catch {
      if case .inList(index: _, let fault) = error { throw fault }
      throw error
    }
  }

  /// Takes over what mutations did, unless it is only tried or they did nothing.
  ///
  /// A record is done again as one list, with one bound of effort for all of it, which two together
  /// could exceed.
  private mutating func accept(
    _ changed: inout Session, by mutations: [Mutation], with outcomes: [Outcome]
  ) {
    precondition(self.mutations.isEmpty, "A change is made once on each copy.")
    guard !isDry, changed.revision != session.revision else { return }
    swap(&session, &changed)
    self.mutations = mutations
    self.outcomes = outcomes
  }
}
