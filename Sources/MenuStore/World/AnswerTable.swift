/// The kept answers by key, in many small tables.
///
/// A growing table moves all its entries. With one table of a hundred thousand answers this would take milliseconds,
/// under the world's lock.
struct AnswerTable: Sendable {
  private static let parts = 256

  private var tables: [[AnswerKey: KeptAnswers.Kept]] = []
  private(set) var count = 0

  var values: some Sequence<KeptAnswers.Kept> { tables.lazy.flatMap(\.values) }

  subscript(key: AnswerKey) -> KeptAnswers.Kept? {
    tables.isEmpty ? nil : tables[key.part(of: Self.parts)][key]
  }

  /// Puts an answer under a key, and returns the previous one.
  mutating func insert(_ kept: KeptAnswers.Kept, under key: AnswerKey) -> KeptAnswers.Kept? {
    if tables.isEmpty { tables = Array(repeating: [:], count: Self.parts) }
    let old = tables[key.part(of: Self.parts)].updateValue(kept, forKey: key)
    if old == nil { count += 1 }
    return old
  }

  mutating func remove(_ key: AnswerKey) {
    guard !tables.isEmpty, tables[key.part(of: Self.parts)].removeValue(forKey: key) != nil else {
      return
    }
    count -= 1
  }
}

/// A queue in pieces, so that growing it and removing its first elements move no others.
struct PiecewiseQueue<Element: Sendable>: Sendable {
  private static var pieceSize: Int { 512 }

  /// The elements in order, in pieces that are not empty.
  private(set) var pieces: [ArraySlice<Element>] = []

  var first: Element? { pieces.first?.first }

  mutating func append(_ element: Element) {
    if pieces.last.map({ $0.endIndex == Self.pieceSize }) ?? true {
      var piece: ArraySlice<Element> = []
      piece.reserveCapacity(Self.pieceSize)
      pieces.append(piece)
    }
    pieces[pieces.count - 1].append(element)
  }

  mutating func removeFirst() {
    pieces[0].removeFirst()
    if pieces[0].isEmpty { pieces.removeFirst() }
  }
}
