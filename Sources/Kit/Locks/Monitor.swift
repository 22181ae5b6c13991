import Glibc

/// A value behind a lock, for whose changes threads can wait.
///
/// The lock and the condition are the system's, which must not move in memory: hence the pointers,
/// which only this class has. They guard the value, so that sharing it is safe, as long as nobody
/// keeps a reference that is in it.
@safe package final class Monitor<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  package init(_ value: Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    self.value = value
    unsafe pthread_mutex_init(mutex, nil)
    // Not the time of day, which people set back and forth.
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Looks at the value or changes it.
  package func withLock<Result, Fault: Error>(
    _ body: (inout Value) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Wakes a waiting thread, so that it checks the value again.
  package func signal() { unsafe pthread_cond_signal(condition) }

  /// Waits until `look` returns a result; nil on timeout.
  package func wait<Result>(_ time: Duration? = nil, until look: (inout Value) -> Result?)
    -> Result?
  {
    let end = time.map(Self.end)
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      // The access to the value must end before the wait, in which other threads change it: a longer access would let
      // the compiler reuse values read before.
      if let result = look(&value) { return result }
      if block(until: end) == ETIMEDOUT { return look(&value) }
    }
  }

  private func block(until end: timespec?) -> Int32 {
    guard var end else { return unsafe pthread_cond_wait(condition, mutex) }
    return unsafe pthread_cond_timedwait(condition, mutex, &end)
  }

  private static func end(_ time: Duration) -> timespec {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let (seconds, attoseconds) = time.components
    let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
    return timespec(
      tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000)
  }
}
