import Synchronization

/// Gathers what is added, and makes durable together whatever has gathered.
///
/// There is no delay: while one batch is made durable, the next one gathers. A worker carries out the
/// steps one after the other.
final class GroupCommit: Sendable {
  /// Makes a batch durable, all of it or nothing; answers whether it has something else to do, for
  /// which it is called again without a batch. It is called without one too when it failed and a
  /// second has passed, to see whether it would succeed, and to look whether it still would.
  typealias Commit = @Sendable ([JournalWrite]) throws(JournalFault) -> Bool

  private struct State {
    var writes: [JournalWrite] = []
    var ticket = Ticket()
    /// The reason why nothing is taken.
    var refusal: JournalFault?
    /// The reason why the last batch failed.
    var fault: JournalFault?
    /// True if there is something else to do, for which no batch is needed.
    var hasMore = false
    /// The number of writes to wait for, of those who make again what was taken back.
    var returning = 0
    var isClosing = false
  }

  private let state = Monitor(State())
  private let commit: Commit
  private let figures: JournalFigures
  private let worker: any CommitWorker
  /// The time without a batch after which an empty one is committed; nil for never.
  private let interval: Duration?
  /// The time to wait for a batch while there is something else to do.
  private let haste: Duration
  /// True if all that becomes durable together has the same ticket.
  private let sharesTickets: Bool
  /// The number of writes that were taken back with the last batch, and are to be made again.
  private let returning: @Sendable () -> Int
  /// Called when there is a batch, before it is taken: what is added meanwhile belongs to it.
  private let prepare: @Sendable () -> Void
  /// True if the worker may wait although there is something to take.
  private let isSignalDue = Atomic(false)

  /// The time after a failure, from the beginning of the write on, in which what was written is to be replaced.
  private static let longestReplacing = Duration.seconds(1)

  /// A group commit whose steps a worker carries out; the default is a thread.
  ///
  /// - Parameters:
  ///   - interval: The time without a batch after which an empty one is committed. The default is nil, for never.
  ///   - haste: The time to wait for a batch while there is something else to do. The default is zero.
  ///   - sharesTickets: True, the default, if all that becomes durable together has the same ticket.
  ///   - returning: Returns how many writes were taken back with the last batch and are waited for in the next one;
  ///     the default is none.
  ///   - prepare: Called when there is a batch, before it is taken. The default does nothing.
  init(
    _ figures: JournalFigures, by worker: any CommitWorker = CommitThread(),
    lookingEvery interval: Duration? = nil, hurryingAfter haste: Duration = .zero,
    sharesTickets: Bool = true, returning: @escaping @Sendable () -> Int = { 0 },
    preparing prepare: @escaping @Sendable () -> Void = {}, _ commit: @escaping Commit
  ) {
    self.prepare = prepare
    self.returning = returning
    self.haste = haste
    self.sharesTickets = sharesTickets
    self.figures = figures
    self.worker = worker
    self.interval = interval
    self.commit = commit
  }

  /// The reason why the last batch failed; nil when it did not.
  var fault: JournalFault? { state.withLock(\.fault) }

  /// Adds to the batch that gathers, which is taken after `startWriting` at the latest.
  func append(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    let (ticket, isDue) = try state.withLock { (state) throws(JournalFault) in
      if let refusal = state.refusal { throw refusal }
      let ticket = sharesTickets ? state.ticket : Ticket()
      var write = write
      write.ticket = ticket
      state.writes.append(write)
      return (ticket, state.writes.count == max(1, state.returning))
    }
    // The worker does not wait while there is something to take.
    if isDue { isSignalDue.store(true, ordering: .releasing) }
    figures.noteAppended(write)
    return ticket
  }

  /// Lets the worker take what was added.
  func startWriting() {
    guard isSignalDue.load(ordering: .relaxed),
      isSignalDue.exchange(false, ordering: .acquiringAndReleasing)
    else { return }
    state.signal()
  }

  /// Starts the worker; `fault` is why nothing could be made durable just now, if so.
  func start(after fault: JournalFault?) throws(JournalFault) {
    state.withLock { $0.fault = fault }
    try worker.start(self)
  }

  /// Takes nothing more, and waits until the worker has done what it was given; the second time
  /// nothing.
  func close() {
    state.withLock { state in
      state.isClosing = true
      state.refusal = .closed
    }
    state.signal()
    worker.finish()
  }

  /// The time to wait for a batch before an empty one is committed; nil if none is to be.
  var patience: Duration? {
    state.withLock { $0.hasMore ? haste : $0.fault == nil ? interval : .seconds(1) }
  }

  /// Commits the next batch, or an empty one if none comes for that long; false at the end.
  func step(waiting patience: Duration?) -> Bool {
    guard let batch = next(waiting: patience) else { return false }
    let beginning = worker.now
    do throws(JournalFault) {
      let start = ContinuousClock.now
      let hasMore = try commit(batch.writes)
      figures.noteFlushed(batch.writes.count, in: start.duration(to: .now))
      let returning = returning()
      state.withLock { state in
        state.fault = nil
        state.hasMore = hasMore
        state.returning = returning
      }
      settle(batch, .durable)
    } catch {
      fail(batch, error, since: beginning)
    }
    return true
  }

  private typealias Batch = (writes: [JournalWrite], ticket: Ticket?)

  /// The next batch, an empty one when there is something else to do; nil at the end.
  private func next(waiting patience: Duration?) -> Batch? {
    let isEnd = state.wait(patience) { state in
      if state.writes.isEmpty { return state.isClosing ? true : nil }
      return state.writes.count >= state.returning || state.isClosing ? false : nil
    }
    if isEnd == true { return nil }
    let isEmpty = state.withLock(\.writes.isEmpty)
    // Those who were to come back may not have.
    if isEmpty { return ([], nil) }
    prepare()
    return state.withLock { Self.take(&$0) }
  }

  private static func take(_ state: inout State) -> Batch {
    defer {
      state.writes = []
      state.ticket = Ticket()
    }
    return (state.writes, state.ticket)
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
      if (try? commit([])) != nil { return fault }
      let end = worker.now
      guard end - start + (end - beginning) < Self.longestReplacing else { return .outcomeUnknown }
      worker.sleep(for: .milliseconds(10))
    }
  }

  /// Takes back a batch and the one that gathered behind it, which stands on the first. Until that is done, nothing is
  /// taken, so that reads show nothing that they would have to wait for.
  private func fail(_ batch: Batch, _ fault: JournalFault, since start: Duration) {
    let behind = state.withLock { state in
      state.fault = fault
      state.hasMore = batch.ticket != nil
      state.returning = 0
      if batch.ticket == nil { return Batch([], nil) }
      // Nothing may come in between that stands on what is taken back now.
      if !state.isClosing { state.refusal = fault }
      return Self.take(&state)
    }
    guard batch.ticket != nil else { return }
    figures.failures.add()
    for write in (batch.writes + behind.writes).reversed() { write.undo() }
    settle(behind, .failed(fault))
    let outcome = replaceWritten(by: fault, since: start)
    state.withLock { state in
      if !state.isClosing { state.refusal = nil }
    }
    settle(batch, .failed(outcome))
  }

  private func settle(_ batch: Batch, _ outcome: Ticket.Outcome) {
    guard !sharesTickets else { return batch.ticket?.settle(outcome) ?? () }
    for write in batch.writes { write.ticket?.settle(outcome) }
  }
}
