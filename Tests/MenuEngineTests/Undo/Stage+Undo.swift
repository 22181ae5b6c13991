import JSONText
import Testing

@testable import MenuEngine

extension Stage {
  /// A window with a view that has focus and handles these actions, and commands for them.
  init(
    undoing handlers: JSON, commands: JSON = [], state: JSON = ["log": []],
    others: JSONObject = [:], view: JSONObject = [:], limits: SessionLimits = SessionLimits()
  ) throws {
    var document: JSONObject = ["kind": "view", "superview": "window", "handlers": handlers]
    for member in view.members { document[member.name] = member.value }
    var responders: JSONObject = [
      "application": ["kind": "application"], "window": ["kind": "window"],
      "view": .object(document),
    ]
    for member in others.members { responders[member.name] = member.value }
    try self.init(
      commands: commands, responders: .object(responders), focus: "view", state: state,
      limits: limits)
  }

  /// The state as text.
  var text: String { session.state.text() }

  /// The session's undo manager, or that of a responder that has its own.
  func manager(_ owner: ResponderID? = nil) throws -> UndoManager {
    try #require(session.undoManager(ownedBy: owner))
  }

  @discardableResult
  mutating func send(_ action: Selector, arguments: [JSON]? = nil) throws -> Outcome {
    try apply(.perform(ActionRequest(.action(action), arguments: arguments)))
  }

  @discardableResult
  mutating func perform(_ command: CommandID) throws -> Outcome {
    try apply(.perform(ActionRequest(.command(command))))
  }

  /// Undoes until nothing is left; answers how often.
  mutating func goAll(
    _ direction: UndoManager.Direction, of id: ResponderID? = nil
  ) throws -> Int {
    var count = 0
    while try apply(direction == .undo ? .undo(of: id) : .redo(of: id)).isUndone { count += 1 }
    return count
  }
}

extension Outcome {
  /// True if it undid or redid something.
  var isUndone: Bool {
    events.contains { if case .didUndoChange = $0 { true } else { false } }
  }
}

extension UndoManager {
  /// Everything that there is to know about it.
  var document: JSON {
    func groups(_ groups: some Sequence<UndoGroup>) -> JSON {
      .array(
        groups.map { group in
          [
            "name": group.actionName.map(JSON.string) ?? .null, "size": .int(Int64(group.size)),
            "actions": .array(group.actions.map(\.document)),
          ]
        })
    }
    return [
      "undo": groups(undoGroups), "redo": groups(redoGroups), "open": groups(openGroups),
      "levels": .int(Int64(levelsOfUndo)), "enabled": .bool(isUndoRegistrationEnabled),
      "prepared": preparedTarget.map { .string($0.rawValue) } ?? .null, "busy": .bool(isBusy),
    ]
  }
}

extension UndoAction {
  fileprivate var document: JSON {
    switch self {
    case .edit(let edit):
      [
        "place": .string(edit.place.description), "before": edit.before ?? "nothing",
        "after": edit.after ?? "nothing",
      ]
    case .invocation(let invocation, let target):
      ["target": .string(target.rawValue), "invocation": invocation.json]
    }
  }
}
