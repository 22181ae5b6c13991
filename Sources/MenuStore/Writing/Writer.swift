import Locks
import Synchronization

/// Carries out the jobs of a store in order, those together that have gathered.
///
/// While one batch is made durable, the next one gathers. A worker carries out the batches one after the other. A batch of
/// a journal that gathers may wait a moment longer, for the next changes of those whose changes were in the last one.
package final class Writer: Sendable {
  /// Carries out a batch, all of it or nothing, and returns the result of each job.
  ///
  /// It is called without a batch when it has something else to do, when it failed and a second has passed, to see
  /// whether it would succeed, and to look whether it still would.
  typealias CarryOut = @Sendable ([Job]) throws(JournalFault) -> Batch

  /// A batch that is carried out.
  struct Batch: Sendable {
    var results: [Result<CommitResult, JournalFault>] = []
    /// True if there is something else to do, for which no batch is needed; nil if the journal was not asked, since no job
    /// changed anything.
    var hasMore: Bool?
  }

  private struct State {
    var jobs: [Job] = []
    /// The reason why the last batch failed.
    var fault: JournalFault?
    var hasMore = false
    var isClosed = false
    /// The number of jobs that are likely to come: those of the last batch, whose clients go on, and those that had
    /// gathered meanwhile.
    var expected = 0
    /// The time to wait for them.
    var pause = Duration.zero
    /// Nil until it is started.
    var carryOut: CarryOut?
  }

  private let state = Monitor(State())
  private let figures: JournalFigures
  private let worker: any WriterWorker
  /// The time without a batch after which an empty one is carried out; nil for never.
  private let interval: Duration?
  /// The longest time to wait for jobs that are expected; nil for none.
  private let gathering: Duration?

  /// The time after a failure, from the beginning of the write on, in which the written bytes are to be replaced.
  private static let longestReplacing = Duration.seconds(1)
  /// The number of jobs from which on a batch costs little for each, so that it does not wait for more.
  private static let largeBatch = 16

  /// - Parameter gathering: The longest time to wait for jobs that are expected. The default is the journal's.
  init(for journal: any Journal, by worker: any WriterWorker, gathering: Duration? = nil) {
    (figures, interval) = (journal.figures, journal.interval)
    self.gathering = gathering ?? journal.gathering
    self.worker = worker
  }

  /// The reason why the last batch failed; nil when it did not.
  var fault: JournalFault? { state.withLock(\.fault) }

  /// Adds a job to the batch that gathers.
  ///
  /// - Throws: `JournalFault.closed`; then the job is not carried out.
  func add(_ job: Job) throws(JournalFault) {
    let isAwaited = try state.withLock { (state) throws(JournalFault) in
      guard !state.isClosed else { throw .closed }
      state.jobs.append(job)
      return state.jobs.count == 1 || state.jobs.count == state.expected
    }
    // Otherwise the worker does not wait, or for more.
    if isAwaited { state.signal() }
  }

  /// Starts the worker; `fault` is the reason why nothing could be made durable just now, if so.
  func start(
    after fault: JournalFault?, _ carryOut: @escaping CarryOut
  ) throws(JournalFault) {
    state.withLock { ($0.fault, $0.carryOut) = (fault, carryOut) }
    try worker.start(self)
  }

  /// Takes nothing more, and waits until the worker has carried out its jobs; the second time it does nothing.
  func close() {
    state.withLock { $0.isClosed = true }
    state.signal()
    worker.finish()
  }

  /// The time to wait for a batch before an empty one is carried out; nil if none is to be.
  var patience: Duration? {
    state.withLock { $0.hasMore ? .zero : $0.fault == nil ? interval : .seconds(1) }
  }

  /// Carries out the next batch, or an empty one if none comes for that long; false at the end.
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

  /// The next batch, an empty one when there is something else to do; nil at the end.
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

  /// Expects as many jobs as a batch had, and those that gathered during it, to come soon.
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
      // Nothing of the batch is in the database, so that it can be sent again, once, if no request has waited for long.
      guard case .unreachable = error, !jobs.isEmpty, worker.now - start < .seconds(2) else {
        throw error
      }
      return try carryOut(jobs)
    }
  }

  private func fail(_ jobs: [Job], _ fault: JournalFault, since start: Duration) {
    state.withLock { ($0.fault, $0.hasMore) = (fault, !jobs.isEmpty) }
    guard !jobs.isEmpty else { return }
    figures.failures.add()
    let outcome = replaceWritten(by: fault, since: start)
    for job in jobs { job.finish(.failure(outcome)) }
  }

  /// Replaces what a failed batch left written, so that no start after a crash finds what was refused.
  ///
  /// An empty batch that is written takes its place after a kill; one that is flushed does so after a power
  /// failure too.
  ///
  /// - Parameter start: The time at which the failed write began.
  /// - Returns: The fault, or `outcomeUnknown` when that fails until a second is over, or the next attempt would
  ///   take longer if it took as long as the last one.
  private func replaceWritten(by fault: JournalFault, since start: Duration) -> JournalFault {
    guard case .unflushed = fault else { return fault }
    while true {
      let beginning = worker.now
      // It fails as long as the disk does.
      if (try? carryOut([])) != nil { return fault }
      let end = worker.now
      guard end - start + (end - beginning) < Self.longestReplacing else { return .outcomeUnknown }
      worker.sleep(for: .milliseconds(10))
    }
  }
}
