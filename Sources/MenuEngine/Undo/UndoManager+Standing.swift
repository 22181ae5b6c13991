import JSONText

/// The groups that can be taken back in the state as it is (U4).
extension UndoManager {
  /// The number of groups that undoing, and redoing, would pass over before one of which something can be taken
  /// back; nil for none.
  struct Standing: Sendable, Equatable {
    var undo: Int?
    var redo: Int?

    subscript(direction: Direction) -> Int? {
      get { direction == .undo ? undo : redo }
      set { if direction == .undo { undo = newValue } else { redo = newValue } }
    }
  }

  /// The groups in the order in which undoing, or redoing, would come to them.
  func upcoming(_ direction: Direction) -> UpcomingGroups {
    switch direction {
    case .redo: UpcomingGroups(open: nil, closed: redoGroups)
    case .undo: UpcomingGroups(open: openGroup, closed: undoGroups)
    }
  }

  /// The open groups as one; nil if nothing is in them.
  private var openGroup: UndoGroup? {
    guard openGroups.contains(where: { !$0.isEmpty }) else { return nil }
    var open = openGroups[0]
    for group in openGroups.dropFirst() { open.append(group) }
    return open
  }

  /// Returns how many groups would be passed over now; nil if nothing can be taken back.
  ///
  /// - Parameter ignored: The places that conflict with nothing (U5).
  func passedOver(
    _ direction: Direction, in state: JSON, ignoring ignored: [JSONPointer], effort: Effort? = nil
  ) -> Int? {
    upcoming(direction).firstIndex {
      $0.canBeTakenBack(in: state, ignoring: ignored, effort: effort)
    }
  }

  /// Finds out what can be taken back now. Of the groups that would be passed over, those beyond the bounds are
  /// forgotten, so that looking for the next one takes little.
  mutating func stand(in state: JSON, ignoring ignored: [JSONPointer]) {
    var new = Standing()
    for direction in Direction.allCases {
      new[direction] = passedOver(direction, in: state, ignoring: ignored)
      guard new[direction] != 0 else { continue }
      forgetPassedOver(direction, &new)
    }
    standing = new
  }

  private mutating func forgetPassedOver(_ direction: Direction, _ new: inout Standing) {
    let hasOpen = direction == .undo && openGroups.contains { !$0.isEmpty }
    let stack = direction == .undo ? undoGroups : redoGroups
    let passed = (new[direction] ?? stack.count + (hasOpen ? 1 : 0)) - (hasOpen ? 1 : 0)
    var (kept, actions) = (0, 0)
    for group in stack.reversed().prefix(passed) {
      actions += group.actionCount
      guard kept < Limits.passedGroups, actions <= Limits.passedActions else { break }
      kept += 1
    }
    guard kept < passed else { return }
    let range = (stack.count - passed)..<(stack.count - kept)
    if direction == .undo {
      undoGroups.removeSubrange(range)
    } else {
      redoGroups.removeSubrange(range)
    }
    if let count = new[direction] { new[direction] = count - range.count }
  }
}

/// The groups that undoing, or redoing, comes to, the next one first.
struct UpcomingGroups: RandomAccessCollection {
  /// The open group, which comes before all others.
  let open: UndoGroup?
  /// The groups of the stack, the next one last.
  let closed: [UndoGroup]

  var startIndex: Int { 0 }
  var endIndex: Int { closed.count + (open == nil ? 0 : 1) }

  subscript(index: Int) -> UndoGroup {
    guard let open else { return closed[closed.count - 1 - index] }
    return index == 0 ? open : closed[closed.count - index]
  }
}

extension UndoGroup {
  /// True if something of it can be taken back: a message can always be sent, and a change of the state if
  /// its place still is as the group left it.
  func canBeTakenBack(
    in state: JSON, ignoring ignored: [JSONPointer], effort: Effort? = nil
  ) -> Bool {
    var kept = KeptPlaces()
    for action in actions.reversed() {
      effort?.spend(1 + action.size / Effort.member)
      guard case .edit(let edit) = action else { return true }
      if kept.overlap(edit.place) { continue }
      if (try? state.fitting(edit, ignoring: ignored)) != nil { return true }
      kept.note(edit)
    }
    return false
  }
}
