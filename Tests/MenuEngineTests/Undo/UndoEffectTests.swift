import JSONText
import Testing

@testable import MenuEngine

/// The undo manager that an effect is about: that of the responder it names, else the receiver's (U1, U2).
@Suite struct UndoEffectTests {
  @Test func `U2: a handler whose responder is gone names a group of the session's manager`() throws
  {
    var stage = try Stage(undoing: [
      "leave:": [
        "perform": [
          ["op": "add", "path": "/log/-", "value": "1"],
          ["op": "removeResponder", "responder": "'view'"],
          ["op": "setUndoActionName", "name": "'Leave'"],
        ]
      ]
    ])
    try stage.send("leave:")
    #expect(try stage.manager().turn(.undo).actionName == "Leave")
  }

  @Test func `U2: an effect that names a responder that is not there is refused`() throws {
    let stage = try Stage(undoing: [
      "name:": [
        "perform": [["op": "setUndoActionName", "responder": "'ghost'", "name": "'Name'"]]
      ]
    ])
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("name:"))))
        == .effect(.mutation(.responder("view"), "name:", index: 0, .unknownResponder("ghost"))))
  }

  @Test(arguments: ["dealloc", "viewWillDisappear:"])
  func `V9: a view controller that is told of its end names a responder, whose manager it is`(
    method: String
  ) throws {
    var stage = try Stage(
      undoing: [:],
      others: [
        "other": ["kind": "responder", "undoManager": [:]],
        "leaving": [
          "kind": "viewController",
          "handlers": [
            method: [
              "perform": [
                ["op": "setLevelsOfUndo", "responder": "'other'", "levelsOfUndo": "3"]
              ]
            ]
          ],
        ],
      ])
    if method != "dealloc" {
      try stage.put("shown", ["kind": "window", "rootViewController": "leaving"])
      try stage.apply(.mergeState(["log": []]))
    }
    try stage.apply(.removeResponder("leaving"))
    #expect(try stage.manager("other").levelsOfUndo == 3)
    #expect(try stage.manager().levelsOfUndo == 0)
  }
}
