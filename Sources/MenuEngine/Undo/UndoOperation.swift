public import JSONText

/// The operations of an undo manager, named as its methods.
public enum UndoOperation: Equatable, Sendable, Codable {
  /// Undoes the last group; does nothing when there is none (U2).
  case undo
  /// Does the last group that was undone again; does nothing when there is none.
  case redo
  /// Opens a group, in the one that is open (U2).
  case beginUndoGrouping
  /// Closes the group that was opened last, and merges it into its parent (U2).
  case endUndoGrouping
  /// How many groups are kept; 0 for no limit (U2).
  case setLevelsOfUndo(Int)
  /// Names the open group, or the one that would be undone; an empty name is none (U2).
  case setActionName(String)
  /// Records a message against a responder, to be sent when it is undone (U1).
  case registerUndo(target: ResponderID, Selector, arguments: [JSON]? = nil)
  /// Records the next message to the manager against a responder, and does not run it (U3).
  case prepareWithInvocationTarget(ResponderID)
  /// Registers nothing until it is enabled as often.
  case disableUndoRegistration
  /// Takes one `disableUndoRegistration` back.
  case enableUndoRegistration
  /// Forgets everything, or what was recorded against one responder.
  case removeAllActions(withTarget: ResponderID? = nil)
}
