package import JSONText

/// The stacks of groups to undo and redo, as in `NSUndoManager` (U1 to U3): one manager for the session, and
/// one for each responder that declares its own.
package struct UndoManager: Sendable, Codable {
  /// The maximum number of groups of each stack. The default, 0, is `Limits.undoGroups`.
  package internal(set) var levelsOfUndo = 0 {
    didSet { trim() }
  }
  /// The groups to undo, oldest first, without open ones.
  package internal(set) var undoGroups = UndoStack()
  /// The groups to redo; the next one is last.
  package internal(set) var redoGroups = UndoStack()
  /// The target for which the next message to the manager is recorded (U3); nil if not prepared.
  package internal(set) var preparedTarget: ResponderID?
  /// The open groups, outermost first.
  var openGroups: [UndoGroup] = []
  /// True if the outermost open group was opened implicitly, by a command or by undoing, and closes with it.
  var endsByItself = false
  var disableCount = 0
  var activity = Activity.registering
  /// The name of the group that the last mutation registered; nil for none, and once it has been read.
  var registeredName: String?
  /// The groups that can be undone, determined after the last mutation (U4); nil after decoding.
  var standing: Standing?

  /// The activity that selects the stack for registrations (U1).
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

  /// The direction: undo or redo.
  package enum Direction: String, CaseIterable, Sendable, Codable {
    case undo
    case redo
  }
}

extension UndoManager {
  init(levelsOfUndo: Int) { self.levelsOfUndo = levelsOfUndo }

  /// True if nothing is registered and no recording is prepared.
  var isUnused: Bool {
    undoGroups.isEmpty && redoGroups.isEmpty && openGroups.isEmpty && preparedTarget == nil
  }

  /// True if both behave the same in every respect.
  func isSame(as other: UndoManager) -> Bool {
    levelsOfUndo == other.levelsOfUndo && preparedTarget == other.preparedTarget
      && endsByItself == other.endsByItself && disableCount == other.disableCount
      && activity == other.activity
      && (standing == nil || other.standing == nil || standing == other.standing)
      && undoGroups.isSame(as: other.undoGroups) && redoGroups.isSame(as: other.redoGroups)
      && openGroups.elementsEqual(other.openGroups) { $0.isWritten(as: $1) }
  }
}

extension UndoManager {
  package var groupingLevel: Int { openGroups.count }

  package var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  var isBusy: Bool { activity != .registering }

  /// True if undoing or redoing would have an effect (U4) and at most one group is open.
  package func can(_ direction: Direction) -> Bool { turn(direction).canBeTaken }

  /// Returns the title of the menu item as documents have it: `Undo Paste`, or `Undo` without a name.
  ///
  /// - Parameter translations: The texts in the session's language (M14). The default is none.
  package func menuItemTitle(_ direction: Direction, in translations: JSON? = JSON?.none) -> String
  {
    turn(direction).menuItemTitle(in: translations)
  }

  /// Returns the next group, as determined after the last mutation.
  func turn(_ direction: Direction) -> UndoTurn {
    if let standing { return turn(direction, passingOver: standing[direction]) }
    let isEmpty = upcoming(direction).isEmpty
    return turn(direction, passingOver: isEmpty ? nil : 0)
  }

  /// Returns the next group after those passed over; it cannot be taken if there is none.
  func turn(_ direction: Direction, passingOver passed: Int?) -> UndoTurn {
    guard let passed else {
      return UndoTurn(direction: direction, canBeTaken: false, actionName: nil)
    }
    let groups = upcoming(direction)
    return UndoTurn(
      direction: direction, canBeTaken: !isBusy && groupingLevel <= 1,
      actionName: passed < groups.count ? groups[passed].actionName : nil)
  }
}

extension UndoManager.Direction {
  /// The keys of the titles of its menu item (M14), without and with the name of a group.
  var titleKeys: (plain: String, named: String) {
    switch self {
    case .undo: ("Undo", "Undo {name}")
    case .redo: ("Redo", "Redo {name}")
    }
  }
}

/// The next group to undo or redo.
struct UndoTurn {
  let direction: UndoManager.Direction
  /// True if undoing it would have an effect.
  let canBeTaken: Bool
  let actionName: String?

  /// Returns the title of the menu item.
  ///
  /// - Parameter translations: The texts in the session's language (M14), with those of the keys `Undo` and
  ///   `Undo {name}`, and the same for `Redo`; nil for the titles as documents have them.
  func menuItemTitle(in translations: JSON?) -> String {
    let keys = direction.titleKeys
    guard case .object(let texts)? = translations, !texts.isEmpty, let translations else {
      return actionName.map { "\(keys.plain) \($0)" } ?? keys.plain
    }
    guard let actionName else { return translations.translation(of: keys.plain) ?? keys.plain }
    return translations.translation(of: keys.named, naming: ["name": actionName])
      ?? "\(keys.plain) \(actionName)"
  }
}

extension UndoManager {
  /// Registers an action (U1), unless registration is disabled: during undoing for redo, else for undo.
  /// Registration outside of undoing and redoing clears the redo stack.
  ///
  /// Without an open group, an implicit one is opened with `name`.
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
    if !isBusy { redoGroups = UndoStack() }
  }

  private func checkSize() throws(MutationFault) {
    guard openGroups.reduce(0, { $0 + $1.size }) <= Limits.undoSize else {
      throw .undo(.groupFull(limit: Limits.undoSize))
    }
  }

  /// Opens an implicit group, unless one is open.
  ///
  /// - Parameter key: The key by which it is coalesced (U6); nil for none.
  mutating func beginEvent(name: String?, coalescing key: String? = nil) {
    guard openGroups.isEmpty else { return }
    openGroups = [UndoGroup(named: name)]
    openGroups[0].coalescingKey = key
    endsByItself = true
  }

  /// Closes the implicit group. If groups opened inside it are still open, its actions move to the outermost of
  /// them.
  mutating func endEvent() {
    guard endsByItself, !openGroups.isEmpty else { return }
    endsByItself = false
    guard openGroups.count > 1 else { return closeGroup() }
    var outer = openGroups.removeFirst()
    outer.append(openGroups[0])
    openGroups[0] = outer
  }

  /// Opens a group inside the open one.
  ///
  /// - Throws: `UndoFault.groupsTooDeep`.
  mutating func beginUndoGrouping() throws(MutationFault) {
    guard openGroups.count < Limits.undoNesting else {
      throw .undo(.groupsTooDeep(limit: Limits.undoNesting))
    }
    openGroups.append(UndoGroup())
  }

  /// Closes the innermost group.
  ///
  /// - Throws: `UndoFault.noGroup` if none is open.
  mutating func endUndoGrouping() throws(MutationFault) {
    guard openGroups.count > (endsByItself ? 1 : 0) else { throw .undo(.noGroup) }
    closeGroup()
  }

  /// Names the outermost open group, else the next group to undo; an empty name removes the name.
  ///
  /// A group that is being undone keeps its name.
  ///
  /// - Throws: `UndoFault.groupFull`.
  mutating func setActionName(_ name: String) throws(MutationFault) {
    let name = name.utf8.isEmpty ? nil : name
    if isBusy, openGroups.first?.actionName != nil { return }
    if !openGroups.isEmpty {
      openGroups[0].actionName = name
      try checkSize()
    } else if !undoGroups.isEmpty {
      undoGroups.changeLast { $0.actionName = name }
      guard undoGroups[undoGroups.count - 1].size <= Limits.undoSize else {
        throw .undo(.groupFull(limit: Limits.undoSize))
      }
      trim()
    }
  }

  /// Disables registration until it is enabled the same number of times.
  mutating func disableUndoRegistration() { disableCount += 1 }

  /// Reverts one `disableUndoRegistration`.
  ///
  /// - Throws: `UndoFault.registrationEnabled` if it is not disabled.
  mutating func enableUndoRegistration() throws(MutationFault) {
    guard disableCount > 0 else { throw .undo(.registrationEnabled) }
    disableCount -= 1
  }
}
