import Glibc
import Locks

/// A thread for long jobs besides the server's own, since requests on one thread wait for each other.
///
/// Jobs run one at a time, in order, at a lower priority.
package final class Worker: Sendable {
  /// A job on the worker's thread.
  package typealias Job = @Sendable () -> Void

  /// Hands a job to a worker; returns false if its queue is full.
  package typealias Runner = @Sendable (@escaping Job) -> Bool

  private let state = Monitor(State())
  private let thread = BackgroundThread()
  private let capacity: Int

  private struct State {
    var jobs: [Job] = []
    var isStopped = false
  }

  /// Starts the thread; `capacity` is the maximum number of queued jobs.
  package init(capacity: Int) throws(ServerError) {
    self.capacity = capacity
    // The thread retains the worker until `stop`.
    try thread.start(or: ServerError.system) { self.work() }
  }

  /// Queues a job; returns false if the queue is full or the worker was stopped.
  package func run(_ job: @escaping Job) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isStopped, state.jobs.count < capacity else { return false }
      state.jobs.append(job)
      return true
    }
    if isTaken { state.signal() }
    return isTaken
  }

  /// Waits for the current job and drops queued ones. Must not be called from a job.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      state.jobs = []
    }
    state.signal()
    thread.finish()
  }

  private func work() {
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    while let job = next() { job() }
  }

  /// Waits for a job; returns nil after the stop.
  private func next() -> Job? {
    state.wait { state -> Job?? in
      if state.isStopped { return .some(nil) }
      if state.jobs.isEmpty { return nil }
      return state.jobs.removeFirst()
    } ?? nil
  }
}
