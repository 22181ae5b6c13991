import Locks
import MenuEngine
import Synchronization

/// One session behind its lock.
final class SessionSlot: Sendable {
  struct State: Sendable {
    var session: Session
    /// Settled when the session as it is, or that it is closed, cannot be lost any more.
    var ticket: Ticket
    var isClosed = false
  }

  let state: Lock<State>
  let id: SessionID
  /// The digest of the session's token.
  let token: TokenDigest?
  let incarnation: Int
  /// When somebody asked it last.
  let lastAsked: Atomic<Int64>

  init(_ session: Session, incarnation: Int, at time: Int64) {
    id = session.id
    token = session.token
    state = Lock(State(session: session, ticket: .durable))
    self.incarnation = incarnation
    lastAsked = Atomic(time)
  }

  /// How long nobody has asked it.
  func idleTime(at time: Int64) -> Int64 { time &- lastAsked.load(ordering: .relaxed) }

  /// The session as it is in a state; `generation` is read under the same lock.
  func snapshot(of state: State, _ generation: Int) -> SessionSnapshot {
    SessionSnapshot(
      session: state.session, version: version(of: state, generation), ticket: state.ticket)
  }

  /// Returns the version of the session in a state.
  func version(of state: State, _ generation: Int) -> SessionVersion {
    SessionVersion(
      incarnation: incarnation, revision: state.session.revision, generation: generation)
  }
}
