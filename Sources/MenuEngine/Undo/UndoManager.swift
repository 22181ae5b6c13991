/// The stacks of groups that can be undone and done again, as `NSUndoManager` keeps them (U1 to
/// U3): one manager of the session, and one of each responder that has its own.
package struct UndoManager: Sendable, Codable {
  /// The maximum number of groups of each stack; 0, the default, for as many as there is room for
  /// (`Limits.undoGroups`).
  package internal(set) var levelsOfUndo = 0 {
    didSet { trim() }
  }
  /// The groups that can be undone, the oldest first, open ones apart.
  package internal(set) var undoGroups: [UndoGroup] = []
  /// The groups that can be done again, the first to be done again last.
  package internal(set) var redoGroups: [UndoGroup] = []
  /// Against whom the next message to the manager is recorded (U3); nil when it is not prepared.
  package internal(set) var preparedTarget: ResponderID?
  /// The groups that are open, the outermost first.
  var openGroups: [UndoGroup] = []
  /// True if the outermost open group began by itself, with a command or with undoing, and so ends by
  /// itself.
  var endsByItself = false
  var disableCount = 0
  var activity = Activity.registering
  /// The changes that can be taken back, as found when the last mutation was over (U4); nil after reading
  /// a manager that was stored.
  var standing: Standing?

  /// The activity that decides to which stack registrations go (U1).
  enum Activity: String, Codable {
    case registering
    case undoing
    case redoing
  }

  private enum CodingKeys: String, CodingKey {
    case levelsOfUndo
    case undoGroups
    case redoGroups
    case preparedTarget
    case openGroups
    case endsByItself
    case disableCount
    case activity
  }

  /// The direction in which a stack is used.
  package enum Direction: String, CaseIterable, Sendable, Codable {
    case undo
    case redo
  }
}

extension UndoManager {
  /// A manager that was not used yet.
  init(levelsOfUndo: Int) { self.levelsOfUndo = levelsOfUndo }

  /// True if nothing is registered or prepared.
  var isUnused: Bool {
    undoGroups.isEmpty && redoGroups.isEmpty && openGroups.isEmpty && preparedTarget == nil
  }

  /// True if both answer the same, and go on in the same way, whatever is asked of them.
  func isSame(as other: UndoManager) -> Bool {
    levelsOfUndo == other.levelsOfUndo && preparedTarget == other.preparedTarget
      && endsByItself == other.endsByItself && disableCount == other.disableCount
      && activity == other.activity
      && (standing == nil || other.standing == nil || standing == other.standing)
      && undoGroups.isSame(as: other.undoGroups)
      && redoGroups.isSame(as: other.redoGroups) && openGroups.isSame(as: other.openGroups)
  }
}

extension [UndoGroup] {
  fileprivate func isSame(as other: [UndoGroup]) -> Bool {
    span.isIdentical(to: other.span)
      || count == other.count && zip(self, other).allSatisfy { $0.isWritten(as: $1) }
  }
}

extension UndoManager {
  /// The number of open groups.
  package var groupingLevel: Int { openGroups.count }

  /// True if what happens is registered.
  package var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// True if it is undoing or redoing.
  var isBusy: Bool { activity != .registering }

  /// True if undoing, or redoing, would change something (U4), and not more than one group is open.
  package func can(_ direction: Direction) -> Bool { turn(direction).canBeTaken }

  /// The name of what would be undone, or done again; nil for none.
  package func actionName(_ direction: Direction) -> String? { turn(direction).actionName }

  /// The title of the menu item: `Undo Paste`, or `Undo` without a name.
  package func menuItemTitle(_ direction: Direction) -> String { turn(direction).menuItemTitle }

  /// The next group, as it was found when the last mutation was over.
  func turn(_ direction: Direction) -> UndoTurn {
    if let standing { return turn(direction, passingOver: standing[direction]) }
    let isEmpty = upcoming(direction).isEmpty
    return turn(direction, passingOver: isEmpty ? nil : 0)
  }

  /// The next group behind that many which are passed over; nil if there is none.
  func turn(_ direction: Direction, passingOver passed: Int?) -> UndoTurn {
    let groups = upcoming(direction)
    let name = passed.flatMap { groups.indices.contains($0) ? groups[$0].actionName : nil }
    return UndoTurn(
      direction: direction, canBeTaken: passed != nil && !isBusy && groupingLevel <= 1,
      actionName: name)
  }
}

/// The group that undoing, or redoing, comes to next.
struct UndoTurn {
  let direction: UndoManager.Direction
  /// True if undoing would change something.
  let canBeTaken: Bool
  let actionName: String?

  /// The title of the menu item.
  var menuItemTitle: String {
    let verb =
      switch direction {
      case .undo: "Undo"
      case .redo: "Redo"
      }
    return actionName.map { "\(verb) \($0)" } ?? verb
  }
}

extension UndoManager {
  /// Registers what undoes something (U1), unless registration is disabled: while undoing with what
  /// can be done again, while redoing with what can be undone, else so that nothing can be done again
  /// any more.
  ///
  /// Without an open group one begins by itself, with a name.
  ///
  /// - Throws: `UndoFault.groupFull`.
  mutating func register(
    _ action: UndoAction, name: String?, coalescing key: String? = nil
  ) throws(MutationFault) {
    guard isUndoRegistrationEnabled else { return }
    beginEvent(name: name, coalescing: key)
    let size = action.size
    openGroups[openGroups.count - 1].append(action, size: size)
    try checkSize()
    if !isBusy { redoGroups = [] }
  }

  private func checkSize() throws(MutationFault) {
    guard openGroups.reduce(0, { $0 + $1.size }) <= Limits.undoSize else {
      throw .undo(.groupFull(limit: Limits.undoSize))
    }
  }

  /// Begins a group that ends by itself, unless one is open.
  ///
  /// - Parameter key: The key of groups that it joins (U6); nil for none.
  mutating func beginEvent(name: String?, coalescing key: String? = nil) {
    guard openGroups.isEmpty else { return }
    openGroups = [UndoGroup(named: name)]
    openGroups[0].coalescingKey = key
    endsByItself = true
  }

  /// Ends the group that began by itself. What it holds goes into a group that was opened in it and is
  /// still open, and with that stays open.
  mutating func endEvent() {
    guard endsByItself, !openGroups.isEmpty else { return }
    endsByItself = false
    guard openGroups.count > 1 else { return closeGroup() }
    var outer = openGroups.removeFirst()
    outer.append(openGroups[0])
    openGroups[0] = outer
  }

  /// Opens a group, in the one that is open.
  ///
  /// - Throws: `UndoFault.groupsTooDeep`.
  mutating func beginUndoGrouping() throws(MutationFault) {
    guard openGroups.count < Limits.undoNesting else {
      throw .undo(.groupsTooDeep(limit: Limits.undoNesting))
    }
    openGroups.append(UndoGroup())
  }

  /// Closes the group that was opened last.
  ///
  /// - Throws: `UndoFault.noGroup` when none was opened.
  mutating func endUndoGrouping() throws(MutationFault) {
    guard openGroups.count > (endsByItself ? 1 : 0) else { throw .undo(.noGroup) }
    closeGroup()
  }

  /// Names what happens in the outermost open group or, when none is open, what would be undone; an
  /// empty name takes the name away.
  ///
  /// A group that is being undone keeps its name, if it has one.
  ///
  /// - Throws: `UndoFault.groupFull`.
  mutating func setActionName(_ name: String) throws(MutationFault) {
    let name = name.utf8.isEmpty ? nil : name
    if isBusy, openGroups.first?.actionName != nil { return }
    if !openGroups.isEmpty {
      openGroups[0].actionName = name
      try checkSize()
    } else if let last = undoGroups.indices.last {
      undoGroups[last].actionName = name
      guard undoGroups[last].size <= Limits.undoSize else {
        throw .undo(.groupFull(limit: Limits.undoSize))
      }
      trim()
    }
  }

  /// Registers nothing until it is enabled as often.
  mutating func disableUndoRegistration() { disableCount += 1 }

  /// Registers again, when it was not disabled more often.
  ///
  /// - Throws: `UndoFault.registrationEnabled` when it is not disabled.
  mutating func enableUndoRegistration() throws(MutationFault) {
    guard disableCount > 0 else { throw .undo(.registrationEnabled) }
    disableCount -= 1
  }
}
