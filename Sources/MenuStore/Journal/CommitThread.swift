import Glibc

/// Carries out the steps of a group commit, one after the other.
protocol CommitWorker: Sendable {
  /// Begins to call `step` of a group commit until it answers false; called once.
  func start(_ commits: GroupCommit) throws(JournalFault)

  /// Returns once `step` has answered false; at once if nothing was started, and the second time.
  func finish()

  /// Waits, as part of a step.
  func sleep(for time: Duration)
}

/// A thread of its own.
final class CommitThread: CommitWorker {
  private let thread = Monitor<pthread_t?>(nil)

  /// A thread that nobody waited for takes its resources with it.
  deinit {
    if let running = thread.withLock({ $0.take() }) { pthread_detach(running) }
  }

  func start(_ commits: GroupCommit) throws(JournalFault) {
    let work = unsafe Unmanaged.passRetained(commits)
    var started = pthread_t()
    let code = blockingSignals {
      unsafe pthread_create(&started, nil, runGroupCommit, work.toOpaque())
    }
    guard code == 0 else {
      unsafe work.release()
      throw .system(path: "thread", code: code)
    }
    thread.withLock { $0 = started }
  }

  func finish() {
    if let running = thread.withLock({ $0.take() }) { pthread_join(running, nil) }
  }

  func sleep(for time: Duration) { usleep(UInt32(time / .microseconds(1))) }
}

/// Does something while no signal reaches this thread, nor later those that it starts meanwhile: a
/// termination signal is for the thread that waits for it.
private func blockingSignals<Result>(_ body: () -> Result) -> Result {
  var (all, before) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  return body()
}

private func runGroupCommit(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work = unsafe work {
    let commits = unsafe Unmanaged<GroupCommit>.fromOpaque(work).takeRetainedValue()
    while commits.step(waiting: commits.patience) {}
  }
  return nil
}
