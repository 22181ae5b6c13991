/// A change of a session, as a journal keeps it: the mutations that it accepted, all or none.
///
/// The records of a session, each done again under the catalogue of its moment, give the session again,
/// names and tokens included. A mutation's time is part of it (`dated`).
public struct SessionRecord: Sendable, Codable {
  /// The mutations, in order.
  public let mutations: [Mutation]

  /// A record of mutations that a session accepted.
  public init(_ mutations: [Mutation]) { self.mutations = mutations }
}

extension SessionRecord {
  /// Does again what happened: the session after it, and the outcomes.
  ///
  /// - Throws: `ReplayFault`, when the record does not follow what `session` is.
  public func replayed(
    on session: Session, in catalog: Catalog
  ) throws(ReplayFault) -> (session: Session, outcomes: [Outcome]) {
    var changed = session
    do throws(MutationFault) {
      // What was accepted was within the limits of that time, whatever they are now.
      let outcomes = try changed.apply(mutations, in: catalog, limits: .unlimited)
      return (changed, outcomes)
    } catch {
      throw .refused(session.id, error)
    }
  }
}

/// A reason why a record cannot be replayed; such a journal is not the one that was written.
public enum ReplayFault: Error, Equatable, Sendable {
  /// A mutation that was accepted is refused now.
  case refused(SessionID, MutationFault)
}
