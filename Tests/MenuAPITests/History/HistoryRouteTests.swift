import Foundation
import JSONText
import MenuEngine
import MicroHTTP
import Randomness
import Synchronization
import Testing

@testable import MenuAPI

/// The history of a session (T5).
struct HistoryRouteTests {
  private let clock = Clock()

  private final class Clock: Sendable {
    let now = Atomic<Int64>(1_795_250_000_000)
    func pass(_ milliseconds: Int64) { now.add(milliseconds, ordering: .relaxed) }
  }

  private func sample() throws -> SampleService {
    let clock = clock
    return try SampleService(now: { clock.now.load(ordering: .relaxed) })
  }

  private func entries(
    _ sample: SampleService, _ query: String = "", headers: [(String, String)] = []
  ) throws -> [JSON] {
    let response = try sample.send(
      .get, "/sessions/demo/history\(query)", headers: headers)
    #expect(response.status == .ok, "\(response.text)")
    return try response.value("/entries")?.items ?? []
  }

  private func patch(_ sample: SampleService, _ document: String, query: String = "") throws {
    let response = try sample.send(
      .patch, "/sessions/demo/state\(query)", document, type: "application/merge-patch+json")
    #expect(response.status == .ok, "\(response.text)")
  }

  private func perform(_ sample: SampleService, _ more: String) throws -> Response {
    try sample.send(.post, "/commands/perform", #"{"session":"demo",\#(more)}"#)
  }

  @Test func `T5: a command is told with the title that it had, its target and what it changed`()
    throws
  {
    let sample = try sample()
    #expect(
      try sample.send(
        .put, "/sessions/demo/responders/photoGrid/handlers/rate:",
        #"""
        {"validate":{"title":"'Rate ' + string(state.rating)"},
         "perform":[{"op":"replace","path":"/rating","value":"parameters.stars"}]}
        """#
      ).status.isSuccess)
    _ = try sample.send(
      .put, "/commands/rate:",
      #"{"title":"Rate","action":"rate:","parameters":{"type":"object","properties":{"stars":{"type":"integer"}}}}"#
    )
    clock.pass(1000)
    let done = try perform(sample, #""command":"rate:","parameters":{"stars":4}"#)
    #expect(done.status == .ok, "\(done.text)")
    _ = try sample.send(.put, "/commands/rate:", #"{"title":"Other","action":"rate:"}"#)
    let entry = try #require(try entries(sample).first)
    #expect(entry.member("kind") == "command" && entry.member("command") == "rate:")
    #expect(entry.member("title") == "Rate 0" && entry.member("target") == "photoGrid")
    #expect(entry.member("parameters") == ["stars": 4])
    #expect(entry.member("time") == "2026-11-21T08:33:21.000Z")
    #expect(entry.member("actor") == ["kind": "service", "label": "local"])
    #expect(try entry.member("revision") == done.value("/revision"))
    let changes = try done.value("/changes")?.items.filter { !$0.isOfUndo }
    #expect(entry.member("changes")?.items.map { $0.text() } == changes?.map { $0.text() })
    #expect(entry.member("undoName") == "Rate")
    #expect(entry.member("operations") == nil)
  }

  @Test func `T5: other changes are told as operations, a list as one entry`() throws {
    let sample = try sample()
    let list = #"[{"op":"mergeState","patch":{"a":1}},{"op":"resignFirstResponder"}]"#
    #expect(
      try sample.send(.post, "/sessions/demo/mutations", #"{"mutations":\#(list)}"#).status == .ok)
    let entry = try #require(try entries(sample).first)
    #expect(entry.member("kind") == "operations")
    #expect(entry.member("operations")?.text() == list)
    #expect(entry.member("command") == nil && entry.member("undoName") == nil)
  }

  @Test func `T5: a key is told with its command, undo with what it undid`() throws {
    let sample = try sample()
    try patch(sample, #"{"zoom":7}"#, query: "?undo=true")
    #expect(
      try sample.send(
        .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
        #"{"perform":[{"op":"replace","path":"/zoom","value":"9"}]}"#
      ).status.isSuccess)
    #expect(
      try sample.send(
        .post, "/keys/press", #"{"session":"demo","key":{"input":"c","modifiers":["command"]}}"#
      ).status == .ok)
    let key = try #require(try entries(sample, "?limit=1").first)
    #expect(key.member("kind") == "command" && key.member("command") == "copy:")
    #expect(key.member("key") != nil && key.member("title") == "Copy")
    _ = try sample.send(.put, "/commands/undo:", #"{"title":"Undo","action":"undo:"}"#)
    #expect(try perform(sample, #""command":"undo:""#).status == .ok)
    let undo = try #require(try entries(sample, "?limit=1").first)
    #expect(undo.member("command") == "undo:" && undo.member("title") == "Undo Copy")
    #expect(undo.member("undoName") == nil)
  }

  @Test func `T5: the undo name is that of what was registered by this change`() throws {
    let sample = try sample()
    for (name, value) in [("Rotate", 1), ("Zoom", 2)] {
      try patch(sample, #"{"\#(name)":\#(value)}"#, query: "?undo=\(name)")
    }
    try patch(sample, #"{"Zoom":7}"#)
    _ = try sample.send(.post, "/sessions/demo/undo", "{}")
    _ = try sample.send(.delete, "/sessions/demo/undo")
    let names = try entries(sample).map { $0.member("undoName") }
    #expect(names == [nil, nil, nil, "Zoom", "Rotate"])
  }

  @Test func `T5: a dry run, a repetition and what changes nothing are no entries`() throws {
    let sample = try sample()
    try patch(sample, #"{"a":1}"#)
    try patch(sample, #"{"a":2}"#, query: "?dryRun=true")
    for _ in 0..<2 {
      _ = try sample.send(
        .patch, "/sessions/demo/state", #"{"a":3}"#, type: "application/merge-patch+json",
        headers: [("Idempotency-Key", "once")])
    }
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"a":3}"#, type: "application/merge-patch+json")
    #expect(try entries(sample).map { $0.member("revision") }.first == 2)
  }

  @Test func `T5: a refused command is an entry with its reason and its words`() throws {
    let sample = try sample()
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
      #"{"validate":{"requires":[{"if":"false","else":"Select a photo first."}]},"perform":[]}"#)
    let refused = try perform(sample, #""command":"copy:""#)
    #expect(refused.status == .conflict)
    let entry = try #require(try entries(sample).first)
    #expect(entry.member("kind") == "refusal" && entry.member("command") == "copy:")
    #expect(try entry.member("reason") == refused.value("/reason"))
    #expect(entry.member("explanation") == "Select a photo first.")
    #expect(entry.member("title") == "Copy" && entry.member("revision") == 1)
    #expect(entry.member("changes") == nil)
    #expect(
      try perform(sample, #""command":"copy:","dryRun":true"#).status == .conflict)
    #expect(try entries(sample, "?kind=refusal").count == 1)
    // A request that is wrong in itself is no refusal.
    #expect(try perform(sample, #""command":"nobody""#).status == .notFound)
    #expect(try entries(sample, "?kind=refusal").count == 1)
  }

  @Test func `T5: it is filtered by actor, command and kind, and read in pages`() throws {
    let sample = try sample()
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
      #"{"perform":[{"op":"replace","path":"/zoom","value":"state.zoom + 1"}]}"#)
    for index in 0..<300 {
      if index.isMultiple(of: 50) {
        #expect(try perform(sample, #""command":"copy:""#).status == .ok)
      } else {
        try patch(sample, #"{"a":\#(index)}"#)
      }
    }
    #expect(try entries(sample, "?command=copy:").count == 6)
    #expect(try entries(sample, "?kind=command&actor=local").count == 6)
    #expect(try entries(sample, "?kind=command,refusal&actor=service").count == 6)
    #expect(try entries(sample, "?actor=nobody").isEmpty)
    #expect(try entries(sample, "?limit=200").count == 200)
    #expect(
      try entries(sample, "?after=295").map { $0.member("revision") }
        == (296...301).reversed().map { .int($0) })
    for query in ["limit=7", "limit=1&kind=command", "limit=200&actor=local", "limit=2&after=280"] {
      var (found, address) = ([JSON](), String?.some("/sessions/demo/history?\(query)"))
      while let next = address {
        let response = try sample.send(.get, next)
        found += try response.value("/entries")?.items ?? []
        address = try response.value("/next")?.word
        #expect(response.headers["link"] == address.map { "<\($0)>; rel=\"next\"" })
      }
      let revisions = found.compactMap { $0.member("revision")?.number }
      #expect(revisions == Set(revisions).sorted(by: >))
      #expect(
        found.count
          == ["limit=7": 301, "limit=1&kind=command": 6, "limit=2&after=280": 21][query] ?? 301)
    }
  }

  @Test func `T5: what is gone is told`() throws {
    let sample = try sample()
    let text = String(repeating: "x", count: 20_000)
    for index in 0..<40 { try patch(sample, #"{"a":"\#(index)\#(text)"}"#) }
    let whole = try sample.send(.get, "/sessions/demo/history?limit=200")
    guard case .int(let since)? = try whole.value("/since") else {
      Issue.record("\(whole.text.prefix(200))")
      return
    }
    #expect(since > 10)
    #expect(try whole.value("/entries")?.items.count == 40 - Int(since))
    #expect(try sample.send(.get, "/sessions/demo/history?after=\(since)").status == .ok)
    let gone = try sample.send(.get, "/sessions/demo/history?after=\(since - 1)")
    #expect(try gone.status == .gone && gone.value("/type") == "/problems/history-gone")
    #expect(try gone.value("/since") == .int(since))
    clock.pass(86_400_001)
    let empty = try sample.send(.get, "/sessions/demo/history")
    #expect(try empty.value("/entries") == [] && empty.value("/since") == 40)
  }

  @Test(arguments: Seeds.first(4))
  func `T5: the changes of entries are those of the answers, but for undo stacks`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let sample = try sample()
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
      #"{"perform":[{"op":"replace","path":"/zoom","value":"state.zoom + 1"},{"op":"deliver","value":"1"}]}"#
    )
    var told: [JSON] = []
    var revision = try sample.send(.get, "/sessions/demo").value("/revision")
    for step in 0..<60 {
      let response = try request(step, sample, &random)
      guard response.status.isSuccess, response.status != .noContent,
        try response.value("/revision") != revision
      else { continue }
      revision = try response.value("/revision")
      let changes = try response.value("/changes")?.items.filter { !$0.isOfUndo } ?? []
      told.append([try #require(revision), .array(changes)])
    }
    let found = try entries(sample, "?limit=200&after=1").reversed().filter {
      $0.member("kind") != "refusal"
    }.map { entry -> JSON in [entry.member("revision") ?? .null, entry.member("changes") ?? .null] }
    #expect(found.map { $0.text() } == told.map { $0.text() })
    #expect(found.count > 20)
  }

  /// Sends a random request, which may be refused.
  private func request(
    _ step: Int, _ sample: SampleService, _ random: inout SeededGenerator
  ) throws -> Response {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: try perform(sample, #""command":"copy:""#)
    case 1: try perform(sample, #""command":"paste:""#)
    case 2: try perform(sample, #""action":"undo:""#)
    case 3:
      try sample.send(
        .patch, "/sessions/demo/state", #"[{"op":"add","path":"/\#(step)","value":\#(step)}]"#,
        type: "application/json-patch+json")
    case 4:
      try sample.send(
        .put, "/sessions/demo/first-responder",
        #"{"responder":"\#(Bool.random(using: &random) ? "photoGrid" : "root")"}"#)
    case 5: try sample.send(.post, "/sessions/demo/deliveries/claim")
    default:
      try sample.send(
        .put, "/sessions/demo/responders/new\(step % 3)", #"{"kind":"view","superview":"rootView"}"#
      )
    }
  }

  @Test func `T5: a token sees the history as far as it sees the session`() throws {
    let tokens = try TokenSample()
    let sample = tokens.sample
    for action in ["mine:", "others:"] {
      for (method, path, body) in [
        (Method.put, "/commands/\(action)", #"{"title":"A secret title","action":"\#(action)"}"#),
        (
          .put, "/sessions/own/responders/photoGrid/handlers/\(action)",
          #"{"perform":[{"op":"add","path":"/x","value":"1"},{"op":"deliver","value":"'secret'"}]}"#
        ),
        (.post, "/commands/perform", #"{"session":"own","command":"\#(action)"}"#),
      ] {
        let headers =
          path.hasPrefix("/commands/\(action)") ? SampleService.administrator : tokens.own
        #expect(try sample.send(method, path, body, headers: headers).status.isSuccess)
      }
    }
    let (none, limited) = (
      try tokens.make([.items, .perform]),
      try tokens.make([.read, .perform], more: #","commands":["mine:"]"#)
    )
    let refused = try sample.send(.get, "/sessions/own/history", headers: none.fields)
    #expect(try refused.status == .forbidden && refused.value("/right") == "read")
    let shown = try sample.send(.get, "/sessions/own/history", headers: limited.fields)
    let entries = try #require(try shown.value("/entries")?.items)
    // Two tokens, two handlers and two performances.
    #expect(entries.count == 6)
    #expect(entries.compactMap { $0.member("command") } == ["mine:"])
    for case .object(let entry) in entries where entry["command"] == nil {
      #expect(entry.members.map(\.name) == ["revision", "time", "kind", "actor", "changes"])
    }
    #expect(entries.compactMap { $0.member("title") } == ["A secret title"])
    #expect(shown.text.components(separatedBy: #""change":"delivery""#).count == 2)
    let asked = try sample.send(
      .get, "/sessions/own/history?command=others:", headers: limited.fields)
    #expect(try asked.value("/entries") == [])
    let whole = try sample.send(.get, "/sessions/own/history", headers: tokens.own)
    #expect(whole.text.contains("others:"))
    #expect(whole.text.contains(#""operations":[{"op":"grantToken"}],"token":2"#))
    #expect(try sample.send(.get, "/sessions/own/history").status == .unauthorized)
  }

  @Test(arguments: [
    ("limit=0", "'limit' in the query is from 1 to 200, not 0."),
    ("limit=201", "'limit' in the query is from 1 to 200, not 201."),
    ("kind=other", "kind"), ("after=-1", "after"), ("cursor=x", "cursor"),
    ("command=a%20b", "command"),
    ("page=2", "page"), ("actor=", "actor"),
  ])
  func `T5: a wrong query is refused`(query: String, detail: String) throws {
    let response = try sample().send(.get, "/sessions/demo/history?\(query)")
    #expect(response.status == .badRequest)
    #expect(try response.value("/detail")?.word?.contains(detail) == true, "\(response.text)")
  }
}

extension Status {
  fileprivate var isSuccess: Bool { self == .ok || self == .created }
}

extension JSON {
  /// True if it is a change of an undo stack in the document.
  fileprivate var isOfUndo: Bool {
    member("change") == "document" && member("path")?.word?.hasPrefix("/undo") == true
  }

  fileprivate func member(_ name: String) -> JSON? { self[JSONPointer([name])] }
}
