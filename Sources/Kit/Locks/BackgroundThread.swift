import Glibc

/// A thread of its own, which no signal reaches: one that asks for the end is for whoever waits for it.
package final class BackgroundThread: Sendable {
  private let thread = Lock<pthread_t?>(nil)

  /// A thread that is not started yet.
  package init() {}

  /// A thread that nobody waited for takes its resources with it.
  deinit {
    if let running = thread.withLock({ $0.take() }) { pthread_detach(running) }
  }

  /// Runs a function on the thread; called once.
  package func start(_ body: @escaping @Sendable () -> Void) throws(ThreadFault) {
    let work = unsafe Unmanaged.passRetained(Work(body: body))
    var started = pthread_t()
    let code = blockingSignals {
      unsafe pthread_create(&started, nil, runWork, work.toOpaque())
    }
    guard code == 0 else {
      unsafe work.release()
      throw ThreadFault(code: code)
    }
    thread.withLock { $0 = started }
  }

  /// Returns once the function has; at once if nothing was started, and the second time.
  package func finish() {
    if let running = thread.withLock({ $0.take() }) { pthread_join(running, nil) }
  }
}

/// The system has no thread to give; the number is its `errno`.
package struct ThreadFault: Error {
  package let code: Int32
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Does something while no signal reaches this thread, nor later those that it starts meanwhile.
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
