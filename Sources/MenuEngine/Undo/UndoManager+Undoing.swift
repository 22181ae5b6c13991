package import JSONText

extension UndoManager {
  /// Removes the next group to undo or redo, and the skipped groups before it (U4), and opens a group for the inverse.
  /// Returns nil, without opening a group, if nothing can be undone. A single open group is closed first.
  ///
  /// - Parameter state: The state in which groups must be undoable.
  /// - Throws: `UndoFault.inProgress`, and `.groupsOpen` if more than one is open.
  mutating func begin(
    _ direction: Direction, in state: JSON, ignoring ignored: [JSONPointer], effort: Effort
  ) throws(MutationFault) -> (group: UndoGroup, passed: [UndoGroup])? {
    guard !isBusy else { throw .undo(.inProgress) }
    guard groupingLevel <= 1 else { throw .undo(.groupsOpen(groupingLevel)) }
    if groupingLevel == 1 {
      endsByItself = false
      // Trimmed later: the new group may be skipped, and the one below it must still be there (U4).
      closeGroup(isTrimming: false)
    }
    defer { trim() }
    guard let count = passedOver(direction, in: state, ignoring: ignored, effort: effort) else {
      return nil
    }
    let passed = Array(upcoming(direction).prefix(count))
    self[direction].removeLast(count)
    guard let group = self[direction].pop() else { return nil }
    endCoalescing()
    activity = direction == .undo ? .undoing : .redoing
    openGroups = [UndoGroup(named: group.actionName)]
    endsByItself = true
    return (group, passed)
  }

  private subscript(direction: Direction) -> UndoStack {
    get { direction == .undo ? undoGroups : redoGroups }
    _modify { if direction == .undo { yield &undoGroups } else { yield &redoGroups } }
  }

  /// Prevents later groups from being coalesced with the top one (U6).
  mutating func endCoalescing() {
    guard undoGroups.last?.coalescingKey != nil else { return }
    undoGroups.changeLast { $0.coalescingKey = nil }
  }

  /// Ends undoing or redoing, and stores the registered inverse under the same name.
  mutating func end() {
    while !openGroups.isEmpty { closeGroup() }
    endsByItself = false
    activity = .registering
  }

  /// Removes all actions and enables registration; open groups stay open. With `id`, removes only the actions
  /// recorded for that target.
  mutating func removeAllActions(against id: ResponderID? = nil) {
    guard let id else {
      (undoGroups, redoGroups) = (UndoStack(), UndoStack())
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

  /// Closes the innermost open group: merges it into its parent or, without a parent, pushes it unless it is empty. A
  /// group that is reverted by one coalesced with it is removed (U4).
  ///
  /// - Parameter isTrimming: False if the caller trims. The default is true.
  mutating func closeGroup(isTrimming: Bool = true) {
    guard let group = openGroups.popLast() else { return }
    if !openGroups.isEmpty { return openGroups[openGroups.count - 1].append(group) }
    guard !group.isEmpty else { return }
    if activity == .registering { registeredName = group.actionName }
    switch activity {
    case .registering where joins(group):
      undoGroups.changeLast { $0.coalesce(group) }
      guard undoGroups.last?.isEmpty == true else { break }
      undoGroups.removeLast(1)
      registeredName = nil
    case .registering, .redoing: undoGroups.push(group)
    case .undoing: redoGroups.push(group)
    }
    if isTrimming { trim() }
  }

  /// True if a group is coalesced with the top one (U6).
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

/// The groups that can be undone in the present state (U4).
extension UndoManager {
  /// The number of groups passed over before the first that can be undone or redone; nil for none.
  struct Standing: Sendable, Equatable {
    var undo: Int?
    var redo: Int?

    subscript(direction: Direction) -> Int? {
      get { direction == .undo ? undo : redo }
      set { if direction == .undo { undo = newValue } else { redo = newValue } }
    }
  }

  /// Returns the groups in order of undoing or redoing.
  func upcoming(_ direction: Direction) -> UpcomingGroups {
    UpcomingGroups(open: direction == .undo ? openGroup : nil, closed: self[direction])
  }

  /// The open groups merged; nil if they are empty.
  private var openGroup: UndoGroup? {
    guard openGroups.contains(where: { !$0.isEmpty }) else { return nil }
    var open = openGroups[0]
    for group in openGroups.dropFirst() { open.append(group) }
    return open
  }

  /// Returns the number of groups to skip; nil if nothing can be undone.
  ///
  /// - Parameter ignored: The places without conflicts (U5).
  func passedOver(
    _ direction: Direction, in state: JSON, ignoring ignored: [JSONPointer], effort: Effort? = nil
  ) -> Int? {
    upcoming(direction).firstIndex {
      $0.canBeTakenBack(in: state, ignoring: ignored, effort: effort)
    }
  }

  /// Determines what can be undone. Groups that would be passed over are dropped beyond the limits, which
  /// bounds the search for the next one.
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
    let stack = self[direction]
    let passed = (new[direction] ?? stack.count + (hasOpen ? 1 : 0)) - (hasOpen ? 1 : 0)
    var (kept, actions) = (0, 0)
    for group in stack.reversed().prefix(passed) {
      actions += group.actionCount
      guard kept < Limits.passedGroups, actions <= Limits.passedActions else { break }
      kept += 1
    }
    guard kept < passed else { return }
    let range = (stack.count - passed)..<(stack.count - kept)
    self[direction].removeSubrange(range)
    if let count = new[direction] { new[direction] = count - range.count }
  }
}

/// The groups in order of undoing or redoing.
struct UpcomingGroups: RandomAccessCollection {
  /// The open group, which comes first.
  let open: UndoGroup?
  /// The groups of the stack; the next one is last.
  let closed: UndoStack

  var startIndex: Int { 0 }
  var endIndex: Int { closed.count + (open == nil ? 0 : 1) }

  subscript(index: Int) -> UndoGroup {
    guard let open else { return closed[closed.count - 1 - index] }
    return index == 0 ? open : closed[closed.count - index]
  }
}

extension UndoGroup {
  /// True if at least one action can be undone: a message always, and an edit if its place is still as the
  /// group left it.
  func canBeTakenBack(
    in state: JSON, ignoring ignored: [JSONPointer], effort: Effort? = nil
  ) -> Bool {
    var kept = KeptPlaces()
    for action in actions.reversed() {
      effort?.spend(1 + action.size / Effort.member)
      guard case .edit(let edit) = action else { return true }
      if kept.overlap(edit.place) { continue }
      if state.fitting(edit, ignoring: ignored) != nil { return true }
      kept.note(edit)
    }
    return false
  }
}

extension UndoManager {
  /// The document: the stacks with their names.
  package var json: JSON {
    var object = JSONObject()
    let summary = UndoSummary(of: self)
    object.reserveCapacity(UndoSummary.members.count + 2)
    for (name, value) in UndoSummary.members { object.add(name, value(summary)) }
    object.add("undo", .array(undoGroups.reversed().map(\.json)))
    object.add("redo", .array(redoGroups.reversed().map(\.json)))
    return .object(object)
  }
}

/// The summary of an undo manager and its next groups, for the members of its document besides the stacks.
struct UndoSummary {
  private let manager: UndoManager
  private let undo: UndoTurn
  private let redo: UndoTurn

  init(of manager: UndoManager) {
    self.manager = manager
    (undo, redo) = (manager.turn(.undo), manager.turn(.redo))
  }

  /// The names of these members, in order, with the functions that return their values.
  static let members: KeyValuePairs<String, @Sendable (UndoSummary) -> JSON> = [
    "levelsOfUndo": { .int(Int64($0.manager.levelsOfUndo)) },
    "canUndo": { .bool($0.undo.canBeTaken) },
    "undoMenuItemTitle": { .string($0.undo.menuItemTitle(in: nil)) },
    "canRedo": { .bool($0.redo.canBeTaken) },
    "redoMenuItemTitle": { .string($0.redo.menuItemTitle(in: nil)) },
    "groupingLevel": { .int(Int64($0.manager.groupingLevel)) },
    "isUndoRegistrationEnabled": { .bool($0.manager.isUndoRegistrationEnabled) },
    "preparedTarget": { summary in
      summary.manager.preparedTarget.map { .string($0.rawValue) } ?? .null
    },
  ]
}

extension UndoGroup {
  /// The document: the name and the number of actions.
  var json: JSON {
    var object = JSONObject()
    object["actionName"] = actionName.map(JSON.string)
    object["actions"] = .int(Int64(actionCount))
    return .object(object)
  }

  /// True if both have the same document.
  func isWritten(as other: UndoGroup) -> Bool {
    isIdentical(to: other)
      || actionCount == other.actionCount && actionName.hasSameBytes(as: other.actionName)
  }
}
