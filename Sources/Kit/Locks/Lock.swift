@_exported public import Synchronization

#if PTHREAD_LOCKS
  import Glibc

  /// A value behind a lock of the system's, for builds under a sanitizer.
  ///
  /// The thread sanitizer knows the system's locks. It does not see how `Synchronization.Mutex`, which it has
  /// the interface of, waits, and takes two bodies of one lock for a race. The system's lock must not move
  /// in memory: hence the pointers. The lock guards the value, so that sharing it is safe.
  @safe public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// A value behind a lock that nobody holds.
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

    /// Reads or changes the value while no other thread does.
    public borrowing func withLock<Result: ~Copyable, Fault: Error>(
      _ body: (inout sending Value) throws(Fault) -> sending Result
    ) throws(Fault) -> sending Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return try unsafe body(&value.pointee)
    }
  }
#else
  /// A value behind a lock. Builds under a sanitizer have one of the system's in its place.
  public typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
