package import MenuEngine
@testable package import MenuStore

/// Reading and committing in one step, for tests. What was committed in the meantime is not looked for: the
/// tests that let several threads commit do it themselves.
extension SessionStore {
  /// The catalogue as it is now.
  package var catalog: Catalog { catalogEdition.catalog }

  /// The names of the open sessions, in alphabetical order.
  package var sessionIDs: [SessionID] { sessions.map(\.session.id) }

  /// The session of a name as it is now.
  package func session(_ id: SessionID) -> Session? { read(id).session?.session }

  /// The number of kept answers.
  package var answerCount: Int { answers.count }

  /// Opens a session; nil if one of its name is open.
  @discardableResult
  package func open(_ session: Session) throws(JournalFault) -> SessionEdition? {
    let base = read(session.id).catalog
    guard
      case .committed = try commit(.open(session, as: newOpening(), under: base))
    else { return nil }
    return read(session.id).session
  }

  /// Closes a session, and returns the ticket of that; nil if it is not open.
  @discardableResult
  package func close(_ id: SessionID) throws(JournalFault) -> Ticket? {
    let look = read(id)
    guard let edition = look.session,
      case .committed(let ticket) = try commit(.close(edition, under: look.catalog))
    else { return nil }
    return ticket
  }

  /// Changes a session, and returns what `change` does, with the ticket of the commit if there is one; nil
  /// if the session is not open, or was changed in the meantime.
  @discardableResult
  package func change<Result>(
    _ id: SessionID, by change: (inout SessionChange) throws -> Result
  ) throws -> (result: Result, ticket: Ticket?)? {
    let look = read(id)
    guard let edition = look.session else { return nil }
    var copy = SessionChange(of: edition, under: look.catalog, figures)
    let result = try change(&copy)
    guard let proposal = copy.proposal else { return (result, nil) }
    guard case .committed(let ticket) = try commit(proposal) else { return nil }
    return (result, ticket)
  }

  /// Keeps an answer, and returns the ticket of that; nil if there is one under its key.
  @discardableResult
  package func keep(_ entry: IdempotencyEntry) throws(JournalFault) -> Ticket? {
    guard case .committed(let ticket) = try commit(.keep(entry, under: catalogEdition)) else {
      return nil
    }
    return ticket
  }
}
