import JSONText
import Testing

@testable import MenuEngine

/// The limits of a session, counted as it changes, and of a mutation.
@Suite struct SessionLimitsTests {
  private static let handled: JSON = [
    "kind": "view", "properties": ["note": "none"], "undoManager": [:],
    "handlers": [
      "copy:": [
        "validate": ["enabled": "true"], "canPerform": "true",
        "perform": [["op": "replace", "path": "/log", "value": "[1]"]],
      ]
    ],
    "keyCommands": [["input": "c", "modifiers": ["command"], "action": "copy:"]],
    "coordinator": ["handlers": ["cut:": ["validate": ["checked": "true"]]]],
  ]

  /// Those that responders and the state take; deliveries have tests of their own.
  private static let ofResponders = Holding.allCases.filter {
    $0 != .deliveries && $0 != .deliverySize
  }

  @Test func `what a session holds is counted by kind`() throws {
    let stage = try Stage(responders: ["view": Self.handled], state: ["log": "ab"])
    let holdings = stage.session.holdings
    #expect(holdings[.responders] == 1)
    #expect(holdings[.handlers] == 2)
    #expect(holdings[.rules] == 4)
    #expect(holdings[.keyCommands] == 1)
    #expect(holdings[.undoManagers] == 1)
    #expect(holdings[.stateSize] == #"{"log":"ab"}"#.utf8.count + 2)
    #expect(holdings == stage.session.recountedHoldings)
  }

  @Test(arguments: Self.ofResponders)
  func `one more than the limit is refused and changes nothing, and as many are not`(
    holding: Holding
  ) throws {
    let stage = try Stage(responders: ["view": Self.handled], state: ["log": "ab"])
    let grown: [Mutation] = [
      .putResponder(try responder("other", Self.handled)), .mergeState(["more": 1]),
    ]
    var free = stage.session
    _ = try free.apply(grown, in: stage.catalog)
    let needed = free.holdings[holding]
    #expect(needed > stage.session.holdings[holding])

    var limits = SessionLimits()
    limits[holding] = needed
    var enough = stage.session
    _ = try enough.apply(grown, in: stage.catalog, limits: limits)
    #expect(enough.document == free.document)

    limits[holding] = needed - 1
    var short = stage.session
    let index = holding == .stateSize ? 1 : 0
    #expect(throws: MutationFault.inList(index: index, .limitReached(holding, limit: needed - 1))) {
      try short.apply(grown, in: stage.catalog, limits: limits)
    }
    #expect(short.document == stage.session.document)
  }

  @Test(arguments: Self.ofResponders)
  func `a session that is over a limit already may change and shrink, but not grow`(
    holding: Holding
  ) throws {
    let stage = try Stage(
      responders: ["view": Self.handled, "other": Self.handled], state: ["log": "ab"])
    var limits = SessionLimits()
    limits[holding] = 0
    var session = stage.session
    _ = try session.apply(.becomeFirstResponder("view"), in: stage.catalog, limits: limits)
    _ = try session.apply(.mergeState(["log": "cd"]), in: stage.catalog, limits: limits)
    _ = try session.apply(.removeResponder("other"), in: stage.catalog, limits: limits)
    _ = try session.apply(.mergeState(["log": nil]), in: stage.catalog, limits: limits)
    #expect(session.holdings[holding] < stage.session.holdings[holding])
  }

  @Test func `V9: what a new view controller does is measured from when it is there`() throws {
    let stage = try Stage(
      classes: [
        "Successor": [
          "superclass": "UIViewController",
          "handlers": [
            "awakeFromNib": ["perform": [["op": "removeResponder", "responder": "'old'"]]]
          ],
        ]
      ], responders: ["old": ["kind": "responder"]])
    var limits = SessionLimits()
    limits[.responders] = stage.session.holdings[.responders]
    let new = try responder("new", ["kind": "viewController", "class": "Successor"])
    var session = stage.session
    _ = try session.apply(.putResponder(new), in: stage.catalog, limits: limits)
    #expect(session.responder("old") == nil)
    let another = try responder("another", ["kind": "viewController"])
    #expect(throws: MutationFault.limitReached(.responders, limit: limits[.responders])) {
      try session.apply(.putResponder(another), in: stage.catalog, limits: limits)
    }
  }

  @Test(arguments: Self.ofResponders)
  func `a session is not opened over a limit`(holding: Holding) throws {
    let stage = try Stage(responders: ["view": Self.handled], state: ["log": "ab"])
    var template = SessionTemplate()
    template.state = stage.session.state
    template.responders = Array(stage.session.graph.responders)
    var limits = SessionLimits()
    let needed = stage.session.holdings[holding]
    limits[holding] = needed
    _ = try Session("s", opening: template, in: stage.catalog, limits: limits)
    limits[holding] = needed - 1
    #expect(throws: MutationFault.limitReached(holding, limit: needed - 1)) {
      try Session("s", opening: template, in: stage.catalog, limits: limits)
    }
  }

  /// Each of a thousand effects could double the state; the limit is looked at before each.
  @Test func `effects stop as soon as the state is over its limit`() throws {
    let doubling: JSON = ["op": "copy", "from": "/a", "path": "/a/-"]
    let effects = Array(repeating: doubling, count: 12) + [["op": "answer", "value": "1 / 0"]]
    let stage = try Stage(
      responders: ["view": ["kind": "view", "handlers": ["grow:": ["perform": .array(effects)]]]],
      state: ["a": [0]])
    var limits = SessionLimits()
    limits[.stateSize] = 100
    var session = stage.session
    #expect(throws: MutationFault.limitReached(.stateSize, limit: 100)) {
      try session.apply(
        .perform(ActionRequest(.action("grow:"), from: "view")), in: stage.catalog, limits: limits)
    }
    #expect(session.document == stage.session.document)
  }

  @Test func `effects and nested sends have the limits that are handed in`() throws {
    let stage = try Stage(
      responders: [
        "view": [
          "kind": "view",
          "handlers": [
            "two:": [
              "perform": [
                ["op": "test", "path": "/log", "value": "[]"],
                ["op": "test", "path": "/log", "value": "[]"],
              ]
            ],
            "deep:": ["perform": [["op": "send", "action": "'two:'", "to": "'view'"]]],
          ],
        ]
      ])
    var limits = SessionLimits()
    (limits.effects, limits.sends) = (3, 2)
    var session = stage.session
    let deep = Mutation.perform(ActionRequest(.action("deep:"), from: "view"))
    _ = try session.apply(deep, in: stage.catalog, limits: limits)
    limits.effects = 2
    #expect(throws: MutationFault.effect(.tooManyEffects(limit: 2))) {
      try session.apply(deep, in: stage.catalog, limits: limits)
    }
    (limits.effects, limits.sends) = (3, 1)
    #expect(throws: MutationFault.effect(.sendsTooDeep(.responder("view"), "two:", limit: 1))) {
      try session.apply(deep, in: stage.catalog, limits: limits)
    }
  }

  @Test func `without limits everything is accepted that was accepted before`() throws {
    var stage = try Stage(state: ["log": []])
    var limits = SessionLimits()
    for holding in Holding.allCases { limits[holding] = 0 }
    let put = Mutation.putResponder(try responder("view", Self.handled))
    #expect(throws: MutationFault.limitReached(.responders, limit: 0)) {
      try stage.session.apply(put, in: stage.catalog, limits: limits)
    }
    _ = try stage.session.apply(put, in: stage.catalog, limits: .unlimited)
  }
}
