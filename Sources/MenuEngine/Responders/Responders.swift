import JSONText

/// The responders of a graph, in the order in which they joined.
///
/// Copies share the responders that none of them changed: to change one copies that one alone, and a few
/// references.
package struct Responders: Sendable {
  /// Each is alone in an array, by whose identity it is known whether it is the same still.
  private var cells = BlockArray<[Responder]>()
  /// Stored anew whenever something besides properties may have been changed in one of several copies.
  private var otherChanges: [Int] = [0]

  /// No responders.
  init() {}

  /// Adds, at the end, the responder that is alone in an array.
  mutating func append(_ cell: [Responder]) {
    noteOtherChange()
    cells.append(cell)
  }

  /// Removes as many from the end.
  mutating func removeLast(_ number: Int) {
    noteOtherChange()
    cells.removeLast(number)
  }

  /// Exchanges two.
  mutating func swapAt(_ a: Int, _ b: Int) {
    noteOtherChange()
    cells.swapAt(a, b)
  }

  /// The properties of a responder; setting them changes nothing else of it.
  subscript(propertiesAt position: Int) -> JSON {
    _read { yield cells[position][0].properties }
    _modify { yield &cells[position][0].properties }
  }

  /// An array that is shared gets another place when it is written, whatever is written.
  private mutating func noteOtherChange() { otherChanges[0] &+= 1 }
}

extension Responders: RandomAccessCollection {
  /// Zero.
  package var startIndex: Int { 0 }

  /// The number of responders.
  package var endIndex: Int { cells.endIndex }

  /// The responder at a position, read and changed where it is.
  package internal(set) subscript(position: Int) -> Responder {
    _read { yield cells[position][0] }
    _modify {
      noteOtherChange()
      yield &cells[position][0]
    }
  }
}

extension Responders {
  /// True if both are copies of one value, and neither was changed since. A no says nothing.
  func isIdentical(to other: Responders) -> Bool { cells.isIdentical(to: other.cells) }

  /// Returns the positions at which responders are not known to be the same as in a copy, unless it is known that only
  /// properties are different.
  func changedPositions(since other: Responders) -> [Int] {
    guard !otherChanges.span.isIdentical(to: other.otherChanges.span) else { return [] }
    return cells.positions(differingFrom: other.cells) { $0.span.isIdentical(to: $1.span) }
  }

  /// True if the responders at two positions are known to be the same.
  func isIdentical(at position: Int, to other: Responders, at otherPosition: Int) -> Bool {
    let (mine, others) = (cells[position], other.cells[otherPosition])
    return mine.span.isIdentical(to: others.span)
  }

  /// Returns the responders whose properties may be others than in a copy, when nothing else is
  /// known to be different; nil when something else may be.
  func changedProperties(since other: Responders) -> Set<ResponderID>? {
    guard otherChanges.span.isIdentical(to: other.otherChanges.span) else { return nil }
    let positions = cells.positions(differingFrom: other.cells) {
      $0.span.isIdentical(to: $1.span)
    }
    return Set(positions.map { self[$0].id })
  }
}
