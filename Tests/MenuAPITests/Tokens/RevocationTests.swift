import Foundation
import JSONText
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuEngine
@testable import MenuStore

/// The end of a token ends its streams and tickets, and the tokens that it made (T2).
struct RevocationTests {
  let tokens: TokenSample

  init() throws { tokens = try TokenSample() }

  private var sample: SampleService { tokens.sample }

  private func subscribe(
    _ target: String, _ fields: TokenSample.Fields
  ) throws -> StreamedAnswer {
    var headers = Headers()
    for (name, value) in fields { headers.append(name, value) }
    let request = try Request(.get, target, headers: headers, body: [])
    return StreamedAnswer(sample.replicas.answer(to: request))
  }

  @Test func `T2 revoking a token ends its streams and those of the tokens it made`() throws {
    let first = try tokens.make([.read], kind: "person")
    let second = try tokens.make([.items], by: first.fields)
    let other = try tokens.make([.items])
    let streams = try [first, second].map {
      try subscribe("/sessions/own/events?menu=root", $0.fields)
    }
    let kept = try subscribe("/sessions/own/events?menu=root", other.fields)
    for stream in streams + [kept] { #expect(stream.events.map(\.event) == ["reset"]) }
    let revoked = try sample.send(
      .delete, "/sessions/own/tokens/\(first.number)", headers: tokens.own)
    #expect(revoked.status == .ok)
    sample.replicas.settle()
    tokens.pass(1)
    for stream in streams {
      #expect(stream.events.last?.event == "closed")
      #expect(stream.hasEnded)
    }
    #expect(!kept.hasEnded)
  }

  @Test func `T1 a stream ends when its token expires`() throws {
    let token = try tokens.make([.items], more: #","expires":"\#(tokens.moment(60))""#)
    let stream = try subscribe("/sessions/own/events", token.fields)
    _ = stream.events
    tokens.pass(58)
    #expect(!stream.hasEnded)
    tokens.pass(2)
    #expect(stream.events.last?.event == "closed")
    #expect(stream.hasEnded)
  }

  @Test(.inOneProcess("A ticket is taken by the process that made it."))
  func `T2 a ticket has the rights of its token, and ends with it`() throws {
    let token = try tokens.make([.items])
    func ticket() throws -> String {
      let made = try sample.send(.post, "/sessions/own/tickets", headers: token.fields)
      return try #require(made.value("/ticket")?.word)
    }
    let document = try sample.send(
      .get, "/sessions/own/changes?document=true&ticket=\(ticket())")
    #expect(document.status == .forbidden)
    #expect(
      try sample.send(.get, "/sessions/own/changes?menu=root&ticket=\(ticket())").status == .ok)
    let unused = try ticket()
    let stream = try subscribe("/sessions/own/events?ticket=\(ticket())", [])
    #expect(stream.events.map(\.event) == ["reset"])
    _ = try sample.send(
      .delete, "/sessions/own/tokens/\(token.number)", headers: tokens.own)
    #expect(stream.events.last?.event == "closed")
    #expect(
      try sample.send(.get, "/sessions/own/changes?ticket=\(unused)").status == .unauthorized)
  }

  /// A state after each record makes the start read states, else it does the changes again.
  @Test(
    .inOneProcess("A journal of its own is that of one process."),
    arguments: [(isFile: false, every: 1), (false, 1000), (true, 1), (true, 1000)])
  func `T2 tokens are there after a restart`(isFile: Bool, every: Int) throws {
    let place = FileManager.default.temporaryDirectory
      .appending(path: "menud-tokens-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let storage = MemoryJournal.Storage()
    func start() throws -> TokenSample {
      let clock = RetentionClock { 0 }
      var configuration = JournalConfiguration(path: place.appending(path: "journal").path)
      configuration.snapshotEvery = every
      let journal: any Journal =
        isFile
        ? try SQLiteJournal(configuration, clock: clock)
        : MemoryJournal(on: storage, snapshotEvery: every, clock: clock)
      return try TokenSample(journal: journal)
    }
    let before = try start()
    let token = try before.make([.items], more: #","commands":["copy:"]"#)
    let gone = try before.make([.items])
    _ = try before.sample.send(
      .delete, "/sessions/own/tokens/\(gone.number)", headers: before.own)
    let worker = try before.sample.send(
      .post, "/tokens", #"{"label":"w"}"#, headers: SampleService.administrator)
    before.sample.service.store.close()
    let started = try start()
    defer { started.sample.service.store.close() }
    let after = started.sample
    #expect(try after.send(.get, "/sessions/own/menu", headers: token.fields).status == .ok)
    #expect(try after.send(.get, "/sessions/own", headers: token.fields).status == .forbidden)
    #expect(
      try after.send(.get, "/sessions/own/menu", headers: gone.fields).status == .unauthorized)
    let claim = try after.send(
      .post, "/sessions/own/deliveries/claim",
      headers: TokenSample.made(worker).fields)
    #expect(claim.status == .noContent)
    let next = try after.send(
      .post, "/sessions/own/tokens", #"{"kind":"agent","label":"x"}"#,
      headers: SampleService.administrator)
    #expect(try next.value("/number") == 3)
  }
}

/// Tokens for work in all sessions (T2).
struct WorkerTokenTests {
  let tokens: TokenSample

  init() throws { tokens = try TokenSample() }

  private var sample: SampleService { tokens.sample }

  private func make(_ more: String = "") throws -> TokenSample.Made {
    let made = try sample.send(
      .post, "/tokens", #"{"label":"Exporter"\#(more)}"#, headers: SampleService.administrator)
    try #require(made.status == .created, "\(made.text)")
    return try TokenSample.made(made)
  }

  /// Gives a session a delivery of `copy:`, and one of `paste:`.
  private func deliver(in session: String) throws {
    let clerk =
      #"{"op":"putResponder","responder":"clerk","value":{"kind":"view","handlers":{"#
      + #""copy:":{"perform":[{"op":"deliver","value":"'paper'"}]},"#
      + #""paste:":{"perform":[{"op":"deliver","value":"'glue'"}]}}}}"#
    let list = [clerk, "copy:", "paste:"].map {
      $0.hasPrefix("{") ? $0 : #"{"op":"perform","command":"\#($0)","from":"clerk"}"#
    }
    let made = try sample.send(
      .post, "/sessions/\(session)/mutations", #"{"mutations":[\#(list.joined(separator: ","))]}"#,
      headers: SampleService.administrator)
    try #require(made.status == .ok, "\(made.text)")
  }

  @Test func `T2 an administrator makes tokens for work in all sessions`() throws {
    for session in ["own", "demo"] { try deliver(in: session) }
    let worker = try make(#","rights":["work","patch"],"pointers":["/exported"]"#)
    for session in ["own", "demo"] {
      let claimed = try sample.send(
        .post, "/sessions/\(session)/deliveries/claim", headers: worker.fields)
      #expect(try claimed.value("/delivery/value") == "paper")
      // It sees what it works on, and not what changed.
      #expect(try claimed.value("/changes") == nil)
      func reply(_ mutations: String) throws -> Response {
        try sample.send(
          .post, "/sessions/\(session)/deliveries/1/reply",
          #"{"claim":1,"mutations":[\#(mutations)]}"#, headers: worker.fields)
      }
      #expect(try reply(#"{"op":"mergeState","patch":{"zoom":1}}"#).status == .forbidden)
      #expect(try reply(#"{"op":"becomeFirstResponder","responder":"clerk"}"#).status == .forbidden)
      #expect(try reply(#"{"op":"mergeState","patch":{"exported":"lake"}}"#).status == .ok)
      #expect(
        try sample.send(.get, "/sessions/\(session)", headers: worker.fields).status == .forbidden)
    }
    #expect(
      try sample.send(.post, "/sessions/own/tokens", "{}", headers: worker.fields).status
        == .forbidden)
    #expect(try sample.send(.get, "/tokens", headers: worker.fields).status == .forbidden)
    #expect(try sample.send(.get, "/tokens", headers: tokens.own).status == .forbidden)
    let listed = try sample.send(.get, "/tokens", headers: SampleService.administrator)
    #expect(
      try listed.value("/tokens") == [
        [
          "number": 1, "kind": "worker", "label": "Exporter", "rights": ["patch", "work"],
          "pointers": ["/exported"],
        ]
      ])
    #expect(
      try sample.send(.delete, "/tokens/1", headers: SampleService.administrator).status
        == .noContent)
    #expect(
      try sample.send(.post, "/sessions/own/deliveries/claim", headers: worker.fields).status
        == .unauthorized)
    #expect(
      try sample.send(.delete, "/tokens/1", headers: SampleService.administrator).status
        == .notFound)
  }

  @Test func `T2 a token for all sessions is for work, and for patches that come of it`() throws {
    for right in Right.allCases where ![.work, .patch].contains(right) {
      let refused = try sample.send(
        .post, "/tokens", #"{"label":"w","rights":["work","\#(right.rawValue)"]}"#,
        headers: SampleService.administrator)
      #expect(refused.status == .forbidden)
      #expect(try refused.value("/pointer") == "/rights/1")
    }
  }

  @Test func `T1 a worker that is limited to commands sees their deliveries only`() throws {
    try deliver(in: "own")
    let worker = try make(#","commands":["paste:"]"#)
    func send(_ path: String, _ body: String? = nil) throws -> Response {
      try sample.send(.post, "/sessions/own/deliveries/\(path)", body, headers: worker.fields)
    }
    let hidden = try send("1/claim")
    let unknown = try send("7/claim")
    #expect(hidden.status == .notFound)
    #expect(hidden.text.replacing("1", with: "7") == unknown.text.replacing("1", with: "7"))
    #expect(try send("claim").value("/delivery/id") == 2)
    #expect(try send("claim").status == .noContent)
    let reader = try tokens.make([.read], more: #","commands":["paste:"]"#)
    let listed = try sample.send(.get, "/sessions/own/deliveries", headers: reader.fields)
    #expect(try listed.value("/deliveries")?.items.count == 1)
    #expect(
      try sample.send(.get, "/sessions/own/deliveries/1", headers: reader.fields).status
        == .notFound)
  }
}
