import CEL
import JSONText
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine

/// A session that is stored and read back goes on as if nothing had been: the same outcomes, refusals,
/// names, tokens and answers, under long random sequences of mutations.
@Suite struct SessionCodingTests {
  @Test(arguments: Seeds.first(2))
  func `containers and presentations are stored`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let suite = RandomContainmentTests()
    let stage = try suite.stage(&generator)
    var twin = try CodedTwin(opening: stage.opening, in: stage.catalog)
    for _ in 0..<60 { try twin.apply(try suite.mutation(twin.session, &generator)) }
    #expect(twin.accepted > 10)
    try twin.finish()
  }

  @Test(arguments: Seeds.first(2))
  func `registries of late responders are stored`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let suite = RandomRegistryTests()
    let stage = try Stage()
    var twin = try CodedTwin(opening: stage.opening, in: stage.catalog)
    for _ in 0..<80 { try twin.apply(try suite.mutation(&generator)) }
    #expect(twin.accepted > 10)
    try twin.finish()
  }

  @Test(arguments: Seeds.first(2))
  func `instances of storyboards are stored`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let suite = RandomStoryboardTests()
    let stage = try StoryboardStage(launching: RandomStoryboardTests.scenes)
    var twin = try CodedTwin(
      opening: try #require(stage.catalog.template), in: stage.catalog)
    for _ in 0..<40 { try twin.apply(suite.mutation(of: twin.session, &generator)) }
    #expect(twin.accepted > 5)
    try twin.finish()
  }

  @Test(arguments: Seeds.first(2))
  func `what can be undone is stored`(seed: UInt64) throws {
    var play = try RandomUndoTests.Play(seed: seed)
    var twin = try CodedTwin(opening: play.stage.opening, in: play.stage.catalog)
    for _ in 0..<60 {
      switch play.roll(8) {
      case 0, 1: try twin.apply(.undo())
      case 2: try twin.apply(.redo())
      case 3: try twin.apply(.beginUndoGrouping())
      case 4: try twin.apply(.endUndoGrouping())
      default:
        try twin.apply(.putHandler(try play.handlerOfEffects(), for: "do:", of: "view"))
        try twin.apply(.perform(ActionRequest(.command("do:"))))
      }
      play.stage.session = twin.session
    }
    #expect(twin.accepted > 30)
    try twin.finish()
  }

  @Test func `F1: tokens go on from those that were given`() throws {
    let stage = try Stage(
      responders: ["host": ["kind": "view", "coordinator": ["handlers": [:]]]])
    var twin = try CodedTwin(opening: stage.opening, in: stage.catalog)
    for _ in 0..<3 { try twin.apply(.register(try handler(logging("a")), for: "a", with: "host")) }
    try twin.apply(.removeRegistration(3, with: "host"))
    var copy = try reread(twin.session)
    let outcome = try copy.apply(
      .register(try handler(logging("b")), for: "b", with: "host"), in: stage.catalog)
    #expect(outcome.token == 4)
    try twin.finish()
  }

  @Test func `a handler made of closures is refused, with its place`() throws {
    var stage = try Stage(responders: ["view": ["kind": "view"]])
    try stage.apply(.putHandler(Handler(canPerform: { _ in true }), for: "a:", of: "view"))
    do throws(JSONCodingFault) {
      _ = try StoredFormat.bytes(of: stage.session)
      Issue.record("stored")
    } catch {
      #expect(
        "\(error)" == #"""
          "/graph/responders/0/handlers/a:/closures": the handler has closures (canPerform), which \#
          are code and cannot be stored; describe it by rules and effects, or do not store the session.
          """#)
    }
  }

  @Test func `a rule keeps the bounds that it was compiled under`() throws {
    let rule = try Rule("state.a", limits: .init(maximumSourceLength: 10, maximumSteps: 7))
    #expect(try reread(rule).program.limits == rule.program.limits)
    #expect(try JSON(encoding: Rule("state.a")) == "state.a")
    let long = try JSON(encoding: rule).text().replacing("state.a", with: "state.a.b.c.d")
    #expect(throws: JSONCodingFault.self) { try JSON(parsing: long).decoded(as: Rule.self) }
  }

  @Test(arguments: [
    (#"[1,{"id":"s"}]"#, #"What is stored cannot be read. "/revision": it is missing."#),
    (#"[2,{}]"#, "What is stored is in version 2 of the format; this program reads version 1."),
    (#"{}"#, "What is stored is not an array of the format's version and a value."),
    (
      #"[1"#,
      "What is stored is no JSON. Line 1, column 3: the text ends before the value is complete."
    ),
  ])
  func `a value that is no session is refused`(text: String, fault: String) {
    do throws(StoredFault) {
      _ = try StoredFormat.value(Session.self, from: Array(text.utf8))
      Issue.record("read \(text)")
    } catch {
      #expect("\(error)" == fault)
    }
  }

  @Test func `responders that do not hold together are refused`() throws {
    let stage = try Stage(responders: [
      "a": ["kind": "view"], "b": ["kind": "view", "superview": "a"],
    ])
    let text = String(decoding: try StoredFormat.bytes(of: stage.session), as: UTF8.self)
    for (part, other) in [
      (#""superview":"a""#, #""superview":"c""#), (#""superview":"a""#, #""superview":"b""#),
    ] {
      let bytes = Array(text.replacing(part, with: other).utf8)
      #expect(bytes != Array(text.utf8))
      #expect(throws: StoredFault.self) { try StoredFormat.value(Session.self, from: bytes) }
    }
  }

  @Test(arguments: Seeds.first(8))
  func `bytes that were changed are refused or read, and never trap`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let stage = try StoryboardStage(launching: RandomStoryboardTests.scenes)
    let bytes = try StoredFormat.bytes(of: stage.session)
    for _ in 0..<15 {
      var changed = bytes
      for _ in 0...Int.random(in: 0..<3, using: &generator) {
        let position = Int.random(in: 0..<changed.count, using: &generator)
        changed[position] = UInt8.random(in: 0x20...0x7E, using: &generator)
      }
      guard let session = try? StoredFormat.value(Session.self, from: changed) else { continue }
      #expect(throws: Never.self) { try StoredFormat.bytes(of: session) }
    }
  }
}

/// Records are replayed, or refused.
@Suite struct SessionRecordTests {
  private func session() throws -> Session {
    try Session("s", opening: SessionTemplate(), in: Catalog())
  }

  @Test func `a session is changed again, all or none`() throws {
    let record = SessionRecord([.mergeState(["a": 1]), .mergeState(["b": 2])])
    let changed = try record.replayed(on: session(), in: Catalog()).session
    #expect(changed.state == ["a": 1, "b": 2])
    #expect(changed.revision == 2)
  }

  @Test func `a record that does not follow is refused`() throws {
    let refused = SessionRecord([.removeResponder("a")])
    #expect(throws: ReplayFault.refused("s", .inList(index: 0, .unknownResponder("a")))) {
      try refused.replayed(on: session(), in: Catalog())
    }
  }

  @Test func `R8: replaying one mutation gives the session that it gave alone`() throws {
    let stage = try Stage(
      responders: [
        "window": ["kind": "window", "rootViewController": "nav"],
        "nav": controller(
          "UINavigationController", ["home"],
          [
            "view": "navView",
            "handlers": [
              "flash:": [
                "perform": [
                  ["op": "show", "viewController": "'other'"],
                  ["op": "pop", "viewController": "'nav'"],
                ]
              ]
            ],
          ]), "navView": ["kind": "view"], "home": controller(nil, nil, ["view": "homeView"]),
        "homeView": ["kind": "view", "superview": "navView"],
        "other": controller(nil, nil, ["view": "otherView"]), "otherView": ["kind": "view"],
      ], focus: "homeView")
    var twin = try CodedTwin(opening: stage.opening, in: stage.catalog)
    try twin.apply(.perform(ActionRequest(.action("flash:"), to: .responder("nav"))))
    #expect(twin.accepted == 1)
    #expect(twin.session.firstResponder == "homeView")
    try twin.finish()
  }
}
