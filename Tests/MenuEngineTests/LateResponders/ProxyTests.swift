import JSONText
import Testing

@testable import MenuEngine

/// Late responders of their own and proxies (L7–L12).
struct ProxyTests {
  /// A master-detail window: focus is in the detail, whose late responder stands for the list.
  private func stage(
    list: JSON = ["perform": [], "validate": ["title": "responder.id"]], filter: JSON? = nil,
    proxy handlers: JSON = [:]
  ) throws -> Stage {
    var proxy: JSONObject = ["kind": "responder", "proxied": "list", "handlers": handlers]
    proxy["proxiedSelectors"] = filter
    return try Stage(
      commands: [["title": "Up", "action": "up:"]],
      responders: [
        "window": ["kind": "window"],
        "list": ["kind": "view", "superview": "window", "handlers": ["up:": list]],
        "detail": [
          "kind": "view", "superview": "window", "lateResponders": ["responders": ["proxy"]],
        ],
        "proxy": .object(proxy),
      ], focus: "detail", state: ["log": [], "isEmpty": false])
  }

  @Test func `L7: a late responder has handlers of its own`() throws {
    var stage = try stage()
    try stage.put("proxy", ["kind": "responder", "handlers": ["zoom:": logging("late")]])
    #expect(try stage.target("zoom:") == "proxy")
    try stage.apply(.perform(ActionRequest(.action("zoom:"))))
    #expect(stage.log == ["late"])
  }

  @Test func `L7: a late responder has a coordinator of its own`() throws {
    var stage = try stage()
    try stage.put(
      "proxy", ["kind": "responder", "coordinator": ["handlers": ["zoom:": logging("late")]]])
    #expect(try stage.target("zoom:") == "proxy/forwarder")
  }

  @Test func `L7: a proxy's own handler comes before the proxied one's`() throws {
    var stage = try stage(filter: [], proxy: ["up:": logging("own")])
    let outcome = try stage.apply(.perform(ActionRequest(.action("up:"))))
    #expect(stage.log == ["own"])
    #expect(outcome.performance?.proxied == nil)
  }

  @Test func `L7: a late responder's key commands count, and mean the proxied one's handler`()
    throws
  {
    var stage = try stage(list: logging("list"))
    try stage.put(
      "proxy",
      [
        "kind": "responder", "proxied": "list",
        "keyCommands": [["input": "UIKeyInputUpArrow", "action": "up:"]],
      ])
    let chosen = try #require(
      try stage.resolution(KeyPress(try pressed("UIKeyInputUpArrow"))).chosen)
    #expect(chosen.claim.declarer == "proxy")
    #expect(chosen.target == .responder("proxy") && chosen.item?.proxied == "list")
  }

  @Test func `L11: key commands of the proxied one are not passed on`() throws {
    var stage = try stage()
    try stage.put(
      "list",
      [
        "kind": "view", "handlers": ["up:": [:]],
        "keyCommands": [["input": "UIKeyInputUpArrow", "action": "up:"]],
      ])
    #expect(try stage.resolution(KeyPress(try pressed("UIKeyInputUpArrow"))).tried.isEmpty)
  }

  @Test func `L8: a proxy is found for what the proxied one can perform`() throws {
    let stage = try stage()
    let answer = try stage.session.target(for: "up:", in: stage.catalog)
    #expect(answer.target == .responder("proxy"))
    #expect(answer.proxied == "list")
    #expect(try stage.target("down:") == "noTarget")
  }

  @Test func `L8: the proxied one's rule is asked, as that one`() throws {
    let rule = "!state.isEmpty && responder.id == 'list' && sender.kind == 'key'"
    var stage = try stage(list: ["canPerform": .string(rule)])
    let key = SenderDescription(members: ["kind": "key"])
    #expect(try stage.target("up:", sender: key) == "proxy")
    #expect(try stage.target("up:") == "noTarget", "a request is its own sender")
    try stage.apply(.mergeState(["isEmpty": true]))
    #expect(try stage.target("up:", sender: key) == "noTarget")
  }

  @Test(
    arguments: [
      (nil, "proxy"), (["up:"], "proxy"), (["down:", "up:"], "proxy"), ([], "noTarget"),
      (["up"], "noTarget"), (["Up:"], "noTarget"),
    ] as [(JSON?, String)])
  func `L8: the filter has exact names; absent it is all, empty it is none`(
    filter: JSON?, target: String
  ) throws {
    #expect(try stage(filter: filter).target("up:") == target)
  }

  @Test func `L8: the filter changes while registered, at once and without an event`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.changeProxiedSelectors([], of: "proxy"))
    #expect(outcome.changes == [] && outcome.events == [])
    #expect(try stage.target("up:") == "noTarget")
    try stage.apply(.changeProxiedSelectors(["up:"], of: "proxy"))
    #expect(try stage.target("up:") == "proxy")
    try stage.apply(.changeProxiedSelectors(nil, of: "proxy"))
    #expect(try stage.target("up:") == "proxy")
    #expect(
      stage.refusal(of: .changeProxiedSelectors([], of: "list")) == .handler(.notAProxy("list")))
  }

  @Test func `L8: the trace says what was let through and what was filtered out`() throws {
    #expect(
      Array(try stage().trace("up:").dropFirst(4)) == [
        #"proxy proxied "list""#, "proxy proxiedSelectors true", "list respondsToSelector true",
        "list canPerformAction true", "proxy canPerformAction true",
      ])
    let steps = try stage(filter: []).session.target(for: "up:", in: stage().catalog).trace.steps
    let filtered = try #require(steps.first { $0.question == .proxiedSelectors })
    #expect(filtered.answer == false && filtered.rule == "L8")
  }

  @Test func `L8: a proxy of a proxy asks both filters`() throws {
    var stage = try stage()
    try stage.put("outer", ["kind": "responder", "proxied": "proxy", "proxiedSelectors": ["up:"]])
    #expect(try stage.target("up:", from: "outer") == "outer")
    try stage.apply(.changeProxiedSelectors([], of: "proxy"))
    #expect(try stage.target("up:", from: "outer") == "noTarget")
  }

  /// A row of proxies `p1`, `p2` and so on, each of the one before; the first one is of `p0`.
  private func row(_ number: Int, more: JSONObject = [:]) throws -> Stage {
    var responders: JSONObject = ["p0": ["kind": "view", "handlers": ["up:": logging("p0")]]]
    for index in 1...number {
      responders["p\(index)"] = ["kind": "responder", "proxied": .string("p\(index - 1)")]
    }
    for member in more.members { responders[member.name] = member.value }
    return try Stage(
      commands: [["title": "Up", "action": "up:"]], responders: .object(responders))
  }

  @Test func `L8: proxies of proxies may be as deep as there are responders`() throws {
    let deep = try row(9_000)
    var question = ValidationRequest()
    question.from = "p9000"
    #expect(
      try deep.session.validate(question, in: deep.catalog).map(\.target) == [.responder("p9000")])
    #expect(deep.session.diagnostics(in: deep.catalog).unhandled == UnhandledActions())
    // A trace of it takes more than one request may.
    #expect(throws: MutationFault.tooMuchEffort) { try deep.target("up:", from: "p9000") }
    var stage = try row(3_000)
    #expect(try stage.target("up:", from: "p17") == "p17")
    #expect(try stage.target("up:", from: "p3000") == "p3000")
    let request = ActionRequest(.action("up:"), to: .responder("p3000"))
    let performance = try stage.apply(.perform(request)).performance
    #expect(performance?.proxied == "p0" && stage.log == ["p0"])
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("down:"), to: .responder("p3000"))))
        == .message(.doesNotRecognizeSelector(.responder("p0"), "down:")))
  }

  @Test func `L10: a message along proxies that end with nobody does nothing`()
    throws
  {
    var stage = try row(100)
    try stage.apply(.removeResponder("p0"))
    #expect(try stage.target("up:", from: "p100") == "noTarget")
    let request = ActionRequest(.action("up:"), to: .responder("p100"))
    let performance = try stage.apply(.perform(request)).performance
    #expect(performance?.reason == .proxiedGone)
    #expect(performance?.trace.lines.last == "p1 proxied null")
    #expect(stage.session.diagnostics(in: stage.catalog).deadProxies.count == 100)
  }

  @Test func `L8: a search asks each proxy once, however many rows lead to it`() throws {
    var late: [JSON] = []
    var responders: JSONObject = [:]
    for index in 0..<4_000 {
      responders["l\(index)"] = ["kind": "responder", "proxied": "p4000"]
      late.append(.string("l\(index)"))
    }
    responders["host"] = ["kind": "view", "lateResponders": ["responders": .array(late)]]
    let stage = try row(4_000, more: responders)
    let inquiry = stage.session.inquiry(in: SessionContext(stage.catalog))
    var search = inquiry
    guard case .nobody(nil) = search.search(for: "down:", from: "host") else {
      Issue.record("found")
      return
    }
    #expect(Limits.effort - inquiry.effort.left < 20_000)
    let diagnostics = stage.session.diagnostics(in: stage.catalog)
    #expect(diagnostics.shadowed.isEmpty && diagnostics.deadProxies.isEmpty)
  }

  @Test(
    arguments: [
      ("canPerform", ["up:": true]), ("forwardingTarget", "list"), ("catchAll", ["selector": "x:"]),
    ] as [(String, JSON)])
  func `L8: members of a proxy that nobody would ask are refused`(member: String, value: JSON)
    throws
  {
    var document: JSONObject = ["kind": "responder", "proxied": "list"]
    document[member] = value
    let found = faults { Responder("p", reading: .object(document), at: .root, log: $0) }
    #expect(
      found == [
        DocumentFault(.conflictingMembers(member, "proxied"), at: JSONPointer([member]))
      ])
    document["proxied"] = nil
    #expect(
      faults { Responder("p", reading: .object(document), at: .root, log: $0) }.isEmpty)
  }

  @Test func `L9: a direct message is forwarded whatever the filter says`() throws {
    var stage = try stage(list: logging("list"), filter: [])
    let request = ActionRequest(.action("up:"), to: .responder("proxy"))
    let outcome = try stage.apply(.perform(request))
    #expect(stage.log == ["list"])
    #expect(outcome.performance?.target == .responder("proxy"))
    #expect(outcome.performance?.proxied == "list")
    #expect(
      outcome.performance?.trace.lines == [
        #"proxy proxyForwarding "list""#, #"list invoke "up:""#,
      ])
  }

  @Test func `L9: a direct message that the proxied one does not know is an error of its`() throws {
    let request = ActionRequest(.action("down:"), to: .responder("proxy"))
    #expect(
      try stage().refusal(of: .perform(request))
        == .message(.doesNotRecognizeSelector(.responder("list"), "down:")))
  }

  @Test func `L10: without the proxied one a proxy is no target, and a message to it does nothing`()
    throws
  {
    var stage = try stage()
    let outcome = try stage.apply(.removeResponder("list"))
    #expect(
      outcome.changes.contains(
        .linkCleared(ClearedLink(holder: "proxy", link: .proxied, destination: "list"))))
    #expect(try stage.target("up:") == "noTarget")
    #expect(try stage.trace("up:").contains("proxy proxied null"))
    let request = ActionRequest(.action("up:"), to: .responder("proxy"))
    let performance = try stage.apply(.perform(request)).performance
    #expect(performance?.isPerformed == false)
    #expect(performance?.reason == .proxiedGone)
    #expect(performance?.trace.lines == ["proxy proxied null"])
  }

  @Test func `L10: a proxy of a deleted responder stays dead, even if the name is used again`()
    throws
  {
    var stage = try stage()
    try stage.apply(.removeResponder("list"))
    #expect(stage.session.graph["proxy"]?.json.object?["proxied"] == .null)
    try stage.put("list", ["kind": "view", "handlers": ["up:": logging("new")]])
    #expect(try stage.target("up:") == "noTarget")
    try stage.put("proxy", ["kind": "responder", "proxied": .null])
    #expect(try stage.target("up:") == "noTarget")
  }

  @Test func `L10: with the registry its members are in none, and keep their next`() throws {
    var stage = try stage()
    try stage.put("more", ["kind": "responder"])
    try stage.apply(.registerLate("more", from: "detail"))
    let outcome = try stage.apply(.removeResponder("detail"))
    #expect(outcome.changes.contains(.registryRemoved("detail")))
    #expect(stage.session.graph.host(ofLate: "proxy") == nil)
    #expect(stage.names(from: "proxy") == ["proxy", "more"])
    #expect(try stage.apply(.deregisterLate("proxy", from: nil)) == Outcome())
  }

  @Test func `L10: a host that is put without its registry has none`() throws {
    var stage = try stage()
    let outcome = try stage.put("detail", ["kind": "view", "superview": "window"])
    #expect(outcome.changes.contains(.registryRemoved("detail")))
    #expect(stage.names(from: "detail") == ["detail", "window"])
    #expect(stage.names(from: "proxy") == ["proxy"])
  }

  @Test func `L11: the target is the proxy, the rules are those of the proxied one`() throws {
    let item = try stage().item("up:")
    #expect(item.title == "list")
    #expect(item.isEnabled)
    #expect(item.target == .responder("proxy"))
    #expect(item.proxied == "list")
  }

  @Test func `L11: the sender is passed unchanged`() throws {
    let effect: JSON = ["op": "add", "path": "/log/-", "value": "[sender.kind, responder.id]"]
    var stage = try stage(list: ["perform": [effect]])
    let sender = SenderDescription(members: ["kind": "knob"])
    let outcome = try stage.apply(.perform(ActionRequest(.action("up:"), sender: sender)))
    #expect(stage.log == [["knob", "list"]])
    #expect(outcome.performance?.invocation.target == .responder("proxy"))
    #expect(outcome.performance?.invocation.arguments == [["kind": "knob"]])
  }

  @Test func `L11: user activity and touch bar of the proxied one are not passed on`() throws {
    var stage = try stage()
    try stage.put(
      "list",
      [
        "kind": "view", "userActivity": ["activityType": "list"],
        "touchBar": ["items": [["identifier": "list"]]],
      ])
    #expect(try stage.session.userActivity().responder == nil)
    #expect(try stage.session.touchBar(in: stage.catalog).items.isEmpty)
    try stage.put(
      "proxy",
      ["kind": "responder", "proxied": "list", "userActivity": ["activityType": "proxy"]])
    #expect(try stage.session.userActivity().responder == "proxy")
  }

  @Test func `L12: a proxy does not find a coordinator's handlers, and the trace says so`() throws {
    var stage = try stage()
    try stage.put("list", ["kind": "view", "coordinator": ["handlers": ["up:": logging("it")]]])
    #expect(try stage.target("up:") == "noTarget")
    let steps = try stage.session.target(for: "up:", in: stage.catalog).trace.steps
    let trap = try #require(steps.first { $0.question == .unaskedRedirect })
    #expect(trap.asked == .responder("list") && trap.answer == "list/forwarder")
    #expect(trap.rule == "L12")
    #expect(try stage.target("up:", from: "list") == "list/forwarder")
  }

  @Test func `L12: a host that implements the action itself is found`() throws {
    var stage = try stage(list: ["perform": [["op": "handleAction"]]])
    try stage.put(
      "list",
      [
        "kind": "view", "handlers": ["up:": ["perform": [["op": "handleAction"]]]],
        "coordinator": ["forwarding": "explicit", "handlers": ["up:": logging("it")]],
      ])
    try stage.apply(.perform(ActionRequest(.command("up:"))))
    #expect(stage.log == ["it"])
  }

  @Test func `R6: questions, actions and diagnostics agree on the target`() throws {
    var stage = try stage(list: logging("list"))
    let looked = try stage.item("up:").target
    let performance = try stage.apply(.perform(ActionRequest(.command("up:")))).performance
    #expect(performance?.target == looked)
    #expect(stage.log == ["list"])
    try stage.put("window", ["kind": "window", "handlers": ["up:": logging("window")]])
    #expect(
      stage.session.diagnostics(in: stage.catalog).shadowed == [
        SessionDiagnostics.Shadow(
          action: "up:", winner: .responder("proxy"), shadowed: .responder("window"))
      ])
  }

  @Test func `L8: a handler of a proxy has no rule that nobody would ask`() throws {
    let handlers: JSON = ["up:": ["canPerform": "true"], "down:": [:]]
    let noted = faults {
      Responder(
        "p", reading: ["kind": "view", "proxied": "list", "handlers": handlers], at: .root, log: $0)
    }
    #expect(
      noted == [
        DocumentFault(
          .conflictingMembers("canPerform", "proxied"),
          at: JSONPointer(["handlers", "up:", "canPerform"]))
      ])
    var stage = try stage()
    let ruled = try handler(["canPerform": "true"])
    #expect(
      stage.refusal(of: .putHandler(ruled, for: "go:", of: "proxy"))
        == .handler(.ruleOfProxy("proxy", "go:"))
    )
    try stage.apply(.putHandler(try handler([:]), for: "go:", of: "proxy"))
  }

  @Test func `R9: proxies cannot stand for each other`() throws {
    let stage = try stage()
    let list = try responder("list", ["kind": "view", "proxied": "proxy"])
    #expect(
      stage.refusal(of: .putResponder(list))
        == .link(.cycle(["list", "proxy", "list"], along: .proxied)))
  }

  @Test func `a proxy's document names the proxied responder`() throws {
    let proxy = #"""
      {"kind":"responder","class":"UIResponder","properties":{},"handlers":{},\#
      "weight":-2,"proxied":"list","proxiedSelectors":["up:"]}
      """#
    #expect(try responder("p", JSON(parsing: proxy)).json.text() == proxy)
    let noted = faults {
      Responder("p", reading: ["kind": "view", "proxiedSelectors": []], at: .root, log: $0)
    }
    #expect(noted.map(\.reason) == [.missingMember("proxied")])
  }
}
