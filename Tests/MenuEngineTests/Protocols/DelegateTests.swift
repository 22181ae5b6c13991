import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Delegates (V7).
@Suite struct DelegateTests {
  private static let protocols: JSON = [
    "PickerDelegate": [
      "required": ["pickerDidCancel:", "picker:didPick:"], "optional": ["pickerDidScroll:"],
    ]
  ]
  private static let classes: JSON = [
    "Picker": ["superclass": "UIViewController", "delegateProtocol": "PickerDelegate"],
    "DatePicker": ["superclass": "Picker"],
    "Owner": [
      "superclass": "UIViewController",
      "handlers": [
        "pickerDidCancel:": noting("'cancelled by ' + arguments[0]"),
        "picker:didPick:": [
          "perform": [
            ["op": "add", "path": "/log/-", "value": "arguments[1]"],
            ["op": "answer", "value": "'thanks'"],
          ]
        ],
      ],
    ],
  ]

  private func stage(_ responders: JSON) throws -> StoryboardStage {
    try StoryboardStage(
      ["root": [:]], classes: Self.classes, protocols: Self.protocols, responders: responders)
  }

  private let pair: JSON = [
    "owner": ["kind": "viewController", "class": "Owner"],
    "picker": ["kind": "viewController", "class": "DatePicker", "delegate": "owner"],
  ]

  private func message(_ selector: Selector, _ arguments: [JSON]? = nil) -> Mutation {
    .message(
      MessageRequest(
        message: selector, from: "picker", destination: .delegate, arguments: arguments))
  }

  @Test func `V7: a message reaches the delegate, and its answer comes back`() throws {
    var stage = try stage(pair)
    let outcome = try stage.apply(message("picker:didPick:", ["picker", 3]))
    #expect(outcome.message?.reason == .delivered)
    #expect(outcome.message?.receiver == "owner")
    #expect(outcome.message?.answer == "thanks")
    #expect(stage.log == [3])
  }

  @Test func `V7: by default the first argument is who sends the message`() throws {
    var stage = try stage(pair)
    try stage.apply(message("pickerDidCancel:"))
    #expect(stage.log == ["cancelled by picker"])
  }

  @Test
  func `V7: an optional message that the delegate has no method for goes nowhere, and says so`()
    throws
  {
    var stage = try stage(pair)
    let delivery = try #require(try stage.apply(message("pickerDidScroll:")).message)
    #expect(delivery.reason == .notImplemented && delivery.receiver == "owner")
    #expect(delivery.answer == .null)
    #expect(
      delivery.trace.says == [
        "V7: the delegate of 'picker' is 'owner', to whom 'pickerDidScroll:' goes.",
        "R3: 'owner' does not respond to 'pickerDidScroll:': neither it nor its class has a handler.",
      ])
    #expect(stage.log == [])
  }

  @Test func `V7: a message to no delegate goes nowhere, and says so`() throws {
    var stage = try stage(["picker": ["kind": "viewController", "class": "Picker"]])
    let delivery = try #require(try stage.apply(message("pickerDidCancel:")).message)
    #expect(delivery.reason == .noDelegate && delivery.receiver == nil)
    #expect(
      delivery.trace.says == [
        "V7: 'picker' has no delegate, so 'pickerDidCancel:' goes nowhere."
      ])
  }

  @Test func `V7: the link is weak, so that a deleted delegate is none`() throws {
    var stage = try stage(pair)
    let outcome = try stage.apply(.removeResponder("owner"))
    #expect(
      outcome.changes == [
        .responderRemoved("owner"),
        .linkCleared(ClearedLink(holder: "picker", link: .delegate, destination: "owner")),
      ])
    #expect(try stage.apply(message("pickerDidCancel:")).message?.reason == .noDelegate)
  }

  @Test func `V7: linking an object that lacks a required message is refused`() throws {
    let stage = try stage([
      "picker": ["kind": "viewController", "class": "DatePicker"],
      "stranger": [
        "kind": "responder", "handlers": ["picker:didPick:": ["perform": []]],
      ],
    ])
    let lacks = MutationFault.delegate(
      .delegateLacks(
        ["pickerDidCancel:"], delegate: "stranger", of: "picker", "PickerDelegate"))
    #expect(stage.refusal(of: .setDelegate("stranger", of: "picker")) == lacks)
    let replaced = try responder(
      "picker", ["kind": "viewController", "class": "Picker", "delegate": "stranger"])
    #expect(stage.refusal(of: .putResponder(replaced)) == lacks)
  }

  @Test func `V7: a delegate is not replaced by one that lacks a required message`() throws {
    let stage = try stage(pair)
    #expect(
      stage.refusal(of: .putResponder(try responder("owner", ["kind": "responder"])))
        == .delegate(
          .delegateLacks(
            ["pickerDidCancel:", "picker:didPick:"], delegate: "owner", of: "picker",
            "PickerDelegate")))
  }

  @Test func `V7: a session with a delegate that lacks a message is not opened`() throws {
    #expect(throws: CatalogDocument.Faults.self) {
      try stage([
        "owner": ["kind": "responder"],
        "picker": ["kind": "viewController", "class": "Picker", "delegate": "owner"],
      ])
    }
  }

  @Test func `V7: a method of its own makes an instance a delegate too, an inherited one as well`()
    throws
  {
    var stage = try stage([
      "picker": ["kind": "viewController", "class": "Picker"],
      "owner": [
        "kind": "responder",
        "handlers": ["picker:didPick:": ["perform": []], "pickerDidCancel:": logging("own")],
      ],
    ])
    #expect(
      try stage.apply(.setDelegate("owner", of: "picker")).changes
        == [.link("picker", .delegate, "owner")])
    #expect(try stage.apply(.setDelegate("owner", of: "picker")).changes == [])
    try stage.apply(message("pickerDidCancel:"))
    #expect(stage.log == ["own"])
    #expect(
      try stage.apply(.setDelegate(nil, of: "picker")).changes
        == [.link("picker", .delegate, nil)])
  }

  @Test func `V7: a required handler is not taken away from a delegate`() throws {
    var stage = try stage([
      "picker": ["kind": "viewController", "class": "Picker", "delegate": "owner"],
      "owner": [
        "kind": "responder",
        "handlers": [
          "picker:didPick:": ["perform": []], "pickerDidCancel:": ["perform": []],
          "pickerDidScroll:": ["perform": []],
        ],
      ],
    ])
    #expect(
      stage.refusal(of: .removeHandler(for: "pickerDidCancel:", of: "owner"))
        == .delegate(
          .handlerRequired(
            "pickerDidCancel:", delegate: "owner", of: "picker", "PickerDelegate")))
    let without: JSON = ["kind": "responder", "handlers": ["picker:didPick:": ["perform": []]]]
    #expect(
      stage.refusal(of: .putResponder(try responder("owner", without)))
        == .delegate(
          .delegateLacks(
            ["pickerDidCancel:"], delegate: "owner", of: "picker", "PickerDelegate")))
    try stage.apply(.removeHandler(for: "pickerDidScroll:", of: "owner"))
    try stage.apply(.setDelegate(nil, of: "picker"))
    try stage.apply(.removeHandler(for: "pickerDidCancel:", of: "owner"))
    #expect(stage["owner"]?.handlers.count == 1)
  }

  @Test func `V7: another catalogue may take a required handler, and the link is told as broken`()
    throws
  {
    var stage = try stage(pair)
    let owner = try #require(stage["owner"]?.json)
    let picker = try #require(stage["picker"]?.json)
    #expect(stage.session.diagnostics(in: stage.catalog).brokenDelegates == [])
    var classes = Self.classes
    classes.merge(patch: ["Owner": ["handlers": ["picker:didPick:": .null]]])
    let reloaded = try CatalogDocument([.classes: classes, .protocols: Self.protocols]).catalog()
    _ = try stage.catalog.apply(.replace(reloaded))
    #expect(
      stage.session.diagnostics(in: stage.catalog).brokenDelegates == [
        BrokenDelegate(
          holder: "picker", delegate: "owner", declared: "PickerDelegate",
          missing: ["picker:didPick:"])
      ])
    // What the catalogue took away is not held against the session's own documents.
    try stage.apply(.putResponder(try changed("owner", owner)))
    try stage.apply(.putResponder(try changed("picker", picker)))
    #expect(stage["picker"]?.links[.delegate] == "owner")
    // What they take away themselves, and a new link, are refused still.
    let poorest: JSON = ["kind": "viewController"]
    #expect(
      stage.refusal(of: .putResponder(try responder("owner", poorest)))
        == .delegate(
          .delegateLacks(
            ["pickerDidCancel:"], delegate: "owner", of: "picker", "PickerDelegate")))
    try stage.apply(.setDelegate(nil, of: "picker"))
    #expect(
      stage.refusal(of: .setDelegate("owner", of: "picker"))
        == .delegate(
          .delegateLacks(
            ["picker:didPick:"], delegate: "owner", of: "picker", "PickerDelegate")))
  }

  /// A responder as its document says, but for a property.
  private func changed(_ id: ResponderID, _ document: JSON) throws -> Responder {
    var document = document
    document.merge(patch: ["properties": ["changed": true]])
    return try responder(id, document)
  }

  @Test func `V7: a handler of its own can go while its class has the message`() throws {
    var stage = try stage([
      "owner": [
        "kind": "viewController", "class": "Owner",
        "handlers": ["pickerDidCancel:": logging("own")],
      ],
      "picker": ["kind": "viewController", "class": "DatePicker", "delegate": "owner"],
    ])
    try stage.apply(.removeHandler(for: "pickerDidCancel:", of: "owner"))
    try stage.apply(message("pickerDidCancel:"))
    #expect(stage.log == ["cancelled by picker"])
  }

  @Test func `V7: a message that the protocol does not have is refused`() throws {
    let stage = try stage(pair)
    #expect(
      stage.refusal(of: message("pickerDidExplode:"))
        == .delegate(.messageOutsideProtocol("pickerDidExplode:", of: "picker", "PickerDelegate"))
    )
  }

  @Test func `V7: without a protocol a delegate can be anybody, and every message is optional`()
    throws
  {
    var stage = try stage([
      "owner": ["kind": "responder", "handlers": ["done:": logging("done")]],
      "picker": ["kind": "viewController", "delegate": "owner"],
    ])
    #expect(try stage.apply(message("done:")).message?.reason == .delivered)
    #expect(try stage.apply(message("undone:")).message?.reason == .notImplemented)
    #expect(stage.log == ["done"])
  }

  @Test func `V7: responders of some kinds have no delegate`() throws {
    let stage = try stage(["scene": ["kind": "scene"], "owner": ["kind": "responder"]])
    #expect(
      stage.refusal(of: .setDelegate("owner", of: "scene"))
        == .link(.noSuchLink("scene", .delegate, kind: .scene)))
    #expect(stage.refusal(of: .setDelegate("owner", of: "nobody")) == .unknownResponder("nobody"))
    #expect(stage.refusal(of: .setDelegate("nobody", of: "owner")) == .unknownResponder("nobody"))
  }

  @Test func `V7: effects link delegates and send them messages, and answer what they answer`()
    throws
  {
    var stage = try stage([
      "owner": [
        "kind": "viewController", "class": "Owner",
        "handlers": [
          "adopt:": ["perform": [["op": "delegate", "of": "'picker'", "to": "responder.id"]]],
          "drop:": ["perform": [["op": "delegate", "of": "'picker'", "to": "null"]]],
        ],
      ],
      "picker": [
        "kind": "viewController", "class": "Picker",
        "handlers": [
          "pick:": [
            "perform": [
              [
                "op": "message", "to": "delegate", "message": "'picker:didPick:'",
                "arguments": "[responder.id, 7]", "answers": true,
              ]
            ]
          ]
        ],
      ],
    ])
    try stage.send("adopt:", to: "owner")
    #expect(stage.link(.delegate, of: "picker") == "owner")
    let outcome = try stage.send("pick:", to: "picker")
    #expect(outcome.performance?.invocation.result == "thanks")
    #expect(stage.log == [7])
    try stage.send("drop:", to: "owner")
    #expect(try stage.send("pick:", to: "picker").performance?.invocation.result == .null)
    #expect(stage.log == [7])
  }

  @Test func `V7: an effect that links who lacks a message changes nothing`() throws {
    let stage = try stage([
      "owner": [
        "kind": "responder",
        "handlers": [
          "adopt:": [
            "perform": [
              ["op": "add", "path": "/log/-", "value": "1"],
              ["op": "delegate", "of": "'picker'", "to": "responder.id"],
            ]
          ]
        ],
      ],
      "picker": ["kind": "viewController", "class": "Picker"],
    ])
    let fault = stage.refusal(
      of: .perform(ActionRequest(.action("adopt:"), to: .responder("owner"))))
    #expect(
      fault
        == .effect(
          .mutation(
            .responder("owner"), "adopt:", index: 1,
            .delegate(
              .delegateLacks(
                ["pickerDidCancel:", "picker:didPick:"], delegate: "owner", of: "picker",
                "PickerDelegate")))))
  }
}
