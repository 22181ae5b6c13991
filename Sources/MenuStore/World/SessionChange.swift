package import MenuEngine

/// A copy of a session to which a change is applied.
///
/// It changes only through the mutations applied here, so that the journal records all of them.
package struct SessionChange: Sendable {
  /// The session after the mutations applied so far.
  package private(set) var session: Session
  /// The edition of the session before the change.
  package let base: SessionEdition
  package let catalogEdition: CatalogEdition
  /// The answer to keep under the request's idempotency key; nil, the default, to keep none.
  package var entry: IdempotencyEntry?
  /// True if mutations are only tried, and the session stays unchanged (A9). The default is false.
  package var isDry = false
  /// The actor of the change (T4).
  package let actor: Principal
  /// The size of the request in bytes; 0, the default, if there is none.
  package var requestSize = 0
  private(set) var mutations: [Mutation] = []
  private(set) var outcomes: [Outcome] = []
  private let figures: StoreFigures
  private let history: HistorySettings?
  /// The refused mutations, and the members that give the reason; nil if the history has no such entry.
  private(set) var refusal: (SessionRecord, members: [UInt8])?

  /// True if any mutation changed the session.
  package var isChanged: Bool { !mutations.isEmpty }

  /// Creates a change of a session under the catalogue of the same moment.
  ///
  /// - Parameters:
  ///   - actor: The actor. The default has no token.
  ///   - history: The settings of histories, by which refusals may be recorded. The default is nil.
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

  /// Applies mutations in order, atomically. Call it once: the mutations are one record.
  ///
  /// - Throws: `MutationFault.inList` with the index of the first refused mutation.
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
        // A large request would displace too many changes.
        let told = requestSize > HistorySettings.largestRefusal ? [] : mutations
        refusal = history.writer.members(of: error).map {
          (SessionRecord(told, by: actor), members: $0)
        }
      }
      throw error
    }
  }

  /// Applies one mutation, and traces what it performs if requested.
  ///
  /// - Throws: `MutationFault`; nothing is changed then.
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

  /// Accepts the effects of mutations, unless they are only tried or had none.
  ///
  /// A record is replayed as one list under one bound of effort, which two lists together could exceed.
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
