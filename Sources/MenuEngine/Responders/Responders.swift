import JSONText

/// The responders of a graph, in joining order.
///
/// Copies share unchanged responders: a change copies one responder and a few references.
package struct Responders: Sendable {
  /// Each responder is in an array of one, whose identity tells whether it changed.
  private var cells = BlockArray<[Responder]>()
  /// Replaced whenever something other than properties may have changed in one of several copies.
  private var otherChanges: [Int] = [0]

  init() {}

  /// Appends a responder held in an array of one.
  mutating func append(_ cell: [Responder]) {
    noteOtherChange()
    cells.append(cell)
  }

  /// Removes a number of responders from the end.
  mutating func removeLast(_ number: Int) {
    noteOtherChange()
    cells.removeLast(number)
  }

  mutating func swapAt(_ a: Int, _ b: Int) {
    noteOtherChange()
    cells.swapAt(a, b)
  }

  /// The properties of a responder; setting them leaves `otherChanges` as it is.
  subscript(propertiesAt position: Int) -> JSON {
    _read { yield cells[position][0].properties }
    _modify { yield &cells[position][0].properties }
  }

  /// Writing to a shared array gives it another identity, whatever the value.
  private mutating func noteOtherChange() { otherChanges[0] &+= 1 }
}

extension Responders: RandomAccessCollection {
  package var startIndex: Int { 0 }

  package var endIndex: Int { cells.endIndex }

  /// The responder at a position, accessed in place.
  package internal(set) subscript(position: Int) -> Responder {
    _read { yield cells[position][0] }
    _modify {
      noteOtherChange()
      yield &cells[position][0]
    }
  }
}

extension Responders {
  /// True if both are copies of one value without later changes. False means unknown.
  func isIdentical(to other: Responders) -> Bool { cells.isIdentical(to: other.cells) }

  /// Returns the positions whose responders may differ from a copy; empty if only properties differ.
  func changedPositions(since other: Responders) -> [Int] {
    guard !otherChanges.span.isIdentical(to: other.otherChanges.span) else { return [] }
    return cells.positions(differingFrom: other.cells) { $0.span.isIdentical(to: $1.span) }
  }

  /// True if the responders at two positions are known to be the same.
  func isIdentical(at position: Int, to other: Responders, at otherPosition: Int) -> Bool {
    let (mine, others) = (cells[position], other.cells[otherPosition])
    return mine.span.isIdentical(to: others.span)
  }

  /// Returns the responders whose properties may differ from a copy; nil if something else may differ.
  func changedProperties(since other: Responders) -> Set<ResponderID>? {
    guard otherChanges.span.isIdentical(to: other.otherChanges.span) else { return nil }
    let positions = cells.positions(differingFrom: other.cells) {
      $0.span.isIdentical(to: $1.span)
    }
    return Set(positions.map { self[$0].id })
  }
}
