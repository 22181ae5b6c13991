import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// The part `tools` of events: the tools that the session's agents list with `?tools=enabled`.
struct EventToolsTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private typealias Fields = [(String, String)]

  private func listed(
    _ session: String = "demo", in sample: SampleService? = nil, as fields: Fields = []
  ) throws -> JSON {
    let answer = try (sample ?? self.sample).send(
      .post, "/sessions/\(session)/mcp?tools=enabled",
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, headers: fields)
    return try #require(try answer.value("/result/tools"), "\(answer.text)")
  }

  /// The only event since an id, or the `reset`.
  private func event(
    _ query: String = "tools=true", since id: JSON? = nil, of session: String = "demo",
    in sample: SampleService? = nil, as fields: Fields = []
  ) throws -> JSON {
    let since = (id?.word).map { "&since=\($0)" } ?? ""
    let answer = try (sample ?? self.sample).send(
      .get, "/sessions/\(session)/changes?\(query)\(since)", headers: fields)
    let events = try answer.json.items
    #expect(answer.status == .ok && events.count == 1, "\(answer.text)")
    return try #require(events.first)
  }

  private func isQuiet(since event: JSON) throws -> Bool {
    let id = try #require(event.at("id")?.word)
    let answer = try sample.send(.get, "/sessions/demo/changes?tools=true&since=\(id)")
    return answer.text == "[]" || Replicas.count > 1
  }

  private func patch(_ state: String) throws {
    let answer = try sample.send(
      .patch, "/sessions/demo/state", state, type: "application/merge-patch+json")
    #expect(answer.status == .ok, "\(answer.text)")
  }

  private func put(_ target: String, _ body: String) throws {
    let answer = try sample.send(.put, target, body)
    #expect(answer.status.rawValue < 300, "\(answer.text)")
  }

  @Test func `E1: tools are told as they are listed, and again as a whole if any differs`() throws {
    let first = try event()
    #expect(first.at("event") == "reset")
    #expect(first.at("data", "tools") == (try listed()))
    #expect(first.at("data", "tools")?.items.count == 5)
    #expect(first.at("data", "menu") == nil && first.at("data", "keys") == nil)
    try patch(#"{"n":1}"#)
    #expect(try isQuiet(since: first))
    try put("/sessions/demo/first-responder", #"{"responder":null}"#)
    let next = try event(since: first.at("id"))
    #expect(next.at("event") == "change" || Replicas.count > 1)
    let tools = try listed()
    #expect(next.at("data", "tools") == tools && tools != first.at("data", "tools"))
    // With other parts it is absent if no tool differs.
    let both = try event("document=true&tools=true")
    try patch(#"{"n":2}"#)
    let change = try event("document=true&tools=true", since: both.at("id"))
    #expect(change.at("data", "tools") == nil || Replicas.count > 1)
  }

  @Test func `a change of the catalogue that changes a tool is an event`() throws {
    let first = try event()
    try put("/commands/again:", #"{"title":"Again","action":"copy:","propertyList":1}"#)
    let next = try event(since: first.at("id"))
    #expect(next.at("event") == "change" || Replicas.count > 1)
    #expect(next.at("data", "revision") == first.at("data", "revision"))
    #expect(next.at("data", "tools") == (try listed()))
    #expect(next.at("data", "tools")?.names.contains("again-") == true)
    try put(
      "/commands/secret:",
      #"{"title":"Secret","action":"copy:","propertyList":2,"agents":"hidden"}"#)
    #expect(try isQuiet(since: next))
  }

  @Test func `T7: the default consent holds for tools that are told`() throws {
    for consent in AgentConsent.allCases {
      var limits = ServiceLimits()
      limits.agentConsent = consent
      let sample = try SampleService(limits: limits)
      let tools = try event(in: sample).at("data", "tools")
      #expect(tools == (try listed(in: sample)))
      #expect(tools?.items.isEmpty == (consent == .hidden))
      #expect(tools?.text().contains(#""plan":"#) == (consent == .plan))
    }
  }

  @Test func `where a search begins and what is held is not a matter of tools`() throws {
    let told = try event("tools=true&keys=true&from=photoGrid&modifiers=shift")
    #expect(told.at("data", "tools") == (try listed()))
    #expect(told.at("data", "keys") != nil)
  }

  @Test(.inOneProcess("A ticket is taken by the process that made it."))
  func `T1: a token is told the tools of its commands, and so is its ticket`() throws {
    let tokens = try TokenSample()
    let fields = try tokens.make([.items], kind: "person", more: #","commands":["applyF*"]"#).fields
    let tools = try listed("own", in: tokens.sample, as: fields)
    #expect(tools.names == ["applyFourStarRating-", "applyFiveStarRating-"])
    #expect(try event(of: "own", in: tokens.sample, as: fields).at("data", "tools") == tools)
    let made = try tokens.sample.send(.post, "/sessions/own/tickets", headers: fields)
    let ticket = try #require(try made.value("/ticket")?.word)
    let told = try event("tools=true&ticket=\(ticket)", of: "own", in: tokens.sample)
    #expect(told.at("data", "tools") == tools)
    let own = try event(of: "own", in: tokens.sample, as: tokens.own)
    #expect(own.at("data", "tools")?.items.count == 5)
    let none = try tokens.make([.perform]).fields
    let refused = try tokens.sample.send(
      .get, "/sessions/own/changes?tools=true", headers: none)
    #expect(refused.status == .forbidden)
    #expect(try refused.value("/right") == "items")
  }

  @Test func `T4: rules see who is told`() throws {
    let tokens = try TokenSample()
    let handler = #"{"validate":{"enabled":"sender.actor.kind == 'agent'"},"perform":[]}"#
    let made = try tokens.sample.send(
      .put, "/sessions/own/responders/photoGrid/handlers/copy:", handler, headers: tokens.own)
    try #require(made.status.rawValue < 300, "\(made.text)")
    for kind in ["agent", "person"] {
      let fields = try tokens.make([.items], kind: kind).fields
      let tools = try event(of: "own", in: tokens.sample, as: fields).at("data", "tools")
      #expect(tools == (try listed("own", in: tokens.sample, as: fields)))
      #expect(tools?.names.contains("copy-") == (kind == "agent"))
    }
  }
}

extension JSON {
  /// The names of tools.
  fileprivate var names: [String] { items.compactMap { $0.at("name")?.word } }
}
