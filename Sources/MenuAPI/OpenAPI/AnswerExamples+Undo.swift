extension AnswerExamples {
  /// Undo managers.
  static let undo: [String: String] = [
    "getUndo": #"""
    {"session":"demo","revision":16,"responder":null,"undoManagers":[{"responder":null,\#
    "levelsOfUndo":0,"canUndo":true,"undoMenuItemTitle":"Undo ★★★★★","canRedo":false,\#
    "redoMenuItemTitle":"Redo","groupingLevel":0,"isUndoRegistrationEnabled":true,\#
    "preparedTarget":null,"undo":[{"actionName":"★★★★★","actions":1}],"redo":[]}]}
    """#,
    "undo": #"""
    {"session":"demo","revision":17,"responder":null,"undone":true,"actionName":"★★★★★",\#
    "changes":[{"change":"state","op":"replace","path":"/rating","value":0},\#
    {"change":"undoManager","responder":null},{"change":"document","op":"replace",\#
    "path":"/undo/session/canUndo","value":false},{"change":"document","op":"replace",\#
    "path":"/undo/session/undoMenuItemTitle","value":"Undo"},{"change":"document",\#
    "op":"replace","path":"/undo/session/canRedo","value":true},{"change":"document",\#
    "op":"replace","path":"/undo/session/redoMenuItemTitle","value":"Redo ★★★★★"},\#
    {"change":"document","op":"remove","path":"/undo/session/undo/0"},{"change":"document",\#
    "op":"add","path":"/undo/session/redo/0","value":{"actionName":"★★★★★","actions":1}}],\#
    "events":[{"event":"willUndoChange","responder":null,"actionName":"★★★★★"},\#
    {"event":"didUndoChange","responder":null,"actionName":"★★★★★"}],\#
    "trace":[{"asked":"photoGrid/undoManager","question":"undoManager","answer":null,\#
    "rule":"U1","says":"U1: 'photoGrid/undoManager' is the session's."},\#
    {"asked":"photoGrid/undoManager","question":"undo","answer":"★★★★★","rule":"U2",\#
    "says":"U2: 'photoGrid/undoManager' undoes '★★★★★'."},{"asked":"photoGrid/undoManager",\#
    "question":"undoneChange","answer":"/rating","rule":"U1",\#
    "says":"U1: 'photoGrid/undoManager' changes '/rating' in the state back."}]}
    """#,
    "redo": #"""
    {"session":"demo","revision":18,"responder":null,"redone":false,"changes":[],"events":[]}
    """#,
    "removeAllUndoActions": #"""
    {"session":"demo","revision":18,"changes":[{"change":"undoManager","responder":null},\#
    {"change":"document","op":"replace","path":"/undo/session/canRedo","value":false},\#
    {"change":"document","op":"replace","path":"/undo/session/redoMenuItemTitle",\#
    "value":"Redo"},{"change":"document","op":"remove","path":"/undo/session/redo/0"}]}
    """#,
  ]
}
