/// An array in blocks. Copies share unchanged blocks: changing an element copies one block and one reference
/// per block.
struct BlockArray<Element> {
  private var blocks: [[Element]] = []
  /// The number of elements that were removed from the front.
  private(set) var removed = 0

  /// The number of elements in a block. The first block lacks the removed ones; the last one may have fewer, but at
  /// least one.
  static var blockSize: Int { 16 }

  init() {}

  /// Creates an array of elements, with the number of elements that were removed before them.
  init(_ elements: some Sequence<Element>, behind removed: Int) {
    self.removed = removed
    for element in elements { append(element) }
  }

  mutating func append(_ element: Element) {
    if blocks.isEmpty || (removed + count).isMultiple(of: Self.blockSize) { blocks.append([]) }
    blocks[blocks.count - 1].append(element)
  }

  /// Removes the first element; there must be one.
  mutating func removeFirst() {
    blocks[0].removeFirst()
    removed += 1
    if blocks[0].isEmpty { blocks.removeFirst() }
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
    guard blocks.count > 1 else { return last.count }
    return (blocks.count - 1) * Self.blockSize - vacant + last.count
  }

  /// The element at a position, accessed in place.
  subscript(position: Int) -> Element {
    _read {
      let (block, offset) = place(of: position)
      yield blocks[block][offset]
    }
    _modify {
      let (block, offset) = place(of: position)
      yield &blocks[block][offset]
    }
  }

  /// The number of elements that the first block lacks.
  private var vacant: Int { Int(UInt(bitPattern: removed) % UInt(Self.blockSize)) }

  /// Unsigned, to avoid a division: it is called for each responder on a chain.
  private func place(of position: Int) -> (block: Int, offset: Int) {
    let place = UInt(bitPattern: position + vacant)
    let block = Int(place / UInt(Self.blockSize))
    return (block, block == 0 ? position : Int(place % UInt(Self.blockSize)))
  }
}

extension BlockArray {
  /// True if both are copies of one array without later changes. False means unknown.
  func isIdentical(to other: BlockArray) -> Bool {
    blocks.span.isIdentical(to: other.blocks.span)
  }

  /// Returns the number of elements at the beginning of a later array that follow the first `dropped` elements here.
  ///
  /// If the later array lost those elements at its front, the time is proportional to the number of unshared blocks.
  func common(
    with later: BlockArray, behind dropped: Int, by isSame: (Element, Element) -> Bool
  ) -> Int {
    let isAligned = later.removed == removed + dropped
    let skipped = later.removed / Self.blockSize - removed / Self.blockSize
    let most = Swift.max(0, Swift.min(count - dropped, later.count))
    var kept = 0
    while kept < most {
      let block = later.place(of: kept).block
      if isAligned, isBlock(skipped + block, sharedWith: later, at: block) {
        kept = (block + 1) * Self.blockSize - later.vacant
      } else if isSame(self[dropped + kept], later[kept]) {
        kept += 1
      } else {
        return kept
      }
    }
    return Swift.min(kept, most)
  }

  private func isBlock(_ block: Int, sharedWith other: BlockArray, at place: Int) -> Bool {
    let (mine, others) = (blocks[block], other.blocks[place])
    return mine.span.isIdentical(to: others.span)
  }

  /// Returns the positions whose elements may differ from those of another array, in time proportional to the unshared
  /// blocks. Neither array may have lost elements at its front.
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
  static func == (a: BlockArray, b: BlockArray) -> Bool {
    a.removed == b.removed ? a.blocks == b.blocks : a.elementsEqual(b)
  }
}

extension BlockArray: ExpressibleByArrayLiteral {
  init(arrayLiteral elements: Element...) {
    for element in elements { append(element) }
  }
}
