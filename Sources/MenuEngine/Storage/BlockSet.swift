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
