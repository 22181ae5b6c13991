import Dispatch
import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import Randomness
import Testing

@testable import MenuAPI

/// The services of `PlanModelTests`, and a model of the plans that they answered.
struct PlanWorld {
  /// A plan as the model has it.
  struct Plan {
    let text: String
    let session: String
    /// The number of the session among those of its name.
    let opening: Int
    /// The number of its token.
    let token: Int
    let message: String
    /// The last second in which it can be performed.
    let expiry: Int
    let shown: Shown
    /// The answer by which it was performed, and the second in which it was.
    var done: (body: [UInt8], second: Int)?
  }

  /// The changes and the question of a message; no changes if it is disabled.
  ///
  /// Two are equal if they differ only in the time of the dry run, which a plan keeps.
  struct Shown: Equatable {
    let changes: String?
    let question: String?

    static func == (one: Shown, other: Shown) -> Bool {
      one.timeless == other.timeless && one.question == other.question
    }

    private var timeless: String? { changes?.replacing(/"when":"[^"]*"/, with: "") }
  }

  /// A request to perform a plan.
  struct Use {
    /// The number of the token of the request.
    var asker: Int
    var session: String
    var isConfirmed: Bool
  }

  /// The outcome that the use of a plan must have.
  enum Verdict: Equatable {
    case performed, repeated
    /// Refused, or answered as the first time: its answer may be forgotten.
    case over
    case refused(String)
  }

  var random: SeededGenerator
  var plans: [Plan] = []
  /// The number of uses with each outcome.
  private(set) var counts: [String: Int] = [:]
  private let tokens: TokenSample
  /// The fields of each token, and the session that it is of; nil for the administrator's.
  private var askers: [(fields: TokenSample.Fields, session: String?)]
  private var openings = ["own": 1, "next": 0]
  private(set) var now = 0
  /// The seconds for which answers are kept, which is not as long as plans hold.
  private static let retention = 120

  private static let messages = [
    #""command":"turn:","parameters":{"by":1}"#, #""command":"turn:","parameters":{"by":2}"#,
    #""command":"flip:""#, #""action":"flip:""#,
  ]

  /// The handlers of the messages. A turn is delivered, a flip asks unless there is nothing to spare.
  private static let handlers = [
    "turn:": #"""
    {"validate":{"requires":[{"if":"state.angle < 6","else":"It is round."}]},
     "perform":[{"op":"replace","path":"/angle","value":"state.angle + parameters.by"},
                {"op":"deliver","value":"state.angle"}]}
    """#,
    "flip:": #"""
    {"validate":{"confirmation":{"if":"state.spare > 0","title":"'Flip ' + string(state.spare) + '?'"}},
     "perform":[{"op":"replace","path":"/flag","value":"state.spare % 2 == 0"}]}
    """#,
  ]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    tokens = try TokenSample(storage: MemoryJournal.Storage(), retention: Self.retention)
    askers = [(SampleService.administrator, nil), (tokens.own, "own")]
    let schema = #"{"type":"object","properties":{"by":{"type":"integer"}}}"#
    for (action, more) in [("turn:", #","parameters":\#(schema)"#), ("flip:", "")] {
      let declared = try tokens.sample.send(
        .put, "/commands/\(action)", #"{"title":"T","action":"\#(action)"\#(more)}"#,
        headers: SampleService.administrator)
      try #require(declared.status == .created, "\(declared.text)")
    }
    try prepare("own")
    try reopenNext()
  }

  /// Gives a session its handlers, and one more token.
  private mutating func prepare(_ session: String) throws {
    for (action, handler) in Self.handlers {
      let handled = try send(
        .put, "/sessions/\(session)/responders/photoGrid/handlers/\(action)", handler)
      try #require(handled.status == .created, "\(handled.text)")
    }
    try patch(session, #"{"angle":1,"spare":0,"flag":false}"#)
    let made = try tokens.make(Right.allCases, of: session, by: SampleService.administrator)
    askers.append((made.fields, session))
  }

  private func send(_ method: Method, _ path: String, _ body: String? = nil) throws -> Response {
    try tokens.sample.send(method, path, body, headers: SampleService.administrator)
  }

  private func patch(_ session: String, _ patch: String) throws {
    let patched = try tokens.sample.send(
      .patch, "/sessions/\(session)/state", patch, type: "application/merge-patch+json",
      headers: SampleService.administrator)
    #expect(patched.status == .ok, "\(patched.text)")
  }

  /// The session as `GET` answers it.
  func document(_ session: String) throws -> JSON { try send(.get, "/sessions/\(session)").json }
}

// MARK: Steps

extension PlanWorld {
  private mutating func anySession() -> String { Bool.random(using: &random) ? "own" : "next" }

  /// Makes a dry run, and keeps its plan.
  mutating func tryMessage() throws {
    let session = anySession()
    let message = Self.messages.randomElement(using: &random) ?? ""
    let able = askers.indices.filter {
      isValid(Use(asker: $0, session: session, isConfirmed: false))
    }
    let asker = able.randomElement(using: &random) ?? 0
    let answer = try tried(message, in: session, by: asker)
    guard answer.status == .ok else { return }
    try keep(answer, of: message, in: session, by: asker, Self.shown(answer))
  }

  /// Keeps the plan of an answer.
  mutating func keep(
    _ answer: Response, of message: String, in session: String, by asker: Int, _ shown: Shown
  ) throws {
    let expiry = now + 300
    #expect(try answer.value("/planExpires")?.word == tokens.moment(expiry))
    plans.append(
      Plan(
        text: try #require(try answer.value("/plan")?.word), session: session,
        opening: openings[session] ?? 0, token: asker, message: message, expiry: expiry,
        shown: shown))
  }

  private func tried(_ message: String, in session: String, by asker: Int) throws -> Response {
    let item = message.contains("command") ? #","item":true"# : ""
    return try tokens.sample.send(
      .post, "/commands/perform", #"{"session":"\#(session)",\#(message),"dryRun":true\#(item)}"#,
      headers: askers[asker].fields)
  }

  private static func shown(_ answer: Response) throws -> Shown {
    guard answer.status == .ok else { return Shown(changes: nil, question: nil) }
    return Shown(
      changes: try answer.value("/changes")?.text(),
      question: try answer.value("/item/before/confirmation")?.text())
  }

  /// The effects that a message would have now.
  func shown(_ message: String, in session: String) throws -> Shown {
    try Self.shown(try tried(message, in: session, by: 0))
  }

  mutating func patch() throws {
    let member = [
      #""angle":\#(Int.random(in: 1...2, using: &random))"#,
      #""spare":\#(Int.random(in: 0...2, using: &random))"#,
      #""noise":\#(Int.random(in: 0...9, using: &random))"#,
    ].randomElement(using: &random)
    try patch(anySession(), "{\(member ?? "")}")
  }

  mutating func performWithoutPlan() throws {
    let message = Self.messages.randomElement(using: &random) ?? ""
    _ = try send(.post, "/commands/perform", #"{"session":"\#(anySession())",\#(message)}"#)
  }

  mutating func undo() throws { _ = try send(.post, "/sessions/\(anySession())/undo", "{}") }

  mutating func pass() throws {
    let seconds = Int.random(in: 1...200, using: &random)
    now += seconds
    tokens.pass(seconds)
  }

  mutating func restart() throws {
    try tokens.restart(Int.random(in: 0..<tokens.sample.replicas.services.count, using: &random))
  }

  /// Sometimes closes a session, and opens another one of its name.
  mutating func reopen() throws {
    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
    #expect(try send(.delete, "/sessions/next").status == .noContent)
    for index in askers.indices where askers[index].session == "next" {
      askers[index].session = "closed"
    }
    try reopenNext()
  }

  private mutating func reopenNext() throws {
    openings["next", default: 0] += 1
    askers.append((try tokens.sample.openWithToken("next"), "next"))
    try prepare("next")
  }
}

// MARK: Uses of plans

extension PlanWorld {
  /// The index of one of the last plans.
  mutating func anyPlan() -> Int? {
    plans.indices.suffix(Bool.random(using: &random) ? 2 : 6).randomElement(using: &random)
  }

  /// A use of a plan, usually in its session and with its token.
  mutating func anyUse(of plan: Plan) -> Use {
    let isForeign = Int.random(in: 0..<5, using: &random) == 0
    let isElsewhere = Int.random(in: 0..<8, using: &random) == 0
    return Use(
      asker: isForeign ? Int.random(in: askers.indices, using: &random) : plan.token,
      session: isElsewhere ? anySession() : plan.session,
      isConfirmed: Int.random(in: 0..<3, using: &random) > 0)
  }

  /// True if the token of the request is one of its session, or the administrator's.
  func isValid(_ use: Use) -> Bool {
    askers[use.asker].session.map { $0 == use.session } ?? true
  }

  /// Returns the outcome that the use of a plan must have, whose message would have the present effects.
  func verdict(on plan: Plan, _ use: Use, _ present: Shown) -> Verdict {
    guard isValid(use) else {
      return .refused(askers[use.asker].session == "closed" ? "unauthorized" : "unknown-session")
    }
    let isSame = use.session == plan.session && use.asker == plan.token
    if let done = plan.done, isSame {
      return now < done.second + Self.retention ? .repeated : .over
    }
    guard use.session == plan.session else { return .refused("foreign-plan") }
    guard plan.opening == openings[plan.session] else { return .refused("unknown-plan") }
    guard use.asker == plan.token else { return .refused("foreign-plan") }
    guard now <= plan.expiry else { return .refused("expired-plan") }
    guard present.changes != nil else { return .refused("not-performed") }
    guard use.isConfirmed || present.question == nil else { return .refused("needs-confirmation") }
    return present == plan.shown ? .performed : .refused("plan-changed")
  }

  /// Sends a plan, maybe several times at once to all services.
  func send(_ plan: String, _ use: Use, more: String = "", copies: Int) throws -> [Response] {
    let isConfirmed = use.isConfirmed ? #","confirmed":true"# : ""
    let body = #"{"session":"\#(use.session)","plan":"\#(plan)"\#(isConfirmed)\#(more)}"#
    let fields = askers[use.asker].fields
    guard copies > 1 else {
      return [try tokens.sample.send(.post, "/commands/perform", body, headers: fields)]
    }
    var headers: Headers = ["Content-Type": "application/json"]
    for (name, value) in fields { headers.append(name, value) }
    let request = try Request(.post, "/commands/perform", headers: headers, body: Array(body.utf8))
    let services = tokens.sample.replicas.services
    let answers = Lock<[Response]>([])
    DispatchQueue.concurrentPerform(iterations: copies) { index in
      let answer = services[index % services.count].respond(to: request)
      answers.withLock { $0.append(answer) }
    }
    return answers.withLock(\.self)
  }

  func send(_ plan: String, _ use: Use, more: String = "") throws -> Response {
    try send(plan, use, more: more, copies: 1)[0]
  }

  mutating func count(_ verdict: Verdict) {
    switch verdict {
    case .performed: counts["performed", default: 0] += 1
    case .repeated: counts["repeated", default: 0] += 1
    case .over: counts["over", default: 0] += 1
    case .refused(let type): counts[type, default: 0] += 1
    }
  }
}
