@_exported public import Synchronization

#if PTHREAD_LOCKS
  import Glibc

  /// A value behind a system lock, for builds under a sanitizer.
  ///
  /// The thread sanitizer knows the system's locks, but not how `Synchronization.Mutex` waits, and reports two
  /// critical sections of one lock as a race. The interface is that of `Mutex`. The system's lock must not move
  /// in memory, hence the pointers. The lock guards the value, so sharing it is safe.
  @safe public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Creates an unlocked value.
    public init(_ initial: consuming sending Value) {
      unsafe mutex = .allocate(capacity: 1)
      unsafe pthread_mutex_init(mutex, nil)
      unsafe value = .allocate(capacity: 1)
      unsafe value.initialize(to: initial)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deallocate()
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
    }

    /// Reads or changes the value under the lock.
    public borrowing func withLock<Result: ~Copyable, Fault: Error>(
      _ body: (inout sending Value) throws(Fault) -> sending Result
    ) throws(Fault) -> sending Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return try unsafe body(&value.pointee)
    }
  }
#else
  /// A value behind a lock; in builds under a sanitizer a system lock.
  public typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
