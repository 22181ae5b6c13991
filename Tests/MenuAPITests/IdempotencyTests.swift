import Dispatch
import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

extension SampleService {
  /// A change of the session's state.
  fileprivate static let zoom = #"""
    {"mutations":[{"op":"patchState","patch":[\#
    {"op":"add","path":"/photos/-","value":"owl"}]}]}
    """#
}

/// Requests with an idempotency key: which is a repetition, and what it is answered.
struct IdempotencyTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `without a key a request is carried out each time`() throws {
    for revision in 1...3 {
      let response = try sample.send(.post, "/sessions/demo/mutations", SampleService.zoom)
      #expect(try response.value("/revision") == .int(Int64(revision)))
    }
    #expect(sample.service.store.answerCount == 0)
  }

  @Test(arguments: [
    ("\"a\"", "a"), ("\"a b\"", "\"a b\""), (#""a\"b\\c""#, #""a\"b\\c""#),
    ("a:/=?[]{}'", "\"a:/=?[]{}'\""),
    (String(repeating: "x", count: 255), "\"\(String(repeating: "x", count: 255))\""),
  ])
  func `a key is a string in quotes, which may be left out`(one: String, other: String) throws {
    let first = try zoom(key: one)
    #expect(first.status == .ok)
    #expect(try zoom(key: other).isReplay(of: first))
  }

  @Test(arguments: [
    "", "\"\"", "\"", "\"a", "a\"", "a b", "a,b", "\"a\", \"b\"", "\"a\";x=1", "a;b", "\\",
    #""\a""#,
    #""a\""#, "\"é\"", "é", String(repeating: "x", count: 256),
    "\"\(String(repeating: "x", count: 256))\"",
  ])
  func `what is no key is refused`(key: String) throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", SampleService.zoom, headers: [("Idempotency-Key", key)],
      with: """
        400 /problems/malformed-request
        \(quoted(key)) is no 'Idempotency-Key'. That is a string of 1 to 255 characters of visible \
        ASCII or spaces in double quotes; these may be left out where it has no spaces, double quotes, \
        backslashes, commas and semicolons.
        """)
  }

  @Test func `two keys are refused`() throws {
    try sample.refuses(
      .post, "/sessions/demo/mutations", SampleService.zoom,
      headers: [("Idempotency-Key", "a"), ("Idempotency-Key", "a")],
      with: """
        400 /problems/malformed-request
        The field 'Idempotency-Key' is there more than once.
        """)
  }

  @Test(arguments: [
    Question(.post, "/sessions/demo/mutations", #"{"mutations":[]}"#),
    Question(.post, "/sessions/demo/mutations", SampleService.zoom + " "),
    Question(.post, "/sessions/phone/mutations", SampleService.zoom),
    Question(.post, "/sessions/demo/undo"),
    Question(.delete, "/sessions/demo/messages?limit=1"),
  ])
  func `another request under a key is refused, and changes nothing`(_ other: Question) throws {
    try sample.openPhone()
    #expect(try zoom(key: "k").status == .ok)
    try sample.refuses(
      other.method, other.target, other.body, headers: [("Idempotency-Key", "k")],
      with: """
        422 /problems/idempotency-key-reused
        Another request was carried out under this 'Idempotency-Key': its method, path, query or body was \
        another one. Send this one with a key of its own.
        """)
  }

  @Test func `the query counts, and how it and the path are encoded does not`() throws {
    func zoom(_ target: String) throws -> Response {
      try sample.send(
        .post, target, SampleService.zoom, headers: [("Idempotency-Key", "k")])
    }
    let first = try zoom("/sessions/demo/mutations?explain=true")
    #expect(first.status == .ok)
    let other = try zoom("/sessions/demo/mutations?explain=false")
    #expect(other.status == .unprocessableContent)
    let same = try zoom("/sessions/d%65mo/mutations?expl%61in=%74rue")
    #expect(same.isReplay(of: first))
  }

  @Test func `what was refused was not carried out, and may be sent again, mended or as it was`()
    throws
  {
    let fields = [("Idempotency-Key", "k")]
    let target = "/sessions/tablet/mutations"
    #expect(try sample.send(.post, target, SampleService.zoom, headers: fields).status == .notFound)
    #expect(try sample.send(.post, target, "{", headers: fields).status == .badRequest)
    _ = try sample.send(.post, "/sessions", #"{"id":"tablet"}"#)
    let first = try sample.send(.post, target, SampleService.zoom, headers: fields)
    #expect(first.status == .ok)
    #expect(first.headers["idempotent-replayed"] == nil)
    #expect(try sample.send(.post, target, SampleService.zoom, headers: fields).isReplay(of: first))
  }

  @Test func `a dry run is none, and its key may be used for the real one`() throws {
    let fields = [("Idempotency-Key", "k")]
    let dry = #"{"session":"demo","command":"copy:","dryRun":true}"#
    for _ in 0..<2 {
      let response = try sample.send(.post, "/commands/perform", dry, headers: fields)
      #expect(response.status == .ok)
      #expect(response.headers["idempotent-replayed"] == nil)
    }
    let real = #"{"session":"demo","command":"copy:"}"#
    let first = try sample.send(.post, "/commands/perform", real, headers: fields)
    #expect(try first.value("/revision") == 1)
    #expect(try sample.send(.post, "/commands/perform", real, headers: fields).isReplay(of: first))
  }

  @Test func `a session without a name is opened once, and its closing is answered again`() throws {
    let fields = [("Idempotency-Key", "k")]
    let first = try sample.send(.post, "/sessions", headers: fields)
    #expect(first.headers["location"] == "/sessions/first")
    #expect(try sample.send(.post, "/sessions", headers: fields).isReplay(of: first))
    #expect(sample.service.store.sessionIDs == ["demo", "first"])
    let closing = [("Idempotency-Key", "l")]
    let closed = try sample.send(.delete, "/sessions/first", headers: closing)
    #expect(closed.status == .noContent)
    #expect(try sample.send(.delete, "/sessions/first", headers: closing).isReplay(of: closed))
    #expect(try sample.send(.delete, "/sessions/first").status == .notFound)
    // What was done stays done: the opening is not done again, though the session is gone.
    #expect(try sample.send(.post, "/sessions", headers: fields).isReplay(of: first))
    #expect(sample.service.store.sessionIDs == ["demo"])
  }

  @Test func `an edit of menus that changes nothing is answered again none the less`() throws {
    let fields = [("Idempotency-Key", "k")]
    let first = try sample.send(.post, "/menus/edits", #"{"edits":[]}"#, headers: fields)
    #expect(first.status == .ok)
    _ = try sample.send(.put, "/commands/new:", #"{"title":"New","action":"new:"}"#)
    let second = try sample.send(.post, "/menus/edits", #"{"edits":[]}"#, headers: fields)
    #expect(second.isReplay(of: first))
  }

  @Test
  func `an answer is kept for as long as it is configured, and then the request is a new one`()
    throws
  {
    let clock = Clock()
    let sample = try SampleService(now: { clock.now })
    let retention = Int64(KeptAnswers.Bounds().retention) * 1000
    #expect(retention == 86_400_000)
    clock.now = 5000
    let first = try zoom(key: "k", sample)
    clock.now = 0
    #expect(try zoom(key: "k", sample).isReplay(of: first))
    clock.now = 5000 + retention - 1
    #expect(try zoom(key: "k", sample).isReplay(of: first))
    clock.now = 5000 + retention
    #expect(try zoom(key: "k", sample).value("/revision") == 2)
  }

  @Test func `requests at the same time under one key are carried out once`() throws {
    let answers = Lock<[Response]>([])
    let sample = sample
    DispatchQueue.concurrentPerform(iterations: 32) { _ in
      guard let response = try? zoom(key: "k", sample) else { return }
      answers.withLock { $0.append(response) }
    }
    let all = answers.withLock(\.self)
    let first = try #require(all.first { $0.headers["idempotent-replayed"] == nil })
    #expect(all.count == 32)
    #expect(all.count { $0.isReplay(of: first) } == 31)
    #expect(sample.service.store.session("demo")?.revision == 1)
  }

  private func zoom(key: String, _ other: SampleService? = nil) throws -> Response {
    try (other ?? sample).send(
      .post, "/sessions/demo/mutations", SampleService.zoom, headers: [("Idempotency-Key", key)])
  }
}

/// A clock that tests set.
private final class Clock: Sendable {
  private let time = Lock<Int64>(0)

  var now: Int64 {
    get { time.withLock(\.self) }
    set { time.withLock { $0 = newValue } }
  }
}

/// Keys where tokens are asked for, and tokens in answers that are kept.
struct IdempotencyAuthorizationTests {
  let sample: SampleService

  init() throws { sample = try SampleService(authorization: .closed) }

  @Test func `a key of one token is not that of another`() throws {
    let (own, key) = (try sample.openWithToken("tablet"), ("Idempotency-Key", "k"))
    let target = "/sessions/tablet/mutations"
    let first = try sample.send(.post, target, SampleService.zoom, headers: own + [key])
    #expect(try first.value("/revision") == 1)
    for (revision, token) in [(2, "adminadminadmin0"), (3, "adminadminadmin1")] {
      let fields = SampleService.bearer(token) + [key]
      let other = try sample.send(.post, target, SampleService.zoom, headers: fields)
      #expect(try other.value("/revision") == .int(Int64(revision)))
      #expect(
        try sample.send(.post, target, SampleService.zoom, headers: fields).isReplay(of: other))
    }
    #expect(
      try sample.send(.post, target, SampleService.zoom, headers: [key]).status == .unauthorized)
  }

  @Test func `a repetition is answered after the token's session was closed, by itself or others`()
    throws
  {
    let (own, key) = (try sample.openWithToken("tablet"), ("Idempotency-Key", "k"))
    let target = "/sessions/tablet/mutations"
    let changed = try sample.send(.post, target, SampleService.zoom, headers: own + [key])
    let closing = own + [("Idempotency-Key", "l")]
    let closed = try sample.send(.delete, "/sessions/tablet", headers: closing)
    #expect(closed.status == .noContent)
    #expect(try sample.send(.delete, "/sessions/tablet", headers: closing).isReplay(of: closed))
    #expect(
      try sample.send(.post, target, SampleService.zoom, headers: own + [key]).isReplay(of: changed)
    )
    #expect(sample.service.store.sessionIDs == ["demo"])
  }

  @Test func `a revoked administrator gets no answer again`() throws {
    let fields = SampleService.bearer("adminadminadmin1") + [("Idempotency-Key", "k")]
    let target = "/sessions/demo/mutations"
    #expect(try sample.send(.post, target, SampleService.zoom, headers: fields).status == .ok)
    sample.replicas.each {
      _ = $0.replaceAdministrators(by: [TokenDigest(of: "adminadminadmin0")])
    }
    #expect(
      try sample.send(.post, target, SampleService.zoom, headers: fields).status == .unauthorized)
  }

  @Test func `the token of a closed session opens nothing but the answers to its own requests`()
    throws
  {
    let own = try sample.openWithToken("tablet")
    let closing = own + [("Idempotency-Key", "k")]
    #expect(try sample.send(.delete, "/sessions/tablet", headers: closing).status == .noContent)
    let others = SampleService.bearer("token-of-nobody") + [("Idempotency-Key", "k")]
    for (method, target, fields) in [
      (.delete, "/sessions/tablet", own), (.delete, "/sessions/tablet", others),
      (.delete, "/sessions/tablet", own + [("Idempotency-Key", "l")]),
      (.delete, "/sessions/demo", closing), (.delete, "/sessions/tablet/messages", closing),
      (.get, "/sessions/tablet", closing),
      (.delete, "/sessions/tablet", own + [("Idempotency-Key", "a b")]),
    ] as [(MicroHTTP.Method, String, [(String, String)])] {
      let response = try sample.send(method, target, headers: fields)
      #expect(response.status == .unauthorized, "\(method) \(target) \(fields)")
      #expect(
        try response.problem == """
          /problems/unauthorized
          The token is not known, has expired or was revoked, or its session is closed.
          """)
    }
  }

  @Test func `tokens are other ones each time, with a key and without`() throws {
    var tokens: Set<String> = []
    for key in ["a", "b", nil] {
      let fields = SampleService.administrator + (key.map { [("Idempotency-Key", $0)] } ?? [])
      let response = try sample.send(.post, "/sessions", headers: fields)
      tokens.insert(try response.value("/token")?.text() ?? "")
    }
    #expect(tokens.count == 3)
  }
}

extension JournalItem {
  /// Returns true if the kept answers contain a text.
  fileprivate func holds(_ text: String) -> Bool {
    let bytes: [UInt8]
    switch self {
    case .state(_, _, let state): bytes = state
    case .record(let record, _): bytes = record.payload
    case .entry(let entry): bytes = entry.key + entry.fingerprint + entry.headers + entry.body
    case .unread(_, let label): bytes = label
    }
    return String(decoding: bytes, as: UTF8.self).contains(text)
  }
}

/// Answers that outlive the process, and those that come when what they show is durable, under a journal whose writes
/// can fail.
@Suite(.inOneProcess("The test ends its journal, and looks into it."))
struct IdempotencyJournalTests {
  /// A service on what an earlier one left.
  private static func service(
    _ nonce: String = "run1", on storage: MemoryJournal.Storage,
    authorization: Authorization = Authorization()
  ) throws -> SampleService {
    try SampleService(
      nonce: nonce, authorization: authorization,
      journal: MemoryJournal(on: storage, clock: RetentionClock { 1_795_250_000_123 }))
  }

  @Test func `who is no administrator any more gets no answer to what administrators do`() throws {
    let (storage, fields) = (
      MemoryJournal.Storage(), SampleService.administrator + [("Idempotency-Key", "k")]
    )
    let sample = try Self.service(on: storage, authorization: .closed)
    let first = try sample.send(.post, "/sessions", #"{"id":"tablet"}"#, headers: fields)
    #expect(first.status == .created)
    sample.service.store.close()
    var authorization = Authorization.closed
    authorization.administrators = [TokenDigest(of: "somebody-else-now")]
    let later = try Self.service(on: storage, authorization: authorization)
    let repeated = try later.send(.post, "/sessions", #"{"id":"tablet"}"#, headers: fields)
    #expect(repeated.status == .unauthorized)
  }

  @Test
  func `whoever repeats the opening of a session gets its token, which is not in the journal`()
    throws
  {
    let (storage, fields) = (
      MemoryJournal.Storage(), SampleService.administrator + [("Idempotency-Key", "k")]
    )
    let sample = try Self.service(on: storage, authorization: .closed)
    let first = try sample.send(.post, "/sessions", #"{"id":"tablet"}"#, headers: fields)
    #expect(first.status == .created)
    #expect(first.headers["cache-control"] == "no-store")
    guard case .string(let token)? = try first.value("/token") else {
      Issue.record("There is no token.")
      return
    }
    #expect(token.utf8.count == 70)
    let again = try Self.service(on: storage, authorization: .closed)
    let second = try again.send(.post, "/sessions", #"{"id":"tablet"}"#, headers: fields)
    #expect(second.isReplay(of: first))
    let asked = try again.send(.get, "/sessions/tablet", headers: SampleService.bearer(token))
    #expect(asked.status == .ok)
    var (items, holding) = (0, 0)
    _ = try MemoryJournal(on: storage, clock: RetentionClock { 0 }).recover {
      (item) throws(JournalFault) in
      items += 1
      for secret in [token, "adminadminadmin1"] where item.holds(secret) { holding += 1 }
    } stateOf: { _ in
      nil
    }
    #expect(items == 4)
    #expect(holding == 0)
  }

  @Test func `after a restart the answer is the same, and nothing is done again`() throws {
    let storage = MemoryJournal.Storage()
    let fields = [("Idempotency-Key", "k")]
    let target = "/sessions/demo/mutations"
    let first = try Self.service(on: storage).send(
      .post, target, SampleService.zoom, headers: fields)
    #expect(first.headers["etag"] == "\"run1.1.1\"")
    let second = try Self.service("run2", on: storage)
    #expect(
      try second.send(.post, target, SampleService.zoom, headers: fields).isReplay(of: first))
    #expect(second.service.store.session("demo")?.revision == 1)
    let reused = try second.send(.post, target, #"{"mutations":[]}"#, headers: fields)
    #expect(reused.status == .unprocessableContent)
  }

  @Test func `what the journal does not take is not kept, and may be repeated`() throws {
    let storage = MemoryJournal.Storage()
    let journal = MemoryJournal(on: storage, clock: RetentionClock { 0 })
    let sample = try SampleService(journal: journal)
    journal.close()
    let fields = [("Idempotency-Key", "k")]
    for _ in 0..<2 {
      let response = try sample.send(
        .post, "/sessions/demo/mutations", SampleService.zoom, headers: fields)
      #expect(response.status == .serviceUnavailable)
      #expect(response.headers["idempotent-replayed"] == nil)
    }
    #expect(sample.service.store.answerCount == 0)
    #expect(sample.service.store.session("demo")?.revision == 0)
  }
}
