import JSONText

/// The responders of a graph, in joining order.
///
/// Copies share unchanged responders: a change copies one responder and a few references.
package struct Responders: Sendable {
  private var responders = BlockArray<Responder>()
  /// Replaced whenever something other than properties may have changed in one of several copies.
  private var otherChanges: [Int] = [0]

  init() {}

  mutating func append(_ responder: Responder) {
    noteOtherChange()
    responders.append(responder)
  }

  /// Removes a number of responders from the end.
  mutating func removeLast(_ number: Int) {
    noteOtherChange()
    responders.removeLast(number)
  }

  mutating func swapAt(_ a: Int, _ b: Int) {
    noteOtherChange()
    responders.swapAt(a, b)
  }

  /// The properties of a responder; setting them leaves `otherChanges` as it is.
  subscript(propertiesAt position: Int) -> JSON {
    get { responders[position].properties }
    _modify { yield &responders[position].content.properties }
  }

  /// Writing to a shared array gives it another identity, whatever the value.
  private mutating func noteOtherChange() { otherChanges[0] &+= 1 }
}

extension Responders: RandomAccessCollection {
  package var startIndex: Int { 0 }

  package var endIndex: Int { responders.endIndex }

  /// The responder at a position, accessed in place.
  package internal(set) subscript(position: Int) -> Responder {
    _read { yield responders[position] }
    _modify {
      noteOtherChange()
      yield &responders[position]
    }
  }
}

extension Responders {
  /// True if both are copies of one value without later changes. False means unknown.
  func isIdentical(to other: Responders) -> Bool {
    responders.isIdentical(to: other.responders)
  }

  /// Returns the positions whose responders may differ from a copy; empty if only properties differ.
  func changedPositions(since other: Responders) -> [Int] {
    guard !otherChanges.span.isIdentical(to: other.otherChanges.span) else { return [] }
    return responders.positions(differingFrom: other.responders) { $0.isIdentical(to: $1) }
  }

  /// True if the responders at two positions are known to be the same.
  func isIdentical(at position: Int, to other: Responders, at otherPosition: Int) -> Bool {
    responders[position].isIdentical(to: other.responders[otherPosition])
  }

  /// Returns the responders whose properties may differ from a copy; nil if something else may differ.
  func changedProperties(since other: Responders) -> Set<ResponderID>? {
    guard otherChanges.span.isIdentical(to: other.otherChanges.span) else { return nil }
    let positions = responders.positions(differingFrom: other.responders) { $0.isIdentical(to: $1) }
    return Set(positions.map { self[$0].id })
  }
}
