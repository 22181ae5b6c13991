import Languages
import RandomSessions
import Testing

@testable import JSONText
@testable import MenuEngine

@Suite struct SessionTests {
  private static let commands: JSON = [["action": "rate:", "title": "Rate"]]

  static func stage() throws -> Stage {
    var stage = try Stage(
      commands: commands,
      responders: [
        "w": ["kind": "window"], "v": ["kind": "view", "superview": "w"],
        "h": [
          "kind": "view", "superview": "v",
          "coordinator": ["handlers": ["rate:": logging("rated")]],
        ],
      ])
    _ = try stage.catalog.declare(try storyboard)
    return stage
  }

  private static var storyboard: Storyboard {
    get throws {
      let document: JSON = [
        "initialViewController": "list",
        "scenes": [
          "list": [
            "handlers": ["home:": ["perform": []], "done:": ["perform": []]],
            "segues": [["identifier": "Go", "kind": "present", "destination": "list"]],
          ]
        ],
      ]
      return try FaultLog.collecting { Storyboard("S", reading: document, at: .root, log: $0) }
    }
  }

  /// Returns the mutations of storyboards and delegates.
  private static func storyboards() throws -> [Mutation] {
    let launch = try FaultLog.collecting {
      Launch(reading: ["storyboard": "S"], at: .root, log: $0)
    }
    let list = SceneReference(storyboard: "S", scene: "list")
    let sender = SenderDescription(members: ["row": 1])
    return [
      .launch(launch), .instantiate(list, id: "extra"),
      .performSegue(
        SegueRequest(identifier: "Go", source: "list", sender: sender, id: "next", when: 3)),
      .setDelegate("list", of: "next"),
      .message(
        MessageRequest(
          message: "done:", from: "next", destination: .delegate, arguments: ["next"], when: 4)),
      .message(MessageRequest(message: "done:", from: "next", when: 4, isQueued: true)),
      .unwind(UnwindRequest(action: "home:", source: "next", sender: sender, when: 5)),
      .processMessages(limit: 1), .removeQueuedMessages(),
    ]
  }

  /// Returns one mutation of each kind; all are accepted in this order.
  static func mutations() throws -> [Mutation] {
    let invocation = try Invocation(
      target: .responder("v"), selector: "grade:", arguments: [1],
      sender: Sender(command: nil, description: SenderDescription(members: ["k": 1])), when: 5)
    return [
      .patchState(
        JSONPatch([
          .add(path: JSONPointer(["n"]), value: 1), .test(path: JSONPointer(["n"]), value: 1),
          .copy(from: JSONPointer(["n"]), path: JSONPointer(["m"])),
          .move(from: JSONPointer(["m"]), path: JSONPointer(["o"])),
          .replace(path: JSONPointer(["o"]), value: [2]), .remove(path: JSONPointer(["o"])),
        ])),
      .mergeState(["a": ["b": nil, "c": 1.5]]),
      .putResponder(
        try responder(
          "x",
          [
            "kind": "view", "superview": "v", "properties": ["p": [1]],
            "canBecomeFirstResponder": "state.n == 1", "coordinator": ["handlers": ["z:": [:]]],
          ])),
      .putHandler(
        try handler([
          "validate": ["enabled": "state.n > 0"], "canPerform": true,
          "perform": [["op": "add", "path": "/log/-", "value": "arguments[0]"]],
        ]), for: "grade:", of: "v"),
      .mergeProperties(["p": [2]], of: "x"),
      .putHandler(try handler([:]), for: "gone:", of: "v"),
      .removeHandler(for: "gone:", of: "v"),
      .register(try handler(logging("registered")), for: "other:", with: "h"),
      .changeRegistration(
        3, with: "h", selector: "third:", handler: try handler(logging("changed"))),
      .changeRegistration(4, with: "h", selector: nil, handler: try handler(logging("fourth"))),
      .removeRegistration(5, with: "h"),
      .putResponder(try responder("late", ["kind": "responder", "proxied": "v"])),
      .putResponder(try responder("host", ["kind": "view", "lateResponders": [:]])),
      .registerLate("late", from: "host"), .changeProxiedSelectors(["grade:"], of: "late"),
      .deregisterLate("late", from: nil),
      .makeWindow("w", .key), .makeWindow(nil, .key), .makeWindow("w", .main),
      .makeWindow("w", .modal),
      .becomeFirstResponder("x"), .resignFirstResponder, .becomeFirstResponder("h"),
      .perform(ActionRequest(.command("rate:"), when: 1)),
      .perform(
        ActionRequest(
          .action("grade:"), sender: SenderDescription(responder: "x", members: ["k": [nil]]),
          from: "x", to: .responder("v"), arguments: ["argument"])),
      .useKeymap("ada"), .setLocale(LanguageTag("de")),
      .putKeyCommands(
        try FaultLog.collecting {
          KeyCommand.list(reading: [["input": "k", "action": "grade:"]], at: .root, log: $0)
        }, of: "v"),
      .pressKey(
        KeyPress(
          try pressed("K", [.alphaShift]), from: "v",
          sender: SenderDescription(responder: "x", members: ["k": 1]), when: 2)),
      .invoke(invocation), .removeResponder("x"),
    ] + (try viewControllers()) + (try storyboards()) + undo + (try coordinators())
      + (try deliveries())
  }

  /// Returns the mutations of deliveries.
  private static func deliveries() throws -> [Mutation] {
    let export = Mutation.perform(
      ActionRequest(.action("export:"), to: .responder("v"), when: 1))
    return [
      .putHandler(
        try handler(["perform": [["op": "deliver", "value": "state.n"]]]), for: "export:", of: "v"),
      export, .claimDelivery(1, by: "worker", until: 10), .renewDelivery(1, claim: 1, until: 20),
      .expireClaims(at: 20), .claimDelivery(1, until: 30),
      .replyToDelivery(
        1, claim: 2, result: ["done": [nil]],
        mutations: [
          .mergeState(["done": 1]), .patchState(JSONPatch([.remove(path: JSONPointer(["done"]))])),
        ], at: 25),
      export, .claimDelivery(2, until: 30), .failDelivery(2, claim: 1, problem: ["why": 1], at: 26),
      export, .cancelDelivery(3, at: 27), .forgetDeliveries(settledBefore: 27),
    ]
  }

  /// The mutations of an undo manager.
  private static let undo: [Mutation] = [
    .registerUndo(target: "v", "grade:", arguments: [1]), .setUndoActionName("A"),
    .beginUndoGrouping(), .disableUndoRegistration(), .enableUndoRegistration(),
    .prepareWithInvocationTarget("v"), .endUndoGrouping(of: "h"), .undo(),
    .redo(), .setLevelsOfUndo(1), .removeAllUndoActions(withTarget: "h"),
    .removeAllUndoActions(),
  ]

  /// Returns the mutations of coordinators.
  private static func coordinators() throws -> [Mutation] {
    let responders: [(ResponderID, JSON)] = [
      ("stack", ["kind": "viewController", "class": "UINavigationController"]),
      ("first", ["kind": "viewController"]), ("second", ["kind": "viewController"]),
      (
        "flow", ["kind": "responder", "coordinating": ["rootViewController": "stack"]]
      ),
      (
        "step",
        [
          "kind": "responder",
          "coordinating": ["kind": "navigation", "rootViewController": "stack"],
        ]
      ),
    ]
    let operations: [Mutation] = [
      .start("flow"), .startChild("step", of: "flow"), .root("first", of: "step"),
      .show("second", by: "step"), .pop("step", to: nil), .top("second", of: "step"),
      .activate("flow"), .takeover("step"), .didFinish("step"), .startChild("step", of: "flow"),
      .stopChild("step"), .stop("flow"),
    ]
    return try responders.map { .putResponder(try responder($0, $1)) }
      + operations
  }

  /// Returns the mutations of view controllers.
  private static func viewControllers() throws -> [Mutation] {
    let responders: [(ResponderID, JSON)] = [
      ("tabs", ["kind": "viewController", "class": "UITabBarController"]),
      ("nav", ["kind": "viewController", "class": "UINavigationController", "parent": "tabs"]),
      ("one", ["kind": "viewController", "parent": "nav"]), ("two", ["kind": "viewController"]),
      ("three", ["kind": "viewController"]),
    ]
    return try responders.map { .putResponder(try responder($0, $1)) } + [
      .push("two", onto: "nav"), .push("three", onto: "nav"),
      .popTo("two"), .pop("nav"),
      .setViewControllers(["one", "three"], of: "nav"),
      .popToRoot("nav"),
      .setViewControllers(["nav", "two"], of: "tabs"),
      .select("two"), .present("three", from: "two"),
      .dismiss("three"), .removeFromParent("two"),
      .putResponder(
        try responder(
          "split",
          [
            "kind": "viewController", "class": "UISplitViewController",
            "viewControllers": ["nav", "two"],
          ])), .collapse("split"), .expand("split"),
    ]
  }

  @Test func `the same mutations give the same session, tokens included`() throws {
    var first = try Self.stage()
    var second = try Self.stage()
    for mutation in try Self.mutations() {
      let outcome = try first.apply(mutation)
      #expect(try second.apply(mutation) == outcome)
      #expect(second.session.document.text() == first.session.document.text())
    }
    #expect(first.log?.text().hasPrefix(#"["rated","argument",{"k":1,"kind":"key""#) == true)
    #expect(first.log?.text().hasSuffix(",1]") == true)
    #expect(first.session.graph["h"]?.coordinator?.registrations.map(\.token) == [1])
    // Two of the 101 change nothing: focus for the responder that has it, and undo with nothing to
    // undo.
    #expect(first.session.revision == 99)
  }

  @Test func `mutations written as documents give the same session again`() throws {
    var first = try Self.stage()
    var second = try Self.stage()
    for mutation in try Self.mutations() {
      let text = mutation.json.text()
      let read = try FaultLog.collecting {
        Mutation(reading: (try? JSON(parsing: text)) ?? nil, at: .root, log: $0, in: first.catalog)
      }
      #expect(read.json.text() == text)
      let outcome = try first.apply(mutation)
      #expect(try second.apply(read) == outcome)
      #expect(second.session.document.text() == first.session.document.text())
    }
  }

  @Test func `the mutations of this file are of every kind`() throws {
    let kinds = try Self.mutations().compactMap { $0.json[JSONPointer(["op"])] }
    #expect(Set(kinds) == Set(Mutation.ops.map(JSON.string)))
  }

  @Test func `a list is applied whole, its revision grown by those that change anything`() throws {
    var one = try Self.stage()
    for mutation in try Self.mutations() { try one.apply(mutation) }
    var all = try Self.stage()
    let outcomes = try all.session.apply(try Self.mutations(), in: all.catalog)
    #expect(outcomes.count == 101)
    #expect(all.session.document.text() == one.session.document.text())
    #expect(try all.session.apply([], in: all.catalog) == [])
    #expect(all.session.revision == 99)
  }

  @Test func `a list with a refused mutation leaves nothing, and names its index`() throws {
    var stage = try Self.stage()
    let before = stage.session.document
    #expect(throws: MutationFault.inList(index: 2, .unknownResponder("ghost"))) {
      try stage.session.apply(
        [
          .mergeState(["n": 1]), .register(try handler([:]), for: "a", with: "h"),
          .becomeFirstResponder("ghost"), .mergeState(["n": 2]),
        ], in: stage.catalog)
    }
    #expect(stage.session.document == before)
    // A token given in a list that was refused is given again.
    #expect(try stage.apply(.register(try handler([:]), for: "a", with: "h")).token == 2)
  }

  @Test func `an accepted mutation adds one to the revision, a refused one nothing`() throws {
    var stage = try Self.stage()
    #expect(stage.session.revision == 0)
    try stage.apply(.mergeState(["n": 1]))
    #expect(stage.session.revision == 1)
    #expect(stage.refusal(of: .becomeFirstResponder("ghost")) == .unknownResponder("ghost"))
    #expect(stage.session.revision == 1)
  }

  @Test func `the state is patched whole or not at all, and stays an object`() throws {
    let stage = try Self.stage()
    let pointer = JSONPointer(["ghost"])
    #expect(
      stage.refusal(
        of: .patchState(
          JSONPatch([.add(path: JSONPointer(["n"]), value: 1), .remove(path: pointer)])))
        == .patch(JSONPatchFault(operation: 1, reason: .noSuchPath(pointer))))
    #expect(
      stage.refusal(of: .patchState(JSONPatch([.replace(path: .root, value: 1)])))
        == .stateIsNoObject)
    #expect(stage.refusal(of: .mergeState(1)) == .stateIsNoObject)
    #expect(
      stage.refusal(of: .mergeState(["big": .string(String(repeating: "x", count: Limits.work))]))
        == .tooLarge(limit: Limits.work))
  }

  @Test func `unknown handlers, responders and classes are refused`() throws {
    let stage = try Self.stage()
    #expect(
      stage.refusal(of: .removeHandler(for: "a", of: "v")) == .handler(.unknownHandler("v", "a")))
    #expect(stage.refusal(of: .removeHandler(for: "a", of: "x")) == .unknownResponder("x"))
    #expect(
      try stage.refusal(of: .putHandler(handler([:]), for: "a", of: "x"))
        == .unknownResponder("x"))
    #expect(stage.refusal(of: .removeResponder("x")) == .unknownResponder("x"))
    #expect(
      try stage.refusal(of: .putResponder(responder("x", ["kind": "view", "class": "Ghost"])))
        == .link(.unknownClass("x", "Ghost")))
  }

  @Test func `a template's responders replace those of its base, and its focus with them`() throws {
    let base = try FaultLog.collecting {
      SessionTemplate(
        reading: [
          "state": ["a": 1], "responders": ["v": ["kind": "view"], "w": ["kind": "window"]],
          "firstResponder": "v", "keyWindow": "w",
        ], at: .root, log: $0)
    }
    func over(_ json: JSON) throws -> SessionTemplate {
      try FaultLog.collecting { SessionTemplate(reading: json, at: .root, log: $0, over: base) }
    }
    let same = try over([:])
    #expect(same.state == ["a": 1])
    #expect(same.responders.map(\.id) == ["v", "w"])
    #expect(same.firstResponder == "v")
    #expect(same.windows[.key] == "w")
    let other = try over(["responders": ["x": ["kind": "view"]], "state": [:]])
    #expect(other.state == [:])
    #expect(other.responders.map(\.id) == ["x"])
    #expect(other.firstResponder == nil)
    #expect(other.windows[.key] == nil)
  }
}

@Suite struct SessionDiagnosticsTests {
  @Test func `diagnostics name the chain, the detached, the unhandled and the shadowed`() throws {
    let stage = try Stage(
      commands: [
        ["action": "a:", "title": "A"], ["action": "b:", "title": "B"], ["id": "c", "title": "C"],
        ["action": "d:", "title": "D"],
      ],
      classes: ["Stars": ["superclass": "UIView", "handlers": ["a:": [:]]]],
      responders: [
        "app": ["kind": "application", "handlers": ["a:": [:]]],
        "window": ["kind": "window"],
        "v": [
          "kind": "view", "class": "Stars", "superview": "window",
          "coordinator": ["handlers": ["a:": [:]]],
        ], "loose": ["kind": "view", "superview": "looser", "handlers": ["d:": [:]]],
        "looser": ["kind": "view"],
      ], focus: "v")
    #expect(
      stage.session.diagnostics(in: stage.catalog)
        == SessionDiagnostics(
          chain: ["v", "window", "app"], cycles: [], detached: ["loose", "looser"],
          unhandled: UnhandledActions(commands: ["b:", "c"]), unhooked: [],
          unreachableRegistries: [], deadProxies: [],
          coordinating: CoordinatingDiagnostics(cycles: [], cut: [], rootless: [], goneSenders: []),
          shadowed: [
            SessionDiagnostics.Shadow(
              action: "a:", winner: .forwarder(host: "v"), shadowed: .responder("v")),
            SessionDiagnostics.Shadow(
              action: "a:", winner: .forwarder(host: "v"), shadowed: .responder("app")),
          ], keyConflicts: [], failing: FailingRules(rules: [], isComplete: true)))
  }
}
