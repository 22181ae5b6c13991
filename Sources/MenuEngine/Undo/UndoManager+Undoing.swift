import JSONText

extension UndoManager {
  /// Takes the group that is to be undone, or done again, with those that are passed over before it (U4), and opens
  /// one for what undoes that; nil, and nothing is opened, when nothing can be taken back. A single open group
  /// is closed first.
  ///
  /// - Parameter state: The state that groups must fit.
  /// - Throws: `UndoFault.inProgress`, and `.groupsOpen` when more are open.
  mutating func begin(
    _ direction: Direction, in state: JSON, ignoring ignored: [JSONPointer], effort: Effort
  ) throws(MutationFault) -> (group: UndoGroup, passed: [UndoGroup])? {
    guard !isBusy else { throw .undo(.inProgress) }
    guard groupingLevel <= 1 else { throw .undo(.groupsOpen(groupingLevel)) }
    if groupingLevel == 1 {
      endsByItself = false
      closeGroup()
    }
    guard let count = passedOver(direction, in: state, ignoring: ignored, effort: effort) else {
      return nil
    }
    let passed = Array(upcoming(direction).prefix(count))
    let group: UndoGroup?
    switch direction {
    case .undo:
      undoGroups.removeLast(count)
      group = undoGroups.popLast()
    case .redo:
      redoGroups.removeLast(count)
      group = redoGroups.popLast()
    }
    guard let group else { return nil }
    // Undoing comes between groups that would be one.
    if let last = undoGroups.indices.last { undoGroups[last].coalescingKey = nil }
    activity = direction == .undo ? .undoing : .redoing
    openGroups = [UndoGroup(named: group.actionName)]
    endsByItself = true
    return (group, passed)
  }

  /// Ends undoing, or redoing, and keeps what was registered meanwhile under the same name.
  mutating func end() {
    while !openGroups.isEmpty { closeGroup() }
    endsByItself = false
    activity = .registering
  }

  /// Forgets all that can be undone and done again, and registers again however often that was
  /// disabled; groups that are open stay so. Or forgets what was recorded against one responder.
  mutating func removeAllActions(against id: ResponderID? = nil) {
    guard let id else {
      undoGroups = []
      redoGroups = []
      preparedTarget = nil
      disableCount = 0
      openGroups = openGroups.map { UndoGroup(named: $0.actionName) }
      return
    }
    if preparedTarget == id { preparedTarget = nil }
    for index in openGroups.indices { openGroups[index].removeActions(against: id) }
    undoGroups.removeActions(against: id)
    redoGroups.removeActions(against: id)
  }

  /// Closes the innermost open group: merges it into its parent or, when it has none and is not empty,
  /// pushes it.
  mutating func closeGroup() {
    guard let group = openGroups.popLast() else { return }
    if !openGroups.isEmpty { return openGroups[openGroups.count - 1].append(group) }
    guard !group.isEmpty else { return }
    switch activity {
    case .registering where joins(group): undoGroups[undoGroups.count - 1].coalesce(group)
    case .registering, .redoing: undoGroups.append(group)
    case .undoing: redoGroups.append(group)
    }
    trim()
  }

  /// True if a group joins the one on top (U6).
  private func joins(_ group: UndoGroup) -> Bool {
    guard let key = group.coalescingKey, let last = undoGroups.last, let other = last.coalescingKey
    else { return false }
    return key.hasSameBytes(as: other) && last.size + group.size <= Limits.undoSize
  }

  /// Drops the oldest groups beyond the limits of number and size.
  mutating func trim() {
    let most = levelsOfUndo == 0 ? Limits.undoGroups : min(levelsOfUndo, Limits.undoGroups)
    undoGroups.trim(to: most)
    redoGroups.trim(to: most)
  }
}

extension [UndoGroup] {
  fileprivate mutating func trim(to most: Int) {
    var size = 0
    let kept = reversed().prefix(most).prefix { group in
      size += group.size
      return size <= Limits.undoSize
    }
    if kept.count < count { removeFirst(count - kept.count) }
  }

  fileprivate mutating func removeActions(against id: ResponderID) {
    for index in indices { self[index].removeActions(against: id) }
    removeAll(where: \.isEmpty)
  }
}
