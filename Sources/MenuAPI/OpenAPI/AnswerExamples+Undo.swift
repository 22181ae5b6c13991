extension AnswerExamples {
  /// Undo managers.
  static let undo: [String: String] = [
    "getUndo": #"""
    {}
    """#,
    "undo": #"""
    {}
    """#,
    "redo": #"""
    {}
    """#,
    "removeAllUndoActions": #"""
    {}
    """#,
  ]
}
