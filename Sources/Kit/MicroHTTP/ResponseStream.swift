import Locks

/// The body of a streamed response.
///
/// It is the body of one response only. Once it is closed, both closures are released.
package final class ResponseStream: Sendable {
  /// An answer to the question what comes next.
  package enum Piece: Sendable {
    /// The next bytes of the body; none are skipped.
    case bytes([UInt8])
    /// The same in parts, which other streams may share.
    case parts([[UInt8]])
    /// Nothing before the next `wake()`.
    case waiting
    /// The end of the body, after which the connection is closed.
    case end
  }

  private let state: Lock<State>

  private struct State {
    var next: (@Sendable () -> Piece)?
    var whenClosed: (@Sendable () -> Void)?
    /// True once it is the body of a response.
    var isTaken = false
    /// True if it was woken since it was last asked for a piece.
    var isWoken = false
    /// True if it ends where it would wait.
    var isEnding = false
    /// Wakes the connection while that waits; called under the lock.
    var resumption: (@Sendable () -> Void)?

    mutating func wake() {
      guard let resume = resumption.take() else {
        isWoken = true
        return
      }
      resume()
    }
  }

  /// Creates the body of one response.
  ///
  /// - Parameters:
  ///   - next: Returns the next piece. It is called on the connection's thread, never twice at the same
  ///     time, and must not block.
  ///   - whenClosed: Called once, on any thread, when the connection is gone, the stream has ended, or the
  ///     response is not sent.
  package init(
    next: @escaping @Sendable () -> Piece, whenClosed: @escaping @Sendable () -> Void = {}
  ) {
    state = Lock(State(next: next, whenClosed: whenClosed))
  }

  deinit {
    close()
  }

  /// Lets the connection ask for the next piece soon.
  ///
  /// It may be called from any thread, also from within `next`. Calls between two questions count as
  /// one. After the end it does nothing.
  package func wake() {
    state.withLock { $0.wake() }
  }
}

extension ResponseStream {
  /// Makes this the body of a response; answers false if it was that before.
  func take() -> Bool {
    state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
  }

  /// The next piece; while there is none, lets the connection wait by `suspend`, and wakes it by
  /// `resume` once there may be one.
  ///
  /// Both are called under the lock, `resume` once for each `suspend`: so no call of `wake()` is lost, and
  /// none reaches a connection that does not wait, and may be gone.
  func piece(
    orSuspend suspend: () -> Void, resume: @escaping @Sendable () -> Void
  ) -> Piece {
    let next = state.withLock { state in
      state.isWoken = false
      return state.next
    }
    guard let next else { return .end }
    let piece = next()
    guard case .waiting = piece else { return piece }
    return state.withLock { state in
      if state.isEnding { return .end }
      suspend()
      // Resumed rather than asked at once, so that other connections have their turn.
      if state.isWoken { resume() } else { state.resumption = resume }
      return .waiting
    }
  }

  /// Ends it once it has nothing more to send, or at once if it waits.
  func end() {
    state.withLock { state in
      state.isEnding = true
      state.wake()
    }
  }

  /// Notes that nobody asks for pieces any more. The second time it does nothing.
  func close() {
    // What the closures hold is released when the lock is no longer held.
    let (next, whenClosed) = state.withLock { state in
      (state.next.take(), state.whenClosed.take())
    }
    withExtendedLifetime(next) { whenClosed?() }
  }
}
