import JSONText
import MenuEngine
import MenuStore
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Notifications about the resources and prompts of an application.
@Suite(.ofOneService) struct AgentContentsStreamTests {
  private let sample: SampleService
  private let clock = AgentClock()

  init() throws {
    sample = try .telling(by: clock)
    try AgentContentsTests.deploy(try AgentContentsTests.catalog(), to: sample)
  }

  private func pass(milliseconds: Int = 1000) {
    clock.pass(milliseconds: milliseconds)
  }

  private func subscribe(_ uri: String, isOn: Bool = true) throws -> Response {
    try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"resources/\#(isOn ? "subscribe" : "unsubscribe")","params":{"uri":"\#(uri)"}}"#,
      headers: [("Mcp-Session-Id", "c")])
  }

  private func set(_ path: String, _ value: String) throws {
    pass()
    let response = try sample.send(
      .patch, "/sessions/demo/state", #"[{"op":"replace","path":"\#(path)","value":\#(value)}]"#,
      type: "application/json-patch+json")
    #expect(response.status == .ok)
  }

  private func deploy(_ resources: String? = nil, _ prompts: String? = nil) throws {
    pass()
    let catalog = try AgentContentsTests.catalog(
      resources: resources ?? AgentContentsTests.resources,
      prompts: prompts ?? AgentContentsTests.prompts)
    try sample.replicas.commit { try $0.changeCatalog(by: .replace(catalog)) }
  }

  private static func updated(_ uri: String) -> String {
    #"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"\#(uri)"}}"#
  }

  private static func changed(_ list: String) -> String {
    #"{"jsonrpc":"2.0","method":"notifications/\#(list)/list_changed"}"#
  }

  @Test func `a subscriber hears when what the rule answers differs`() throws {
    for uri in ["app:count", "app:row/1"] {
      #expect(try subscribe(uri).value("/result") == [:])
    }
    let reader = try sample.openStream("c")
    _ = reader.read()
    try set("/rows/0", #""z""#)
    #expect(reader.messages() == [])
    try set("/count", "1")
    #expect(reader.messages() == [Self.updated("app:count")])
    try set("/rows/1", #""z""#)
    #expect(reader.messages() == [Self.updated("app:row/1")])
    _ = try subscribe("app:count", isOn: false)
    try set("/count", "2")
    #expect(reader.messages() == [])
  }

  @Test func `changes are told at most once a second, and the last one is never lost`() throws {
    _ = try subscribe("app:count")
    let reader = try sample.openStream("c")
    _ = reader.read()
    try set("/count", "1")
    #expect(reader.messages() == [Self.updated("app:count")])
    for count in 2...4 {
      _ = try sample.send(
        .patch, "/sessions/demo/state", #"[{"op":"replace","path":"/count","value":\#(count)}]"#,
        type: "application/json-patch+json")
      #expect(reader.messages() == [])
    }
    pass()
    #expect(reader.messages() == [Self.updated("app:count")])
  }

  @Test func `a client that resumes hears what changed meanwhile`() throws {
    _ = try subscribe("app:count")
    let reader = try sample.openStream("c")
    let id = try #require(
      reader.read()?.split(separator: "\n").last { $0.hasPrefix("id: ") }?.dropFirst(4))
    try set("/count", "1")
    // Another name: the id says what it subscribes to.
    let resumed = try sample.openStream("d", last: String(id))
    #expect(resumed.messages() == [Self.updated("app:count")])
    let again = try sample.openStream("e", last: String(id) + "/x")
    #expect(again.messages() == [])
  }

  @Test func `a fixed text changes with a deployment`() throws {
    _ = try subscribe("app:about")
    let reader = try sample.openStream("c")
    _ = reader.read()
    try deploy(AgentContentsTests.resources.replacing("An app.", with: "Another app."))
    #expect(reader.messages() == [Self.updated("app:about")])
  }

  @Test func `lists change with a deployment, and never with state`() throws {
    let reader = try sample.openStream("c")
    let modern = try sample.openSubscription(
      #"{"promptsListChanged":true,"resourcesListChanged":true}"#)
    let acknowledged = try #require(modern.messages().first)
    #expect(
      acknowledged.contains(
        #""notifications":{"promptsListChanged":true,"resourcesListChanged":true}"#))
    _ = reader.read()
    try set("/count", "1")
    #expect(reader.messages() == [])
    try deploy(nil, #"{"bye":{"messages":[{"role":"user","text":"Bye."}]}}"#)
    #expect(reader.messages() == [Self.changed("prompts")])
    try deploy("{}", #"{"bye":{"messages":[{"role":"user","text":"Bye."}]}}"#)
    #expect(reader.messages() == [Self.changed("resources")])
    let told = modern.messages()
    #expect(told.count == 2)
    #expect(told.first?.contains("notifications/prompts/list_changed") == true)
    #expect(told.last?.contains("notifications/resources/list_changed") == true)
  }

  @Test func `subscriptions of a request are acknowledged and tagged`() throws {
    let reader = try sample.openSubscription(
      #"{"resourceSubscriptions":["app:count","app:none","menud://sessions/demo"]}"#)
    #expect(
      reader.messages().first?.contains(
        #""notifications":{"resourceSubscriptions":["menud://sessions/demo","app:count"]}"#) == true
    )
    try set("/count", "1")
    let told = reader.messages()
    #expect(told.count == 2)
    #expect(told.last?.contains(#""uri":"app:count""#) == true)
    #expect(told.allSatisfy { $0.contains(#""io.modelcontextprotocol/subscriptionId":"l""#) })
  }

  @Test func `a client subscribes to a bounded number`() throws {
    for number in 0..<32 { #expect(try subscribe("app:echo/\(number)").errorCode == nil) }
    #expect(try subscribe("app:echo/32").errorCode == -32602)
    #expect(try subscribe("app:echo/0", isOn: false).errorCode == nil)
    #expect(try subscribe("app:echo/32").errorCode == nil)
    let many = (0..<33).map { "\"app:echo/\($0)\"" }.joined(separator: ",")
    #expect(
      try sample.stateless(
        "subscriptions/listen", #","notifications":{"resourceSubscriptions":[\#(many)]}"#
      ).errorCode == -32602)
  }

  @Test func `a request names a bounded number of resources`() throws {
    let uris = Array(repeating: #""menud://sessions/demo""#, count: 37).joined(separator: ",")
    #expect(
      try sample.stateless(
        "subscriptions/listen", #","notifications":{"resourceSubscriptions":[\#(uris)]}"#
      ).errorCode == -32602)
  }

  @Test func `of more resources than a session tracks, the tracked ones are told exactly`() throws {
    let readers = try (0..<9).map { client in
      let uris = (0..<32).map { #""app:echo/\#(client)-\#($0)""# }.joined(separator: ",")
      return try sample.openSubscription(#"{"resourceSubscriptions":[\#(uris)]}"#)
    }
    for _ in 0..<2 { for reader in readers { _ = reader.read() } }
    try set("/rows/0", #""z""#)
    for reader in readers.prefix(8) { #expect(reader.messages() == []) }
    #expect(readers[8].messages().count == 32)
    readers[0].stream.close()
  }

  @Test(arguments: [
    "app:echo/a b", "app:echo/é", "app:echo/" + String(repeating: "a", count: 4096),
  ])
  func `what is no URI, or a long one, is no resource`(uri: String) throws {
    #expect(try subscribe(uri).errorCode == -32002)
    let read = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"\#(uri)"}}"#)
    #expect(try read.errorCode == -32002)
  }

  @Test func `a resource that is gone is left`() throws {
    _ = try subscribe("app:count")
    try deploy("{}", "{}")
    #expect(try subscribe("app:count").errorCode == -32002)
    #expect(try subscribe("app:count", isOn: false).errorCode == nil)
  }
}
