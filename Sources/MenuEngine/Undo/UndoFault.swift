/// The refusals of an undo manager.
public enum UndoFault: Error, Equatable, Sendable {
  /// A group is to be closed, but none was opened.
  case noGroup
  /// Nothing can be undone while so many groups, more than one, are open.
  case groupsOpen(Int)
  /// Groups stand more than this deep inside each other.
  case groupsTooDeep(limit: Int)
  /// It is undoing or redoing already.
  case inProgress
  /// Registration is to be enabled more often than it was disabled.
  case registrationEnabled
  /// One group would hold more than this (`Limits.undoSize`).
  case groupFull(limit: Int)
}
