import Glibc
import Locks

/// Suspends the connections whose streams wait, and resumes those that were woken, many at a time.
///
/// To resume connections, the library walks over all that are suspended: for one as for all of them. So they are
/// gathered, and each batch is followed by a pause of a microsecond for each connection that was suspended. A stream
/// that is woken while no other is waits for nothing but the thread.
final class StreamWaker: Sendable {
  private let state = Lock(State())
  private let wakeUp = Semaphore()
  private let thread = BackgroundThread()

  private struct State {
    /// The number of suspended connections, with those that were woken.
    var suspended = 0
    var woken: [SuspendedConnection] = []
    var isStopped = false
  }

  /// Starts the thread, which keeps the waker until it is stopped.
  init() throws(ServerError) { try ServerError.starting(thread) { self.run() } }

  /// Suspends a connection, on its own thread.
  func suspend(_ connection: SuspendedConnection) {
    state.withLock { $0.suspended += 1 }
    connection.suspend()
  }

  /// Resumes a suspended connection soon.
  func resume(_ connection: SuspendedConnection) {
    let isFirst = state.withLock { state -> Bool? in
      guard !state.isStopped else { return nil }
      state.woken.append(connection)
      return state.woken.count == 1
    }
    guard let isFirst else { return connection.resume() }
    if isFirst { wakeUp.signal() }
  }

  /// Resumes those that were woken, and ends the thread. From then on each connection is resumed at once.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp.signal()
    thread.finish()
  }

  private func run() {
    while true {
      wakeUp.wait()
      let (woken, suspended, isStopped) = state.withLock { state in
        let before = state.suspended
        state.suspended -= state.woken.count
        defer { state.woken = [] }
        return (state.woken, before, state.isStopped)
      }
      for connection in woken { connection.resume() }
      if isStopped { return }
      usleep(UInt32(clamping: suspended))
    }
  }
}
