import Locks
import Synchronization

/// Measures the processor time of requests on their threads, in which waiting does not count.
///
/// Asking the system for it at each request would cost two calls. So each thread notes it every quarter of a
/// millisecond at most, when a request begins, and once more at the end of a request that seems long. Between
/// the note and the beginning of that request the thread took no more processor time than passed, which is not
/// counted: a long request is measured to the last quarter of a millisecond, and never as longer than it is.
struct ProcessorClock: Sendable {
  /// The age up to which a note counts, in nanoseconds.
  static let patience = 250_000

  private static let notes = ThreadLocal { Note() }
  private static let clocks = Atomic(0)

  /// The processor time of a thread at some time.
  private final class Note {
    /// The number of the clock that made it.
    var clock = 0
    var time = 0
    var processorTime = 0
  }

  private let number = Self.clocks.add(1, ordering: .relaxed).newValue
  private let processorTime: (@Sendable () -> Int)?

  /// - Parameter processorTime: The processor time of the present thread in nanoseconds, from any beginning; nil if
  ///   nobody knows, and then all time counts.
  init(_ processorTime: (@Sendable () -> Int)?) { self.processorTime = processorTime }

  /// Notes that a request begins on this thread.
  func begin(at time: Int) {
    guard let processorTime else { return }
    let note = Self.notes.value
    guard note.clock != number || !(0...Self.patience).contains(time &- note.time) else { return }
    (note.clock, note.time, note.processorTime) = (number, time, processorTime())
  }

  /// Returns the processor time of the request that began on this thread at `start`, and took
  /// `duration` including all waiting. For short requests the duration stands for the processor
  /// time, which is not read.
  func cost(from start: Int, taking duration: Int) -> Int {
    guard duration >= ProcessorBudget.long, let processorTime else { return duration }
    let note = Self.notes.value
    guard note.clock == number else { return duration }
    return min(duration, processorTime() &- note.processorTime &- (start &- note.time))
  }
}
