extension Schemas {
  /// Undo managers.
  static let undo: [(name: String, text: String)] = [
    (
      "UndoManagerDeclaration",
      #"""
      {"type":"object","additionalProperties":false,"properties":{
        "levelsOfUndo":{"type":"integer","minimum":0,"default":0,
          "description":"How many groups are kept; 0 for no limit but the server's."}}}
      """#
    ),
    (
      "UndoRequest",
      ##"""
      {"type":"object","additionalProperties":false,"properties":{
        "responder":{"$ref":"#/components/schemas/Identifier"},
        "dryRun":{"type":"boolean","default":false},
        "explain":{"type":"boolean","default":false}}}
      """##
    ),
    (
      "UndoAnswer",
      session(
        requiring: "responder changes events",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "responder":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "undone":{"type":"boolean"},"redone":{"type":"boolean"},
        "actionName":{"type":"string"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "events":{"$ref":"#/components/schemas/Events"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "UndoManagers",
      session(
        requiring: "responder undoManagers",
        ##"""
        "responder":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "undoManagers":{"type":"array","items":{"$ref":"#/components/schemas/UndoManager"}}
        """##)
    ),
    (
      "UndoManager",
      ##"""
      {"type":"object","required":["responder","levelsOfUndo","canUndo","undoMenuItemTitle","canRedo",
        "redoMenuItemTitle","groupingLevel","isUndoRegistrationEnabled","preparedTarget","undo","redo"],
       "description":"The undo manager of a responder, or for null the session's.","properties":{
        "responder":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "levelsOfUndo":{"type":"integer","minimum":0},
        "canUndo":{"type":"boolean"},"undoMenuItemTitle":{"type":"string"},
        "canRedo":{"type":"boolean"},"redoMenuItemTitle":{"type":"string"},
        "groupingLevel":{"type":"integer","description":"How many groups are open."},
        "isUndoRegistrationEnabled":{"type":"boolean"},
        "preparedTarget":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "undo":{"$ref":"#/components/schemas/UndoGroups"},
        "redo":{"$ref":"#/components/schemas/UndoGroups"}}}
      """##
    ),
    (
      "UndoStacks",
      ##"""
      {"type":"object","required":["levelsOfUndo","canUndo","undoMenuItemTitle","canRedo",
        "redoMenuItemTitle","groupingLevel","isUndoRegistrationEnabled","preparedTarget","undo","redo"],
       "properties":{
        "levelsOfUndo":{"type":"integer","minimum":0},
        "canUndo":{"type":"boolean"},"undoMenuItemTitle":{"type":"string"},
        "canRedo":{"type":"boolean"},"redoMenuItemTitle":{"type":"string"},
        "groupingLevel":{"type":"integer","description":"How many groups are open."},
        "isUndoRegistrationEnabled":{"type":"boolean"},
        "preparedTarget":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "undo":{"$ref":"#/components/schemas/UndoGroups"},
        "redo":{"$ref":"#/components/schemas/UndoGroups"}}}
      """##
    ),
    (
      "UndoGroups",
      #"""
      {"type":"array","description":"What is undone together, the next one first.",
       "items":{"title":"UndoGroup","type":"object","required":["actions"],"properties":{
        "actionName":{"type":"string"},"actions":{"type":"integer"}}}}
      """#
    ),
  ]
}
