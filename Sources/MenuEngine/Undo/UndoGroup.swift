import JSONText

/// The actions that are undone together (U2): the inverses of the changes, in the order of these.
public struct UndoGroup: Sendable, Codable {
  /// The name in "Undo X"; nil for none.
  public internal(set) var actionName: String?
  /// The actions, the last one first.
  private(set) var actions: [UndoAction] = []
  private var sizeOfActions = 0

  init(named actionName: String? = nil) { self.actionName = actionName }

  /// The number of actions that were registered.
  public var actionCount: Int { actions.count }

  /// The size of the actions and the name, as `Limits.undoSize` counts it.
  var size: Int { sizeOfActions + (actionName?.utf8.count ?? 0) }

  /// True if nothing was registered.
  var isEmpty: Bool { actions.isEmpty }

  mutating func append(_ action: UndoAction, size: Int) {
    actions.append(action)
    sizeOfActions += size
  }

  /// Takes over what a group that was opened in this one registered; the name stays.
  mutating func append(_ group: UndoGroup) {
    actions += group.actions
    sizeOfActions += group.sizeOfActions
  }

  /// Leaves out what was recorded against a responder.
  mutating func removeActions(against id: ResponderID) {
    let removed = actions.filter { $0.target == id }
    guard !removed.isEmpty else { return }
    actions.removeAll { $0.target == id }
    sizeOfActions -= removed.reduce(0) { $0 + $1.size }
  }
}

/// One thing to do when a group is undone.
enum UndoAction: Sendable, Codable {
  /// Changes the state back.
  case edit(JSONEdit)
  /// Sends a message that was recorded against its target (U3).
  case invocation(Invocation, target: ResponderID)

  /// The responder that it was recorded against; nil for a change of the state.
  var target: ResponderID? {
    switch self {
    case .edit: nil
    case .invocation(_, let target): target
    }
  }

  /// The size, counted no further than to see that it is too much for a group.
  var size: Int {
    switch self {
    case .edit(let edit): edit.size(upTo: Limits.undoSize)
    case .invocation(let invocation, target: _): invocation.json.size(upTo: Limits.undoSize)
    }
  }
}
