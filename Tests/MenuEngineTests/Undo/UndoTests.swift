import JSONText
import Testing

@testable import MenuEngine

/// Registering, undoing and redoing (U1).
@Suite struct UndoTests {
  private static let handlers: JSON = [
    "remove:": ["perform": [["op": "remove", "path": "/b"]]],
    "change:": [
      "perform": [
        ["op": "replace", "path": "/a", "value": "state.a + 1"],
        ["op": "add", "path": "/new", "value": "{'x': [1]}"],
        ["op": "move", "from": "/list/0", "path": "/list/-"],
        ["op": "copy", "from": "/b", "path": "/list/1"],
        ["op": "test", "path": "/b", "value": "'two'"],
      ]
    ],
    "nothing:": ["perform": [["op": "replace", "path": "/a", "value": "state.a"]]],
    "properties:": ["perform": [["op": "properties", "value": "{'seen': true}"]]],
    "fail:": [
      "perform": [["op": "remove", "path": "/a"], ["op": "remove", "path": "/nowhere"]]
    ],
  ]
  private static let state: JSON = ["a": 1, "b": "two", "c": nil, "list": [1, 2.0, [3]]]

  private func stage() throws -> Stage {
    try Stage(undoing: Self.handlers, state: Self.state)
  }

  @Test func `U1: every effect on the state is undone and done again to the byte`() throws {
    var stage = try stage()
    var texts = [stage.text]
    for action: Selector in ["remove:", "change:"] where action == "change:" {
      try stage.send(action)
      texts.append(stage.text)
    }
    try stage.send("remove:")
    texts.append(stage.text)
    #expect(texts.last == #"{"a":2,"c":null,"list":[2.0,"two",[3],1],"new":{"x":[1]}}"#)
    for text in texts.dropLast().reversed() {
      #expect(try stage.apply(.undo()).isUndone)
      #expect(stage.text == text)
    }
    for text in texts.dropFirst() {
      #expect(try stage.apply(.redo()).isUndone)
      #expect(stage.text == text)
    }
  }

  @Test func `U1: undoing tells the changes of the state, and the time`() throws {
    var stage = try stage()
    try stage.send("remove:")
    let outcome = try stage.apply(.undo())
    #expect(
      outcome.changes == [
        .state(.add(path: JSONPointer(["b"]), value: "two"), position: 1), .undoManager(nil),
      ])
    #expect(
      outcome.events == [
        .willUndoChange(.undo, nil, actionName: nil), .didUndoChange(.undo, nil, actionName: nil),
      ])
    #expect(
      try stage.apply(.redo()).changes == [
        .state(.remove(path: JSONPointer(["b"]))), .undoManager(nil),
      ])
  }

  @Test func `U1: a registration outside undo and redo clears the redo stack`() throws {
    var stage = try stage()
    try stage.send("remove:")
    try stage.apply(.undo())
    #expect(try stage.manager().can(.redo))
    try stage.send("change:")
    #expect(try !stage.manager().can(.redo))
    #expect(try !stage.apply(.redo()).isUndone)
  }

  @Test func `U1: what changes nothing in the state registers nothing`() throws {
    var stage = try stage()
    for action: Selector in ["nothing:", "properties:"] { try stage.send(action) }
    #expect(try !stage.manager().can(.undo))
  }

  @Test func `U1: a patch of a front end is not registered and leaves what can be done again`()
    throws
  {
    var stage = try stage()
    try stage.send("remove:")
    try stage.apply(.undo())
    try stage.apply(.patchState(JSONPatch([.add(path: JSONPointer(["z"]), value: 1)])))
    try stage.apply(.mergeState(["y": 2]))
    #expect(try !stage.manager().can(.undo))
    try stage.apply(.redo())
    #expect(stage.text == #"{"a":1,"c":null,"list":[1,2.0,[3]],"z":1,"y":2}"#)
  }

  @Test func `U2: undo with nothing to undo does nothing`() throws {
    var stage = try stage()
    for mutation: Mutation in [.undo(), .redo()] {
      let outcome = try stage.apply(mutation)
      #expect(outcome.changes == [])
      #expect(outcome.events == [])
      #expect(stage.text == Self.state.text())
    }
    #expect(stage.session.revision == 0)
  }

  @Test func `U1: a command that fails registers nothing`() throws {
    var stage = try stage()
    try stage.send("remove:")
    _ = stage.refusal(of: .perform(ActionRequest(.action("fail:"))))
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [1])
  }

  @Test func `U1: the trace says which manager undoes what`() throws {
    var stage = try stage()
    try stage.send("remove:")
    #expect(
      Array(try stage.apply(.undo()).trace.says.prefix(2)) == [
        "U1: 'view/undoManager' is the session's.",
        "U2: 'view/undoManager' undoes its last group, which has no name.",
      ])
    #expect(
      try stage.apply(.undo()).trace.says.last == "U2: 'view/undoManager' has nothing to undo.")
    try stage.apply(.redo())
    #expect(
      try stage.apply(.redo()).trace.says.last == "U2: 'view/undoManager' has nothing to do again.")
  }

  @Test func `undo without responders is the session's`() throws {
    var stage = try Stage()
    #expect(try !stage.apply(.undo()).isUndone)
    #expect(stage.refusal(of: .undo(of: "nobody")) == .unknownResponder("nobody"))
  }
}
