import Dispatch
import JSONText
import Locks
import MenuEngine
import MenuStore
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// The cost of subscribers, and what they are told of the catalogue.
@Suite(.inOneProcess("It looks into the channels of one process.")) struct FollowingTests {
  private func sample(
    _ change: (inout EventLimits) -> Void = { _ in }, memoryOfSession: Int? = nil,
    authorization: Authorization = Authorization()
  ) throws -> SampleService {
    var limits = ServiceLimits()
    change(&limits.events)
    if let memoryOfSession { limits.memoryOfSession = memoryOfSession }
    let sample = try SampleService(limits: limits, authorization: authorization)
    try sample.openPhone()
    return sample
  }

  private func subscribe(
    _ target: String, _ sample: SampleService, _ headers: [(String, String)] = []
  ) throws -> StreamedAnswer {
    var fields = Headers()
    for (name, value) in headers { fields.append(name, value) }
    let request = try Request(.get, target, headers: fields, body: [])
    return StreamedAnswer(sample.replicas.answer(to: request))
  }

  private func change(_ sample: SampleService, _ patch: String) throws {
    let answer = try sample.send(
      .patch, "/sessions/demo/state", patch, type: "application/merge-patch+json")
    #expect(answer.status == .ok)
  }

  // MARK: The catalogue

  @Test func `E1: a command that is removed is told to whoever holds its item`() throws {
    let sample = try sample()
    let command = #"{"title":"Zap","action":"zap:"}"#
    #expect(try sample.send(.put, "/commands/zap:", command).status == .created)
    let stream = try subscribe("/sessions/demo/events?commands=zap:,copy:", sample)
    #expect(stream.events.map(\.event) == ["reset"])
    #expect(try sample.send(.delete, "/commands/zap:").status == .noContent)
    let told = try #require(stream.events.first)
    let items = try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":["zap:"]}"#
    ).value("/items")
    #expect(try JSON(parsing: told.text)[JSONPointer(["items"])] == items)
  }

  @Test func `E1: a command that a reload leaves out is told to whoever holds its item`() throws {
    let sample = try sample()
    let stream = try subscribe("/sessions/demo/events?commands=separate,copy:", sample)
    #expect(stream.events.map(\.event) == ["reset"])
    // As SIGHUP does when the folder does not have it any more.
    let folder = try SampleCatalog.catalog(leavingOut: "separate")
    #expect(sample.service.store.wouldChange(by: folder))
    _ = try sample.service.store.changeCatalog(by: .replace(folder))
    let told = stream.events
    #expect(told.map(\.event) == ["change"])
    let items = try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":["separate"]}"#
    ).value("/items")
    #expect(items?[JSONPointer(["0", "reason"])] == "unknownCommand")
    let data = try JSON(parsing: try #require(told.first).text)
    #expect(data[JSONPointer(["items"])] == items)
  }

  @Test func `E4: a change of the catalogue tells the items that differ by it`() throws {
    let sample = try sample()
    let both = try subscribe("/sessions/demo/events?commands=copy:,zap:", sample)
    let menu = try subscribe("/sessions/demo/events?menu=root", sample)
    let other = try subscribe("/sessions/demo/events?commands=copy:", sample)
    #expect([both, menu, other].map(\.events.count) == [1, 1, 1])
    let command = #"{"title":"Zap","action":"zap:"}"#
    #expect(try sample.send(.put, "/commands/zap:", command).status == .created)
    #expect(menu.events.isEmpty && other.events.isEmpty)
    let told = try #require(both.events.first)
    let items = try JSON(parsing: told.text)[JSONPointer(["items"])]
    #expect(items?[JSONPointer(["0", "title"])] == "Zap")
    #expect(items?[JSONPointer(["1"])] == nil)
  }

  @Test func `E1: a move of a member onto its own place leaves the mirror as it is`() throws {
    let sample = try sample()
    try change(sample, #"{"a":1,"b":2}"#)
    let stream = try subscribe("/sessions/demo/events?document=true", sample)
    #expect(stream.events.count == 1)
    let patch = #"[{"op":"move","from":"/a","path":"/a"},{"op":"add","path":"/c","value":3}]"#
    let answer = try sample.send(
      .patch, "/sessions/demo/state", patch, type: "application/json-patch+json")
    #expect(answer.status == .ok)
    let told = try #require(stream.events.first)
    let changes = try JSON(parsing: told.text)[JSONPointer(["changes"])]
    #expect(changes?[JSONPointer(["0", "op"])] == "add")
    #expect(changes?[JSONPointer(["1"])] == nil)
  }

  @Test func `E5: an event begins at a moment that is kept`() throws {
    let sample = try sample { $0.kept.count = 2 }
    let queries = ["", "document=true"]
    let streams = try queries.map { try subscribe("/sessions/demo/events?\($0)", sample) }
    var ids = [streams.map { $0.events.last?.id ?? "" }]
    for number in 0..<5 {
      try change(sample, #"{"n":\#(number)}"#)
      ids.append(streams.map { $0.events.last?.id ?? "" })
    }
    for (ids, event) in [(ids[0], "reset"), (ids[3], "change")] {
      let resumed = try zip(queries, ids).map { query, id in
        try subscribe("/sessions/demo/events?\(query)", sample, [("Last-Event-ID", id)]).events
      }
      #expect(resumed.map { $0.map(\.event) } == [[event], [event]])
    }
  }

  @Test func `E1: an item that changed and changed back is told to whoever knows it between`()
    throws
  {
    let sample = try sample()
    try change(sample, #"{"clipboard":{"isOpen":false}}"#)
    let target = "/sessions/demo/events?commands=paste:"
    let stream = try subscribe(target, sample)
    let first = try #require(stream.events.last?.id)
    // The channel looks once, after both.
    for isOpen in [true, false] { try change(sample, #"{"clipboard":{"isOpen":\#(isOpen)}}"#) }
    let between = first.dropLast() + "2"
    let resumed = try subscribe(target, sample, [("Last-Event-ID", String(between))]).events
    #expect(resumed.map(\.event) == ["reset"])
    // Nothing changed for a subscriber that saw neither.
    #expect(stream.events.isEmpty)
  }

  @Test func `E4: an id that moves without an event is told within two seconds, once`() throws {
    let sample = try sample()
    let stream = try subscribe("/sessions/demo/events?commands=copy:", sample)
    let id = try #require(stream.events.last?.id)
    for number in 0..<3 { try change(sample, #"{"n":\#(number)}"#) }
    #expect(stream.read() == "")
    for told in ["id: \(id.dropLast())3\n\n", ""] {
      for _ in 0..<4 { sample.replicas.each { $0.tickEvents() } }
      #expect(stream.read() == told)
    }
    let resumed = try subscribe(
      "/sessions/demo/events?commands=copy:", sample, [("Last-Event-ID", "\(id.dropLast())3")])
    #expect(resumed.events.isEmpty)
  }

  @Test func `E4: whoever is a few events behind gets one`() throws {
    let sample = try sample()
    let target = "/sessions/demo/events?document=true"
    let steady = try subscribe(target, sample)
    let id = try #require(steady.events.last?.id)
    for number in 0..<3 {
      try change(sample, #"{"n":\#(number)}"#)
      #expect(steady.events.map(\.steps) == [[.int(Int64(number)), .int(Int64(number + 1))]])
    }
    let behind = try subscribe(target, sample, [("Last-Event-ID", id)]).events
    #expect(behind.map(\.steps) == [[0, 3]])
    let changes = try JSON(parsing: try #require(behind.first).text)[JSONPointer(["changes"])]
    guard case .array(let list)? = changes else {
      Issue.record("There are no changes.")
      return
    }
    #expect(list.compactMap { $0[JSONPointer(["patch", "n"])] } == [0, 1, 2])
  }

  // MARK: Memory

  @Test func `ever other parts of a session take bounded memory`() throws {
    let sample = try sample({ $0.subscriptions = 20 }, memoryOfSession: 120_000)
    try change(sample, #"{"text":"\#(String(repeating: "x", count: 100_000))"}"#)
    let events = sample.service.events
    for number in 0..<200 {
      let some = (0..<10).map { "c\(number * 10 + $0)" }
      let answer = try sample.send(
        .get, "/sessions/demo/changes?document=true&commands=\(some.joined(separator: ","))")
      #expect(answer.status == .ok)
      #expect(events.channelCount <= 20)
      #expect(sample.service.sessions.size <= 400_000)
    }
    #expect(sample.service.sessions.evictions.value > 0)
  }

  @Test func `a subscription too many is 429, or waits if it resumes`() throws {
    let sample = try sample { $0.subscriptions = 2 }
    let streams = try ["commands=copy:", "commands=zoomIn:"].map {
      try subscribe("/sessions/demo/events?\($0)", sample)
    }
    let ids = streams.map(\.events).compactMap(\.first?.id)
    let refused = try sample.send(.get, "/sessions/demo/events")
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers["retry-after"] == "10")
    #expect(
      try refused.problem == """
        /problems/too-many-subscriptions
        As many different parts of the session 'demo' are followed as may be at once; follow the same parts as another \
        subscriber, or end one.
        """)
    #expect(try refused.value("/limit") == "events.subscriptions")
    #expect(try refused.value("/maximum") == 2)
    let resumed = try sample.send(
      .get, "/sessions/demo/events", headers: [("Last-Event-ID", ids[0])])
    #expect(resumed.status == .ok)
    #expect(resumed.text == "retry: 10000\n\n")
    // The same as another one is none more, and other sessions are not concerned.
    #expect(try subscribe("/sessions/demo/events?commands=copy:", sample).events.count == 1)
    #expect(try subscribe("/sessions/phone/events", sample).events.count == 1)
  }

  @Test func `what was evicted begins anew, and goes on`() throws {
    let sample = try sample(memoryOfSession: 1)
    let first = try subscribe("/sessions/demo/events?commands=copy:", sample)
    let second = try subscribe("/sessions/demo/events?document=true", sample)
    #expect(first.events.map(\.event) == ["reset"])
    #expect(second.events.map(\.event) == ["reset"])
    try change(sample, #"{"n":1}"#)
    #expect(second.events.map(\.event).allSatisfy { ["reset", "change"].contains($0) })
    #expect(first.events.map(\.event).allSatisfy { $0 == "reset" })
    try change(sample, #"{"n":2}"#)
    let told = try #require(second.events.last)
    let document = try sample.send(.get, "/sessions/demo").json
    #expect(told.event == "reset")
    #expect(try JSON(parsing: told.text)[JSONPointer(["document"])] == document)
  }

  @Test func `subscribers of different parts share the text of a large document`() throws {
    let sample = try sample()
    try change(sample, #"{"text":"\#(String(repeating: "x", count: 100_000))"}"#)
    func pieces(_ query: String) throws -> [[UInt8]] {
      let request = try Request(.get, "/sessions/demo/events?\(query)", headers: [:], body: [])
      guard case .response(let answer) = sample.replicas.answer(to: request) else { return [] }
      return answer.stream?.allPieces ?? []
    }
    func place(_ pieces: [[UInt8]]) -> UInt? {
      pieces.first { $0.count > 100_000 }.map { bytes in
        unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      }
    }
    let first = try pieces("document=true")
    let second = try pieces("document=true&commands=copy:")
    let third = try pieces("document=true&menu=root")
    let places = [first, second, third].map(place)
    #expect(places[0] != nil)
    #expect(Set(places).count == 1)
    let text = String(decoding: third.joined(), as: UTF8.self)
    let data = try #require(text.firstRange(of: "data: "))
    let json = try JSON(parsing: text[data.upperBound...].dropLast(2).description)
    #expect(try json[JSONPointer(["document"])] == sample.send(.get, "/sessions/demo").json)
    #expect(
      try json[JSONPointer(["menu"])] == sample.send(.get, "/sessions/demo/menu").value("/menu"))
  }

  @Test func `a poll is bounded, and the next one goes on`() throws {
    let sample = try sample()
    for part in 0..<10 {
      try change(sample, #"{"text\#(part)":"\#(String(repeating: "x", count: 100_000))"}"#)
    }
    let document = try sample.send(.get, "/sessions/demo").json
    let selections = (0..<16).map { "select=s\($0);document" }.joined(separator: "&")
    var (since, told): (String, [JSON?]) = ("", [])
    for _ in 0..<16 {
      let answer = try sample.send(.get, "/sessions/demo/changes?\(selections)\(since)")
      #expect(answer.body.count < 2_500_000)
      let events = try answer.json
      guard case .array(let list) = events, let last = list.last else { break }
      told += list.map { $0[JSONPointer(["data", "document"])] }
      guard case .string(let id)? = last[JSONPointer(["id"])] else { break }
      since = "&since=\(id)"
    }
    #expect(told.count == 16)
    #expect(told.allSatisfy { $0 == document })
  }

  @Test func `a poll that waits is not answered with the sign that it is alive`() throws {
    let sample = try sample()
    let id = try #require(subscribe("/sessions/demo/events", sample).events.first?.id)
    let request = EventChannels.Request(
      subscriptions: [EventSubscription("demo")], known: EventID.list(id), form: .array(until: 1))
    let (source, stream) = try sample.service.events.subscribe(
      request, of: sample.service.store)
    source.beat()
    #expect(source.arrayIfReady() == nil)
    #expect(stream.allPieces == [[0x20]])
  }

  @Test func `whoever comes while the server drains is told so`() throws {
    let sample = try sample()
    sample.replicas.each { $0.isDraining = true }
    let poll = try sample.send(.get, "/sessions/demo/changes?wait=30").json
    guard case .array(let events) = poll else {
      Issue.record("\(poll)")
      return
    }
    #expect(events.last?[JSONPointer(["event"])] == "closed")
    #expect(events.last?[JSONPointer(["data", "reason"])] == "draining")
    #expect(events.last?[JSONPointer(["id"])] != nil)
    for target in ["/sessions/demo/events", "/events?sessions=demo,phone"] {
      let text = try subscribe(target, sample).read()
      #expect(text.contains(#""reason":"draining""#), "\(text)")
    }
  }

  @Test func `streams of several selections share the text of their events`() throws {
    let sample = try sample()
    let all = (0..<50).map { "text\($0)" }
    let patch = all.map { #""\#($0)":"\#(String(repeating: "x", count: 200))""# }
    try change(sample, "{\(patch.joined(separator: ","))}")
    let query = "select=a;document&select=b;menu=root"
    let places = try (0..<2).map { _ in
      let request = try Request(.get, "/sessions/demo/events?\(query)", headers: [:], body: [])
      guard case .response(let answer) = sample.replicas.answer(to: request),
        let stream = answer.stream
      else { return Set<UInt>() }
      return Set(
        stream.allPieces.filter { $0.count > 200 }.map { bytes in
          unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        })
    }
    #expect(!places[0].isEmpty && places[0] == places[1])
  }

  // MARK: Lifetimes

  @Test func `channels end with their session`() throws {
    let sample = try sample()
    for number in 0..<5 {
      _ = try sample.send(.get, "/sessions/phone/changes?commands=c\(number)")
    }
    let events = sample.service.events
    #expect(events.channelCount == 5)
    #expect(try sample.send(.delete, "/sessions/phone").status == .noContent)
    #expect(events.channelCount == 0)
    #expect(sample.service.sessions.size == 0)
  }

  @Test func `a session that a stream follows does not expire`() throws {
    let clock = Lock<Int64>(0)
    let sample = try SampleService(now: { clock.withLock(\.self) })
    try sample.openPhone()
    let stream = try subscribe("/sessions/demo/events", sample)
    #expect(stream.events.count == 1)
    clock.withLock { $0 += 10_000 }
    sample.service.store.noteFollowed()
    #expect(sample.service.store.closeIdle(forMoreThan: 5000).closed == ["phone"])
    #expect(stream.events.isEmpty)
  }

  @Test func `a session that a request waits for does not expire`() throws {
    let clock = Lock<Int64>(0)
    let sample = try SampleService(now: { clock.withLock(\.self) })
    try sample.openPhone()
    let service = sample.service
    let isOver = Lock(false)
    let waits = service.waitingRequests.add(
      waitingFor: .session("phone"), of: service.store, until: .max
    ) { _, _ in isOver.withLock(\.self) ? .answered : .waits }
    try #require(waits)
    clock.withLock { $0 += 10_000 }
    service.store.noteFollowed()
    #expect(service.store.closeIdle(forMoreThan: 5000).closed == ["demo"])
    isOver.withLock { $0 = true }
    service.waitingRequests.drain()
    clock.withLock { $0 += 10_000 }
    service.store.noteFollowed()
    #expect(service.store.closeIdle(forMoreThan: 5000).closed == ["phone"])
  }

  @Test func `a refused request for several selections leaves nothing behind`() throws {
    let sample = try sample { $0.subscriptions = 2 }
    let held = try subscribe("/sessions/demo/events?commands=copy:", sample)
    #expect(held.events.count == 1)
    let refused = try sample.send(
      .get, "/events?sessions=phone,demo&select=a;commands=copy:&select=b;commands=zoomIn:")
    #expect(refused.status == .tooManyRequests)
    #expect(sample.service.events.channelCount == 1)
  }

  @Test func `subscriptions at the same time keep to their limit`() throws {
    for _ in 0..<50 {
      let sample = try sample { $0.subscriptions = 4 }
      let streams = Lock<[ResponseStream]>([])
      let events = sample.service.events
      DispatchQueue.concurrentPerform(iterations: 16) { number in
        var subscription = EventSubscription("demo")
        subscription.commands = [CommandID("c\(number):") ?? "copy:"]
        let request = EventChannels.Request(subscriptions: [subscription])
        if let made = try? events.subscribe(request, of: sample.service.store) {
          streams.withLock { $0.append(made.stream) }
        }
      }
      let made = streams.withLock(\.self)
      #expect(made.count == 4)
      let resets = made.map { String(decoding: $0.allPieces.joined(), as: UTF8.self) }
      #expect(resets.allSatisfy { $0.contains("event: reset") })
      sample.service.isDraining = true
      let texts = made.map { String(decoding: $0.allPieces.joined(), as: UTF8.self) }
      #expect(texts.allSatisfy { $0.contains(#""reason":"draining""#) })
    }
  }

  @Test func `streams of a session and of a token are limited`() throws {
    let sample = try sample(
      {
        $0.streamsOfSession = 2
        $0.streamsOfToken = 3
      }, authorization: .closed)
    let administrators = ["adminadminadmin0", "adminadminadmin1"].map(SampleService.bearer)
    var streams = try (0..<2).map { _ in
      try subscribe("/sessions/demo/events", sample, administrators[0])
    }
    let refused = try sample.send(.get, "/sessions/demo/events", headers: administrators[1])
    #expect(try refused.value("/limit") == "events.streamsOfSession")
    streams.append(try subscribe("/sessions/phone/events", sample, administrators[0]))
    let other = try sample.send(.get, "/sessions/phone/events", headers: administrators[0])
    #expect(other.status == .tooManyRequests)
    #expect(try other.value("/limit") == "events.streamsOfToken")
    #expect(
      try sample.send(.get, "/sessions/phone/events", headers: administrators[1]).status == .ok)
    // Those that end leave their places.
    streams.removeFirst()
    #expect(
      try sample.send(.get, "/sessions/demo/events", headers: administrators[0]).status == .ok)
  }
}

extension ResponseStream {
  /// The pieces that there are now.
  fileprivate var allPieces: [[UInt8]] {
    var pieces: [[UInt8]] = []
    while true {
      switch piece(orSuspend: {}, resume: {}) {
      case .bytes(let bytes): pieces.append(bytes)
      case .parts(let parts): pieces += parts
      case .waiting, .end: return pieces
      }
    }
  }
}
