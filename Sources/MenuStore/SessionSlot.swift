import MenuEngine
import Synchronization

/// One session behind its lock.
final class SessionSlot: Sendable {
  struct State: Sendable {
    var session: Session
    /// Settled when the session as it is cannot be lost any more.
    var ticket: Ticket
    var isClosed = false
  }

  let state: Mutex<State>
  let id: SessionID
  let incarnation: Int

  init(_ session: Session, incarnation: Int, _ ticket: Ticket) {
    id = session.id
    state = Mutex(State(session: session, ticket: ticket))
    self.incarnation = incarnation
  }

  /// The session as it is now; `generation` was read before.
  func snapshot(_ generation: Int) -> SessionSnapshot {
    let state = state.withLock(\.self)
    return SessionSnapshot(
      session: state.session,
      version: SessionVersion(
        incarnation: incarnation, revision: state.session.revision, generation: generation),
      ticket: state.ticket)
  }

  /// What tells the session as it is now from others, and its ticket.
  func version(_ generation: Int) -> (version: SessionVersion, ticket: Ticket) {
    let (revision, ticket) = state.withLock { ($0.session.revision, $0.ticket) }
    let version = SessionVersion(
      incarnation: incarnation, revision: revision, generation: generation)
    return (version, ticket)
  }
}
