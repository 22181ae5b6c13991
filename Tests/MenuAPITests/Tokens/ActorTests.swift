import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI
@testable import MenuEngine
@testable import MenuStore

/// The actors of changes (T4).
struct ActorTests {
  let tokens: TokenSample

  init() throws { tokens = try TokenSample() }

  private var sample: SampleService { tokens.sample }

  /// Gives a session a responder that notes who copies, and lets people paste only.
  private func place(in session: String) throws {
    let clerk =
      #"{"op":"putResponder","responder":"clerk","value":{"kind":"view","handlers":{"#
      + #""copy:":{"validate":{"subtitle":"sender.actor.label"},"perform":[{"op":"add","path":"/by","value":"sender.actor"}]},"#
      + #""paste:":{"validate":{"enabled":"sender.actor.kind == 'person'"},"perform":[]}}}}"#
    let focus = #"{"op":"becomeFirstResponder","responder":"clerk"}"#
    let made = try sample.send(
      .post, "/sessions/\(session)/mutations",
      #"{"mutations":[\#(clerk),{"op":"mergeState","patch":{"by":null}},\#(focus)]}"#,
      headers: SampleService.administrator)
    try #require(made.status == .ok, "\(made.text)")
  }

  private func perform(
    _ command: String, _ fields: TokenSample.Fields, more: String = ""
  ) throws -> Response {
    try sample.send(
      .post, "/commands/perform", #"{"session":"own","command":"\#(command)"\#(more)}"#,
      headers: fields)
  }

  private var by: JSON? {
    get throws {
      try sample.send(.get, "/sessions/own", headers: tokens.own).value("/state/by")
    }
  }

  @Test func `T4 rules see who acts, and who asks`() throws {
    try place(in: "own")
    let agent = try tokens.make([.items, .perform], kind: "agent", label: "Ada's helper")
    let administrator = SampleService.administrator
    let actors: [(TokenSample.Fields, kind: JSON, label: JSON)] = [
      (agent.fields, "agent", "Ada's helper"), (tokens.own, "person", "session"),
      (administrator, "service", "administrator"),
      (administrator + [("Menud-Actor", "person/J%C3%BCrgen")], "person", "Jürgen"),
    ]
    for (fields, kind, label) in actors {
      #expect(try perform("copy:", fields).status == .ok)
      #expect(try by == ["kind": kind, "label": label])
      let items = try sample.send(
        .post, "/commands/validate", #"{"session":"own","commands":["copy:","paste:"]}"#,
        headers: fields)
      #expect(try items.value("/items/0/subtitle") == label)
      #expect(try items.value("/items/1/enabled") == .bool(kind == "person"))
      let pasted = try perform("paste:", fields)
      #expect(pasted.status == (kind == "person" ? .ok : .conflict))
    }
  }

  @Test(.inOneProcess("A ticket is taken by the process that made it."))
  func `T4 a ticket is for whom the request acts that asks for it`() throws {
    try place(in: "own")
    let actor = SampleService.administrator + [("Menud-Actor", "person/Ada")]
    let made = try sample.send(.post, "/sessions/own/tickets", headers: actor)
    let ticket = try #require(made.value("/ticket")?.word)
    let events = try sample.send(
      .get, "/sessions/own/changes?commands=copy:&ticket=\(ticket)")
    #expect(events.text.contains(#""subtitle":"Ada""#), "\(events.text)")
  }

  @Test func `T4 conflicting keys are those of who asks`() throws {
    try place(in: "own")
    let claims =
      ["person", "service"].map {
        #"{"input":"j","action":"\#($0):","when":"sender.actor.kind == '\#($0)'"}"#
      } + [#"{"input":"j","action":"copy:"}"#]
    let put = try sample.send(
      .put, "/sessions/own/responders/clerk/key-commands",
      #"{"keyCommands":[\#(claims.joined(separator: ","))]}"#, headers: tokens.own)
    try #require(put.status == .ok, "\(put.text)")
    for (fields, action) in [
      (tokens.own, "person:"), (SampleService.administrator, "service:"),
    ] {
      let found = try sample.send(.get, "/keys/conflicts?session=own", headers: fields)
      #expect(try found.value("/conflicts/0/winner/action") == .string(action), "\(found.text)")
    }
  }

  @Test func `T4 rules see who asks for a target`() throws {
    try place(in: "own")
    let put = try sample.send(
      .put, "/sessions/own/responders/clerk/handlers/only:",
      #"{"canPerform":"sender.actor.kind == 'person'","perform":[]}"#, headers: tokens.own)
    try #require(put.status == .created, "\(put.text)")
    for (fields, target) in [
      (tokens.own, JSON.string("clerk")), (SampleService.administrator, .null),
    ] {
      let answer = try sample.send(
        .post, "/targets/resolve", #"{"session":"own","action":"only:"}"#, headers: fields)
      #expect(try answer.value("/target") == target, "\(answer.text)")
    }
  }

  @Test func `T4 nobody says that another one acts`() throws {
    try place(in: "own")
    let agent = try tokens.make([.items, .perform], kind: "agent")
    let lie = #","sender":{"actor":{"kind":"person","label":"Ada"}}"#
    #expect(try perform("copy:", agent.fields, more: lie).status == .ok)
    #expect(try by == ["kind": "agent", "label": "x"])
    #expect(try perform("paste:", agent.fields, more: lie).status == .conflict)
    let named = try perform("copy:", tokens.own + [("Menud-Actor", "person/Ada")])
    #expect(
      try named.problem == """
        /problems/forbidden
        Only an administrator's request may name whom it acts for ('Menud-Actor').
        """)
  }

  @Test(arguments: [
    "Ada", "robot/Ada", "person/", "person/a%07", "person/%zz", "", "person/%E4",
    "person/\u{FFFD}",
  ])
  func `T4 a malformed actor is refused`(field: String) throws {
    let response = try sample.send(
      .get, "/sessions/own", headers: SampleService.administrator + [("Menud-Actor", field)])
    #expect(response.status == .badRequest)
    #expect(try response.value("/type") == "/problems/malformed-request")
  }

  @Test func `T4 events tell who made the changes, to those who may read`() throws {
    let reader = try tokens.make([.read], kind: "panel")
    let other = try tokens.make([.items], kind: "panel")
    func id(_ fields: TokenSample.Fields) throws -> String {
      let poll = try sample.send(
        .get, "/sessions/own/changes?document=\(fields[0].1 == reader.fields[0].1)", headers: fields
      )
      return try #require(poll.value("/0/id")?.word)
    }
    let (read, seen) = (try id(reader.fields), try id(other.fields))
    func patch(_ fields: TokenSample.Fields) throws {
      let patched = try sample.send(
        .patch, "/sessions/own/state", #"{"n":\#(Int.random(in: 0...1 << 30))}"#,
        type: "application/merge-patch+json", headers: fields)
      #expect(patched.status == .ok)
    }
    try patch(tokens.own)
    try patch(SampleService.administrator)
    try patch(tokens.own)
    let events = try sample.send(
      .get, "/sessions/own/changes?document=true&since=\(read)", headers: reader.fields
    ).json.items
    let actors = events.flatMap { $0[JSONPointer(["data", "actors"])]?.items ?? [] }
    #expect(
      Set(actors.map { "\($0)" }) == [
        "\(["kind": "person", "label": "session"] as JSON)",
        "\(["kind": "service", "label": "administrator"] as JSON)",
      ])
    let others = try sample.send(
      .get, "/sessions/own/changes?since=\(seen)", headers: other.fields)
    #expect(!others.text.contains("actors"))
    #expect(!others.text.contains("administrator"))
  }

  @Test func `T4 the journal has the actor, and a change without a token is as it was`() throws {
    let local = SessionRecord([.mergeState(["a": 1])])
    let bytes = try StoredFormat.bytes(of: local)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"[1,{"mutations":[{"mergeState":{"patch":{"a":1}}}]}]"#)
    let actor = try #require(Principal(.agent, "Ada"))
    let record = SessionRecord([.mergeState(["a": 1])], by: actor)
    let read: SessionRecord = try StoredFormat.value(from: StoredFormat.bytes(of: record))
    #expect(read.actor == actor)
    let old: SessionRecord = try StoredFormat.value(from: bytes)
    #expect(old.actor == .local)
  }
}
