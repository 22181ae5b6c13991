import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Subscriptions to events, without a server.
struct EventRouteTests {
  let clock = Clock()
  let sample: SampleService

  /// A clock that a test sets.
  final class Clock: Sendable {
    let seconds = Atomic(1)
    var nanoseconds: Int { seconds.load(ordering: .relaxed) * 1_000_000_000 }
    func pass(_ count: Int) { seconds.add(count, ordering: .relaxed) }
  }

  init() throws {
    let clock = clock
    sample = try SampleService(nanoseconds: { clock.nanoseconds })
    try sample.openPhone()
  }

  /// A service that asks for tokens, with a session `own`, and the fields with its token.
  private func guarded() throws -> (sample: SampleService, own: [(String, String)]) {
    let clock = clock
    let sample = try SampleService(authorization: .closed, nanoseconds: { clock.nanoseconds })
    return (sample, try sample.openWithToken("own"))
  }

  private func subscribe(
    _ target: String, in sample: SampleService? = nil, _ headers: [(String, String)] = []
  ) throws -> StreamedAnswer {
    var fields = Headers()
    for (name, value) in headers { fields.append(name, value) }
    let request = try Request(.get, target, headers: fields, body: [])
    return StreamedAnswer((sample ?? self.sample).replicas.answer(to: request))
  }

  private func change(_ session: String = "demo", to value: Int = .random(in: 0...1 << 30)) throws {
    let answer = try sample.send(
      .post, "/sessions/\(session)/mutations",
      #"{"mutations":[{"op":"mergeState","patch":{"n":\#(value)}}]}"#)
    #expect(answer.status == .ok)
  }

  // MARK: Long polls

  @Test func `changes are an array of the events since an id`() throws {
    let all = try sample.send(.get, "/sessions/demo/changes?document=true")
    #expect(all.headers["content-type"] == "application/json")
    #expect(all.headers["cache-control"] == "no-store")
    #expect(try all.value("/0/event") == "reset")
    #expect(try all.value("/0/data/document") == sample.send(.get, "/sessions/demo").json)
    let id = try #require(all.value("/0/id")?.word)
    let place = "/sessions/demo/changes?document=true&since=\(id)"
    #expect(try sample.send(.get, place).text == "[]")
    try change(to: 1)
    try change(to: 2)
    let events = try sample.send(.get, place).json.elements
    #expect(events.count == 1 || Replicas.count > 1)
    #expect(events.allSatisfy { $0[JSONPointer(["event"])] == "change" })
    #expect(events.first?[JSONPointer(["data", "from"])] == 0)
    let changes = events.flatMap { $0[JSONPointer(["data", "changes"])]?.elements ?? [] }
    #expect(changes.compactMap { $0[JSONPointer(["patch", "n"])] } == [1, 2])
    let last = try #require(events.last?[JSONPointer(["id"])]?.word)
    #expect(
      try sample.send(.get, "/sessions/demo/changes?document=true&since=\(last)").text == "[]")
    let unknown = try sample.send(.get, "/sessions/demo/changes?since=nobody")
    #expect(try unknown.value("/0/event") == "reset")
  }

  @Test func `a poll waits for an event, and no longer than it says`() throws {
    let id = try #require(sample.send(.get, "/sessions/demo/changes").value("/0/id")?.word)
    let place = "/sessions/demo/changes?since=\(id)&wait=25"
    let first = try subscribe(place)
    #expect(first.read() == "" && !first.hasEnded)
    #expect(sample.replicas.sum(\.events.subscriberCount) == 1)
    try change()
    #expect(try JSON(parsing: first.read())[JSONPointer(parsing: "/0/event")] == "change")
    #expect(first.hasEnded)
    let next = "/sessions/demo/changes?since=\(id.dropLast())1&wait=25"
    let second = try subscribe(next)
    clock.pass(24)
    sample.replicas.each { $0.tickEvents() }
    #expect(second.read() == "" && !second.hasEnded)
    clock.pass(1)
    sample.replicas.each { $0.tickEvents() }
    #expect(second.read() == "[]")
    #expect(second.hasEnded)
  }

  @Test func `a poll that waits shows with a space that it is alive`() throws {
    let id = try #require(sample.send(.get, "/sessions/demo/changes").value("/0/id")?.word)
    let poll = try subscribe("/sessions/demo/changes?since=\(id)&wait=60")
    #expect(poll.read() == "")
    for _ in 0..<30 { sample.replicas.each { $0.tickEvents() } }
    #expect(poll.read() == " ")
  }

  @Test(arguments: [
    ("wait=61", "400 invalid-query"), ("wait=-1", "400 invalid-query"),
    ("from=nobody", "400 invalid-query"), ("since=1.1.0&document=maybe", "400 invalid-query"),
  ])
  func `what a poll cannot be is refused`(query: String, problem: String) throws {
    let response = try sample.send(.get, "/sessions/demo/changes?\(query)")
    let type = try #require(response.value("/type")?.word)
    #expect("\(response.status.rawValue) \(type.dropFirst(10))" == problem)
  }

  // MARK: From another responder

  @Test func `menu and items are told from another responder's point of view`() throws {
    let query = "commands=copy:,applyFiveStarRating:&from=app"
    let told = try sample.send(.get, "/sessions/demo/changes?\(query)")
    let items = try sample.send(
      .post, "/commands/validate",
      #"{"session":"demo","commands":["copy:","applyFiveStarRating:"],"from":"app"}"#
    ).value("/items")
    #expect(try told.value("/0/data/items") == items)
    let other = try sample.send(.get, "/sessions/demo/changes?commands=copy:,applyFiveStarRating:")
    #expect(try other.value("/0/data/items") != items)
    let menu = try sample.send(.get, "/sessions/demo/changes?menu=root&from=app")
    #expect(
      try menu.value("/0/data/menu")
        == sample.send(.get, "/sessions/demo/menu?from=app").value("/menu"))
    // A client that comes back when the responder is gone gets no error.
    let back = try sample.send(.get, "/sessions/demo/changes?commands=copy:&from=nobody&since=x")
    #expect(try back.value("/0/data/items") == JSON.null)
  }

  // MARK: Several sessions

  @Test func `a stream of several sessions goes on with all of them`() throws {
    let first = try subscribe("/events?sessions=demo,phone")
    let resets = first.events
    #expect(resets.map(\.event) == ["reset", "reset"])
    #expect(resets.map(\.session) == ["demo", "phone"])
    try change("phone")
    try change("demo")
    try change("phone")
    let changes = first.events
    #expect(changes.map(\.event) == ["change", "change"])
    #expect(Set(changes.map(\.session)) == ["demo", "phone"])
    let last = try #require(changes.last?.id)
    #expect(last.split(separator: ",").count == 2)
    // From the first event on the changes of each, from the last one on none.
    let behind = try subscribe(
      "/events?sessions=phone,demo", [("Last-Event-ID", resets[1].id)])
    let missed = behind.events
    #expect(Set(missed.map(\.event)) == ["change"])
    #expect(missed.filter { $0.session == "demo" }.flatMap(\.steps) == [0, 1])
    // A process that has sent none of them makes an event of each commit.
    let steps = missed.filter { $0.session == "phone" }.flatMap(\.steps)
    #expect(steps == [0, 2] || Replicas.count > 1 && steps == [0, 1, 1, 2])
    let resumed = try subscribe("/events?sessions=demo,phone&since=\(last)")
    #expect(resumed.read() == ":\n")
    // A part that is not known begins anew, the other one goes on.
    let part = try #require(last.split(separator: ",").first)
    let half = try subscribe("/events?sessions=demo,phone&since=\(part)")
    #expect(half.events.map(\.event) == ["reset"])
    #expect(half.events.isEmpty)
  }

  @Test func `a closed session ends its own part of a stream`() throws {
    let stream = try subscribe("/events?sessions=demo,phone")
    let id = try #require(stream.events.last?.id)
    _ = try sample.send(.delete, "/sessions/phone")
    let closed = stream.events
    #expect(closed.map(\.text) == [#"{"session":"phone","reason":"sessionClosed"}"#])
    #expect(!stream.hasEnded)
    try change("demo")
    #expect(stream.events.map(\.event) == ["change"])
    let back = try subscribe("/events?sessions=demo,phone&since=\(id)")
    let told = back.events
    #expect(told.map(\.event) == ["closed", "change"])
    #expect(told.map(\.session) == ["phone", "demo"])
    _ = try sample.send(.delete, "/sessions/demo")
    #expect(stream.events.map(\.event) == ["closed"])
    #expect(stream.hasEnded)
    let gone = try sample.send(.get, "/events?sessions=demo,phone&since=\(id)")
    #expect(gone.status == .noContent)
    #expect(try sample.send(.get, "/events?sessions=demo,phone").status == .notFound)
  }

  @Test func `a name that no session can have is unknown, whatever the client knows`() throws {
    for query in ["", "?since=1.0.0"] {
      let response = try sample.send(.get, "/sessions/a%20b/events\(query)")
      #expect(response.status == .notFound)
      #expect(try response.value("/type") == "/problems/unknown-session")
    }
    #expect(try sample.send(.get, "/sessions/gone/events?since=1.0.0").status == .noContent)
  }

  @Test(arguments: ["", "sessions=", "sessions=demo,demo", "sessions=a%20b"])
  func `sessions are named once each`(query: String) throws {
    #expect(try sample.send(.get, "/events?\(query)").status == .badRequest)
  }

  @Test func `a stream has so many sessions and no more`() throws {
    let names = (0..<17).map { "s\($0)" }.joined(separator: ",")
    let refused = try sample.send(.get, "/events?sessions=\(names)")
    #expect(
      try refused.value("/detail")?.word
        == "'sessions' in the query names 1 to 16 sessions (events.sessions), each once.")
  }

  @Test func `a session's token follows its own session only`() throws {
    let (sample, own) = try guarded()
    let alone = try sample.send(.get, "/events?sessions=own", headers: own)
    #expect(alone.status == .ok)
    let both = try sample.send(.get, "/events?sessions=own,demo", headers: own)
    #expect(both.status == .notFound)
    let all = try sample.send(
      .get, "/events?sessions=own,demo", headers: SampleService.administrator)
    #expect(all.status == .ok)
  }

  // MARK: Tickets

  private func ticket(
    _ session: String, _ sample: SampleService, _ headers: [(String, String)]
  ) throws -> String {
    let answer = try sample.send(.post, "/sessions/\(session)/tickets", headers: headers)
    #expect(answer.status == .ok)
    #expect(answer.headers["cache-control"] == "no-store")
    #expect(try answer.value("/seconds") == 60)
    return try #require(answer.value("/ticket")?.word)
  }

  @Test(.inOneProcess("A ticket is taken by the process that made it."))
  func `a ticket stands for a token once`() throws {
    let (sample, own) = try guarded()
    let ticket = try ticket("own", sample, own)
    let place = "/sessions/own/events?ticket=\(ticket)"
    let stream = try subscribe(place, in: sample)
    #expect(stream.events.map(\.event) == ["reset"])
    let again = try sample.send(.get, place)
    #expect(again.status == .unauthorized)
    #expect(again.headers["www-authenticate"] == #"Bearer realm="menud", error="invalid_token""#)
    #expect(
      try again.value("/detail")
        == "The ticket is not known, was used already, or is older than 60 s.")
    // Nothing but events is opened by one.
    #expect(try sample.send(.get, "/sessions/own").status == .unauthorized)
  }

  @Test(.inOneProcess("A ticket is taken by the process that made it."))
  func `a ticket is for its session, and is taken by another one's events too`() throws {
    let (sample, own) = try guarded()
    let ticket = try ticket("own", sample, own)
    #expect(try sample.send(.get, "/sessions/demo/events?ticket=\(ticket)").status == .notFound)
    #expect(try sample.send(.get, "/sessions/own/events?ticket=\(ticket)").status == .unauthorized)
  }

  @Test(.inOneProcess("A ticket is taken by the process that made it."))
  func `a ticket is good for a minute`() throws {
    let (sample, own) = try guarded()
    let tickets = try (0..<2).map { _ in try ticket("own", sample, own) }
    clock.pass(59)
    #expect(try sample.send(.get, "/sessions/own/changes?ticket=\(tickets[0])").status == .ok)
    clock.pass(1)
    #expect(
      try sample.send(.get, "/sessions/own/changes?ticket=\(tickets[1])").status == .unauthorized)
  }

  @Test(.inOneProcess("A ticket is taken by the process that made it."))
  func `a ticket is made for whom the session is open`() throws {
    let (sample, own) = try guarded()
    #expect(try sample.send(.post, "/sessions/own/tickets").status == .unauthorized)
    #expect(try sample.send(.post, "/sessions/demo/tickets", headers: own).status == .notFound)
    let one = try ticket("own", sample, own)
    let other = try ticket("demo", sample, SampleService.administrator)
    let both = try subscribe("/events?sessions=own,demo&ticket=\(one),\(other)", in: sample)
    #expect(both.events.map(\.session) == ["own", "demo"])
  }

  @Test func `of a session's unused tickets the oldest is dropped`() throws {
    let tickets = EventTickets()
    let opening = sample.service.store.newOpening()
    for number in 0...EventTickets.mostOfSession {
      #expect(tickets.insert("ticket\(number)", for: opening, by: .everything, as: .local, at: 0))
    }
    #expect(tickets.take("ticket0", at: 1) == nil)
    for number in 1...EventTickets.mostOfSession {
      #expect(tickets.take("ticket\(number)", at: 1) != nil)
    }
  }

  @Test func `of all sessions there are so many tickets and no more, until they are too old`() {
    let tickets = EventTickets()
    let openings = (0...EventTickets.most / EventTickets.mostOfSession).map { _ in
      sample.service.store.newOpening()
    }
    for number in 0..<EventTickets.most {
      let opening = openings[number / EventTickets.mostOfSession]
      #expect(tickets.insert("\(number)", for: opening, by: .everything, as: .local, at: 0))
    }
    let last = openings[openings.count - 1]
    #expect(!tickets.insert("one more", for: last, by: .everything, as: .local, at: 59_999_999_999))
    #expect(tickets.insert("one more", for: last, by: .everything, as: .local, at: 60_000_000_000))
  }

  @Test func `without tokens a ticket is not looked at`() throws {
    let ticket = try ticket("demo", sample, [])
    for _ in 0..<2 {
      #expect(try sample.send(.get, "/sessions/demo/changes?ticket=\(ticket)").status == .ok)
    }
  }

  // MARK: Revoked tokens

  @Test(.inOneProcess("A ticket is taken by the process that made it."))
  func `a revoked token ends its streams, those of its tickets too`() throws {
    let (sample, own) = try guarded()
    let administrators = ["adminadminadmin0", "adminadminadmin1"].map(SampleService.bearer)
    let kept = try subscribe("/sessions/demo/events", in: sample, administrators[0])
    let revoked = try subscribe("/sessions/demo/events", in: sample, administrators[1])
    let ticket = try ticket("demo", sample, administrators[1])
    let unused = try self.ticket("demo", sample, administrators[1])
    let ticketed = try subscribe("/sessions/demo/events?ticket=\(ticket)", in: sample)
    let id = try sample.send(.get, "/sessions/demo/changes", headers: administrators[1])
      .value("/0/id")?.word
    let poll = "/sessions/demo/changes?since=\(try #require(id))&wait=60"
    let polling = try subscribe(poll, in: sample, administrators[1])
    let session = try subscribe("/sessions/own/events", in: sample, own)
    #expect(sample.replicas.sum(\.events.subscriberCount) == 5)
    let all = [kept, revoked, ticketed, session]
    for stream in all { #expect(stream.events.map(\.event) == ["reset"]) }
    #expect(polling.read() == "")
    sample.replicas.each {
      #expect($0.replaceAdministrators(by: [TokenDigest(of: "adminadminadmin0")]) == 1)
    }
    for stream in [revoked, ticketed] {
      #expect(stream.events.map(\.text) == [#"{"session":"demo","reason":"tokenRevoked"}"#])
      #expect(stream.hasEnded)
    }
    #expect(polling.read().contains("tokenRevoked"))
    for stream in [kept, session] {
      #expect(stream.events.isEmpty)
      #expect(!stream.hasEnded)
    }
    let refused = try sample.send(.get, "/sessions/demo/events", headers: administrators[1])
    #expect(refused.status == .unauthorized)
    let late = try sample.send(.get, "/sessions/demo/events?ticket=\(unused)")
    #expect(late.status == .unauthorized)
  }

  // MARK: Fields

  @Test func `a stream has the fields of other answers`() throws {
    var authorization = Authorization()
    authorization.origins = Origins(["https://menus.example.org"])
    let sample = try SampleService(authorization: authorization)
    let stream = try subscribe(
      "/sessions/demo/events", in: sample,
      [("Origin", "https://menus.example.org"), ("X-Request-Id", "mine")])
    #expect(stream.headers["content-type"] == "text/event-stream")
    #expect(stream.headers["cache-control"] == "no-store")
    #expect(stream.headers["access-control-allow-origin"] == "https://menus.example.org")
    #expect(stream.headers["vary"] == "Origin")
    #expect(stream.headers["x-request-id"] == "mine")
    let other = try subscribe("/sessions/demo/events", in: sample, [("Origin", "https://a.b")])
    #expect(other.headers["access-control-allow-origin"] == nil)
  }

  // MARK: Counters

  @Test(.inOneProcess("Counters are of one process."))
  func `what is sent is counted`() throws {
    let stream = try subscribe("/sessions/demo/events")
    #expect(stream.events.count == 1)
    try change()
    try change()
    #expect(stream.events.count == 1)
    let page = try sample.send(.get, "/metrics").text.split(separator: "\n")
    for line in [
      "menud_event_subscribers 1", #"menud_events_sent_total{event="reset"} 1"#,
      #"menud_events_sent_total{event="change"} 1"#,
      #"menud_events_sent_total{event="closed"} 0"#, "menud_events_merged_total 1",
      "menud_event_lag_seconds_count 1",
    ] { #expect(page.contains(Substring(line)), "\(line)") }
  }
}

/// A stream that is read without a server.
final class StreamedAnswer {
  struct Event: Equatable {
    var id = ""
    var event = ""
    var text = ""

    var session: String? { (try? JSON(parsing: text))?[JSONPointer(["session"])]?.word }

    /// The revisions before and after a change.
    var steps: [JSON?] {
      let data = try? JSON(parsing: text)
      return [data?[JSONPointer(["from"])], data?[JSONPointer(["revision"])]]
    }
  }

  let headers: Headers
  private let stream: ResponseStream?
  private(set) var hasEnded = false

  init(_ response: EventualResponse) {
    guard case .response(let response) = response, let stream = response.stream else {
      (headers, stream) = (Headers(), nil)
      return
    }
    (headers, self.stream) = (response.headers, stream)
  }

  deinit { stream?.close() }

  /// Returns what can be read now.
  func read() -> String {
    var text = ""
    while let stream {
      switch stream.piece(orSuspend: {}, resume: {}) {
      case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
      case .parts(let parts): text += String(decoding: parts.joined(), as: UTF8.self)
      case .waiting: return text
      case .end:
        hasEnded = true
        return text
      }
    }
    return text
  }

  /// The events that there are to be read.
  var events: [Event] {
    read().split(separator: "\n\n").compactMap { block in
      var event = Event()
      for line in block.split(separator: "\n") {
        if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { event.event = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { event.text = String(line.dropFirst(6)) }
      }
      return event.event.isEmpty ? nil : event
    }
  }
}

extension JSON {
  /// The elements of an array.
  fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
