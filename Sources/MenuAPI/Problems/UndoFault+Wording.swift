import MenuEngine

extension UndoFault {
  /// The refusal of the undo manager, and the way out, as a sentence.
  var sentence: String {
    switch self {
    case .noGroup:
      "No undo group is open that was opened by 'beginUndoGrouping'; open one first."
    case .groupsOpen(let count):
      "Nothing is undone or done again while \(count) undo groups are open; close them by "
        + "'endUndoGrouping' until one is left at most."
    case .groupsTooDeep(let limit):
      "Undo groups stand more than \(limit) deep inside each other; close some by 'endUndoGrouping'."
    case .inProgress: "The undo manager is undoing already, and so cannot be told to undo."
    case .registrationEnabled:
      "Undo registration is enabled; only what was disabled can be enabled."
    case .groupFull(let limit):
      "The undo group would hold more than \(limit) values and bytes; close it by 'endUndoGrouping', "
        + "or disable undo registration for what is as large as this."
    }
  }
}
