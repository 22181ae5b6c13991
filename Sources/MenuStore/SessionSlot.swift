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
  /// What is kept of the session's token.
  let token: TokenDigest?
  let incarnation: Int
  /// When somebody asked it last.
  let lastAsked: Atomic<Int64>

  init(_ session: Session, incarnation: Int, at time: Int64) {
    id = session.id
    token = session.token
    state = Mutex(State(session: session, ticket: .durable))
    self.incarnation = incarnation
    lastAsked = Atomic(time)
  }

  /// How long nobody has asked it.
  func idleTime(at time: Int64) -> Int64 { time &- lastAsked.load(ordering: .relaxed) }

  /// The session as it is now; `generation` was read before.
  func snapshot(_ generation: Int) -> SessionSnapshot {
    snapshot(of: state.withLock(\.self), generation)
  }

  /// The session as it is in a state.
  func snapshot(of state: State, _ generation: Int) -> SessionSnapshot {
    SessionSnapshot(
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
