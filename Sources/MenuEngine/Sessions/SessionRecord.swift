/// A change of a session, as a journal keeps it.
///
/// The records of a session, each done again under the catalogue of its moment, give the session again,
/// names and tokens included. A mutation's time is part of it (`dated`).
public enum SessionRecord: Sendable, Codable {
  /// It accepted mutations, all or none.
  case changed([Mutation])
}

extension SessionRecord {
  /// Does again what happened: the session after it.
  ///
  /// - Parameter revision: The revision that it came to then, if that is known. Mutations that do nothing
  ///   were counted once, too.
  /// - Throws: `ReplayFault`, when the record does not follow what `session` is.
  public func replayed(
    on session: Session, in catalog: Catalog, reaching revision: Int64? = nil
  ) throws(ReplayFault) -> Session {
    switch self {
    case .changed(let mutations):
      var changed = session
      let most = session.revision + mutations.count
      do throws(MutationFault) {
        // What was accepted was within the limits of that time, whatever they are now.
        _ = try changed.apply(mutations, in: catalog, limits: .unlimited)
      } catch {
        throw .refused(session.id, error)
      }
      if let revision, (changed.revision...most).contains(Int(clamping: revision)) {
        changed.revision = Int(revision)
      }
      return changed
    }
  }
}

/// A reason why a record cannot be replayed; such a journal is not the one that was written.
public enum ReplayFault: Error, Equatable, Sendable {
  /// A mutation that was accepted is refused now.
  case refused(SessionID, MutationFault)
}
