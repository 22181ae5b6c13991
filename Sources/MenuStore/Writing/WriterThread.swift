import Glibc
import Locks

/// Carries out the steps of a writer, one after the other.
package protocol WriterWorker: Sendable {
  /// Begins to call `step` of a writer until it answers false; called once.
  func start(_ writer: Writer) throws(JournalFault)

  /// Returns once `step` has answered false; at once if nothing was started, and the second time.
  func finish()

  /// Waits, as part of a step.
  func sleep(for time: Duration)

  /// The time since any beginning, which only grows.
  var now: Duration { get }
}

/// A thread of its own.
package final class WriterThread: WriterWorker {
  private let thread = BackgroundThread()

  package init() {}

  package func start(_ writer: Writer) throws(JournalFault) {
    try thread.start(or: JournalFault.ofThread) {
      while writer.step(waiting: writer.patience) {}
    }
  }

  package func finish() { thread.finish() }

  package func sleep(for time: Duration) { usleep(UInt32(time / .microseconds(1))) }

  private let start = ContinuousClock.now

  package var now: Duration { start.duration(to: .now) }
}

extension JournalFault {
  /// Returns the fault of a thread that the system refused.
  static func ofThread(_ code: Int32) -> JournalFault { .system(path: "thread", code: code) }
}
