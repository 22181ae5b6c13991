import JSONText
import Testing

@testable import MenuEngine

/// Forwarding by any responder (F4, F10).
@Suite struct ResponderForwardingTests {
  private let rate = Mutation.perform(ActionRequest(.action("rate:"), to: .responder("a")))

  private func stage(_ responders: JSON) throws -> Stage { try Stage(responders: responders) }

  @Test func `F10: a message goes to the forwarding target, which may forward it on`() throws {
    var stage = try stage([
      "a": ["kind": "view", "forwardingTarget": "b"],
      "b": ["kind": "responder", "forwardingTarget": "c"],
      "c": ["kind": "responder", "handlers": ["rate:": logging("c")]],
    ])
    let performance = try #require(try stage.apply(rate).performance)
    #expect(stage.log == ["c"])
    #expect(performance.target == .responder("a"))
    #expect(performance.invocation.target == .responder("c"))
    #expect(
      performance.trace.says == [
        "F4: 'a' has no method 'rate:' and adds none.",
        "F10: 'a' forwards 'rate:' to 'b', where it is tried again.",
        "F4: 'b' has no method 'rate:' and adds none.",
        "F10: 'b' forwards 'rate:' to 'c', where it is tried again.",
        "F4: 'c' runs its method 'rate:'.",
      ])
  }

  @Test func `F4: a method of one's own comes before the forwarding target and the catch-all`()
    throws
  {
    var stage = try stage([
      "a": [
        "kind": "view", "forwardingTarget": "b", "catchAll": ["selector": "any:"],
        "handlers": ["rate:": logging("a"), "any:": logging("any")],
      ],
      "b": ["kind": "responder", "handlers": ["rate:": logging("b")]],
    ])
    #expect(try stage.apply(rate).performance?.trace.lines == ["a invoke \"rate:\""])
    #expect(stage.log == ["a"])
  }

  @Test func `F4: a forwarding target comes before the catch-all`() throws {
    var stage = try stage([
      "a": [
        "kind": "view", "forwardingTarget": "b", "catchAll": ["selector": "any:"],
        "handlers": ["any:": logging("any")],
      ],
      "b": ["kind": "responder", "handlers": ["rate:": logging("b")]],
    ])
    try stage.apply(rate)
    #expect(stage.log == ["b"])
    try stage.put("b", ["kind": "responder"])
    #expect(
      stage.refusal(of: rate) == .message(.doesNotRecognizeSelector(.responder("b"), "rate:")))
  }

  @Test func `F10: the catch-all gets what it accepts, under its own selector`() throws {
    var stage = try stage([
      "a": [
        "kind": "view", "catchAll": ["selector": "any:"], "handlers": ["any:": logging("any")],
      ]
    ])
    let performance = try #require(try stage.apply(rate).performance)
    #expect(stage.log == ["any"])
    #expect(performance.invocation.selector == "any:")
    #expect(performance.invocation.originalSelector == "rate:")
    #expect(
      performance.trace.says == [
        "F4: 'a' has no method 'rate:' and adds none.", "F4: 'a' names nobody else for 'rate:'.",
        "F10: 'a' gives 'rate:' the signature of its catch-all 'any:'.",
        "F10: 'a' changes the selector of the invocation from 'rate:' to 'any:' and invokes it on "
          + "itself.", "F4: 'a' runs its method 'any:'.",
      ])
  }

  @Test func `F10: absent accepts takes all, an empty one none, exact names with colons`() throws {
    for (accepts, isAccepted) in [
      (nil, true), ([], false), (["rate:"], true), (["rate", "rate::"], false),
    ] as [([String]?, Bool)] {
      var catchAll: JSONObject = ["selector": "any:"]
      catchAll["accepts"] = accepts.map { .array($0.map(JSON.string)) }
      var stage = try stage([
        "a": [
          "kind": "view", "catchAll": .object(catchAll), "handlers": ["any:": logging("any")],
        ]
      ])
      if isAccepted {
        try stage.apply(rate)
        #expect(stage.log == ["any"])
      } else {
        #expect(
          stage.refusal(of: rate) == .message(.doesNotRecognizeSelector(.responder("a"), "rate:")))
      }
    }
  }

  @Test func `F10: a catch-all without a method is an error that names its selector`() throws {
    let stage = try stage(["a": ["kind": "view", "catchAll": ["selector": "any:"]]])
    #expect(stage.refusal(of: rate) == .message(.doesNotRecognizeSelector(.responder("a"), "any:")))
  }

  @Test func `F4: what nobody takes is an error, and its trace tells the whole order`() throws {
    var stage = try stage(["a": ["kind": "view"]])
    do throws(MutationFault) {
      _ = try stage.session.apply(rate, in: stage.catalog, isExplaining: true)
      Issue.record("accepted")
    } catch {
      guard case .message(.doesNotRecognizeSelector(.responder("a"), "rate:", _, let trace)) = error
      else {
        Issue.record("\(error)")
        return
      }
      #expect(
        trace.says == [
          "F4: 'a' has no method 'rate:' and adds none.",
          "F4: 'a' names nobody else for 'rate:'.", "F4: 'a' has no signature for 'rate:'.",
          "F4: 'a' does not recognize 'rate:', which is an error.",
        ])
    }
  }

  @Test func `F10: forwarding does not count for responds (R3)`() throws {
    let stage = try Stage(
      responders: [
        "a": [
          "kind": "view", "superview": "v", "forwardingTarget": "b",
          "catchAll": ["selector": "any:"], "handlers": ["any:": [:]],
        ],
        "b": ["kind": "responder", "handlers": ["rate:": [:]]], "v": ["kind": "view"],
      ], focus: "a")
    #expect(try stage.target("rate:") == "noTarget")
    #expect(stage.reason(for: .perform(ActionRequest(.action("rate:")))) == .noTarget)
  }

  @Test func `R9: forwarding targets that lead back are refused with their path`() throws {
    let stage = try stage([
      "a": ["kind": "view", "forwardingTarget": "b"], "b": ["kind": "view"],
    ])
    #expect(
      stage.refusal(
        of: .putResponder(try responder("b", ["kind": "view", "forwardingTarget": "a"])))
        == .link(.cycle(["b", "a", "b"], along: .forwardingTarget)))
    #expect(
      stage.refusal(
        of: .putResponder(try responder("b", ["kind": "view", "forwardingTarget": "b"])))
        == .link(.cycle(["b", "b"], along: .forwardingTarget)))
  }

  @Test func `F10: a forwarding target that is deleted is cleared`() throws {
    var stage = try stage([
      "a": ["kind": "view", "forwardingTarget": "b"],
      "b": ["kind": "responder", "handlers": ["rate:": [:]]],
    ])
    let outcome = try stage.apply(.removeResponder("b"))
    #expect(
      outcome.changes == [
        .responderRemoved("b"),
        .linkCleared(ClearedLink(holder: "a", link: .forwardingTarget, destination: "b")),
      ])
    #expect(
      stage.refusal(of: rate) == .message(.doesNotRecognizeSelector(.responder("a"), "rate:")))
  }

  @Test func `F10: what sends inside sends forward is the same`() throws {
    var stage = try Stage(
      responders: [
        "v": [
          "kind": "view",
          "handlers": ["go": ["perform": [["op": "send", "action": "'rate:'", "to": "'a'"]]]],
        ],
        "a": ["kind": "view", "forwardingTarget": "b"],
        "b": ["kind": "responder", "handlers": ["rate:": logging("b")]],
      ], focus: "v")
    try stage.apply(.perform(ActionRequest(.action("go"))))
    #expect(stage.log == ["b"])
  }

  @Test func `F10: a message forwarded to a proxy goes on to its responder (L9), or is lost (L10)`()
    throws
  {
    var stage = try stage([
      "a": ["kind": "view", "forwardingTarget": "p"],
      "p": ["kind": "responder", "proxied": "b", "proxiedSelectors": []],
      "b": ["kind": "responder", "forwardingTarget": "c"],
      "c": ["kind": "responder", "handlers": ["rate:": logging("c")]],
    ])
    try stage.apply(rate)
    #expect(stage.log == ["c"])
    try stage.apply(.removeResponder("b"))
    #expect(try stage.apply(rate).performance?.isPerformed == false)
    #expect(stage.log == ["c"])
  }

  @Test func `F10: a document of a catch-all reads back as the same`() throws {
    let document: JSON = [
      "kind": "view", "class": "UIView", "forwardingTarget": "b", "properties": [:],
      "handlers": [:], "catchAll": ["selector": "any:", "accepts": ["rate:"]],
    ]
    #expect(try responder("a", document).json == document)
    #expect(
      faults {
        Responder("a", reading: ["kind": "view", "catchAll": [:]], at: .root, log: $0)
      } == [DocumentFault(.missingMember("selector"), at: JSONPointer(["catchAll"]))])
  }

  @Test func `R9: a forwarding target that leads back through a proxy is refused, too`() throws {
    let stage = try stage([
      "a": ["kind": "responder"], "p": ["kind": "responder", "proxied": "a"],
    ])
    #expect(
      try stage.refusal(
        of: .putResponder(responder("a", ["kind": "responder", "forwardingTarget": "p"])))
        == .link(.cycle(["a", "p", "a"], along: .forwardingTarget)))
  }

  @Test func `F10: the rules of a catch-all read which message it was`() throws {
    let record: JSON = ["perform": [["op": "add", "path": "/log/-", "value": "invocation"]]]
    var stage = try stage([
      "a": ["kind": "view", "forwardingTarget": "b"],
      "b": ["kind": "responder", "catchAll": ["selector": "any:"], "handlers": ["any:": record]],
    ])
    try stage.apply(.perform(ActionRequest(.action("rate:"), to: .responder("a"), when: 7)))
    #expect(
      stage.log == [
        ["target": "b", "selector": "any:", "originalSelector": "rate:", "when": 7]
      ])
  }
}
