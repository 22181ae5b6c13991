import Glibc

/// A lock that many can hold for reading, or one for writing; who wants to write comes first.
///
/// The system's lock must not move in memory: hence the pointer, which only this class has.
@safe final class ReadWriteLock: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  init() {
    unsafe lock = .allocate(capacity: 1)
    var attributes = pthread_rwlockattr_t()
    unsafe pthread_rwlockattr_init(&attributes)
    unsafe pthread_rwlockattr_setkind_np(
      &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
    unsafe pthread_rwlock_init(lock, &attributes)
    unsafe pthread_rwlockattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_rwlock_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Does something that others may do meanwhile; never inside another one.
  func reading<Result, Fault: Error>(
    _ body: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body()
  }

  /// Does something while nobody else does.
  func writing<Result, Fault: Error>(
    _ body: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    unsafe pthread_rwlock_wrlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body()
  }
}
