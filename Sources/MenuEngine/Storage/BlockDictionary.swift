/// A dictionary in blocks: its copies share the blocks that none of them changed, so that to change a value
/// of a shared one copies a block and as many references as there are blocks.
struct BlockDictionary<Key: Hashable, Value> {
  /// None as long as there is no value, then a power of two of them, in which keys are by their hashes.
  private var blocks: [[Key: Value]] = []
  /// How many values there are.
  private(set) var count = 0

  /// How many values blocks have on average before there are twice as many of them.
  static var blockSize: Int { 64 }

  /// A dictionary without values.
  init() {}

  /// True if it has no values.
  var isEmpty: Bool { count == 0 }

  /// The value of a key, changed where it is; nil for none.
  subscript(key: Key) -> Value? {
    get { blocks.isEmpty ? nil : blocks[block(of: key)][key] }
    set {
      // What takes away nothing copies nothing.
      guard newValue != nil || self[key] != nil else { return }
      change(key) { $0[key] = newValue }
    }
    _modify {
      let block = blockToChange(of: key)
      let before = blocks[block].count
      defer { settle(block, before) }
      yield &blocks[block][key]
    }
  }

  /// The value of a key, which is `value` when it has none yet, changed where it is.
  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    _modify {
      let block = blockToChange(of: key)
      let before = blocks[block].count
      defer { settle(block, before) }
      yield &blocks[block][key, default: value()]
    }
  }

  /// Gives a key another value and answers the one that it had.
  mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    change(key) { $0.updateValue(value, forKey: key) }
  }

  /// Takes away the value of a key and answers it.
  mutating func removeValue(forKey key: Key) -> Value? {
    guard self[key] != nil else { return nil }
    return change(key) { $0.removeValue(forKey: key) }
  }
}

extension BlockDictionary {
  private mutating func change<Answer>(
    _ key: Key, _ change: (inout [Key: Value]) -> Answer
  ) -> Answer {
    let block = blockToChange(of: key)
    let before = blocks[block].count
    defer { settle(block, before) }
    return change(&blocks[block])
  }

  private func block(of key: Key) -> Int {
    blocks.count == 1 ? 0 : key.hashValue & (blocks.count - 1)
  }

  private mutating func blockToChange(of key: Key) -> Int {
    if blocks.isEmpty { blocks = [[:]] }
    return block(of: key)
  }

  /// Counts the values of a block that had so many, and makes more blocks when there are too many.
  private mutating func settle(_ block: Int, _ before: Int) {
    count += blocks[block].count - before
    guard count > Self.blockSize * blocks.count else { return }
    let all = blocks
    blocks = Array(repeating: [:], count: 2 * all.count)
    for (key, value) in all.joined() { blocks[self.block(of: key)][key] = value }
  }
}

extension BlockDictionary: Sequence {
  /// The values with their keys, in no order.
  func makeIterator() -> FlattenSequence<[[Key: Value]]>.Iterator { blocks.joined().makeIterator() }
}

extension BlockDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension BlockDictionary: Equatable where Value: Equatable {
  /// True if both have the same values, however they came to be.
  static func == (a: BlockDictionary, b: BlockDictionary) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
  }
}
