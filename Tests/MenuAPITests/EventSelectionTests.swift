import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// Streams that tell several selections of a session.
struct EventSelectionTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try sample.openPhone()
  }

  private func subscribe(_ target: String, _ last: String? = nil) throws -> StreamedAnswer {
    let fields: Headers = last.map { ["Last-Event-ID": $0] } ?? [:]
    let request = try Request(.get, target, headers: fields, body: [])
    return StreamedAnswer(sample.replicas.answer(to: request))
  }

  private func change(_ session: String = "demo", _ value: Int = .random(in: 0...1 << 30)) throws {
    let answer = try sample.send(
      .post, "/sessions/\(session)/mutations",
      #"{"mutations":[{"op":"mergeState","patch":{"n":\#(value)}}]}"#)
    #expect(answer.status == .ok)
  }

  private static let place =
    "/sessions/demo/events?document=true&select=held;menu=root;modifiers=shift"
    + "&select=context;kind=context"

  @Test func `one stream tells several selections, each as GET answers it`() throws {
    let resets = try subscribe(Self.place).events
    #expect(resets.map(\.event) == ["reset", "reset", "reset"])
    #expect(resets.map(\.selection) == [nil, "held", "context"])
    try #require(resets.count == 3)
    let told = try resets.map { try JSON(parsing: $0.text) }
    #expect(try told[0].at("/document") == sample.send(.get, "/sessions/demo").json)
    #expect(told[0].at("/menu") == nil)
    for (index, query) in [(1, "modifiers=shift"), (2, "kind=context")] {
      let menu = try sample.send(.get, "/sessions/demo/menu?\(query)").value("/menu")
      #expect(told[index].at("/menu") == menu)
      #expect(told[index].at("/document") == nil)
    }
    #expect(told[1].at("/menu") != told[2].at("/menu"))
  }

  @Test func `E5: a selection that is new begins, and the others go on`() throws {
    let first = try subscribe(Self.place)
    let id = try #require(first.events.last?.id)
    #expect(id.split(separator: ",").map { $0.split(separator: "~").count } == [1, 2, 2])
    try change()
    let next = try subscribe(Self.place + "&select=new;commands=copy:", id)
    let told = next.events
    #expect(told.map(\.selection) == [nil, "new"] || Replicas.count > 1)
    #expect(told.map(\.event) == ["change", "reset"] || Replicas.count > 1)
    // One that is left out is told nothing more.
    let last = try #require(told.last?.id)
    let fewer = try subscribe("/sessions/demo/events?select=new;commands=copy:", last)
    #expect(fewer.read() == ":\n" || Replicas.count > 1)
  }

  @Test func `a stream of named selections alone has none without a name`() throws {
    let stream = try subscribe("/sessions/demo/events?select=a;commands=copy:")
    #expect(stream.events.map(\.selection) == ["a"])
    try change()
    #expect(stream.events.isEmpty)
    // Without any parts a selection tells revisions.
    let revisions = try subscribe("/sessions/demo/events?select=a;commands=copy:&select=b")
    #expect(revisions.events.map(\.selection) == ["a", "b"])
    try change()
    #expect(revisions.events.map(\.selection) == ["b"])
  }

  @Test func `of several sessions each has all selections, or its own`() throws {
    let stream = try subscribe(
      "/events?sessions=demo,phone&select=a;commands=copy:&select=b;session=phone;document")
    let resets = stream.events
    #expect(resets.map(\.session) == ["demo", "phone", "phone"])
    #expect(resets.map(\.selection) == ["a", "a", "b"])
    // One name may stand for different parts of different sessions.
    let own = try subscribe(
      "/events?sessions=demo,phone&select=a;session=demo;document&select=a;session=phone")
    #expect(own.events.map(\.session) == ["demo", "phone"])
    try change("phone")
    try change()
    #expect(Set(own.events.map(\.session)) == ["demo", "phone"])
    _ = try sample.send(.delete, "/sessions/phone")
    let closed = stream.events.filter { $0.event == "closed" }
    #expect(
      closed.map(\.text) == [
        #"{"session":"phone","selection":"a","reason":"sessionClosed"}"#,
        #"{"session":"phone","selection":"b","reason":"sessionClosed"}"#,
      ])
    #expect(!stream.hasEnded)
  }

  @Test func `a poll answers several selections, and goes on behind its last id`() throws {
    let place = Self.place.replacingPath("events", with: "changes")
    let all = try sample.send(.get, place).json.list
    #expect(all.map { $0.at("/data/selection") } == [nil, "held", "context"])
    let id = try #require(all.last?.at("/id")?.word)
    #expect(try sample.send(.get, place + "&since=\(id)").text == "[]")
    try change()
    let told = try sample.send(.get, place + "&since=\(id)").json.list
    #expect(told.map { $0.at("/event") } == ["change"] || Replicas.count > 1)
    let part = try #require(all.dropLast().last?.at("/id")?.word)
    let rest = try sample.send(.get, place + "&since=\(part)").json.list
    #expect(
      Set(rest.map { $0.at("/data/selection") }) == [nil, "context"] || Replicas.count > 1)
  }

  @Test(arguments: [
    (
      "select=",
      "'' as 'select' in the query does not begin with a name; selections are like "
        + "'held;menu=root;modifiers=shift'."
    ),
    (
      "select=a;menus=root",
      "'menus' is no part of the selection 'a'; its parts are "
    ),
    ("select=a;menu=root;menu=root", "There is 'menu' twice in the selection 'a'."),
    (
      "select=a;kind=none", "'kind' in the selection 'a' is 'main' or 'context', not 'none'."
    ),
    (
      "select=a&select=a",
      "'select' in the query names the selection 'a' twice; each has a name of its own."
    ),
    ("select=a;session=demo", "'session' is no part of the selection 'a'; its parts are "),
    ("select=a;from=nobody", "The session has no responder 'nobody'"),
    (
      (0...16).map { "select=s\($0)" }.joined(separator: "&"),
      "The query has 17 times 'select', but a stream has 16 named selections at most "
        + "(events.selections)."
    ),
  ])
  func `what is no selection is refused`(query: String, detail: String) throws {
    for place in ["events", "changes"] {
      let response = try sample.send(.get, "/sessions/demo/\(place)?\(query)")
      #expect(response.status == .badRequest)
      #expect(try response.value("/detail")?.word?.hasPrefix(detail) == true)
    }
  }

  @Test func `a selection is of a session of its stream`() throws {
    let response = try sample.send(.get, "/events?sessions=demo&select=a;session=phone")
    #expect(
      try response.value("/detail")?.word
        == "'phone' as 'session' in the selection 'a' is none of 'sessions' in the query.")
  }

  @Test
  func `D2: a stream tells the deliveries of some states, and those that are there no longer`()
    throws
  {
    let handler = #"{"perform":[{"op":"deliver","value":"'work'"}]}"#
    let put = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:", handler)
    #expect(put.status == .ok || put.status == .created)
    let stream = try subscribe("/sessions/demo/events?deliveries=open")
    let reset = try #require(stream.events.first)
    #expect(try JSON(parsing: reset.text).at("/deliveries") == [])
    let performed = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"copy:","to":"photoGrid"}"#)
    #expect(performed.status == .ok)
    let told = try #require(stream.events.first)
    let open = try sample.send(.get, "/sessions/demo/deliveries?state=open").value("/deliveries")
    #expect(try JSON(parsing: told.text).at("/deliveries") == open)
    // What is none of these says nothing.
    try change()
    #expect(stream.events.isEmpty)
    #expect(try sample.send(.post, "/sessions/demo/deliveries/claim").status == .ok)
    let claimed = try #require(stream.events.first)
    #expect(try JSON(parsing: claimed.text).at("/deliveriesGone") == [1])
    #expect(try JSON(parsing: claimed.text).at("/deliveries") == nil)
    let both = try sample.send(.get, "/sessions/demo/deliveries?state=open,claimed")
    #expect(try both.value("/deliveries/0/state") == "claimed")
  }

  @Test func `whoever is far behind is told deliveries as they are in the end`() throws {
    let handler = #"{"perform":[{"op":"deliver","value":"'work'"}]}"#
    _ = try sample.send(.put, "/sessions/demo/responders/photoGrid/handlers/copy:", handler)
    let place = "/sessions/demo/changes?deliveries=open&since="
    let start = try sample.send(.get, place).value("/0/id")?.word ?? ""
    let watching = try subscribe("/sessions/demo/events?deliveries=open")
    for _ in 0..<12 {
      for _ in 0..<2 {
        _ = try sample.send(
          .post, "/commands/perform", #"{"session":"demo","action":"copy:","to":"photoGrid"}"#)
        _ = watching.events
      }
      _ = try sample.send(.post, "/sessions/demo/deliveries/claim")
      _ = watching.events
    }
    let told = try sample.send(.get, place + start).json.list
    #expect(told.count == 1 || Replicas.count > 1)
    let open = try sample.send(.get, "/sessions/demo/deliveries?state=open").value("/deliveries")
    var held: [JSON] = []
    for event in told {
      let gone = event.at("/data/deliveriesGone")?.list ?? []
      held.removeAll { one in gone.contains { $0 == one.at("/id") } }
      for one in event.at("/data/deliveries")?.list ?? [] {
        held.removeAll { $0.at("/id") == one.at("/id") }
        held.append(one)
      }
    }
    #expect(JSON.array(held) == open)
  }
}

extension StreamedAnswer.Event {
  fileprivate var selection: String? {
    (try? JSON(parsing: text))?.at("/selection")?.word
  }
}

extension JSON {
  fileprivate func at(_ pointer: String) -> JSON? {
    (try? JSONPointer(parsing: pointer)).flatMap { self[$0] }
  }

  fileprivate var list: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}

extension String {
  fileprivate func replacingPath(_ part: String, with other: String) -> String {
    let pieces = split(separator: "/\(part)?", maxSplits: 1)
    return "\(pieces[0])/\(other)?\(pieces[1])"
  }
}
