import Glibc

/// A thread with all signals blocked, so that termination signals reach the thread that waits for them.
package final class BackgroundThread: Sendable {
  private let thread = Lock<pthread_t?>(nil)

  /// Creates a thread without starting it.
  package init() {}

  /// A thread that was not joined is detached, to free its resources.
  deinit {
    if let running = thread.withLock({ $0.take() }) { pthread_detach(running) }
  }

  /// Runs a function on the thread; called once.
  ///
  /// - Parameter fault: Returns what is thrown if the system cannot create a thread; the number is `errno`.
  package func start<Fault: Error>(
    or fault: (Int32) -> Fault, _ body: @escaping @Sendable () -> Void
  ) throws(Fault) {
    let work = unsafe Unmanaged.passRetained(Work(body: body))
    var started = pthread_t()
    let code = blockingSignals {
      unsafe pthread_create(&started, nil, runWork, work.toOpaque())
    }
    guard code == 0 else {
      unsafe work.release()
      throw fault(code)
    }
    thread.withLock { $0 = started }
  }

  /// Waits for the function's end; returns at once if it was not started, and the second time.
  package func finish() {
    if let running = thread.withLock({ $0.take() }) { pthread_join(running, nil) }
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Runs `body` with signals blocked in this thread and in those that it starts.
private func blockingSignals<Result>(_ body: () -> Result) -> Result {
  var (all, before) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  return body()
}

private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work = unsafe work {
    let work = unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
    work.body()
  }
  return nil
}
