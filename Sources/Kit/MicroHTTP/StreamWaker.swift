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

  private struct State {
    /// The number of suspended connections, with those that were woken.
    var suspended = 0
    var woken: [SuspendedConnection] = []
    var isStopped = false
    var thread: pthread_t?
  }

  /// Starts the thread, which keeps the waker until it is stopped.
  init() throws(ServerError) {
    var thread = pthread_t()
    let waker = unsafe Unmanaged.passRetained(self)
    let failure = unsafe pthread_create(&thread, nil, runStreamWaker, waker.toOpaque())
    guard failure == 0 else {
      unsafe waker.release()
      throw .system(failure)
    }
    state.withLock { $0.thread = thread }
  }

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
    let thread = state.withLock { state in
      state.isStopped = true
      return state.thread.take()
    }
    guard let thread else { return }
    wakeUp.signal()
    pthread_join(thread, nil)
  }

  fileprivate func run() {
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

private func runStreamWaker(_ waker: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let waker = unsafe waker {
    unsafe Unmanaged<StreamWaker>.fromOpaque(waker).takeRetainedValue().run()
  }
  return nil
}
