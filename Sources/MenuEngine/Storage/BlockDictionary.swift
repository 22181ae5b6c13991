/// A dictionary in blocks: its copies share the blocks that none of them changed, so that to change a value
/// of a shared one copies a block and as many references as there are blocks.
struct BlockDictionary<Key: Hashable, Value> {
  /// The values as long as there are few, which are found faster one by one than by their hashes. A value
  /// is nil only while it is changed.
  private var few: [(key: Key, value: Value?)] = []
  /// The blocks, by the hashes of the keys: none while there are few values, else a power of two.
  private var blocks: [[Key: Value]] = []
  private var countInBlocks = 0

  /// The average number of values of a block at which the number of blocks doubles.
  static var blockSize: Int { 64 }

  /// The number of values up to which there are no blocks.
  static var fewLimit: Int { 8 }

  /// A dictionary without values.
  init() {}

  /// The number of values.
  var count: Int { few.count + countInBlocks }

  /// True if it has no values.
  var isEmpty: Bool { count == 0 }

  /// The value of a key, changed where it is; nil for none.
  subscript(key: Key) -> Value? {
    get {
      guard blocks.isEmpty else { return blocks[block(of: key)][key] }
      return index(of: key).flatMap { few[$0].value }
    }
    set {
      // What takes away nothing copies nothing.
      guard newValue != nil || self[key] != nil else { return }
      change(key) { $0 = newValue }
    }
    _modify {
      if blocks.isEmpty {
        let index = indexToChange(of: key)
        defer { settle(index) }
        yield &few[index].value
      } else {
        let block = block(of: key)
        let before = blocks[block].count
        defer { settle(block, before) }
        yield &blocks[block][key]
      }
    }
  }

  /// The value of a key, which is `value` when it has none yet, changed where it is.
  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    _modify {
      if blocks.isEmpty {
        let index = indexToChange(of: key)
        var changed = few[index].value ?? value()
        few[index].value = nil
        defer {
          few[index].value = changed
          settle(index)
        }
        yield &changed
      } else {
        let block = block(of: key)
        let before = blocks[block].count
        defer { settle(block, before) }
        yield &blocks[block][key, default: value()]
      }
    }
  }

  /// Gives a key another value and answers the one that it had.
  mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    defer { self[key] = value }
    return self[key]
  }

  /// Takes away the value of a key and answers it.
  mutating func removeValue(forKey key: Key) -> Value? {
    defer { self[key] = nil }
    return self[key]
  }
}

extension BlockDictionary {
  private mutating func change(_ key: Key, _ change: (inout Value?) -> Void) { change(&self[key]) }

  private func index(of key: Key) -> Int? {
    let few = few.span
    for index in few.indices where few[index].key == key { return index }
    return nil
  }

  private mutating func indexToChange(of key: Key) -> Int {
    if let index = index(of: key) { return index }
    few.append((key, nil))
    return few.count - 1
  }

  /// Forgets a key among few that has no value any more, and makes a block when there are too many.
  private mutating func settle(_ index: Int) {
    if few[index].value == nil { few.remove(at: index) }
    guard few.count > Self.fewLimit else { return }
    var block: [Key: Value] = [:]
    for (key, value) in few { block[key] = value }
    (few, blocks, countInBlocks) = ([], [block], block.count)
  }

  private func block(of key: Key) -> Int {
    blocks.count == 1 ? 0 : key.hashValue & (blocks.count - 1)
  }

  /// Counts the values of a block that had so many, and makes more blocks when there are too many.
  private mutating func settle(_ block: Int, _ before: Int) {
    countInBlocks += blocks[block].count - before
    guard count > Self.blockSize * blocks.count else { return }
    let all = blocks
    blocks = Array(repeating: [:], count: 2 * all.count)
    for (key, value) in all.joined() { blocks[self.block(of: key)][key] = value }
  }
}

extension BlockDictionary: Sequence {
  /// The values with their keys, in no order.
  struct Iterator: IteratorProtocol {
    fileprivate var few: IndexingIterator<[(key: Key, value: Value?)]>
    fileprivate var others: FlattenSequence<[[Key: Value]]>.Iterator

    mutating func next() -> (key: Key, value: Value)? {
      guard let (key, value) = few.next() else { return others.next() }
      return value.map { (key, $0) }
    }
  }

  func makeIterator() -> Iterator {
    Iterator(few: few.makeIterator(), others: blocks.joined().makeIterator())
  }
}

extension BlockDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension BlockDictionary: Equatable where Value: Equatable {
  /// True if both have the same values, however they came to be.
  static func == (a: BlockDictionary, b: BlockDictionary) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
  }
}

/// A set in blocks, as `BlockDictionary` is a dictionary.
struct BlockSet<Element: Hashable> {
  private var members = BlockDictionary<Element, Void>()

  /// A set without members.
  init() {}

  /// The number of members.
  var count: Int { members.count }

  /// True if there are none.
  var isEmpty: Bool { members.isEmpty }

  /// True if it has a member.
  func contains(_ member: Element) -> Bool { members[member] != nil }

  /// Adds a member.
  mutating func insert(_ member: Element) {
    if !contains(member) { members[member] = () }
  }

  /// Takes out a member.
  mutating func remove(_ member: Element) { members[member] = nil }
}

extension BlockSet: Sequence {
  /// The members, in no order.
  struct Iterator: IteratorProtocol {
    fileprivate var members: BlockDictionary<Element, Void>.Iterator

    mutating func next() -> Element? { members.next()?.key }
  }

  func makeIterator() -> Iterator { Iterator(members: members.makeIterator()) }
}

extension BlockSet: Sendable where Element: Sendable {}

extension BlockSet: Equatable {
  static func == (a: BlockSet, b: BlockSet) -> Bool {
    a.count == b.count && a.allSatisfy(b.contains)
  }
}
