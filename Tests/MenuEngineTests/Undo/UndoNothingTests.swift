import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Patches that change nothing together, and patches in windows that are not key.
@Suite struct UndoNothingTests {
  private func stage() throws -> Stage {
    try Stage(
      undoing: [
        "log:": ["perform": [["op": "add", "path": "/log/-", "value": "size(state.log)"]]]
      ], state: ["n": 1, "log": []])
  }

  private func type(_ patch: JSON) -> Mutation {
    .mergeState(patch, undo: UndoRegistration(actionName: "Typing", coalesce: "k"))
  }

  @Test func `U4: patches of one key that change nothing together are no group`() throws {
    var stage = try stage()
    try stage.send("log:")
    try stage.apply(type(["n": 5]))
    let outcome = try stage.apply(type(["n": 1]))
    #expect(outcome.undoName == nil)
    #expect(try stage.manager().undoGroups.count == 1)
    try stage.apply(type(["n": 5]))
    try stage.apply(type(["n": 6]))
    try stage.apply(type(["n": 1]))
    #expect(try stage.manager().undoGroups.count == 1)
    try stage.apply(.undo())
    #expect(stage.log == [])
  }

  @Test func `U6: what was added and removed is nothing, whatever else was removed meanwhile`()
    throws
  {
    var stage = try stage()
    try stage.apply(type(["f": 2]))
    try stage.apply(.patchState(JSONPatch([.remove(path: JSONPointer(["n"]))])))
    try stage.apply(type(["f": nil]))
    #expect(try stage.manager().undoGroups.isEmpty)
  }

  @Test func `U4: a number that is written in another way is a change`() throws {
    var stage = try stage()
    try stage.apply(type(["n": 5]))
    try stage.apply(type(["n": 1.0]))
    #expect(try stage.manager().can(.undo))
    try stage.apply(.undo())
    #expect(stage.text == #"{"n":1,"log":[]}"#)
  }

  @Test func `R11, U6: a patch is registered with the undo manager of the window it names`() throws
  {
    var stage = try Stage(
      responders: [
        "application": ["kind": "application"], "w1": ["kind": "window"],
        "w2": ["kind": "window"],
        "one": ["kind": "view", "superview": "w1", "undoManager": [:]],
        "two": ["kind": "view", "superview": "w2", "undoManager": [:]],
      ], focus: "one", state: ["text": ""])
    try stage.apply(.makeWindow("w1", .key))
    try stage.apply(.becomeFirstResponder("two", in: "w2"))
    func type(_ text: String, in window: ResponderID?) -> Mutation {
      .mergeState(
        ["text": .string(text)],
        undo: UndoRegistration(actionName: "Typing", coalesce: "k", window: window))
    }
    for text in ["a", "ab"] { try stage.apply(type(text, in: "w2")) }
    #expect(try stage.manager("two").undoGroups.map(\.actionCount) == [1])
    #expect(try !stage.manager("one").can(.undo))
    try stage.apply(type("abc", in: nil))
    #expect(try stage.manager("one").undoGroups.count == 1)
    #expect(stage.refusal(of: type("x", in: "nobody")) == .unknownResponder("nobody"))
    #expect(stage.refusal(of: type("x", in: "one")) == .focus(.notAWindow("one", .view, as: .key)))
  }
}
