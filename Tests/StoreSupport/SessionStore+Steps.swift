import Locks
package import MenuEngine

@testable package import MenuStore

/// A change that the writer carries out, and its result once there is one.
package final class PendingCommit: Sendable {
  private let result = Monitor<Result<CommitResult, JournalFault>?>(nil)

  /// The result; nil until there is one.
  package var outcome: Result<CommitResult, JournalFault>? { result.withLock(\.self) }

  /// Waits for the result.
  package func wait() -> Result<CommitResult, JournalFault> {
    result.wait { $0 } ?? .failure(.closed)
  }

  /// Waits for the result, and returns the reason why the change was not carried out; nil if it was.
  package func fault() -> JournalFault? {
    if case .failure(let fault) = wait() { fault } else { nil }
  }

  fileprivate func settle(_ result: Result<CommitResult, JournalFault>) {
    self.result.withLock { $0 = result }
    self.result.signal()
  }
}

/// Reading and committing in one step, for tests. What was committed in the meantime is not looked for: the
/// tests that let several threads commit do it themselves.
extension SessionStore {
  /// The catalogue as it is now.
  package var catalog: Catalog { catalogEdition.catalog }

  /// The names of the open sessions, in alphabetical order.
  package var sessionIDs: [SessionID] { sessions.map(\.session.id) }

  /// The session of a name as it is now.
  package func session(_ id: SessionID) -> Session? { read(id).session?.session }

  /// Reads everything that other processes committed before now, and all open sessions; false if that fails.
  package func catchUp() -> Bool {
    refresh([]).wait() == .durable && refresh(names).wait() == .durable
  }

  /// The number of kept answers.
  package var answerCount: Int { answers.count }

  /// Has a change carried out, without waiting for that.
  package func submit(
    _ proposal: Proposal, remaking make: (@Sendable (Draft) -> Proposal?)? = nil
  ) throws(JournalFault) -> PendingCommit {
    let pending = PendingCommit()
    let result = try commit(proposal, remaking: make) { pending.settle($0) }
    if let result { pending.settle(.success(result)) }
    return pending
  }

  /// Waits until the changes before are carried out.
  package func settle() {
    let nothing = Proposal(
      action: .keepAnswer, catalog: CatalogEdition(catalog, number: -1), entry: nil)
    _ = try? commit(nothing)
  }

  /// Closes idle sessions, and returns their names in alphabetical order.
  package func closeIdle(
    forMoreThan patience: Int64, besides kept: Set<SessionID> = []
  ) -> (closed: [SessionID], fault: JournalFault?) {
    let closed = Monitor([SessionID]())
    do throws(JournalFault) {
      try closeIdle(forMoreThan: patience, besides: kept) { id in closed.withLock { $0.append(id) }
      }
    } catch {
      return ([], error)
    }
    settle()
    return (closed.withLock(\.self), nil)
  }

  /// Opens a session; nil if one of its name is open.
  @discardableResult
  package func open(_ session: Session) throws(JournalFault) -> SessionEdition? {
    var look = read(session.id)
    repeat {
      let base = look.catalog
      if case .committed = try commit(.open(session, as: newOpening(), under: base)) {
        return read(session.id).session
      }
      look = read(session.id)
      // Another process may have begun the catalogue meanwhile.
      guard look.catalog.number != base.number else { return nil }
    } while true
  }

  /// Closes a session; false if it is not open.
  @discardableResult
  package func close(_ id: SessionID) throws(JournalFault) -> Bool {
    let look = read(id)
    guard let edition = look.session,
      case .committed = try commit(.close(edition, under: look.catalog))
    else { return false }
    return true
  }

  /// Changes a session, and returns what `change` does; nil if the session is not open, or was changed in the
  /// meantime.
  @discardableResult
  package func change<Result>(
    _ id: SessionID, by change: (inout SessionChange) throws -> Result
  ) throws -> Result? {
    let look = read(id)
    guard let edition = look.session else { return nil }
    var copy = SessionChange(of: edition, under: look.catalog, figures)
    let result = try change(&copy)
    guard let proposal = copy.proposal else { return result }
    guard case .committed = try commit(proposal) else { return nil }
    return result
  }

  /// Keeps an answer; false if there is one under its key.
  @discardableResult
  package func keep(_ entry: IdempotencyEntry) throws(JournalFault) -> Bool {
    if case .committed = try commit(.keep(entry, under: catalogEdition)) { true } else { false }
  }
}
