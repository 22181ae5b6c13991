import Locks

/// Values by key, each made on first use.
///
/// A lock-free list whose links are set once, for a few keys.
final class LazyValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private let first = LazyReference<Node>()

  private final class Node: Sendable {
    let key: Key
    let value: Value
    let next = LazyReference<Node>()

    init(_ key: Key, _ value: Value) { (self.key, self.value) = (key, value) }
  }

  /// Returns the value of a key, which `make` makes.
  func value(of key: Key, _ make: () -> Value) -> Value {
    var node = first.load() ?? first.storeIfNil(Node(key, make()))
    while node.key != key {
      node = node.next.load() ?? node.next.storeIfNil(Node(key, make()))
    }
    return node.value
  }
}
