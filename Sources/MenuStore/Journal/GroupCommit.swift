import Glibc

/// Gathers what is added, and has one thread make durable together whatever has gathered.
///
/// There is no delay: while one batch is made durable, the next one gathers.
final class GroupCommit: Sendable {
  /// Makes a batch durable, all of it or nothing; answers whether it has something else to do, for
  /// which it is called again without a batch. It is called without one too when it failed and a
  /// second has passed, to see whether it would succeed.
  typealias Commit = @Sendable ([JournalWrite]) throws(JournalFault) -> Bool

  private struct State {
    var writes: [JournalWrite] = []
    var ticket = Ticket()
    /// Why nothing is taken.
    var refusal: JournalFault?
    /// Why the last batch failed.
    var fault: JournalFault?
    var isClosing = false
  }

  private let state = Monitor(State())
  private let commit: Commit
  private let figures: JournalFigures
  private let thread = Monitor<pthread_t?>(nil)

  init(_ figures: JournalFigures, _ commit: @escaping Commit) {
    self.figures = figures
    self.commit = commit
  }

  /// Why the last batch failed; nil when it did not.
  var fault: JournalFault? { state.withLock(\.fault) }

  /// Adds to the batch that gathers.
  func append(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    let (ticket, isFirst) = try state.withLock { (state) throws(JournalFault) in
      if let refusal = state.refusal { throw refusal }
      state.writes.append(write)
      return (state.ticket, state.writes.count == 1)
    }
    // The thread does not wait while there is something to take.
    if isFirst { state.signal() }
    figures.noteAppended(write)
    return ticket
  }

  /// Starts the thread; `fault` is why nothing could be made durable just now, if so.
  func start(after fault: JournalFault?) throws(JournalFault) {
    state.withLock { $0.fault = fault }
    let work = unsafe Unmanaged.passRetained(self)
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

  /// Takes nothing more, and waits until the thread has done what it was given; the second time
  /// nothing.
  func close() {
    state.withLock { state in
      state.isClosing = true
      state.refusal = .closed
    }
    state.signal()
    if let running = thread.withLock({ $0.take() }) { pthread_join(running, nil) }
  }

  /// Commits batches until the end; this is the body of the thread.
  fileprivate func run() {
    var hasMore = false
    while let batch = next(waiting: !hasMore) {
      do throws(JournalFault) {
        let start = ContinuousClock.now
        hasMore = try commit(batch.writes)
        figures.noteFlushed(batch.writes.count, in: start.duration(to: .now))
        state.withLock { $0.fault = nil }
        batch.ticket?.settle(.durable)
      } catch {
        hasMore = batch.ticket != nil
        fail(batch, error)
      }
    }
  }

  private typealias Batch = (writes: [JournalWrite], ticket: Ticket?)

  /// The next batch, an empty one when there is something else to do; nil at the end.
  private func next(waiting: Bool) -> Batch? {
    let isFailing = fault != nil
    let time: Duration? = !waiting ? .zero : isFailing ? .seconds(1) : nil
    let batch = state.wait(time) { (state) -> Batch?? in
      if state.writes.isEmpty { return state.isClosing ? .some(nil) : nil }
      return Self.take(&state)
    }
    return batch ?? ([], nil)
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
  /// An empty batch takes its place even when it is not flushed either.
  ///
  /// - Returns: The fault, or `outcomeUnknown` when that fails for a second.
  private func replaceWritten(by fault: JournalFault) -> JournalFault {
    guard case .unflushed = fault else { return fault }
    for attempt in 0..<100 {
      if attempt > 0 { usleep(10_000) }
      do throws(JournalFault) {
        _ = try commit([])
        return fault
      } catch {
        if case .unflushed = error { return fault }
      }
    }
    return .outcomeUnknown
  }

  /// Takes back a batch and the one that gathered behind it, which stands on the first.
  private func fail(_ batch: Batch, _ fault: JournalFault) {
    let behind = state.withLock { state in
      state.fault = fault
      if batch.ticket == nil { return Batch([], nil) }
      // Nothing may come in between that stands on what is taken back now.
      if !state.isClosing { state.refusal = fault }
      return Self.take(&state)
    }
    guard batch.ticket != nil else { return }
    figures.failures.add()
    for write in (batch.writes + behind.writes).reversed() { write.undo() }
    state.withLock { state in
      if !state.isClosing { state.refusal = nil }
    }
    batch.ticket?.settle(.failed(replaceWritten(by: fault)))
    behind.ticket?.settle(.failed(fault))
  }
}

/// Does something while no signal reaches this thread, nor later those that it starts meanwhile: a
/// signal that asks for the end is for whoever waits for it.
private func blockingSignals<Result>(_ body: () -> Result) -> Result {
  var (all, before) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  return body()
}

private func runGroupCommit(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work = unsafe work {
    unsafe Unmanaged<GroupCommit>.fromOpaque(work).takeRetainedValue().run()
  }
  return nil
}
