import Synchronization

/// A reference that is set once, and read by any thread.
///
/// The interface is that of `Synchronization.AtomicLazyReference`, whose `load` Swift 6.3 calls without specializing
/// it: 640 instructions in place of two.
@safe public struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let reference = unsafe Atomic<Unmanaged<Instance>?>(nil)

  /// Creates one without a reference.
  @inlinable public init() {}

  @inlinable deinit { unsafe reference.load(ordering: .acquiring)?.release() }

  /// Returns the reference; nil until it is set.
  @inlinable public borrowing func load() -> Instance? {
    unsafe reference.load(ordering: .acquiring)?.takeUnretainedValue()
  }

  /// Sets the reference if there is none, and returns the one that is set.
  @inlinable public borrowing func storeIfNil(_ instance: consuming Instance) -> Instance {
    let proposed = unsafe Unmanaged.passRetained(instance)
    let first = unsafe reference.compareExchange(
      expected: nil, desired: proposed, ordering: .acquiringAndReleasing
    ).original
    guard let first = unsafe first else { return unsafe proposed.takeUnretainedValue() }
    unsafe proposed.release()
    return unsafe first.takeUnretainedValue()
  }
}
