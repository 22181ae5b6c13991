import Glibc
import Locks

/// A thread beside the server's own ones, for what takes long: the system shares the processor among
/// them, while requests on one thread wait for each other.
///
/// Jobs are done one after the other, in the order in which they come, at a lower priority.
package final class Worker: Sendable {
  /// A job that is done on the worker's thread.
  package typealias Job = @Sendable () -> Void

  private let state = Lock(State())
  private let wakeUp: Semaphore
  private let capacity: Int

  private struct State {
    var jobs: [Job] = []
    var isStopped = false
    var thread: pthread_t?
  }

  /// Starts the thread; at most so many jobs wait at a time.
  package init(capacity: Int) throws(ServerError) {
    self.capacity = capacity
    wakeUp = Semaphore()
    var thread = pthread_t()
    // The thread keeps the worker until `stop`.
    let context = unsafe Unmanaged.passRetained(self)
    let failure = unsafe pthread_create(&thread, nil, runWorker, context.toOpaque())
    guard failure == 0 else {
      unsafe context.release()
      throw .system(failure)
    }
    state.withLock { $0.thread = thread }
  }

  /// Does the job when its turn comes; answers false, and does not, if too many wait or the worker was
  /// stopped.
  package func run(_ job: @escaping Job) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isStopped, state.jobs.count < capacity else { return false }
      state.jobs.append(job)
      return true
    }
    if isTaken { wakeUp.signal() }
    return isTaken
  }

  /// Waits for the end of the present job and drops those that wait. Not to be called from a job.
  package func stop() {
    let thread = state.withLock { state in
      state.isStopped = true
      state.jobs = []
      return state.thread.take()
    }
    guard let thread else { return }
    wakeUp.signal()
    pthread_join(thread, nil)
  }

  fileprivate func work() {
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    while true {
      wakeUp.wait()
      let (job, isStopped) = state.withLock { state in
        (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isStopped)
      }
      if let job { job() }
      if isStopped { return }
    }
  }
}

private func runWorker(_ worker: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let worker = unsafe worker {
    unsafe Unmanaged<Worker>.fromOpaque(worker).takeRetainedValue().work()
  }
  return nil
}
