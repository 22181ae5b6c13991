import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import Randomness
import StoreSupport
import Testing

@testable import MenuAPI

/// A service that has answered before and one that has not must say the same, byte for byte.
@Suite(.inOneProcess("Plans are of one process."))
struct SessionPlanTests {
  @Test(arguments: Seeds.first(5))
  func `what is kept and mended is what a cold service answers`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let warm = try Self.service()
    for turn in 0..<60 {
      _ = warm.respond(to: try dice.change())
      let id: SessionID = "s"
      let session = try #require(warm.store.session(id))
      let cold = try Self.service(session)
      for question in try Self.questions() where dice.roll(3) > 0 {
        let answers = [warm, cold].map { $0.respond(to: question) }
        #expect(answers[0].status == answers[1].status)
        let bodies = answers.map { String(decoding: $0.body, as: UTF8.self) }
        try #require(bodies[0] == bodies[1], "seed \(seed), turn \(turn)")
      }
    }
  }

  @Test func `plans take so much room together, and those of sessions nobody asks go`() throws {
    let catalog = try Self.catalog()
    let store = SessionStore(catalog: catalog)
    let sessions = LiveSessions(upTo: 16 * 20_000)
    let first = try #require(try store.opened(try Self.session()))
    for number in 0..<400 {
      let session = try Session(
        try #require(SessionID("other\(number)")), opening: SessionTemplate(), in: catalog)
      let snapshot = try #require(try store.opened(session))
      let cold = try LiveSessions().live(snapshot).answer(to: ValidationRequest(), snapshot).answer
      let live = sessions.live(snapshot)
      #expect(try live.answer(to: ValidationRequest(), snapshot).answer == cold)
      #expect(sessions.size <= 16 * 20_000)
      _ = try sessions.live(first).answer(to: ValidationRequest(), first)
      #expect(live.memory.size > 0)
    }
    #expect(sessions.evictions.value > 200)
    #expect(sessions.live(first).memory.size > 0)
    sessions.sweep()
    sessions.sweep()
    #expect((sessions.count, sessions.size) == (0, 0))
  }

  @Test func `a session that is opened under the name of one that is closed has a plan of its own`()
    throws
  {
    let catalog = try Self.catalog()
    let store = SessionStore(catalog: catalog)
    let sessions = LiveSessions()
    let first = try #require(try store.opened(try Self.session()))
    let answer = try sessions.live(first).answer(to: ValidationRequest(), first).answer
    try store.close("s")
    let session = try Session("s", opening: SessionTemplate(), in: catalog)
    let second = try #require(try store.opened(session))
    #expect(try sessions.live(second).answer(to: ValidationRequest(), second).answer != answer)
    sessions.releaseClosed()
    #expect(sessions.count == 1)
    #expect(sessions.size == sessions.live(second).memory.size)
  }

  @Test func `a plan goes that nobody asked between two sweeps`() throws {
    let service = try Self.service()
    let live = service.sessions.live(try #require(service.store.snapshot("s")))
    let question = try Self.questions()[1]
    let answer = service.respond(to: question).body
    service.forgetIdle()
    #expect(live.hasPlan)
    _ = service.respond(to: try Self.questions()[2])
    service.forgetIdle()
    #expect(live.hasPlan)
    service.forgetIdle()
    #expect(!live.hasPlan)
    #expect(service.respond(to: question).body == answer)
  }

  @Test func `a session that begins with the plan of another one is answered as a cold one`() throws
  {
    let catalog = try Self.catalog()
    let store = SessionStore(catalog: catalog)
    let sessions = LiveSessions()
    for number in 0..<40 {
      let kind = number * 7 % 6
      let id = try #require(SessionID("s\(number)"))
      let session = try Session(id, opening: Self.template(grid: "grid\(kind)"), in: catalog)
      let snapshot = try #require(try store.opened(session))
      for request in [ValidationRequest(), ValidationRequest()] {
        let cold = try LiveSessions().live(snapshot).answer(to: request, snapshot).answer
        #expect(try sessions.live(snapshot).answer(to: request, snapshot).answer == cold)
      }
    }
    #expect(sessions.count == 40)
  }

  @Test func `a question that is refused leaves no plan behind`() throws {
    let store = SessionStore(catalog: try Self.catalog())
    let snapshot = try #require(try store.opened(try Self.session()))
    let sessions = LiveSessions()
    var request = ValidationRequest()
    request.from = "ghost"
    #expect(throws: MutationFault.self) {
      try sessions.live(snapshot).answer(to: request, snapshot)
    }
    #expect(sessions.size == 0)
  }

  @Test func `a plan that is larger than all the room stays until another is asked`() throws {
    let sessions = LiveSessions(upTo: 16)
    let store = SessionStore(catalog: try Self.catalog())
    let snapshot = try #require(try store.opened(try Self.session()))
    for modifiers in [KeyModifiers(), KeyModifiers([.shift]), KeyModifiers()] {
      var request = ValidationRequest()
      request.modifiers = modifiers
      _ = try sessions.live(snapshot).answer(to: request, snapshot)
      #expect(sessions.size > 0)
    }
  }

  @Test func `a rule that fails is counted once, whichever questions show its item`() throws {
    let service = try Self.service()
    let json: Headers = ["Content-Type": "application/json"]
    let menu = #"{"identifier":"odd","title":"Odd","children":["late:"]}"#
    let edit = #"{"edits":[{"op":"insertChild","atEndOfMenu":"root","menu":\#(menu)}]}"#
    let edited = service.respond(
      to: try Request(.post, "/menus/edits", headers: json, body: Array(edit.utf8)))
    try #require(edited.status == .ok, "\(String(decoding: edited.body, as: UTF8.self))")
    _ = service.respond(to: try Request(.get, "/sessions/s/menu"))
    let count = service.metrics.ruleErrors.value
    #expect(count > 0)
    _ = service.respond(to: try Self.questions()[0])
    _ = service.respond(to: try Request(.get, "/sessions/s/menu"))
    #expect(service.metrics.ruleErrors.value == count)
  }
}

extension LiveSession {
  fileprivate var hasPlan: Bool { plan.isEvictable }
}

extension SessionStore {
  fileprivate func opened(_ session: Session) throws -> Snapshot? {
    try open(session).flatMap { snapshot($0.session.id) }
  }
}

extension SessionPlanTests {
  /// Ten commands: two read the rating (one by the whole photo), one the flag, one a certain
  /// element, one a computed one, and one fails as long as there is no `late`. Two change the state, and
  /// two tell what can be undone.
  private static let handlers = #"""
    {"rate:": {"validate": {"checked": "state.photo.rating == 5"}},
     "flag:": {"validate": {"checked": "state.flag", "title": "state.flag ? 'Unflag' : 'Flag'"}},
     "first:": {"validate": {"checked": "state.list[1] == 2"}},
     "pick:": {"validate": {"enabled": "state.list[size(state.list) - 1] > 2"}},
     "late:": {"validate": {"enabled": "state.late.there"}},
     "put:": {"perform": [{"op": "add", "path": "/list/-", "value": "state.count"},
                          {"op": "add", "path": "/photo", "value": "{'rating': state.count}"}]},
     "named:": {"perform": [{"op": "replace", "path": "/flag", "value": "!state.flag"},
                            {"op": "setActionName", "name": "'Flag ' + string(state.count)"}]},
     "copy:": {"canPerform": "has(state.photo.rating)", "validate": {"enabled": "state.photo != {}"}}}
    """#

  private static func catalog() throws -> Catalog {
    let names = [
      "rate:", "flag:", "first:", "pick:", "late:", "copy:", "put:", "named:", "undo:", "redo:",
    ]
    let alternates = #"[{"modifiers":["shift"],"title":"Held","action":"flag:"}]"#
    let commands = names.map { name in
      #"{"title":"\#(name)","action":"\#(name)","alternates":\#(alternates)}"#
    }.joined(separator: ",")
    return try CatalogDocument([.commands: JSON(parsing: "[\(commands)]")]).catalog()
  }

  private static func session() throws -> Session {
    try Session("s", opening: template(grid: "grid"), in: catalog())
  }

  private static func template(grid: String) throws -> SessionTemplate {
    let template = try JSON(
      parsing: #"""
        {"state": {"photo": {"rating": 3}, "flag": false, "list": [1, 2, 3], "count": 0},
         "responders": {"app": {"kind": "application"},
                        "\#(grid)": {"kind": "view", "next": "app", "handlers": \#(handlers)}},
         "firstResponder": "\#(grid)"}
        """#)
    return try FaultLog.collecting { log in
      SessionTemplate(reading: template, at: .root, log: log)
    }
  }

  private static func service(_ session: Session? = nil) throws -> Service {
    let store = SessionStore(catalog: try catalog())
    try store.open(session ?? Self.session())
    let id: SessionID = "unused"
    return Service(
      store: store,
      Service.Dependencies(now: { 0 }, newSessionID: { id }, newToken: { "unused" }, nonce: "n"))
  }

  private static func questions() throws -> [Request] {
    let validations = [
      #"{"session":"s"}"#, #"{"session":"s","commands":["flag:","rate:","nothing:","rate:"]}"#,
      #"{"session":"s","from":"app"}"#, #"{"session":"s","sender":{"kind":"key"}}"#,
      #"{"session":"s","explain":true}"#, #"{"session":"s","modifiers":["shift"]}"#,
    ].map { ("/commands/validate", $0) }
    let searches = [
      #"{"session":"s","query":"flag","disabled":true}"#, #"{"session":"s","query":"","limit":3}"#,
    ].map { ("/commands/search", $0) }
    return try (validations + searches).map { target, body in
      try Request(
        .post, target, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
  }
}

/// Changes drawn at random, the same for the same seed.
private struct Dice {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func roll(_ sides: Int) -> Int { .random(in: 0..<sides, using: &generator) }

  mutating func change() throws -> Request {
    let value = roll(6)
    let merges = [
      #"{"photo":{"rating":\#(value)}}"#, #"{"photo":{"title":"\#(value)"}}"#, #"{"photo":null}"#,
      #"{"photo":{}}"#, #"{"flag":\#(value > 2)}"#, #"{"late":{"there":\#(value > 2)}}"#,
      #"{"late":\#(value)}"#, #"{"count":\#(value)}"#, #"{"list":[\#(value),\#(value)]}"#,
    ]
    let patches = [
      #"[{"op":"add","path":"/list/0","value":\#(value)}]"#, #"[{"op":"remove","path":"/list/0"}]"#,
      #"[{"op":"add","path":"/list/-","value":\#(value)}]"#,
      #"[{"op":"move","from":"/photo","path":"/late"}]"#,
      #"[{"op":"copy","from":"/flag","path":"/late"},{"op":"test","path":"/count","value":0}]"#,
    ]
    switch roll(20) {
    case 10...13:
      let actions = ["put:", "named:", "undo:", "redo:"]
      return try post(
        "/commands/perform", #"{"session":"s","command":"\#(actions[roll(4)])","from":"grid"}"#)
    case 14...15: return try post("/sessions/s/\(value > 2 ? "undo" : "redo")", "{}")
    case 16...18:
      let ops = [
        #""beginUndoGrouping""#, #""endUndoGrouping""#,
        #""setLevelsOfUndo","levelsOfUndo":\#(value)"#,
        #""setUndoActionName","name":"\#(value)""#, #""disableUndoRegistration""#,
        #""enableUndoRegistration""#, #""removeAllUndoActions""#,
        #""registerUndo","target":"grid","action":"named:""#,
      ]
      return try post("/sessions/s/mutations", #"{"mutations":[{"op":\#(ops[roll(ops.count)])}]}"#)
    case 0...5:
      return try patch("merge-patch", merges[roll(merges.count)])
    case 6...8: return try patch("json-patch", patches[roll(patches.count)])
    default:
      return try Request(
        .put, "/sessions/s/first-responder", headers: ["Content-Type": "application/json"],
        body: Array((value > 2 ? #"{"responder":"grid"}"# : #"{"responder":null}"#).utf8))
    }
  }

  private func post(_ path: String, _ body: String) throws -> Request {
    try Request(
      .post, path, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  private func patch(_ type: String, _ body: String) throws -> Request {
    try Request(
      .patch, "/sessions/s/state", headers: ["Content-Type": "application/\(type)+json"],
      body: Array(body.utf8))
  }
}
