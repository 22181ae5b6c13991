package import MenuEngine

/// A session as it is at one moment.
package struct SessionSnapshot: Sendable {
  /// The session.
  package let session: Session
  /// Which session it is, and at which revision.
  package let version: SessionVersion
  /// Settled when what the session is at this moment cannot be lost any more.
  package let ticket: Ticket

  /// Which session it is of all that were ever opened.
  package var incarnation: Int { version.incarnation }
}

/// The identity of a session at one moment, unique among all sessions and moments of this run.
package struct SessionVersion: Hashable, Sendable {
  /// Which session it is of all that were ever opened, so that one closed and another opened under
  /// its name are told apart.
  package let incarnation: Int
  /// How many mutations it had accepted.
  package let revision: Int
  /// How often something was taken back before that moment: what was computed earlier may have come
  /// from what is no more.
  package let generation: Int
}

/// A session while it is changed.
///
/// It changes only by what is noted here, so that the journal gets all of it.
package struct SessionChange: Sendable {
  /// The session as it is so far.
  package private(set) var session: Session
  /// Which of all sessions it is.
  package let incarnation: Int
  /// The answer to keep under the request's idempotency key, if it has one.
  package var entry: IdempotencyEntry?
  /// True if the session stays as it is, whatever is applied (A9). The default is false.
  package var isDry = false
  private(set) var mutations: [Mutation] = []
  private let figures: StoreFigures

  /// True if anything changed it.
  package var isChanged: Bool { !mutations.isEmpty }

  init(_ session: Session, incarnation: Int, _ figures: StoreFigures) {
    self.session = session
    self.incarnation = incarnation
    self.figures = figures
  }

  /// Applies mutations in order, all or none, and once: they are one record.
  ///
  /// - Throws: `MutationFault.inList` with the index of the first one refused.
  package mutating func apply(
    _ mutations: [Mutation], in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> [Outcome] {
    do throws(MutationFault) {
      var changed = session
      let outcomes = try changed.apply(
        mutations, in: catalog, isExplaining: isExplaining, limits: limits)
      accept(changed, mutations)
      return outcomes
    } catch {
      figures.noteRefused(mutations, error)
      throw error
    }
  }

  /// Applies one mutation, with a trace of what it performs if asked.
  ///
  /// - Throws: `MutationFault`; then nothing is changed.
  package mutating func apply(
    _ mutation: Mutation, in catalog: Catalog, isExplaining: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) -> Outcome {
    do throws(MutationFault) {
      var changed = session
      let outcome = try changed.apply(
        mutation, in: catalog, isExplaining: isExplaining, limits: limits)
      accept(changed, [mutation])
      return outcome
    } catch {
      figures.noteRefused([mutation], error)
      throw error
    }
  }

  /// Keeps what mutations did, unless it is only tried or they did nothing.
  ///
  /// A record is done again as one list, with one bound of effort for all of it, which two together
  /// could exceed.
  private mutating func accept(_ changed: Session, _ mutations: [Mutation]) {
    precondition(self.mutations.isEmpty, "A session is changed once while it is locked.")
    guard !isDry, changed.revision != session.revision else { return }
    session = changed
    self.mutations = mutations
  }
}
