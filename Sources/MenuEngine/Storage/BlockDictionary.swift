/// A dictionary in blocks. Copies share unchanged blocks: changing a value copies one block and one reference
/// per block.
struct BlockDictionary<Key: Hashable, Value> {
  /// The values while they are few, when a linear search is faster than hashing. A value is nil only during a
  /// change.
  private var few: [(key: Key, value: Value?)] = []
  /// The blocks by hash: none while values are few, else a power of two.
  private var blocks: [[Key: Value]] = []
  private var countInBlocks = 0

  /// The average number of values per block at which the number of blocks doubles.
  static var blockSize: Int { 64 }

  /// The maximum number of values without blocks.
  static var fewLimit: Int { 8 }

  init() {}

  var count: Int { few.count + countInBlocks }

  var isEmpty: Bool { count == 0 }

  /// The value of a key, changed in place; nil for none.
  subscript(key: Key) -> Value? {
    get {
      guard blocks.isEmpty else { return blocks[block(of: key)][key] }
      return index(of: key).flatMap { few[$0].value }
    }
    set {
      // Removing nothing copies nothing.
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

  /// The value of a key, with a default, changed in place.
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

  /// Sets the value of a key and returns the previous one.
  mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    defer { self[key] = value }
    return self[key]
  }

  /// Removes the value of a key and returns it.
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

  /// Removes a key without value from the few, and creates a block if there are too many.
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

  /// Updates the count after a change of a block, and adds blocks if there are too many values.
  private mutating func settle(_ block: Int, _ before: Int) {
    countInBlocks += blocks[block].count - before
    guard count > Self.blockSize * blocks.count else { return }
    let all = blocks
    blocks = Array(repeating: [:], count: 2 * all.count)
    for (key, value) in all.joined() { blocks[self.block(of: key)][key] = value }
  }
}

extension BlockDictionary: Sequence {
  /// An iterator over keys and values, in no particular order.
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
  /// True if both have the same values.
  static func == (a: BlockDictionary, b: BlockDictionary) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
  }
}

/// A set in blocks, like `BlockDictionary`.
struct BlockSet<Element: Hashable> {
  private var members = BlockDictionary<Element, Void>()

  init() {}

  var count: Int { members.count }

  var isEmpty: Bool { members.isEmpty }

  func contains(_ member: Element) -> Bool { members[member] != nil }

  mutating func insert(_ member: Element) {
    if !contains(member) { members[member] = () }
  }

  mutating func remove(_ member: Element) { members[member] = nil }
}

extension BlockSet: Sequence {
  /// An iterator over the members, in no particular order.
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
