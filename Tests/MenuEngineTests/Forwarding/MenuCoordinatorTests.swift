import JSONText
import Testing

@testable import MenuEngine

private func host(_ handlers: JSON, _ more: JSON = [:]) -> JSON {
  var object: JSONObject = ["kind": "view", "coordinator": ["handlers": handlers]]
  for member in more.object?.members ?? [] { object[member.name] = member.value }
  return .object(object)
}

private let rate: JSON = [["action": "rate:", "title": "Rate"]]
private let perform = Mutation.perform(ActionRequest(.command("rate:")))

@Suite struct MenuCoordinatorTests {
  private func stage(_ handlers: JSON = [:]) throws -> Stage {
    try Stage(commands: rate, responders: ["h": host(handlers), "v": ["kind": "view"]], focus: "h")
  }

  private func register(_ mark: String, _ selector: Selector = "rate:") throws -> Mutation {
    .register(try handler(logging(mark)), for: selector, with: "h")
  }

  /// The registrations of the host: token and selector.
  private func tokens(_ stage: Stage) -> [String] {
    (stage.session.graph["h"]?.coordinator?.registrations ?? []).map {
      "\($0.token) \($0.selector)"
    }
  }

  @Test func `F1: each registration has a token of its own`() throws {
    var stage = try stage(["a:": [:], "b:": [:]])
    #expect(tokens(stage) == ["1 a:", "2 b:"])
    let outcome = try stage.apply(register("c", "c:"))
    let told = Outcome.Change.registration("h", "c:", try handler(logging("c")), token: 3)
    #expect(outcome == Outcome(changes: [told], token: 3))
    #expect(tokens(stage) == ["1 a:", "2 b:", "3 c:"])
  }

  @Test func `F1: registrations stay in the order of their tokens, and rules see them so`() throws {
    var stage = try stage(["a:": [:], "b:": [:], "c:": [:]])
    try stage.apply(register("again", "a:"))
    try stage.apply(.removeRegistration(2, with: "h"))
    try stage.apply(register("d", "d:"))
    #expect(tokens(stage) == ["3 c:", "4 a:", "5 d:"])
    let value = stage.session.graph.ruleValue(of: "h")
    #expect(value[JSONPointer(["coordinator", "handlers"])] == ["c:", "a:", "d:"])
  }

  @Test func `F1: the last registration wins, and there is no stack`() throws {
    var stage = try stage()
    try stage.apply(register("first"))
    let outcome = try stage.apply(register("second"))
    #expect(
      try outcome
        == Outcome(
          changes: [
            .registrationRemoved("h", "rate:", token: 1),
            .registration("h", "rate:", try handler(logging("second")), token: 2),
          ], token: 2))
    try stage.apply(perform)
    #expect(stage.log == ["second"])
    try stage.apply(.removeRegistration(2, with: "h"))
    #expect(try stage.target("rate:") == "noTarget")
  }

  @Test func `F1: a token that was replaced, removed or never given removes nothing`() throws {
    var stage = try stage()
    try stage.apply(register("first"))
    try stage.apply(register("second"))
    for token in [1, 3, 0, -1, Int.max, Int.min] {
      #expect(try stage.apply(.removeRegistration(token, with: "h")) == Outcome())
    }
    #expect(tokens(stage) == ["2 rate:"])
    #expect(
      try stage.apply(.removeRegistration(2, with: "h"))
        == Outcome(changes: [.registrationRemoved("h", "rate:", token: 2)]))
    #expect(try stage.apply(.removeRegistration(2, with: "h")) == Outcome())
  }

  @Test func `F1: no token is given twice`() throws {
    var stage = try stage()
    try stage.apply(register("first"))
    try stage.apply(.removeRegistration(1, with: "h"))
    #expect(try stage.apply(register("second")).token == 2)
  }

  @Test func `F1: a changed selector is registered before the old one is removed`() throws {
    var stage = try stage(["rate:": logging("handler")])
    let outcome = try stage.apply(
      .changeRegistration(1, with: "h", selector: "grade:", handler: nil))
    #expect(
      try outcome
        == Outcome(
          changes: [
            .registrationRemoved("h", "rate:", token: 1),
            .registration("h", "grade:", try handler(logging("handler")), token: 2),
          ], token: 2))
    #expect(tokens(stage) == ["2 grade:"])
    #expect(try stage.target("rate:") == "noTarget")
    #expect(try stage.target("grade:") == "h/forwarder")
  }

  @Test func `F1: a change to a taken selector replaces its registration`() throws {
    var stage = try stage(["a:": logging("a"), "rate:": logging("old")])
    let outcome = try stage.apply(
      .changeRegistration(1, with: "h", selector: "rate:", handler: nil))
    #expect(
      try outcome.changes == [
        .registrationRemoved("h", "a:", token: 1), .registrationRemoved("h", "rate:", token: 2),
        .registration("h", "rate:", try handler(logging("a")), token: 3),
      ])
    #expect(tokens(stage) == ["3 rate:"])
    try stage.apply(perform)
    #expect(stage.log == ["a"])
  }

  @Test func `F1: a changed handler keeps its selector and has a new token`() throws {
    var stage = try stage(["rate:": logging("old")])
    let outcome = try stage.apply(
      .changeRegistration(1, with: "h", selector: nil, handler: try handler(logging("new"))))
    #expect(
      try outcome.changes == [
        .registrationRemoved("h", "rate:", token: 1),
        .registration("h", "rate:", try handler(logging("new")), token: 2),
      ])
    try stage.apply(perform)
    #expect(stage.log == ["new"])
    #expect(
      stage.refusal(of: .changeRegistration(1, with: "h", selector: "x", handler: nil))
        == .handler(.unknownRegistration("h", token: 1)))
  }

  @Test func `F1: a responder without coordinator, or none at all, is refused`() throws {
    let stage = try stage()
    let nothing = try handler([:])
    #expect(
      stage.refusal(of: .register(nothing, for: "a", with: "v")) == .handler(.noCoordinator("v")))
    #expect(stage.refusal(of: .removeRegistration(1, with: "v")) == .handler(.noCoordinator("v")))
    #expect(
      stage.refusal(of: .changeRegistration(1, with: "v", selector: nil, handler: nil))
        == .handler(.noCoordinator("v")))
    #expect(
      stage.refusal(of: .register(nothing, for: "a", with: "x")) == .unknownResponder("x"))
    #expect(stage.refusal(of: .removeRegistration(1, with: "x")) == .unknownResponder("x"))
  }

  @Test func `F1: a host that is replaced keeps the tokens of what its document has still`() throws
  {
    var stage = try stage(["a:": [:], "b:": [:], "d:": [:]])
    #expect(tokens(stage) == ["1 a:", "2 b:", "3 d:"])
    try stage.put("h", host(["b:": [:], "c:": [:], "d:": ["perform": []]]))
    #expect(tokens(stage) == ["2 b:", "3 d:", "4 c:"])
    try stage.apply(.removeRegistration(1, with: "h"))
    try stage.apply(.removeRegistration(2, with: "h"))
    #expect(tokens(stage) == ["3 d:", "4 c:"])
  }

  @Test func `F1: another handler for the same selector is another registration`() throws {
    var stage = try stage(["a:": [:], "b:": [:]])
    try stage.put("h", host(["a:": logging("new"), "b:": [:]]))
    #expect(tokens(stage) == ["2 b:", "3 a:"])
    try stage.apply(.removeRegistration(1, with: "h"))
    #expect(tokens(stage) == ["2 b:", "3 a:"])
  }

  @Test func `F1: a host that was away has new tokens`() throws {
    var stage = try stage(["a:": [:]])
    try stage.apply(.removeResponder("h"))
    try stage.put("h", host(["a:": [:]]))
    #expect(tokens(stage) == ["2 a:"])
  }
}

@Suite struct RedirectTests {
  @Test func `F2: the inner of two nested hosts wins, if it has a handler`() throws {
    var stage = try Stage(
      commands: rate,
      responders: [
        "outer": host(["rate:": logging("outer")]),
        "inner": host(["rate:": logging("inner")], ["superview": "outer"]),
      ], focus: "inner")
    #expect(try stage.target("rate:") == "inner/forwarder")
    try stage.apply(.removeRegistration(2, with: "inner"))
    #expect(try stage.target("rate:") == "outer/forwarder")
  }

  @Test func `F2: a responder nearer than the host wins, one farther loses`() throws {
    let stage = try Stage(
      responders: [
        "far": ["kind": "view", "handlers": ["rate:": [:]]],
        "host": host(["rate:": [:]], ["superview": "far"]),
        "near": ["kind": "view", "superview": "host", "handlers": ["rate:": [:]]],
      ])
    #expect(try stage.target("rate:", from: "near") == "near")
    #expect(try stage.target("rate:", from: "host") == "host/forwarder")
    #expect(try stage.target("rate:", from: "far") == "far")
  }

  @Test func `F2: the host's own method loses to its coordinator, other actions go to it`() throws {
    var stage = try Stage(
      commands: rate,
      responders: [
        "h": host(
          ["rate:": logging("coordinator")],
          ["handlers": ["rate:": logging("own"), "other:": [:]]])
      ], focus: "h")
    try stage.apply(perform)
    #expect(stage.log == ["coordinator"])
    #expect(try stage.target("other:") == "h")
  }

  @Test func `F3: the forwarder can perform whatever has a handler`() throws {
    #expect(
      faults { Responder("h", reading: host(["a:": ["canPerform": false]]), at: .root, log: $0) }
        == [
          DocumentFault(
            .unknownMember("canPerform", known: ["validate", "perform", "continues"]),
            at: JSONPointer(["coordinator", "handlers", "a:", "canPerform"]))
        ])
    let stage = try Stage(
      responders: [
        "h": host(
          ["rate:": [:]], ["handlers": ["rate:": ["canPerform": false]]])
      ], focus: "h")
    #expect(try stage.target("rate:") == "h/forwarder")
  }

  @Test func `F3: the forwarder has no next, and no name on the chain`() throws {
    let stage = try Stage(
      responders: ["app": ["kind": "application"], "h": host(["rate:": [:]])], focus: "h")
    #expect(stage.session.graph.ids == ["app", "h"])
    #expect(stage.chain(from: "h") == ["h"])
    #expect(Receiver("h/forwarder") == .forwarder(host: "h"))
    #expect(Receiver.forwarder(host: "h").description == "h/forwarder")
    for text in ["/forwarder", "h/x", "h/forwarder/forwarder", ""] {
      #expect(Receiver(text) == nil)
    }
  }
}

@Suite struct CatchAllTests {
  private func stage() throws -> Stage {
    try Stage(
      commands: [
        ["action": "rate:", "title": "Rate", "propertyList": 5],
        ["action": "other:", "title": "O"],
      ],
      responders: [
        "h": host(["rate:": logging("rate"), "other:": logging("other")], ["superview": "v"]),
        "v": ["kind": "view"],
      ], focus: "h")
  }

  @Test func `F4: the questions come in the order of message forwarding`() throws {
    var stage = try stage()
    let outcome = try stage.apply(perform)
    #expect(
      outcome.performance?.trace.lines == [
        "h redirect \"h/forwarder\"", "h/forwarder canPerformAction true",
        "h/forwarder validate null", "h/forwarder resolveInstanceMethod false",
        "h/forwarder forwardingTarget null", "h/forwarder methodSignature \"handleAction:\"",
        "h/forwarder forwardInvocation \"handleAction:\"", "h/forwarder invoke \"handleAction:\"",
        "h/forwarder handler \"rate:\"",
      ])
  }

  @Test func `F4: a method that is found is called`() throws {
    var stage = try Stage(
      commands: rate, responders: ["v": ["kind": "view", "handlers": ["rate:": [:]]]], focus: "v")
    #expect(
      try stage.apply(perform).performance?.trace.lines == [
        "v respondsToSelector true", "v canPerformAction true", "v validate null",
        "v invoke \"rate:\"",
      ])
  }

  @Test func `F5: the catch-all runs the handler of the command's own action`() throws {
    var stage = try stage()
    try stage.apply(perform)
    try stage.apply(.perform(ActionRequest(.command("other:"))))
    #expect(stage.log == ["rate", "other"])
    // The selector sent only finds the forwarder; what runs is what the sender carries.
    try stage.apply(
      .perform(
        ActionRequest(
          .action("rate:"), sender: SenderDescription(members: ["action": "other:"]))))
    #expect(stage.log == ["rate", "other", "other"])
  }

  @Test func `F5: the invocation keeps the original selector beside the new one`() throws {
    var stage = try stage()
    let invocation = try #require(try stage.apply(perform).performance?.invocation)
    #expect(invocation.selector == "handleAction:")
    #expect(invocation.originalSelector == "rate:")
    #expect(invocation.target == .forwarder(host: "h"))
    #expect(invocation.arguments.count == 1)
    #expect(invocation.sender?.action == "rate:")
  }

  @Test func `F5: the forwarder forwards every selector, of any number of arguments`() throws {
    var stage = try stage()
    let sender = SenderDescription(members: ["action": "rate:"])
    let outcome = try stage.apply(
      .perform(
        ActionRequest(
          .action("some:thing:"), sender: sender, to: .forwarder(host: "h"), arguments: [1, 2])))
    #expect(stage.log == ["rate"])
    #expect(outcome.performance?.invocation.arguments == [1, 2])
    #expect(outcome.performance?.invocation.originalSelector == "some:thing:")
  }

  @Test func `F5: handleAction itself needs no forwarding`() throws {
    var stage = try stage()
    let outcome = try stage.apply(
      .perform(
        ActionRequest(
          .action("handleAction:"), sender: SenderDescription(members: ["action": "rate:"]),
          to: .forwarder(host: "h"))))
    #expect(
      outcome.performance?.trace.lines == [
        "h/forwarder invoke \"handleAction:\"", "h/forwarder handler \"rate:\"",
      ])
  }

  @Test(
    arguments: [
      SenderDescription(members: [:]), SenderDescription(members: ["action": 5]),
      SenderDescription(members: ["action": "no selector"]), SenderDescription(responder: "v"),
    ])
  func `F6: a sender without an action is an error, and no handler runs`(
    sender: SenderDescription
  ) throws {
    let stage = try stage()
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("rate:"), sender: sender)))
        == .message(.senderCarriesNoAction(.forwarder(host: "h"), "rate:")))
  }

  @Test func `F6: a handler that is gone runs nothing, and the answer says so`() throws {
    var stage = try stage()
    let invocation = try #require(try stage.apply(perform).performance?.invocation)
    try stage.apply(.removeRegistration(1, with: "h"))
    let outcome = try stage.apply(.invoke(invocation))
    #expect(outcome.performance?.isPerformed == false)
    #expect(outcome.performance?.reason == .noHandler)
    #expect(outcome.changes == [])
    #expect(
      outcome.performance?.trace.lines == [
        "h/forwarder invoke \"handleAction:\"", "h/forwarder handler null",
      ])
    #expect(stage.log == ["rate"])
  }

  @Test func `F7: the coordinator's validation counts; without one enabled as declared`() throws {
    let stage = try Stage(
      commands: [
        ["action": "rate:", "title": "Rate"],
        ["action": "other:", "title": "Other", "state": "on"],
      ],
      responders: [
        "h": host(
          [
            "rate:": [
              "validate": ["enabled": "state.n > 1", "title": "responder.id", "checked": true]
            ], "other:": [:],
          ], ["handlers": ["rate:": ["validate": ["title": "'own'"]]]])
      ], focus: "h", state: ["n": 1])
    let item = try stage.item("rate:")
    #expect(item.title == "h")
    #expect(item.state == .on)
    #expect(item.reason == .ruleFalse)
    #expect(item.target == .forwarder(host: "h"))
    let other = try stage.item("other:")
    #expect(other.reason == .enabled)
    #expect(other.state == .on)
  }

  @Test func `F5: a handler's rules read the message, those that only ask read none`() throws {
    var stage = try Stage(
      commands: [["action": "rate:", "title": "Rate"]],
      responders: [
        "h": [
          "kind": "view",
          "coordinator": [
            "handlers": [
              "rate:": [
                "validate": ["enabled": "invocation == null"],
                "perform": [
                  ["op": "add", "path": "/log/-", "value": "invocation.selector"],
                  ["op": "add", "path": "/log/-", "value": "invocation.originalSelector"],
                  ["op": "add", "path": "/log/-", "value": "invocation.target"],
                ],
              ]
            ]
          ],
        ]
      ], focus: "h")
    try stage.apply(.perform(ActionRequest(.command("rate:"))))
    #expect(stage.log == ["handleAction:", "rate:", "h/forwarder"])
  }
}

@Suite struct ExplicitForwardingTests {
  private func stage(_ registered: JSON, validates: Bool = true) throws -> Stage {
    var own: JSONObject = ["perform": [["op": "handleAction"]]]
    if validates {
      own["validate"] = ["enabled": "command.action in responder.coordinator.handlers"]
    }
    return try Stage(
      commands: rate,
      responders: [
        "h": [
          "kind": "view", "handlers": ["rate:": .object(own)],
          "coordinator": ["forwarding": "explicit", "handlers": registered],
        ]
      ], focus: "h")
  }

  @Test func `F8: a host that implements the action passes it to its coordinator`() throws {
    var stage = try stage(["rate:": logging("coordinator")])
    #expect(try stage.item("rate:").reason == .enabled)
    let outcome = try stage.apply(perform)
    #expect(stage.log == ["coordinator"])
    #expect(outcome.performance?.target == .responder("h"))
    #expect(outcome.performance?.invocation.selector == "rate:")
    #expect(
      outcome.performance?.trace.lines == [
        "h respondsToSelector true", "h canPerformAction true", "h validate {\"enabled\":true}",
        "h invoke \"rate:\"", "h/forwarder handler \"rate:\"",
      ])
  }

  @Test func `F8: without a handler the host's own validator disables the item`() throws {
    let stage = try stage([:])
    #expect(try stage.item("rate:").reason == .ruleFalse)
    #expect(try stage.target("rate:") == "h")
  }

  @Test func `F8: without that validator the item is enabled, and nothing comes of it`() throws {
    var stage = try stage([:], validates: false)
    #expect(try stage.item("rate:").reason == .enabled)
    let outcome = try stage.apply(perform)
    #expect(outcome.performance?.isPerformed == true)
    #expect(outcome.performance?.trace.lines.last == "h/forwarder handler null")
    #expect(stage.log == [])
  }

  @Test func `F8: handleAction without a coordinator or without an action is an error`() throws {
    let stage = try Stage(
      responders: [
        "v": ["kind": "view", "handlers": ["rate:": ["perform": [["op": "handleAction"]]]]],
        "h": [
          "kind": "view", "coordinator": [:],
          "handlers": ["rate:": ["perform": [["op": "handleAction"]]]],
        ],
      ])
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("rate:"), from: "v")))
        == .effect(.mutation(.responder("v"), "rate:", index: 0, .handler(.noCoordinator("v")))))
    let sender = SenderDescription(members: ["kind": "script"])
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("rate:"), sender: sender, from: "h")))
        == .message(.senderCarriesNoAction(.forwarder(host: "h"), "rate:")))
  }
}

/// Looking through a forwarder and acting through it agree (F6, R6).
@Suite struct ForwardedSenderTests {
  private let noting: JSON = [
    "perform": [["op": "add", "path": "/log/-", "value": "[sender, arguments]"]]
  ]

  private func stage() throws -> Stage {
    try Stage(
      commands: rate, responders: ["h": host(["rate:": noting, "copy:": noting])], focus: "h")
  }

  private func reason(_ stage: Stage, _ sender: SenderDescription?) throws -> ValidationReason {
    try stage.session.target(for: "rate:", sender: sender, in: stage.catalog).reason
  }

  @Test func `F6: a bare action is sent by the request itself, which carries it`() throws {
    var stage = try stage()
    #expect(try reason(stage, nil) == .enabled)
    let outcome = try stage.apply(.perform(ActionRequest(.action("rate:"))))
    let sender: JSON = ["kind": "request", "action": "rate:"]
    #expect(outcome.performance?.isPerformed == true)
    #expect(stage.log == [[sender, [sender]]])
    #expect(outcome.performance?.invocation.json[JSONPointer(["sender"])] == sender)
  }

  @Test func `F6: a bare action has the same sender wherever it arrives`() throws {
    var stage = try stage()
    let asking: JSON = [
      "canPerform": "sender.kind == 'request' && sender.action == 'zoom:'", "perform": [],
    ]
    try stage.put("v", ["kind": "view", "handlers": ["zoom:": asking]])
    try stage.apply(.becomeFirstResponder("v"))
    #expect(try stage.target("zoom:") == "v")
    #expect(
      try stage.apply(.perform(ActionRequest(.action("zoom:")))).performance?.reason == .enabled)
  }

  @Test func `R6: a sender without an action is told when looking, and refused when acting`()
    throws
  {
    let stage = try stage()
    let sender = SenderDescription(members: ["kind": "button"])
    #expect(try reason(stage, sender) == .noAction)
    #expect(try stage.target("rate:", sender: sender) == "h/forwarder")
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("rate:"), sender: sender)))
        == .message(.senderCarriesNoAction(.forwarder(host: "h"), "rate:")))
  }

  @Test func `R6: a sender with another action runs that action's handler, if there is one`()
    throws
  {
    var stage = try stage()
    let other = SenderDescription(members: ["action": "copy:"])
    #expect(try reason(stage, other) == .enabled)
    let unknown = SenderDescription(members: ["action": "paste:"])
    #expect(try reason(stage, unknown) == .noHandler)
    let outcome = try stage.apply(.perform(ActionRequest(.action("rate:"), sender: unknown)))
    #expect(outcome.performance?.reason == .noHandler && stage.log == [])
  }

  @Test func `F6: a request that was stored without a sender is repeated without one`() throws {
    let stored: JSON = ["subject": ["action": ["_0": "rate:"]], "modifiers": 0]
    #expect(try stored.decoded(as: ActionRequest.self).sender == nil)
  }
}
