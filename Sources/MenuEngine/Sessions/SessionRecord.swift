/// An event of a session from its opening to its closing, as a journal keeps it.
///
/// The records of a session, each done again under the catalogue of its moment, give the session again,
/// names and tokens included. A mutation's time is part of it (`dated`).
public enum SessionRecord: Sendable, Codable {
  /// It was opened.
  case opened(SessionTemplate)
  /// It accepted mutations, all or none.
  case changed([Mutation])
  /// It was closed.
  case closed
}

extension SessionRecord {
  /// Does again what happened: the session after it, or nil when it is closed.
  ///
  /// - Parameter revision: The revision that it came to then, if that is known. Mutations that do nothing
  ///   were counted once, too.
  /// - Throws: `ReplayFault`, when the record does not follow what `session` is.
  public func replayed(
    on session: Session?, _ id: SessionID, in catalog: Catalog, reaching revision: Int64? = nil
  ) throws(ReplayFault) -> Session? {
    do throws(MutationFault) {
      switch (self, session) {
      // What was accepted was within the limits of that time, whatever they are now.
      case (.opened(let template), nil):
        return try Session(id, opening: template, in: catalog, limits: .unlimited)
      case (.changed(let mutations), var session?):
        let most = session.revision + mutations.count
        _ = try session.apply(mutations, in: catalog, limits: .unlimited)
        if let revision, (session.revision...most).contains(Int(clamping: revision)) {
          session.revision = Int(revision)
        }
        return session
      case (.closed, _?): return nil
      case (.opened, _?), (.changed, nil), (.closed, nil): break
      }
    } catch {
      throw .refused(id, error)
    }
    throw session == nil ? .notOpen(id) : .open(id)
  }
}

/// Why a record cannot be done again; a journal that says so is not the one that was written.
public enum ReplayFault: Error, Equatable, Sendable {
  /// The session is not open.
  case notOpen(SessionID)
  /// The session is open already.
  case open(SessionID)
  /// A mutation that was accepted is refused now.
  case refused(SessionID, MutationFault)
}
