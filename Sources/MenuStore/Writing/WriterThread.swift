import Glibc
import Locks

/// Runs the steps of a writer, one after the other.
package protocol WriterWorker: Sendable {
  /// Starts to call `step` of a writer until it returns false. Called once.
  func start(_ writer: Writer) throws(JournalFault)

  /// Waits until `step` has returned false. Returns at once if nothing was started, and on a second call.
  func finish()

  /// Sleeps within a step.
  func sleep(for time: Duration)

  /// A monotonic time since an arbitrary beginning.
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
