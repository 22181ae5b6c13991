import CEL
import JSONText
import Testing

@testable import MenuEngine

private let perform = Mutation.perform(ActionRequest(.action("go:"), arguments: ["argument"]))

/// Effects whose place in the state is a rule.
@Suite struct StatePlaceTests {
  private func stage(_ effects: JSON...) throws -> Stage {
    try Stage(
      responders: [
        "v": ["kind": "view", "handlers": ["go:": ["perform": .array(effects)]]]
      ], focus: "v",
      state: ["photos": ["lake": ["rating": 1], "a/b~c": ["rating": 2]], "id": "lake", "log": []])
  }

  @Test(
    arguments: [
      (
        ["op": "replace", "pathRule": "'/photos/' + state.id + '/rating'", "value": "5"],
        .replace(path: JSONPointer(["photos", "lake", "rating"]), value: 5)
      ),
      (
        ["op": "add", "pathRule": "'/' + arguments[0]", "value": "5"],
        .add(path: JSONPointer(["argument"]), value: 5)
      ),
      (["op": "remove", "pathRule": "'/id'"], .remove(path: JSONPointer(["id"]))),
      (
        ["op": "test", "pathRule": "'/' + 'id'", "value": "'lake'"],
        .test(path: JSONPointer(["id"]), value: "lake")
      ),
      (
        ["op": "move", "fromRule": "'/id'", "path": "/log/0"],
        .move(from: JSONPointer(["id"]), path: JSONPointer(["log", "0"]))
      ),
      (
        ["op": "copy", "from": "/id", "pathRule": "'/log/-'"],
        .copy(from: JSONPointer(["id"]), path: JSONPointer(["log", "-"]))
      ),
      (
        [
          "op": "replace", "value": "5",
          "pathRule": "'/photos/' + 'a/b~c'.replace('~', '~0').replace('/', '~1') + '/rating'",
        ], .replace(path: JSONPointer(["photos", "a/b~c", "rating"]), value: 5)
      ),
      (
        ["op": "replace", "value": "5", "pathRule": "['photos', 'a/b~c', 'rating']"],
        .replace(path: JSONPointer(["photos", "a/b~c", "rating"]), value: 5)
      ),
      (
        ["op": "add", "value": "5", "pathRule": "['log', 0]"],
        .add(path: JSONPointer(["log", "0"]), value: 5)
      ),
      (
        ["op": "move", "fromRule": "['photos', state.id, 'rating']", "pathRule": "['id']"],
        .move(from: JSONPointer(["photos", "lake", "rating"]), path: JSONPointer(["id"]))
      ),
    ] as [(JSON, JSONPatch.Operation)])
  func `a rule says where the state is changed, and the change names that place alone`(
    effect: JSON, operation: JSONPatch.Operation
  ) throws {
    var stage = try stage(effect)
    #expect(try stage.apply(perform).changes == [.state(operation)])
  }

  @Test func `what a client sends as a name stays a name`() throws {
    var stage = try Stage(
      responders: [
        "v": [
          "kind": "view",
          "handlers": [
            "go:": ["perform": [["op": "remove", "pathRule": "['photos', arguments[0]]"]]]
          ],
        ]
      ], focus: "v", state: ["photos": ["lake/title": 1, "lake": ["title": 2]]])
    try stage.apply(.perform(ActionRequest(.action("go:"), arguments: ["lake/title"])))
    #expect(stage.session.state == ["photos": ["lake": ["title": 2]]])
  }

  @Test func `U1: what changed at a computed place is undone`() throws {
    var stage = try stage(
      ["op": "replace", "pathRule": "'/photos/' + state.id + '/rating'", "value": "5"])
    let before = stage.session.state
    try stage.apply(perform)
    try stage.apply(.undo(of: nil))
    #expect(stage.session.state == before)
  }

  @Test(arguments: [
    "'photos'", "'/a~2'", "'/~'", "dyn(5)", "state.missing", "['photos', true]", "['a', null]",
    "['a', 1.0]", "[['a']]",
  ])
  func `a rule that answers no place is a fault of its effect, with its place`(rule: String) throws
  {
    let stage = try stage(
      ["op": "add", "path": "/log/-", "value": "1"],
      ["op": "replace", "pathRule": .string(rule), "value": "5"])
    guard
      case .effect(.rule(.responder("v"), "go:", let fault))? = stage.refusal(of: perform)
    else {
      Issue.record("not refused by the rule")
      return
    }
    #expect(fault.place == "perform/1/pathRule")
    if rule.hasPrefix("'") {
      let text = rule.filter { $0 != "'" }
      #expect(fault.reason == .misnamed(text, expected: .pointer))
    }
  }

  @Test func `a place that is not in the state is a fault of the effect`() throws {
    let stage = try stage(["op": "replace", "pathRule": "'/photos/owl/rating'", "value": "5"])
    guard case .effect(.patch(.responder("v"), "go:", index: 0, _))? = stage.refusal(of: perform)
    else {
      Issue.record("not refused")
      return
    }
  }

  private func faults(_ effect: JSON) -> [DocumentFault] {
    let log = FaultLog()
    _ = Effect(reading: effect, at: .root, log: log)
    return log.faults
  }

  @Test(
    arguments: [
      (
        ["op": "remove", "path": "/a", "pathRule": "'/a'"], .conflictingMembers("path", "pathRule"),
        ""
      ),
      (
        ["op": "move", "from": "/a", "fromRule": "'/a'", "path": "/b"],
        .conflictingMembers("from", "fromRule"), ""
      ),
      (["op": "remove"], .missingMember("path", orElse: ["pathRule"]), ""),
      (["op": "move", "path": "/a"], .missingMember("from", orElse: ["fromRule"]), ""),
      (["op": "remove", "pathRule": 1], .expected(.rule, found: 1), "pathRule"),
      (
        ["op": "remove", "fromRule": "'/a'", "path": "/b"],
        .unknownMember("fromRule", known: ["op", "path", "pathRule", "when", "undo"]), "fromRule"
      ),
    ] as [(JSON, DocumentFault.Reason, String)])
  func `an effect has a place or a rule for one`(
    effect: JSON, problem: DocumentFault.Reason, member: String
  ) {
    let place = JSONPointer(member.isEmpty ? [] : [member])
    #expect(faults(effect) == [DocumentFault(problem, at: place)])
  }
}
