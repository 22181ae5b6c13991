/// An array in blocks. Copies share unchanged blocks: changing an element copies one block and one reference
/// per block.
struct BlockArray<Element> {
  private var blocks: [[Element]] = []

  /// The number of elements of a block; the last one may have fewer, but at least one.
  static var blockSize: Int { 64 }

  init() {}

  mutating func append(_ element: Element) {
    if count.isMultiple(of: Self.blockSize) { blocks.append([]) }
    blocks[blocks.count - 1].append(element)
  }

  /// Removes a number of elements from the end; there must be at least as many.
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

  /// The element at a position, accessed in place.
  subscript(position: Int) -> Element {
    _read { yield blocks[position / Self.blockSize][position % Self.blockSize] }
    _modify { yield &blocks[position / Self.blockSize][position % Self.blockSize] }
  }
}

extension BlockArray {
  /// True if both are copies of one array without later changes. False means unknown.
  func isIdentical(to other: BlockArray) -> Bool {
    blocks.span.isIdentical(to: other.blocks.span)
  }

  /// Returns the positions whose elements may differ from those of another array, in time proportional to the
  /// blocks not shared.
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
