/// The groups to undo, or to redo, oldest first: the last one is next.
///
/// Copies share blocks of groups, and the total size is kept, so that a change costs the same on a deep stack.
package struct UndoStack: Sendable {
  private var groups = BlockArray<UndoGroup>()
  /// The size of the groups, as `Limits.undoSize` counts it.
  private var size = 0

  init() {}

  private init(_ groups: BlockArray<UndoGroup>) {
    self.groups = groups
    size = groups.reduce(0) { $0 + $1.size }
  }

  mutating func push(_ group: UndoGroup) {
    groups.append(group)
    size += group.size
  }

  mutating func pop() -> UndoGroup? {
    guard let group = last else { return nil }
    removeLast(1)
    return group
  }

  /// Removes a number of groups from the top; there must be at least as many.
  mutating func removeLast(_ number: Int) {
    size -= suffix(number).reduce(0) { $0 + $1.size }
    groups.removeLast(number)
  }

  /// Changes the top group; there must be one.
  mutating func changeLast(_ change: (inout UndoGroup) -> Void) {
    size -= groups[count - 1].size
    change(&groups[count - 1])
    size += groups[count - 1].size
  }

  /// Drops the oldest groups beyond a number, and beyond `Limits.undoSize`.
  mutating func trim(to most: Int) {
    while count > most || size > Limits.undoSize {
      size -= groups[0].size
      groups.removeFirst()
    }
  }

  /// Removes the groups in a range of positions.
  mutating func removeSubrange(_ range: Range<Int>) {
    rebuild { $0.removeSubrange(range) }
  }

  /// Removes the actions recorded for a responder, and groups that become empty.
  mutating func removeActions(against id: ResponderID) {
    guard contains(where: { $0.actions.contains { $0.target == id } }) else { return }
    rebuild { groups in
      for index in groups.indices { groups[index].removeActions(against: id) }
      groups.removeAll(where: \.isEmpty)
    }
  }

  private mutating func rebuild(_ change: (inout [UndoGroup]) -> Void) {
    var all = Array(groups)
    change(&all)
    self = UndoStack(BlockArray(all, behind: groups.removed))
  }
}

extension UndoStack: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { groups.endIndex }
  package subscript(position: Int) -> UndoGroup { _read { yield groups[position] } }
}

extension UndoStack {
  /// True if both are copies of one stack without later changes. False means unknown.
  func isIdentical(to other: UndoStack) -> Bool { groups.isIdentical(to: other.groups) }

  /// True if both have the same document.
  func isSame(as other: UndoStack) -> Bool {
    isIdentical(to: other)
      || count == other.count && elementsEqual(other) { $0.isWritten(as: $1) }
  }

  /// Returns the number of groups at the beginning of a later stack whose documents equal those after the first
  /// `dropped` groups of this one.
  func common(with later: UndoStack, behind dropped: Int = 0) -> Int {
    groups.common(with: later.groups, behind: dropped) { $0.isWritten(as: $1) }
  }
}

/// The coded form is an array of the groups.
extension UndoStack: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(BlockArray(try [UndoGroup](from: decoder), behind: 0))
  }

  package func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
