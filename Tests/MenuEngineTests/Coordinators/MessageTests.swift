import JSONText
import Testing

@testable import MenuEngine

/// Messages up the coordinating chain (C2), with coordinators and without (C7).
@Suite struct MessageTests {
  /// A list embedded in a split, both without coordinator; an album that belongs to one; and the
  /// coordinators `albums` and `main` above it.
  private static func responders(
    _ handlers: [String: JSON] = [:], list: JSONObject = [:]
  ) -> JSON {
    func document(_ id: String, _ members: JSONObject) -> JSON {
      var object = members
      object["handlers"] = handlers[id]
      return .object(object)
    }
    var listMembers: JSONObject = ["kind": "viewController", "view": "listView", "parent": "split"]
    for member in list.members { listMembers[member.name] = member.value }
    return [
      "split": document("split", ["kind": "viewController", "view": "splitView"]),
      "splitView": document("splitView", ["kind": "view"]),
      "list": document("list", listMembers),
      "listView": document("listView", ["kind": "view", "superview": "splitView"]),
      "cell": document("cell", ["kind": "view", "superview": "listView"]),
      "album": document("album", ["kind": "viewController", "parentCoordinator": "albums"]),
      "albums": document(
        "albums", ["kind": "responder", "coordinating": [:], "parentCoordinator": "main"]),
      "main": document("main", ["kind": "responder", "coordinating": [:]]),
    ]
  }

  /// A handler that notes who has it and what arguments came, and answers.
  private func noting(_ mark: String, answer: String? = nil, continues: Bool = false) -> JSON {
    var perform: [JSON] = [
      ["op": "add", "path": "/log/-", "value": .string("['\(mark)', arguments]")]
    ]
    if let answer { perform.append(["op": "answer", "value": .string(answer)]) }
    return continues
      ? ["perform": .array(perform), "continues": true] : ["perform": .array(perform)]
  }

  private func message(
    _ message: Selector, from: ResponderID, _ arguments: [JSON]? = nil
  ) -> Mutation {
    .message(MessageRequest(message: message, from: from, arguments: arguments))
  }

  private func delivery(
    _ stage: inout Stage, _ selector: Selector, from: ResponderID, _ arguments: [JSON]? = nil
  ) throws -> MessageOutcome {
    try #require(try stage.apply(message(selector, from: from, arguments)).message)
  }

  @Test func `C2: the nearest one that implements a message consumes it and answers`() throws {
    var stage = try Stage(
      responders: Self.responders([
        "albums": ["pick:sender:": noting("albums", answer: "'thanks'")],
        "main": ["pick:sender:": noting("main")],
      ]))
    let delivery = try delivery(&stage, "pick:sender:", from: "album", ["rain", "album"])
    #expect(delivery.reason == .delivered && delivery.receiver == "albums")
    #expect(delivery.answer == "thanks")
    #expect(stage.log == [["albums", ["rain", "album"]]])
  }

  @Test func `C2: the sender of a message is asked first`() throws {
    var stage = try Stage(
      responders: Self.responders([
        "album": ["pick": noting("album")], "albums": ["pick": noting("albums")],
      ]))
    #expect(try delivery(&stage, "pick", from: "album").receiver == "album")
    #expect(stage.log == [["album", []]])
  }

  @Test func `C2: by default the last argument is the sender of the message`() throws {
    var stage = try Stage(
      responders: Self.responders([
        "main": ["pick:sender:": noting("2"), "done:": noting("1"), "tick": noting("0")]
      ]))
    for selector in ["pick:sender:", "done:", "tick"] as [Selector] {
      _ = try delivery(&stage, selector, from: "album")
    }
    #expect(stage.log == [["2", [nil, "album"]], ["1", ["album"]], ["0", []]])
  }

  @Test func `C2: a message that nobody implements is not handled, is no error, and answers null`()
    throws
  {
    var stage = try Stage(responders: Self.responders())
    let revision = stage.session.revision
    let outcome = try stage.apply(message("pick:", from: "album"))
    #expect(outcome.message?.reason == .notHandled)
    #expect(outcome.message?.receiver == nil && outcome.message?.answer == .null)
    #expect(outcome.changes == [])
    #expect(stage.session.revision == revision + 1)
    #expect(
      outcome.message?.trace.says == [
        "C2: 'album' is passed over for 'pick:': neither it nor its class implements it.",
        "C1: after 'album' the message goes to 'albums', its 'parentCoordinator'.",
        "C2: 'albums' is passed over for 'pick:': neither it nor its class implements it.",
        "C1: after 'albums' the message goes to 'main', its 'parentCoordinator'.",
        "C2: 'main' is passed over for 'pick:': neither it nor its class implements it.",
        "C1: after 'main' the coordinating chain ends.",
        "C2: nobody from 'album' on handles 'pick:', which is no error.",
      ])
  }

  @Test func `C2: a method that answers nothing answers null`() throws {
    var stage = try Stage(responders: Self.responders(["main": ["pick": noting("main")]]))
    let delivery = try delivery(&stage, "pick", from: "album")
    #expect(delivery.reason == .delivered && delivery.answer == .null)
  }

  @Test
  func `C2: a method of a class is one, and what cannot perform an action still implements it`()
    throws
  {
    var stage = try Stage(
      classes: [
        "Flow": ["superclass": "UIResponder", "handlers": ["pick": noting("flow")]]
      ],
      responders: [
        "album": ["kind": "viewController", "parentCoordinator": "flow"],
        "flow": [
          "kind": "responder", "class": "Flow", "coordinating": [:], "canPerform": ["pick": false],
        ],
      ])
    #expect(try delivery(&stage, "pick", from: "album").receiver == "flow")
  }

  @Test func `C2: forwarding implements nothing, as the redirect of a menu coordinator does not`()
    throws
  {
    var stage = try Stage(responders: [
      "album": ["kind": "viewController", "parent": "catching"],
      "catching": [
        "kind": "viewController", "catchAll": ["selector": "any:"],
        "handlers": ["any:": ["perform": []]], "forwardingTarget": "helper", "parent": "hosting",
      ],
      "helper": ["kind": "responder", "handlers": ["pick:": ["perform": []]]],
      "hosting": [
        "kind": "viewController", "coordinator": ["handlers": ["pick:": ["perform": []]]],
      ],
    ])
    #expect(try delivery(&stage, "pick:", from: "album").reason == .notHandled)
  }

  @Test(
    arguments: [
      (nil, true, "proxy"), (["pick"] as JSON, true, "proxy"), ([], true, "root"),
      (nil, false, "root"),
    ] as [(JSON?, Bool, ResponderID)])
  func `C2, L8: a proxy implements what its responder does and its filter lets through`(
    filter: JSON?, implements: Bool, receiver: ResponderID
  ) throws {
    var proxy: JSONObject = ["kind": "responder", "proxied": "list", "next": "root"]
    proxy["proxiedSelectors"] = filter
    var list: JSONObject = ["kind": "view", "canPerform": ["pick": false]]
    if implements { list["handlers"] = ["pick": noting("list")] }
    var stage = try Stage(responders: [
      "start": ["kind": "view", "next": "proxy"], "proxy": .object(proxy), "list": .object(list),
      "root": ["kind": "view", "handlers": ["pick": noting("root")]],
    ])
    #expect(try delivery(&stage, "pick", from: "start").receiver == receiver)
    #expect(stage.log == [[receiver == "proxy" ? "list" : "root", []]])
  }

  @Test func `C2: the sender must exist`() throws {
    let stage = try Stage()
    #expect(stage.refusal(of: message("pick:", from: "ghost")) == .unknownResponder("ghost"))
  }

  @Test func `C2: arguments must be as many as the message has colons`() throws {
    let stage = try Stage(responders: Self.responders(["main": ["pick:": noting("main")]]))
    #expect(
      stage.refusal(of: message("pick:", from: "album", []))
        == .message(.argumentCount("pick:", given: 0)))
  }

  @Test func `C2: a rule that fails on the way changes nothing`() throws {
    let stage = try Stage(
      responders: Self.responders([
        "albums": [
          "pick": [
            "perform": [
              ["op": "add", "path": "/log/-", "value": "1"],
              ["op": "message", "message": "'tell'"],
            ]
          ]
        ],
        "main": ["tell": ["perform": [["op": "add", "path": "/log/-", "value": "state.no"]]]],
      ]))
    guard
      case .effect(.rule(.responder("main"), "tell", _))? = stage.refusal(
        of: message("pick", from: "album"))
    else {
      Issue.record("another fault")
      return
    }
  }

  @Test func `C7: the embedded child's message reaches the container that implements it`() throws {
    var stage = try Stage(
      responders: Self.responders([
        "split": ["pick:sender:": noting("split")],
        "splitView": ["pick:sender:": noting("skipped")],
      ]))
    #expect(try delivery(&stage, "pick:sender:", from: "cell").receiver == "split")
    #expect(stage.log == [["split", [nil, "cell"]]])
  }

  @Test func `C7: the message of a presented controller reaches its presenter's container`() throws
  {
    var stage = try Stage(
      responders: Self.responders(["split": ["done:": noting("split")]]))
    try stage.put("sheet", ["kind": "viewController", "presentingViewController": "list"])
    #expect(try delivery(&stage, "done:", from: "sheet").receiver == "split")
  }

  @Test func `C7: in a navigation controller the message passes those on the stack over`() throws {
    var stage = try Stage(responders: [
      "nav": [
        "kind": "viewController", "class": "UINavigationController",
        "viewControllers": ["list", "detail"], "handlers": ["done:": noting("nav")],
      ],
      "list": ["kind": "viewController", "handlers": ["done:": noting("list")]],
      "detail": ["kind": "viewController"],
    ])
    #expect(try delivery(&stage, "done:", from: "detail").receiver == "nav")
  }

  @Test func `C3: with a deleted coordinator the parent's method runs`() throws {
    var stage = try Stage(
      responders: Self.responders(
        ["split": ["done": noting("split")], "albums": ["done": noting("albums")]],
        list: ["parentCoordinator": "albums"]))
    #expect(try delivery(&stage, "done", from: "cell").receiver == "albums")
    try stage.apply(.removeResponder("albums"))
    #expect(try delivery(&stage, "done", from: "cell").receiver == "split")
  }

  @Test func `C3: a coordinator that is no responder ends the chain`() throws {
    var stage = try Stage(
      responders: Self.responders(
        ["split": ["done": noting("split")], "main": ["done": noting("main")]],
        list: ["parentCoordinator": "albums"]))
    try stage.put(
      "albums",
      [
        "kind": "responder", "coordinating": ["isResponder": false], "parentCoordinator": "main",
        "handlers": ["done": noting("albums")],
      ])
    let delivery = try delivery(&stage, "done", from: "list")
    #expect(delivery.reason == .notHandled)
    #expect(
      delivery.trace.says[1]
        == "C3: the coordinating chain ends after 'list', since 'albums', its 'parentCoordinator', "
        + "is no responder.")
  }

  @Test func `C2: the receiver of a message can be asked for without sending it`() throws {
    let stage = try Stage(
      responders: Self.responders(["albums": ["pick": noting("albums")]]))
    let answer = try stage.session.coordinatingTarget(
      for: "pick", from: "album", in: stage.catalog)
    #expect(answer.target == .responder("albums") && answer.reason == .enabled)
    #expect(
      answer.trace.says == [
        "C2: 'album' is passed over for 'pick': neither it nor its class implements it.",
        "C1: after 'album' the message goes to 'albums', its 'parentCoordinator'.",
        "C2: 'albums' implements 'pick' and consumes it.",
      ])
    let nobody = try stage.session.coordinatingTarget(
      for: "other", from: "album", in: stage.catalog)
    #expect(nobody.target == nil && nobody.reason == .noTarget)
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      _ = try stage.session.coordinatingTarget(for: "pick", from: "ghost", in: stage.catalog)
    }
    #expect(stage.log == [])
  }
}
