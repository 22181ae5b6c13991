import JSONText
import Testing

@testable import MenuEngine

/// Effects that change registrations, late responders and proxies (F1, L4, L5, L8).
@Suite struct RegistrationEffectTests {
  private func handling(_ effects: JSON...) -> JSON { ["perform": .array(effects)] }

  private func stage(_ handlers: JSON) throws -> Stage {
    try Stage(
      commands: [["action": "rate:", "title": "Rate"]],
      responders: [
        "h": [
          "kind": "view", "coordinator": ["handlers": ["grade:": logging("grade")]],
          "handlers": handlers, "lateResponders": ["responders": ["a"]],
        ],
        "v": ["kind": "view", "handlers": ["zoom:": logging("zoom")]],
        "a": ["kind": "responder"], "b": ["kind": "responder"],
        "p": ["kind": "responder", "proxied": "v", "proxiedSelectors": []],
        "other": ["kind": "view", "coordinator": ["handlers": [:]]],
      ], focus: "h", state: ["log": [], "name": "rate:", "token": nil])
  }

  private func go(_ selector: Selector = "go") -> Mutation {
    .perform(ActionRequest(.action(selector)))
  }

  @Test func `F1: a handler registers another one, and reads its token`() throws {
    var stage = try stage([
      "go": handling(
        ["op": "registerHandler", "selector": "state.name", "handler": logging("new")],
        ["op": "replace", "path": "/token", "value": "invocation.result"]),
      "stop": handling(["op": "removeRegistration", "token": "state.token"]),
    ])
    #expect(try stage.target("rate:") == "noTarget")
    let outcome = try stage.apply(go())
    #expect(
      outcome.changes == [
        .registration("h", "rate:", try handler(logging("new")), token: 2),
        .state(.replace(path: JSONPointer(["token"]), value: 2)),
      ])
    #expect(outcome.performance?.invocation.answer == 2)
    try stage.apply(.perform(ActionRequest(.command("rate:"))))
    #expect(stage.log == ["new"])
    #expect(try stage.apply(go("stop")).changes == [.registrationRemoved("h", "rate:", token: 2)])
    #expect(try stage.target("rate:") == "noTarget")
  }

  @Test func `F1: a handler changes a registration, its selector, its handler or both`() throws {
    var stage = try stage([
      "go": handling([
        "op": "changeRegistration", "token": "1", "selector": "'rate:'", "handler": logging("new"),
      ])
    ])
    let outcome = try stage.apply(go())
    #expect(
      outcome.changes == [
        .registrationRemoved("h", "grade:", token: 1),
        .registration("h", "rate:", try handler(logging("new")), token: 2),
      ])
    try stage.apply(.perform(ActionRequest(.command("rate:"))))
    #expect(stage.log == ["new"])
  }

  @Test func `F1: a change of a registration that changes nothing keeps the token`() throws {
    var stage = try stage([
      "go": handling(
        ["op": "changeRegistration", "token": "1", "selector": "'grade:'"],
        ["op": "replace", "path": "/token", "value": "invocation.result"])
    ])
    let grade = try handler(logging("grade"))
    for (selector, handler) in [("grade:", nil), (nil, grade), ("grade:", grade)]
      as [(Selector?, Handler?)]
    {
      let outcome = try stage.apply(
        .changeRegistration(1, with: "h", selector: selector, handler: handler))
      #expect(outcome.changes == [] && outcome.token == 1)
    }
    #expect(stage.session.revision == 0)
    try stage.apply(go())
    #expect(stage.session.state.object?["token"] == 1)
    let next = try stage.apply(.register(grade, for: "a:", with: "h"))
    #expect(next.token == 2)
  }

  @Test func `F1: a change of a registration says what changes`() throws {
    let nothing: JSON = ["op": "changeRegistration", "token": "1"]
    let reason = DocumentFault.Reason.missingMember("selector", orElse: ["handler"])
    #expect(faults { Effect(reading: nothing, at: .root, log: $0) }.map(\.reason) == [reason])
    let mutation: JSON = ["op": "changeRegistration", "responder": "h", "token": 1]
    let catalog = try Catalog()
    let found = faults { Mutation(reading: mutation, at: .root, log: $0, in: catalog) }
    #expect(found.map(\.reason) == [reason])
  }

  @Test func `F1: another host can be named, and one without coordinator is refused`() throws {
    func registering(_ host: JSON) throws -> Stage {
      try stage([
        "go": handling([
          "op": "registerHandler", "responder": host, "selector": "'rate:'",
          "handler": logging("new"),
        ])
      ])
    }
    var other = try registering("'other'")
    #expect(
      try other.apply(go()).changes == [
        .registration("other", "rate:", try handler(logging("new")), token: 2)
      ])
    #expect(
      try registering("'v'").refusal(of: go())
        == .effect(.mutation(.responder("h"), "go", index: 0, .handler(.noCoordinator("v")))))
    let unknown = try stage([
      "go": handling(["op": "changeRegistration", "token": "9", "selector": "'a:'"])
    ])
    #expect(
      unknown.refusal(of: go())
        == .effect(
          .mutation(.responder("h"), "go", index: 0, .handler(.unknownRegistration("h", token: 9))))
    )
  }

  @Test func `L4, L5: a handler registers late responders and deregisters them`() throws {
    var stage = try stage([
      "go": handling(["op": "registerLateResponder", "lateResponder": "'b'"]),
      "stop": handling(["op": "deregisterLateResponder", "lateResponder": "'a'"]),
    ])
    #expect(try stage.apply(go()).changes == [.lateResponders("h", ["a", "b"])])
    #expect(try stage.apply(go()).changes == [], "it is there already")
    #expect(try stage.apply(go("stop")).changes == [.lateResponders("h", ["b"])])
    #expect(try stage.apply(go("stop")).changes == [], "it is in none any more")
  }

  @Test func `L6: where no registry is found, the effect fails`() throws {
    let stage = try stage([
      "go": handling([
        "op": "registerLateResponder", "lateResponder": "'b'", "responder": "'v'",
      ])
    ])
    #expect(
      stage.refusal(of: go())
        == .effect(.mutation(.responder("h"), "go", index: 0, .lateResponder(.noRegistry("v")))))
  }

  @Test func `L8: a handler changes what a proxy is found for`() throws {
    var stage = try stage([
      "go": handling([
        "op": "changeProxiedSelectors", "responder": "'p'", "proxiedSelectors": "['zoom:']",
      ]),
      "all": handling([
        "op": "changeProxiedSelectors", "responder": "'p'", "proxiedSelectors": "null",
      ]),
    ])
    try stage.apply(.registerLate("p", from: "h"))
    #expect(try stage.target("zoom:") == "noTarget")
    try stage.apply(go())
    #expect(try stage.target("zoom:") == "p")
    #expect(stage.session.graph["p"]?.proxy?.proxiedSelectors == ["zoom:"])
    try stage.apply(go("all"))
    #expect(stage.session.graph["p"]?.proxy?.proxiedSelectors == nil)
  }

  @Test(arguments: ["[1]", "['a b']", "dyn('zoom:')"])
  func `L8: what a proxy is found for are selectors`(rule: String) throws {
    let stage = try stage([
      "go": handling([
        "op": "changeProxiedSelectors", "responder": "'p'", "proxiedSelectors": .string(rule),
      ])
    ])
    guard case .effect(.rule(.responder("h"), "go", let fault))? = stage.refusal(of: go()) else {
      Issue.record("not refused by the rule")
      return
    }
    #expect(fault.place == "perform/0/proxiedSelectors")
    #expect(RuleFault.Expectation.selectors.rawValue == "an array of selectors, or null")
  }

  @Test func `the rules of a handler that an effect registers count as the session's`() throws {
    let inner: JSON = ["validate": ["enabled": "true"], "perform": [["op": "handleAction"]]]
    let outer = try handler([
      "perform": [["op": "registerHandler", "selector": "'rate:'", "handler": inner]]
    ])
    #expect(outer.ruleCount == 3)
  }
}
