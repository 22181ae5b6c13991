import Dispatch
import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// The limits of clients, and the answers beyond them.
struct ServiceLimitsTests {
  @Test func `as many sessions are open as may be, and the next has to wait`() throws {
    var limits = ServiceLimits()
    limits.sessions = 2
    let sample = try SampleService(limits: limits)
    #expect(try sample.send(.post, "/sessions", #"{"id":"a"}"#).status == .created)
    let taken = try sample.send(.post, "/sessions", #"{"id":"a"}"#)
    #expect(try taken.value("/type") == "/problems/session-exists")
    try sample.refuses(
      .post, "/sessions", #"{"id":"b"}"#,
      with: """
        503 /problems/too-many-sessions
        2 sessions are open, and no more may be (limits.sessions); close some, or try again later.
        """)
    let refusal = try sample.send(.post, "/sessions", #"{"id":"b"}"#)
    #expect(refusal.headers["retry-after"] == "60")
    #expect(try refusal.value("/limit") == "limits.sessions")
    #expect(try refusal.value("/maximum") == 2)
    #expect(try sample.send(.delete, "/sessions/a").status == .noContent)
    #expect(try sample.send(.post, "/sessions", #"{"id":"b"}"#).status == .created)
  }

  @Test func `however many are opened at once, no more are open than may be`() throws {
    var limits = ServiceLimits()
    limits.sessions = 4
    let sample = try SampleService(limits: limits)
    let statuses = Lock<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      let response = try? sample.send(.post, "/sessions", #"{"id":"s\#(number)"}"#)
      statuses.withLock { $0.append(response?.status.rawValue ?? 0) }
    }
    #expect(
      statuses.withLock { $0.sorted() }
        == Array(repeating: 201, count: 3) + Array(repeating: 503, count: 9))
    #expect(sample.service.store.sessionIDs.count == 4)
  }

  @Test func `a list has as many mutations as it may`() throws {
    var limits = ServiceLimits()
    limits.mutations = 2
    let sample = try SampleService(limits: limits)
    let one = #"{"op":"mergeState","patch":{"zoom":1}}"#
    let list = { (count: Int) in
      #"{"mutations":[\#(Array(repeating: one, count: count).joined(separator: ","))]}"#
    }
    #expect(try sample.send(.post, "/sessions/demo/mutations", list(2)).status == .ok)
    try sample.refuses(
      .post, "/sessions/demo/mutations", list(3),
      with: """
        422 /problems/too-much-effort
        /mutations
        There are 3 mutations in the list, and no more than 2 may be (limits.mutations); send them in \
        several requests.
        """)
  }

  @Test func `a body nests as deep as it may`() throws {
    var limits = ServiceLimits()
    limits.bodyDepth = 3
    let sample = try SampleService(limits: limits)
    let type = "application/merge-patch+json"
    let path = "/sessions/demo/state"
    #expect(try sample.send(.patch, path, #"{"a":{"b":{}}}"#, type: type).status == .ok)
    let deeper = try sample.send(.patch, path, #"{"a":{"b":{"c":{}}}}"#, type: type)
    #expect(deeper.status == .badRequest)
    #expect(try deeper.value("/type") == "/problems/malformed-json")
  }

  private static let put: [Holding: (target: String, body: String)] = [
    .responders: ("/responders/new", #"{"kind":"view"}"#),
    .responderSize: ("/responders/new", #"{"kind":"view"}"#),
    .handlers: ("/responders/photoGrid/handlers/new:", "{}"),
    .rules: ("/responders/photoGrid/handlers/new:", #"{"canPerform":"true"}"#),
    .keyCommands: (
      "/responders/photoGrid/key-commands",
      #"{"keyCommands":[{"input":"q","action":"a:"},{"input":"w","action":"b:"}]}"#
    ),
    .undoManagers: ("/responders/new", #"{"kind":"view","undoManager":{}}"#),
    .stateSize: ("/state", #"{"new":1}"#),
  ]

  private static let details: [Holding: String] = [
    .responders: """
    The session would have more than 9 responders (limits.responders); remove some first.
    """,
    .handlers: """
    The session would have more than 9 handlers (limits.handlers); remove some first, or declare \
    them in a class.
    """,
    .rules: """
    The session would have more than 9 rules (limits.rules); remove handlers first, or declare them \
    in a class.
    """,
    .keyCommands: """
    The session would have more than 9 key commands (limits.keyCommands); remove some first, or \
    declare them in a class.
    """,
    .undoManagers: """
    More than 9 responders of the session would have an undo manager of their own \
    (limits.undoManagers); let some share the session's.
    """,
    .stateSize: """
    The state would take more than 9 bytes of JSON (limits.stateSize); remove something from it first.
    """,
    .responderSize: """
    The responders would take more than 9 bytes of JSON in all (limits.responderSize); remove some \
    first, or give them less.
    """,
  ]

  @Test(arguments: Holding.allCases.filter { $0 != .deliveries && $0 != .deliverySize })
  func `a session holds as much of each kind as it may`(holding: Holding) throws {
    let detail = try #require(Self.details[holding])
    let held = try #require(try SampleService().service.store.session("demo")).holdings[holding]
    var limits = ServiceLimits()
    limits.session[holding] = held
    let sample = try SampleService(limits: limits)
    let (target, body) = try #require(Self.put[holding])
    let isState = holding == .stateSize
    let expected = detail.replacing(" 9 ", with: " \(held) ")
    let type = isState ? "application/merge-patch+json" : "application/json"
    let response = try sample.send(
      isState ? .patch : .put, "/sessions/demo\(target)", body, type: type)
    #expect(response.status == .conflict)
    #expect(try response.value("/type") == "/problems/limit-reached")
    #expect(try response.value("/detail") == .string(expected))
    #expect(try response.value("/limit") == .string("limits.\(holding.rawValue)"))
    #expect(try response.value("/maximum") == .int(Int64(held)))
    #expect(sample.service.store.session("demo")?.revision == 0)

    limits.session[holding] = held + 100
    let roomy = try SampleService(limits: limits)
    let accepted = try roomy.send(
      isState ? .patch : .put, "/sessions/demo\(target)", body, type: type)
    #expect(accepted.status.rawValue < 300, "\(accepted.text)")
  }

  @Test func `a session is opened within them`() throws {
    var limits = ServiceLimits()
    limits.session[.stateSize] = 10
    let sample = try SampleService(limits: limits)
    try sample.refuses(
      .post, "/sessions", #"{"template":false,"state":{"a":"bc"}}"#,
      with: """
        409 /problems/limit-reached
        /state
        The state would take more than 10 bytes of JSON (limits.stateSize); remove something from it \
        first.
        """)
    let fitting = #"{"template":false,"state":{"a":1}}"#
    #expect(try sample.send(.post, "/sessions", fitting).status == .created)
  }

  private struct Addition {
    let method: MicroHTTP.Method
    let target: String
    let body: String
    let detail: String
  }

  private static let additions: [CatalogHolding: Addition] = [
    .commands: Addition(
      method: .put, target: "/commands/new:", body: #"{"title":"New","action":"new:"}"#,
      detail: "There would be more than 9 commands (limits.commands); remove some first."),
    .menuElements: Addition(
      method: .post, target: "/menus/edits",
      body:
        #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"title":"More","children":[]}}]}"#,
      detail: "The menus would have more than 9 elements (limits.menuElements); remove some first."),
    .storyboards: Addition(
      method: .put, target: "/storyboards/New",
      body: #"{"initialViewController":"new","scenes":{"new":{}}}"#,
      detail: "There would be more than 9 storyboards (limits.storyboards); remove some first."),
    .protocols: Addition(
      method: .put, target: "/protocols/New", body: #"{"required":["a:"]}"#,
      detail: "There would be more than 9 protocols (limits.protocols); remove some first."),
    .keymaps: Addition(
      method: .put, target: "/keymaps/new", body: #"{"entries":[]}"#,
      detail: "There would be more than 9 keymaps (limits.keymaps); remove some first."),
    .catalogChanges: Addition(
      method: .put, target: "/commands/new:", body: #"{"title":"New","action":"new:"}"#,
      detail: """
        More than 9 changes were made that the application's folder does not have \
        (limits.catalogChanges); write them into it and reload.
        """),
  ]

  @Test(arguments: CatalogHolding.allCases)
  func `the catalogue holds as much of each kind as it may`(holding: CatalogHolding) throws {
    let addition = try #require(Self.additions[holding])
    let (method, target, body) = (addition.method, addition.target, addition.body)
    let detail = addition.detail
    let held = try SampleService().service.store.catalog.number(of: holding)
    var limits = ServiceLimits()
    limits[holding] = held
    let sample = try SampleService(limits: limits)
    try sample.refuses(
      method, target, body,
      with: "409 /problems/limit-reached\n\(detail.replacing(" 9 ", with: " \(held) "))")
    limits[holding] = held + 3
    let roomy = try SampleService(limits: limits)
    #expect(try roomy.send(method, target, body).status.rawValue < 300)
  }

  @Test func `effects and nested sends say which limit they met`() throws {
    var limits = ServiceLimits()
    limits.session.effects = 1
    let sample = try SampleService(limits: limits)
    let handler =
      #"{"perform":[{"op":"add","path":"/a","value":"1"},{"op":"add","path":"/b","value":"2"}]}"#
    let path = "/sessions/demo/responders/photoGrid/handlers/two:"
    #expect(try sample.send(.put, path, handler).status == .created)
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"two:"}"#,
      with: """
        409 /problems/effect-failed
        Nothing was changed, since there are more than 1 effects (limits.effects).
        """)
    let refused = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"two:"}"#)
    #expect(try refused.value("/limit") == "limits.effects")
    #expect(try refused.value("/maximum") == 1)
  }
}

extension Catalog {
  fileprivate func number(of holding: CatalogHolding) -> Int {
    switch holding {
    case .commands: commands.count
    case .menuElements: menus.menus.count + menus.menus.reduce(0) { $0 + $1.children.count }
    case .storyboards: storyboards.count
    case .protocols: protocols.count
    case .keymaps: keymaps.count
    case .catalogChanges: changes.count
    }
  }
}
