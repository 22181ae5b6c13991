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

  private let state = Lock(State())
  private let thread = BackgroundThread()
  private let wakeUp: Semaphore
  private let capacity: Int

  private struct State {
    var jobs: [Job] = []
    var isStopped = false
  }

  /// Starts the thread; `capacity` is the maximum number of queued jobs.
  package init(capacity: Int) throws(ServerError) {
    self.capacity = capacity
    wakeUp = Semaphore()
    // The thread retains the worker until `stop`.
    try ServerError.starting(thread) { self.work() }
  }

  /// Queues a job; returns false if the queue is full or the worker was stopped.
  package func run(_ job: @escaping Job) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isStopped, state.jobs.count < capacity else { return false }
      state.jobs.append(job)
      return true
    }
    if isTaken { wakeUp.signal() }
    return isTaken
  }

  /// Waits for the current job and drops queued ones. Must not be called from a job.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      state.jobs = []
    }
    wakeUp.signal()
    thread.finish()
  }

  private func work() {
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

extension ServerError {
  /// Starts a thread; throws the system's refusal as a `ServerError`.
  static func starting(
    _ thread: BackgroundThread, _ body: @escaping @Sendable () -> Void
  ) throws(ServerError) {
    do throws(ThreadFault) {
      try thread.start(body)
    } catch {
      throw .system(error.code)
    }
  }
}

/// A counting semaphore.
///
/// `@unchecked Sendable`: the system's functions are thread-safe.
@safe final class Semaphore: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { unsafe sem_init(semaphore, 0, 0) }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func signal() { unsafe sem_post(semaphore) }

  func wait() { while unsafe sem_wait(semaphore) != 0 {} }
}
