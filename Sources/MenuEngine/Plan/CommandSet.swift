/// A set of the commands of a catalogue: a bit for each position.
struct CommandSet: Sendable, Equatable {
  private(set) var words: [UInt64]

  /// The empty set, for that many commands.
  init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  /// The set of the first commands, that many.
  init(all count: Int) {
    self.init(count: count)
    insertAll(count)
  }

  /// True if no command is in it.
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// True if a command is in it.
  subscript(position: Int) -> Bool {
    get { words[position >> 6] & 1 << UInt64(position & 63) != 0 }
    set {
      let bit: UInt64 = 1 << UInt64(position & 63)
      if newValue { words[position >> 6] |= bit } else { words[position >> 6] &= ~bit }
    }
  }

  /// Adds the first commands, that many.
  mutating func insertAll(_ count: Int) {
    for index in words.indices { words[index] = .max }
    if count & 63 != 0 { words[words.count - 1] = 1 << UInt64(count & 63) - 1 }
  }

  mutating func formUnion(_ other: CommandSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  mutating func formIntersection(_ other: CommandSet) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  mutating func subtract(_ other: CommandSet) {
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  func intersection(_ other: CommandSet) -> CommandSet {
    var copy = self
    copy.formIntersection(other)
    return copy
  }
}

extension CommandSet: Sequence {
  /// Goes through the positions in ascending order.
  struct Iterator: IteratorProtocol {
    private let words: [UInt64]
    private var index = -1
    private var word: UInt64 = 0

    fileprivate init(_ words: [UInt64]) { self.words = words }

    mutating func next() -> Int? {
      while word == 0 {
        index += 1
        guard index < words.count else { return nil }
        word = words[index]
      }
      defer { word &= word - 1 }
      return index << 6 + word.trailingZeroBitCount
    }
  }

  func makeIterator() -> Iterator { Iterator(words) }
}
