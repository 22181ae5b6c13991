import Glibc
import Locks

/// A value that many threads look at all the time and that changes seldom.
///
/// There are several copies of it, each behind a lock of its own, and a thread looks at the same one
/// always. Who changes it holds all the locks, so that nobody sees it as it was when somebody has seen what it
/// became.
final class Mirrored<Value: Sendable>: Sendable {
  /// A copy behind its lock, which cannot be an element of an array itself.
  private final class Copy: Sendable {
    let value: Lock<Value>

    init(_ value: Value) { self.value = Lock(value) }
  }

  private let copies: [Copy]

  init(_ value: Value) { copies = (0..<8).map { _ in Copy(value) } }

  /// Looks at it, while nobody changes it.
  func reading<Result: Sendable>(_ body: (Value) -> Result) -> Result {
    // Threads differ in where their stacks are.
    let thread = UInt(pthread_self()) >> 12
    return copies[Int((thread &* 0x9E37_79B9) >> 8 % UInt(copies.count))].value.withLock {
      body($0)
    }
  }

  /// Changes it, while nobody looks at it.
  func change(_ body: (inout Value) -> Void) { _ = change(from: 0, body) }

  /// Changes the copies from one on, and answers what they are now. The last one is changed when all locks
  /// are held, the others take what that became.
  private func change(from index: Int, _ body: (inout Value) -> Void) -> Value {
    copies[index].value.withLock { value in
      if index == copies.count - 1 { body(&value) } else { value = change(from: index + 1, body) }
      return value
    }
  }
}
