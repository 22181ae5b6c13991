public import JSONText

extension UndoManager {
  /// The manager as a document: what it can undo and do again, and what that is called.
  public var json: JSON {
    var object = summary
    object["undo"] = .array(undoGroups.reversed().map(\.json))
    object["redo"] = .array(redoGroups.reversed().map(\.json))
    return .object(object)
  }

  /// The document without the groups.
  var summary: JSONObject {
    [
      "levelsOfUndo": .int(Int64(levelsOfUndo)),
      "canUndo": .bool(can(.undo)), "undoMenuItemTitle": .string(menuItemTitle(.undo)),
      "canRedo": .bool(can(.redo)), "redoMenuItemTitle": .string(menuItemTitle(.redo)),
      "groupingLevel": .int(Int64(groupingLevel)),
      "isUndoRegistrationEnabled": .bool(isUndoRegistrationEnabled),
      "preparedTarget": preparedTarget.map { .string($0.rawValue) } ?? .null,
    ]
  }
}

extension UndoGroup {
  /// The group as a document: what it is called, and how many actions it has.
  var json: JSON {
    var object = JSONObject()
    object["actionName"] = actionName.map(JSON.string)
    object["actions"] = .int(Int64(actionCount))
    return .object(object)
  }

  /// True if both are written as the same document.
  func isWritten(as other: UndoGroup) -> Bool {
    guard actionCount == other.actionCount else { return false }
    switch (actionName, other.actionName) {
    case (nil, nil): return true
    case (let name?, let other?): return name.hasSameBytes(as: other)
    case (nil, _?), (_?, nil): return false
    }
  }
}
