import CEL
import JSONText
import Testing

@testable import MenuEngine

/// Rules whose value can never be what is wanted are refused when they are declared.
@Suite struct RuleTypeTests {
  private func faults(_ responder: JSONObject) -> [DocumentFault] {
    let log = FaultLog()
    _ = Responder("v", reading: .object(responder), at: .root, log: log)
    return log.faults
  }

  /// The messages of rules that do not compile, with their hints.
  private func messages(_ faults: [DocumentFault]) -> [String] {
    faults.map { fault in
      guard case .rule(let rule) = fault.reason else { return "\(fault.reason)" }
      return "\(rule.offset): \(rule.message); \(rule.hint ?? "")"
    }
  }

  private func handling(_ handler: JSON) -> JSONObject {
    ["kind": "view", "handlers": ["a:": handler]]
  }

  private func effect(_ effect: JSON) -> JSONObject { handling(["perform": [effect]]) }

  private let number = "0: the value is an int, never a bool; compare it, as in 'x > 0'"
  private let noText = "0: the value is an int, never a string; write 'string(x)' instead of 'x'"

  @Test(arguments: ["enabled", "hidden", "destructive", "keepsMenuPresented"])
  func `M5: a rule for yes or no`(part: String) {
    let faults = faults(handling(["validate": [part: "5"]]))
    #expect(messages(faults) == [number])
    #expect(faults.first?.pointer == JSONPointer(["handlers", "a:", "validate", part]))
  }

  @Test(arguments: ["title", "subtitle", "image", "discoverabilityTitle"])
  func `M5: a rule for a text`(part: String) {
    #expect(messages(faults(handling(["validate": [part: "5"]]))) == [noText])
  }

  @Test(arguments: [
    ("checked", "5", "0: the value is an int, never a bool or a string; compare it, as in 'x > 0'"),
    (
      "checked", "[true]",
      "0: the value is a list(bool), never a bool or a string; compare its size, as in 'size(x) > 0'"
    ),
    ("enabled", "'true'", "0: the value is a string, never a bool; compare it, as in 'x == \"…\"'"),
    ("enabled", "null", "0: the value is null, never a bool; compare it, as in 'x == y'"),
    (
      "enabled", "  size(state.a) + 1",
      "2: the value is an int, never a bool; compare it, as in 'x > 0'"
    ),
    (
      "enabled", "state.?a",
      "0: the value is an optional_type(dyn), never a bool; write 'x.orValue(…)' instead of 'x'"
    ),
    (
      "title", "{'a': 1}",
      "0: the value is a map(string, int), never a string; take one of its members, as in 'x.name'"
    ),
  ])
  func `M5: the fault names the type of the value, and a conversion to the wanted one`(
    part: String, rule: String, message: String
  ) {
    #expect(messages(faults(handling(["validate": [part: .string(rule)]]))) == [message])
  }

  @Test(arguments: [
    ("enabled", "state.a"), ("enabled", "dyn(5)"), ("enabled", "state.a ? true : state.b"),
    ("enabled", "state.?a.orValue(false)"), ("checked", "'mixed'"), ("checked", "state.a == 1"),
    ("title", "'a' + state.b"), ("title", "string(5)"), ("enabled", "true"),
    ("enabled", "state.list.map(x, x)[0]"), ("title", "state.a ? 'a' : state.b"),
  ])
  func `M5: a value that may have the wanted type is accepted`(part: String, rule: String) {
    #expect(faults(handling(["validate": [part: .string(rule)]])) == [])
  }

  @Test func `R4, R8, K5, V3: all rules that ask answer yes or no`() {
    #expect(messages(faults(handling(["canPerform": "5"]))) == [number])
    #expect(messages(faults(["kind": "view", "canPerform": ["a:": "5"]])) == [number])
    #expect(messages(faults(["kind": "view", "canBecomeFirstResponder": "5"])) == [number])
    #expect(messages(faults(["kind": "view", "canResignFirstResponder": "5"])) == [number])
    let keyCommand: JSON = ["input": "a", "action": "a", "when": "5", "enabled": "5"]
    let found = faults(["kind": "view", "keyCommands": [keyCommand]])
    #expect(messages(found) == [number, number])
    #expect(found.last?.pointer == JSONPointer(["keyCommands", "0", "enabled"]))
    let log = FaultLog()
    _ = Segue(
      reading: [
        "identifier": "S", "kind": "show", "destination": "d", "shouldPerform": "5",
        "prepare": [["op": "answer", "value": "1", "when": "5"]],
      ], at: .root, log: log)
    #expect(messages(log.faults) == [number, number])
  }

  @Test(
    arguments: [
      (["op": "send", "action": "5"], "action"),
      (["op": "send", "action": "'a'", "to": "5"], "to"),
      (["op": "firstResponder", "responder": "5"], "responder"),
      (["op": "remove", "pathRule": "5"], "pathRule"),
      (["op": "move", "fromRule": "5", "path": ""], "fromRule"),
      (["op": "segue", "identifier": "5"], "identifier"),
      (["op": "show", "viewController": "5"], "viewController"),
      (["op": "startCoordinator", "coordinator": "5"], "coordinator"),
      (["op": "setActionName", "name": "5"], "name"),
      (["op": "registerLateResponder", "lateResponder": "5"], "lateResponder"),
      (["op": "registerHandler", "selector": "5", "handler": [:]], "selector"),
    ] as [(JSON, String)])
  func `names and places of effects are strings`(effect: JSON, member: String) {
    let found = faults(self.effect(effect))
    let isPlace = member.hasSuffix("Rule")
    #expect(
      messages(found)
        == [isPlace ? noText.replacing("a string;", with: "a string or a list;") : noText])
    #expect(
      found.first?.pointer == JSONPointer(["handlers", "a:", "perform", "0", member]))
  }

  @Test(
    arguments: [
      (
        ["op": "send", "action": "'a'", "arguments": "5"],
        "0: the value is an int, never a list; write '[x]' instead of 'x'"
      ),
      (
        ["op": "properties", "value": "5"],
        "0: the value is an int, never a map; write '{\"name\": x}' instead of 'x'"
      ),
      (
        ["op": "removeRegistration", "token": "'5'"],
        "0: the value is a string, never an int; write 'int(x)' instead of 'x'"
      ),
      (
        ["op": "changeProxiedSelectors", "proxiedSelectors": "'a:'"],
        "0: the value is a string, never a list or null; write '[x]' instead of 'x'"
      ),
      (
        ["op": "answer", "value": "type(5)"],
        "0: the value is a type(int), which has no form in JSON; write its name as a string"
      ),
      (
        ["op": "replace", "path": "/a", "value": "state.?a"],
        "0: the value is an optional_type(dyn), which has no form in JSON; write 'x.orValue(…)' "
          + "instead of 'x'"
      ),
    ] as [(JSON, String)])
  func `values of effects are what the effect needs`(effect: JSON, message: String) {
    #expect(messages(faults(self.effect(effect))) == [message])
  }

  @Test func `null is nobody where nobody can be meant`() {
    #expect(faults(effect(["op": "delegate", "to": "null"])) == [])
    #expect(faults(effect(["op": "showDetail", "viewController": "null"])) == [])
    #expect(faults(["kind": "view", "supplementalTargetRule": "null"]) == [])
    #expect(
      messages(faults(["kind": "view", "supplementalTargetRule": "5"])) == [
        "0: the value is an int, never a string or null; write 'string(x)' instead of 'x'"
      ])
  }

  @Test func `a rule is read from a journal without a look at its type`() throws {
    #expect(try JSON.string("5").decoded(as: Rule.self).program.source == "5")
  }
}
