import JSONText
import Testing

@testable import MenuEngine

/// The way of a message that is sent to a proxy directly (L9, L10), and on from there (F4).
struct ProxyForwardingTests {
  /// A proxy of a list, with others that the list may forward to.
  private func stage(list: JSONObject, others: JSON = [:]) throws -> Stage {
    var list = list
    list["kind"] = "view"
    var responders: JSONObject = [
      "list": .object(list),
      "proxy": ["kind": "responder", "proxied": "list", "proxiedSelectors": []],
      "outer": ["kind": "responder", "proxied": "proxy"],
    ]
    for member in others.object?.members ?? [] { responders[member.name] = member.value }
    return try Stage(
      commands: [["title": "Up", "action": "up:"]], responders: .object(responders))
  }

  private func send(
    _ stage: inout Stage, to receiver: ResponderID = "proxy"
  ) throws -> Outcome.Performance {
    let request = ActionRequest(.action("up:"), to: .responder(receiver))
    return try #require(try stage.apply(.perform(request)).performance)
  }

  private let marking: JSON = [
    "perform": [["op": "add", "path": "/log/-", "value": "responder.id"]]
  ]

  @Test func `L9: what the proxied one forwards goes on to its forwarding target (F10)`() throws {
    var stage = try stage(
      list: ["forwardingTarget": "helper"],
      others: ["helper": ["kind": "responder", "handlers": ["up:": marking]]])
    let performance = try send(&stage)
    #expect(stage.log == ["helper"])
    #expect(performance.isPerformed && performance.reason == .enabled)
    #expect(performance.target == .responder("proxy") && performance.proxied == "list")
    #expect(performance.invocation.target == .responder("helper"))
    #expect(
      performance.trace.says == [
        "L9: 'proxy' forwards 'up:' to 'list', whom it stands for, whatever its filter says.",
        "F4: 'list' has no method 'up:' and adds none.",
        "F10: 'list' forwards 'up:' to 'helper', where it is tried again.",
        "F4: 'helper' runs its method 'up:'.",
      ])
  }

  @Test func `L9: the proxied one's catch-all takes what it has no method for (F10)`() throws {
    var stage = try stage(list: ["catchAll": ["selector": "any:"], "handlers": ["any:": marking]])
    let performance = try send(&stage)
    #expect(stage.log == ["list"])
    #expect(performance.target == .responder("proxy") && performance.proxied == "list")
    #expect(performance.invocation.target == .responder("proxy"))
    #expect(performance.invocation.selector == "any:")
    #expect(performance.invocation.originalSelector == "up:")
  }

  @Test func `L9: proxies of proxies forward in turn, and the last one stands beside the first`()
    throws
  {
    var stage = try stage(list: ["catchAll": ["selector": "any:"], "handlers": ["any:": marking]])
    let performance = try send(&stage, to: "outer")
    #expect(stage.log == ["list"])
    #expect(performance.target == .responder("outer") && performance.proxied == "list")
    #expect(
      performance.trace.lines.prefix(2) == [
        #"outer proxyForwarding "proxy""#, #"proxy proxyForwarding "list""#,
      ])
  }

  @Test func `L9: a forwarding target can be a proxy`() throws {
    var stage = try stage(
      list: ["handlers": ["up:": marking]],
      others: ["sender": ["kind": "responder", "forwardingTarget": "proxy"]])
    let performance = try send(&stage, to: "sender")
    #expect(stage.log == ["list"])
    #expect(performance.target == .responder("sender") && performance.proxied == nil)
    #expect(performance.invocation.target == .responder("proxy"))
  }

  @Test func `L10: a message that is forwarded to a proxy of nobody does nothing, and says so`()
    throws
  {
    var stage = try stage(
      list: ["handlers": ["up:": marking]],
      others: ["sender": ["kind": "responder", "forwardingTarget": "proxy"]])
    try stage.apply(.removeResponder("list"))
    for receiver in ["sender", "proxy", "outer"] as [ResponderID] {
      let performance = try send(&stage, to: receiver)
      #expect(!performance.isPerformed && performance.reason == .proxiedGone)
      #expect(performance.trace.lines.last?.hasSuffix("proxied null") == true)
    }
    #expect(stage.log == [])
  }

  @Test func `L10: a command that is sent to a proxy of nobody is told before and after`() throws {
    var stage = try stage(list: [:])
    try stage.apply(.removeResponder("list"))
    let request = ActionRequest(.command("up:"), to: .responder("proxy"))
    let outcome = try stage.apply(.perform(request))
    #expect(outcome.performance?.reason == .proxiedGone)
    #expect(
      outcome.events == [
        .willSendAction("up:", "up:", target: .responder("proxy")),
        .didSendAction("up:", "up:", target: .responder("proxy"), isPerformed: false),
      ])
  }

  @Test func `L10: a message that an effect sends to a proxy of nobody does nothing`() throws {
    var stage = try stage(
      list: [:],
      others: [
        "v": [
          "kind": "view",
          "handlers": [
            "go:": [
              "perform": [
                ["op": "send", "action": "'up:'", "to": "'proxy'"],
                ["op": "add", "path": "/log/-", "value": "'went on'"],
              ]
            ]
          ],
        ]
      ])
    try stage.apply(.removeResponder("list"))
    try stage.apply(.perform(ActionRequest(.action("go:"), to: .responder("v"))))
    #expect(stage.log == ["went on"])
  }

  @Test func `L12: a message to a proxy does not reach the coordinator of its responder either`()
    throws
  {
    let stage = try stage(list: ["coordinator": ["handlers": ["up:": logging("coordinator")]]])
    let request = ActionRequest(.action("up:"), to: .responder("proxy"))
    #expect(
      stage.refusal(of: .perform(request))
        == .message(.doesNotRecognizeSelector(.responder("list"), "up:", isRegistered: true)))
  }

  @Test func `L9: a selector outside the filter of a proxy has no target (R3)`() throws {
    let stage = try stage(
      list: ["catchAll": ["selector": "any:"], "handlers": ["any:": marking]],
      others: ["open": ["kind": "responder", "proxied": "list"]])
    #expect(try stage.target("up:", from: "open") == "noTarget")
    #expect(try stage.target("any:", from: "open") == "open")
    #expect(try stage.target("any:", from: "proxy") == "noTarget")
  }

  @Test func `L8: handlers of the proxied one's class are found, and one put later`() throws {
    var stage = try Stage(
      classes: ["List": ["superclass": "UIView", "handlers": ["up:": [:]]]],
      responders: [
        "list": ["kind": "view", "class": "List"],
        "proxy": ["kind": "responder", "proxied": "list"],
      ])
    #expect(try stage.target("up:", from: "proxy") == "proxy")
    #expect(try stage.target("down:", from: "proxy") == "noTarget")
    try stage.apply(.putHandler(try handler([:]), for: "down:", of: "list"))
    #expect(try stage.target("down:", from: "proxy") == "proxy")
    try stage.put("list", ["kind": "view"])
    #expect(try stage.target("up:", from: "proxy") == "noTarget")
  }

  @Test func `L8: no means that the search goes on behind the proxy (R4)`() throws {
    let stage = try Stage(
      responders: [
        "list": ["kind": "view", "handlers": ["up:": ["canPerform": "state.isOpen"]]],
        "view": [
          "kind": "view", "superview": "window", "lateResponders": ["responders": ["proxy"]],
        ],
        "proxy": ["kind": "responder", "proxied": "list"],
        "window": ["kind": "window", "handlers": ["up:": [:]]],
      ], focus: "view", state: ["isOpen": false])
    #expect(try stage.target("up:") == "window")
    #expect(
      try stage.session.target(for: "up:", in: stage.catalog).trace.says.contains(
        "R4: 'list' cannot perform 'up:' for this sender."))
  }

  @Test func `L7: what a proxy has of its own it answers also when its responder is gone`() throws {
    var stage = try stage(list: [:])
    try stage.put(
      "proxy", ["kind": "responder", "proxied": "list", "handlers": ["up:": marking]])
    try stage.apply(.removeResponder("list"))
    #expect(try stage.target("up:", from: "proxy") == "proxy")
    #expect(try send(&stage).isPerformed)
    #expect(stage.log == ["proxy"])
  }
}
