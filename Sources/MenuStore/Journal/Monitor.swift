import Glibc

/// A value behind a lock, for whose changes threads can wait.
///
/// The lock and the condition are the system's, which must not move in memory: hence the pointers,
/// which only this class has. They guard the value, so that sharing it is safe, as long as nobody
/// keeps a reference that is in it.
@safe final class Monitor<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: Value) {
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
  func withLock<Result, Fault: Error>(
    _ body: (inout Value) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Lets the thread that waits look at the value again.
  func signal() { unsafe pthread_cond_signal(condition) }

  /// Waits until `look` answers something; nil when it did not within that time.
  func wait<Result>(_ time: Duration? = nil, until look: (inout Value) -> Result?) -> Result? {
    let end = time.map(Self.end)
    return withLock { value in
      while true {
        if let result = look(&value) { return result }
        let code =
          if var moment = end {
            unsafe pthread_cond_timedwait(condition, mutex, &moment)
          } else {
            unsafe pthread_cond_wait(condition, mutex)
          }
        if code == ETIMEDOUT { return look(&value) }
      }
    }
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
