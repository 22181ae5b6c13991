import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Mutations that change and send nothing are not counted: a session keeps its revision (R8).
@Suite struct UnchangedSessionTests {
  private func stage() throws -> Stage {
    try Stage(
      classes: ["Grid": ["superclass": "UIView"]],
      responders: [
        "window": ["kind": "window", "lateResponders": ["responders": ["late"]]],
        "late": ["kind": "responder", "proxied": "view", "proxiedSelectors": ["copy:"]],
        "view": [
          "kind": "view", "superview": "window", "handlers": ["copy:": [:]],
          "keyCommands": [["input": "c", "action": "copy:"]], "coordinator": [:],
        ],
        "tabs": [
          "kind": "viewController", "class": "UITabBarController", "viewControllers": ["page"],
        ], "page": ["kind": "viewController"],
      ], focus: "view", key: "window", state: ["a": 1, "b": ["c": [1, 2]]])
  }

  private static let nothing: [Mutation] = {
    do {
      return [
        .becomeFirstResponder("view"), .makeWindow("window", .key), .makeWindow(nil, .modal),
        .patchState(try JSONPatch([["op": "test", "path": "/a", "value": 1]])),
        .patchState(try JSONPatch([["op": "replace", "path": "/b/c", "value": [1, 2]]])),
        .patchState(try JSONPatch([["op": "add", "path": "/a", "value": 1]])),
        .patchState(JSONPatch([])), .mergeState([:]), .mergeState(["b": ["c": [1, 2], "d": nil]]),
        .registerLate("late", from: "view"), .deregisterLate("view", from: nil),
        .changeProxiedSelectors(["copy:"], of: "late"), .removeRegistration(9, with: "view"),
        .putHandler(try handler([:]), for: "copy:", of: "view"),
        .putKeyCommands(try keyCommands([["input": "c", "action": "copy:"]]), of: "view"),
        .putResponder(try tabs(["viewControllers": ["page"]])), .putResponder(try tabs([:])),
        .putResponder(try responder("page", ["kind": "viewController", "parent": "tabs"])),
        .undo(), .redo(), .removeAllUndoActions(), .setLevelsOfUndo(0),
        .processMessages(), .removeQueuedMessages(),
      ]
    } catch {
      Issue.record("\(error)")
      return []
    }
  }()

  private static func tabs(_ members: JSONObject) throws -> Responder {
    var document: JSONObject = ["kind": "viewController", "class": "UITabBarController"]
    for member in members.members { document[member.name] = member.value }
    return try responder("tabs", .object(document))
  }

  private static func keyCommands(_ json: JSON) throws -> [KeyCommand] {
    try FaultLog.collecting { KeyCommand.list(reading: json, at: .root, log: $0) }
  }

  @Test(arguments: nothing.indices)
  func `R8: a mutation that changes nothing leaves the revision, and tells nothing`(
    index: Int
  ) throws {
    var stage = try stage()
    let mutation = Self.nothing[index]
    let before = stage.session.document.text()
    let outcome = try stage.apply(mutation)
    #expect(outcome.changes == [] && outcome.documentEdits == [], "\(mutation.json)")
    #expect(stage.session.document.text() == before, "\(mutation.json)")
  }

  @Test func `R8: nobody has focus, and gives it up`() throws {
    var stage = try Stage()
    #expect(try stage.apply(.resignFirstResponder).isNothing)
    #expect(stage.session.revision == 0)
  }

  @Test func `R8: an identical document in the place of a responder changes nothing`() throws {
    var stage = try stage()
    let view = try #require(stage.session.graph["view"])
    #expect(try stage.apply(.putResponder(view)).changes == [])
    #expect(stage.session.revision == 0)
    var object = try #require(view.json.object)
    object["properties"] = ["n": 1]
    try stage.put("view", .object(object))
    #expect(stage.session.revision == 1)
    object["properties"] = ["n": 1.0]
    try stage.put("view", .object(object))
    #expect(stage.session.revision == 2)
  }

  @Test func `R8: the revision grows by those of a list that change something`() throws {
    var stage = try stage()
    let outcomes = try stage.session.apply(
      [.becomeFirstResponder("view"), .mergeState(["a": 2]), .mergeState(["a": 2])],
      in: stage.catalog)
    #expect(outcomes.map(\.changes) == [[], [.mergedState(["a": 2])], []])
    #expect(stage.session.revision == 1)
  }

  @Test func `what nobody sees and what changes later answers counts`() throws {
    var stage = try stage()
    for _ in 0..<2 { try stage.apply(.disableUndoRegistration()) }
    #expect(stage.session.revision == 2)
    try stage.apply(.perform(ActionRequest(.action("copy:"))))
    #expect(stage.session.revision == 3)
  }

  @Test func `a number that is written in another way is another one`() throws {
    var stage = try stage()
    #expect(try stage.apply(.mergeState(["a": 1.0])).changes == [.mergedState(["a": 1.0])])
    let patch = try JSONPatch([["op": "replace", "path": "/a", "value": 1]])
    #expect(try stage.apply(.patchState(patch)).changes.count == 1)
    #expect(stage.session.revision == 2)
  }
}
