/// An array in blocks: its copies share the blocks that none of them changed, so that to change an
/// element of a shared one copies a block and as many references as there are blocks.
struct BlockArray<Element> {
  private var blocks: [[Element]] = []

  /// The number of elements of a block; the last one may have fewer, and has at least one.
  static var blockSize: Int { 64 }

  /// An array without elements.
  init() {}

  /// Adds an element at the end.
  mutating func append(_ element: Element) {
    if count.isMultiple(of: Self.blockSize) { blocks.append([]) }
    blocks[blocks.count - 1].append(element)
  }

  /// Removes this many elements from the end; there must be at least as many.
  mutating func removeLast(_ number: Int) {
    for _ in 0..<number {
      blocks[blocks.count - 1].removeLast()
      if blocks[blocks.count - 1].isEmpty { blocks.removeLast() }
    }
  }
}

extension BlockArray: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }

  var endIndex: Int {
    guard let last = blocks.last else { return 0 }
    return (blocks.count - 1) * Self.blockSize + last.count
  }

  /// The element at a position, read and changed where it is.
  subscript(position: Int) -> Element {
    _read { yield blocks[position / Self.blockSize][position % Self.blockSize] }
    _modify { yield &blocks[position / Self.blockSize][position % Self.blockSize] }
  }
}

extension BlockArray {
  /// True if both are copies of one array, and neither was changed since. A no says nothing.
  func isIdentical(to other: BlockArray) -> Bool {
    blocks.span.isIdentical(to: other.blocks.span)
  }

  /// Returns the positions at which elements are not known to be the same as those of another array, in time that
  /// grows with the blocks that the two do not share.
  func positions(
    differingFrom other: BlockArray, by isSame: (Element, Element) -> Bool
  ) -> [Int] {
    guard !isIdentical(to: other) else { return [] }
    return blocks.indices.flatMap { block -> [Int] in
      let mine = blocks[block]
      let others = block < other.blocks.count ? other.blocks[block] : []
      guard !mine.span.isIdentical(to: others.span) else { return [] }
      return mine.indices.filter { $0 >= others.count || !isSame(mine[$0], others[$0]) }
        .map { block * Self.blockSize + $0 }
    }
  }
}

extension BlockArray: Sendable where Element: Sendable {}

extension BlockArray: Equatable where Element: Equatable {
  static func == (a: BlockArray, b: BlockArray) -> Bool { a.blocks == b.blocks }
}

extension BlockArray: ExpressibleByArrayLiteral {
  init(arrayLiteral elements: Element...) {
    for element in elements { append(element) }
  }
}
