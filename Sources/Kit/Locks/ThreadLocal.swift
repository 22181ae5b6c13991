import Glibc

/// An object per thread, released with the thread.
///
/// The system stores it as a pointer, which only this class accesses, and only on the same thread.
@safe public final class ThreadLocal<Object: AnyObject>: @unchecked Sendable {
  private let key: pthread_key_t
  private let make: @Sendable () -> Object

  /// - Parameter make: Creates the object of a thread on first use.
  public init(_ make: @escaping @Sendable () -> Object) {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key) { pointer in
      if let pointer = unsafe pointer { unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release() }
    }
    precondition(code == 0, "The system has no more room for objects of threads.")
    self.key = key
    self.make = make
  }

  deinit { pthread_key_delete(key) }

  /// The object of the current thread.
  public var value: Object {
    if let pointer = unsafe pthread_getspecific(key) {
      return unsafe Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
    }
    let made = make()
    unsafe pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
    return made
  }
}
