import Locks
import Synchronization

/// Commits the jobs of a store in order, in batches.
///
/// While one batch is being made durable, the next one gathers. A worker commits one batch after the other. If the
/// journal gathers changes, a batch may wait a moment longer for the next changes of the clients in the last batch.
package final class Writer: Sendable {
  /// Commits a batch, atomically, and returns the result of each job.
  ///
  /// It is called with an empty batch if maintenance is pending, a second after a failure, and periodically, to check
  /// whether a batch would succeed.
  typealias CarryOut = @Sendable ([Job]) throws(JournalFault) -> Batch

  /// The result of a batch.
  struct Batch: Sendable {
    var results: [Result<CommitResult, JournalFault>] = []
    /// True if maintenance is pending, which needs no batch; nil if no job changed anything, so the journal was not
    /// called.
    var hasMore: Bool?
  }

  private struct State {
    var jobs: [Job] = []
    /// The reason why the last batch failed.
    var fault: JournalFault?
    /// The latest fault by which a batch was refused, until it is taken.
    var newFault: JournalFault?
    var hasMore = false
    var isClosed = false
    /// The number of jobs that are likely to come: those of the last batch, whose clients continue, and those that
    /// gathered meanwhile.
    var expected = 0
    /// The time to wait for them.
    var pause = Duration.zero
    /// The closure that commits a batch; nil until the writer is started.
    var carryOut: CarryOut?
  }

  private let state = Monitor(State())
  private let figures: JournalFigures
  private let worker: any WriterWorker
  /// The time without a batch after which an empty one is committed; nil for never.
  private let interval: Duration?
  /// The longest time to wait for jobs that are expected; nil for none.
  private let gathering: Duration?

  /// The maximum time, from the beginning of a failed write, for replacing the written bytes.
  private static let longestReplacing = Duration.seconds(1)
  /// The size from which on a batch is efficient, so that it does not wait for more jobs.
  private static let largeBatch = 16

  /// - Parameter gathering: The longest time to wait for jobs that are expected. The default is the journal's.
  init(for journal: any Journal, by worker: any WriterWorker, gathering: Duration? = nil) {
    (figures, interval) = (journal.figures, journal.interval)
    self.gathering = gathering ?? journal.gathering
    self.worker = worker
  }

  /// The reason why the last batch failed; nil when it did not.
  var fault: JournalFault? { state.withLock(\.fault) }

  /// Returns the latest fault by which a batch was refused since the last call; nil if none was.
  func takeFault() -> JournalFault? {
    state.withLock { state in
      defer { state.newFault = nil }
      return state.newFault
    }
  }

  /// Adds a job to the gathering batch.
  ///
  /// - Throws: `JournalFault.closed`; the job is not committed then.
  func add(_ job: Job) throws(JournalFault) {
    let isAwaited = try state.withLock { (state) throws(JournalFault) in
      guard !state.isClosed else { throw .closed }
      state.jobs.append(job)
      return state.jobs.count == 1 || state.jobs.count == state.expected
    }
    // Otherwise the worker is busy, or waits for more jobs.
    if isAwaited { state.signal() }
  }

  /// Starts the worker; `fault` is the reason why nothing can be made durable at present, or nil.
  func start(
    after fault: JournalFault?, _ carryOut: @escaping CarryOut
  ) throws(JournalFault) {
    state.withLock { ($0.fault, $0.carryOut) = (fault, carryOut) }
    try worker.start(self)
  }

  /// Refuses new jobs, and waits until the worker has committed the pending ones. A second call does nothing.
  func close() {
    state.withLock { $0.isClosed = true }
    state.signal()
    worker.finish()
  }

  /// The time to wait for a batch before an empty one is carried out; nil if none is to be.
  var patience: Duration? {
    state.withLock { $0.hasMore ? .zero : $0.fault == nil ? interval : .seconds(1) }
  }

  /// Commits the next batch, or an empty one on timeout; returns false at the end.
  func step(waiting patience: Duration?) -> Bool {
    guard let jobs = next(waiting: patience) else { return false }
    let beginning = worker.now
    do throws(JournalFault) {
      let batch = try carryOut(jobs)
      if let hasMore = batch.hasMore {
        state.withLock { ($0.fault, $0.hasMore) = (nil, hasMore) }
      }
      expect(jobs.count, since: beginning)
      for (job, result) in zip(jobs, batch.results) { job.finish(result) }
    } catch {
      fail(jobs, error, since: beginning)
    }
    return true
  }

  /// Returns the next batch, an empty one on timeout; nil at the end.
  private func next(waiting patience: Duration?) -> [Job]? {
    let isEnd = state.wait(patience) { state -> Bool? in
      state.jobs.isEmpty ? (state.isClosed ? true : nil) : false
    }
    if isEnd == true { return nil }
    gather()
    return state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  /// Sets the number of jobs expected soon: those of the last batch, and those that gathered meanwhile.
  private func expect(_ count: Int, since beginning: Duration) {
    guard let gathering else { return }
    let pause = min((worker.now - beginning) / 2, gathering)
    state.withLock { state in
      state.expected = count > 1 ? min(count + state.jobs.count, Self.largeBatch) : 0
      state.pause = pause
    }
  }

  /// Waits a moment for the jobs that are expected.
  private func gather() {
    guard gathering != nil else { return }
    let pause = state.withLock { $0.jobs.count < $0.expected && !$0.jobs.isEmpty ? $0.pause : nil }
    guard let pause else { return }
    _ = state.wait(pause) { $0.jobs.count >= $0.expected || $0.isClosed ? true : nil }
  }

  private func carryOut(_ jobs: [Job]) throws(JournalFault) -> Batch {
    guard let carryOut = state.withLock(\.carryOut) else { throw .closed }
    let start = worker.now
    do throws(JournalFault) {
      return try carryOut(jobs)
    } catch {
      // The batch was rolled back. It is repeated once, unless a request has waited for long.
      guard case .unreachable = error, !jobs.isEmpty, worker.now - start < .seconds(2) else {
        throw error
      }
      return try carryOut(jobs)
    }
  }

  private func fail(_ jobs: [Job], _ fault: JournalFault, since start: Duration) {
    state.withLock { state in
      (state.fault, state.hasMore) = (fault, !jobs.isEmpty)
      if !jobs.isEmpty { state.newFault = fault }
    }
    guard !jobs.isEmpty else { return }
    figures.failures.add()
    let outcome = replaceWritten(by: fault, since: start)
    for job in jobs { job.finish(.failure(outcome)) }
  }

  /// Overwrites the bytes that a failed batch left, so that no start after a crash finds refused changes.
  ///
  /// A written empty batch is enough for a killed process; a flushed one for a power failure too.
  ///
  /// - Parameter start: The time at which the failed write began.
  /// - Returns: The fault; or `outcomeUnknown` if this does not succeed within a second, counting the duration of a
  ///   further attempt.
  private func replaceWritten(by fault: JournalFault, since start: Duration) -> JournalFault {
    guard case .unflushed = fault else { return fault }
    while true {
      let beginning = worker.now
      // This fails as long as the disk does.
      if (try? carryOut([])) != nil { return fault }
      let end = worker.now
      guard end - start + (end - beginning) < Self.longestReplacing else { return .outcomeUnknown }
      worker.sleep(for: .milliseconds(10))
    }
  }
}
