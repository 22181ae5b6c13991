import JSONText
import Locks
import MenuEngine
import MenuStore
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Notifications on event streams and on `subscriptions/listen`.
struct AgentStreamTests {
  let sample: SampleService
  private let clock = AgentClock()

  init() throws {
    sample = try .telling(by: clock)
  }

  private func pass(milliseconds: Int) {
    clock.pass(milliseconds: milliseconds)
  }

  /// Moves focus, by default a second after the change before.
  private func focus(_ responder: String?, after milliseconds: Int = 1000) throws {
    pass(milliseconds: milliseconds)
    let value = responder.map { "\"\($0)\"" } ?? "null"
    let response = try sample.send(
      .put, "/sessions/demo/first-responder", #"{"responder":\#(value)}"#)
    #expect(response.status == .ok)
  }

  private func rate(_ word: String = "Five") throws {
    pass(milliseconds: 1000)
    _ = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","command":"apply\#(word)StarRating:"}"#)
  }

  private func subscribe(_ client: String, _ uri: String, isOn: Bool = true) throws {
    _ = try sample.result(
      of: isOn ? "resources/subscribe" : "resources/unsubscribe", #"{"uri":"\#(uri)"}"#,
      headers: [("Mcp-Session-Id", client)])
  }

  private static let listChanged =
    #"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#

  private static let listsChanged = ["tools", "prompts", "resources"].map {
    #"{"jsonrpc":"2.0","method":"notifications/\#($0)/list_changed"}"#
  }

  private static func updated(_ uri: String) -> String {
    #"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"\#(uri)"}}"#
  }

  /// Returns a text as it is with one service: each of several has an id of its own.
  private static func ofOne(_ text: String?) -> String? {
    text?.replacing(/run1-\d(?=-\d+-)/, with: "run1")
  }

  private static func id(in text: String) -> String? {
    text.split(separator: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  @Test func `list_changed follows the set of tools, and never mere state`() throws {
    let listener = try sample.openStream()
    #expect(listener.headers["x-accel-buffering"] == "no")
    #expect(Self.ofOne(listener.read()) == "retry: 2000\nid: 1.0.0/1/run1-1-1\ndata:\n\n")
    try rate()
    #expect(listener.messages() == [])
    try focus(nil)
    try focus("photoGrid")
    try focus(nil)
    #expect(listener.messages() == [Self.listChanged])
    #expect(listener.messages() == [])
  }

  @Test func `P4: list_changed follows the choices for arguments`() throws {
    try FormRouteTests.prepare(sample)
    let (enabled, all) = (try sample.openStream(), try sample.openStream(query: "?tools=all"))
    _ = (enabled.read(), all.read())
    try FormRouteTests.patch(#"{"zoom":3}"#, sample)
    #expect(enabled.messages() == [])
    try FormRouteTests.patch(#"{"albums":["owls"]}"#, sample)
    #expect(enabled.messages() == [Self.listChanged])
    #expect(all.messages() == [])
  }

  @Test func `the set of tools that is looked at again is no change`() throws {
    let listener = try sample.openStream()
    _ = listener.read()
    try focus(nil)
    try focus("photoGrid")
    #expect(listener.messages() == [])
  }

  @Test func `list_changed follows titles and schemas, and of all tools the catalogue alone`()
    throws
  {
    let (enabled, all) = (try sample.openStream(), try sample.openStream(query: "?tools=all"))
    _ = (enabled.read(), all.read())
    try focus(nil)
    #expect(all.messages() == [])
    #expect(enabled.messages() == [Self.listChanged])
    pass(milliseconds: 1000)
    _ = try sample.send(.put, "/commands/more:", #"{"title":"More","action":"more:"}"#)
    #expect(all.messages() == [Self.listChanged])
    #expect(enabled.messages() == [])
  }

  @Test func `M14: list_changed follows the language, of all tools, too`() throws {
    let (enabled, all) = (try sample.openStream(), try sample.openStream(query: "?tools=all"))
    _ = (enabled.read(), all.read())
    for locale in ["de", "fr"] {
      pass(milliseconds: 1000)
      _ = try sample.send(.put, "/sessions/demo/locale", #"{"locale":"\#(locale)"}"#)
      #expect(all.messages() == [Self.listChanged])
      #expect(enabled.messages() == [Self.listChanged])
    }
    try rate()
    #expect(all.messages() == [])
  }

  @Test func `the title of undo is no change of the list`() throws {
    _ = try sample.send(.put, "/commands/undo:", #"{"title":"Undo","action":"undo:"}"#)
    try rate()
    let listener = try sample.openStream()
    _ = listener.read()
    let before = try sample.result(of: "tools/list")
    for _ in 0..<10 {
      try rate("Four")
      try rate()
      #expect(listener.messages() == [])
    }
    try rate("Four")
    #expect(try sample.result(of: "tools/list") != before)
    #expect(listener.messages() == [])
  }

  @Test func `changes are told at most once in a second, and the last one is never lost`() throws {
    let (listener, all) = (try sample.openStream(), try sample.openStream())
    _ = (listener.read(), all.read())
    var told = 0
    for number in 0...400 {
      try focus(number.isMultiple(of: 2) ? nil : "photoGrid", after: 10)
      told += listener.messages().count
    }
    #expect((4...5).contains(told))
    pass(milliseconds: 1000)
    _ = listener.messages()
    try focus("photoGrid")
    #expect(listener.messages() == [Self.listChanged])
    try focus(nil, after: 999)
    #expect(listener.messages() == [])
    final class Wakes: Sendable { let count = Lock(0) }
    let wakes = Wakes()
    let piece = listener.stream.piece(
      orSuspend: {}, resume: { wakes.count.withLock { $0 += 1 } })
    guard case .waiting = piece else { throw AgentReader.Failure.noStream }
    sample.replicas.each { $0.tickEvents() }
    let count = wakes.count.withLock(\.self)
    #expect(count == 1)
    pass(milliseconds: 1)
    #expect(listener.messages() == [Self.listChanged])
    #expect(all.messages() == [Self.listChanged])
  }

  @Test(.inOneProcess("The stream of a client is known to one process."))
  func `a client that comes back within the second is told the next change when that is over`()
    throws
  {
    let first = try sample.openStream("client")
    _ = first.read()
    try focus(nil)
    let told = try #require(first.read())
    #expect(told.contains(Self.listChanged))
    first.stream.close()
    try focus("photoGrid", after: 10)
    let last: String = try #require(Self.id(in: told))
    let second = try sample.openStream("client", last: last)
    #expect(second.messages() == [])
    let other = try sample.openStream("other", last: last)
    #expect(other.messages() == [Self.listChanged])
    pass(milliseconds: 989)
    #expect(second.messages() == [])
    pass(milliseconds: 1)
    #expect(second.messages() == [Self.listChanged])
  }

  @Test func `what was held back is told before a stream ends`() throws {
    let listener = try sample.openStream()
    _ = listener.read()
    try focus(nil)
    #expect(listener.messages() == [Self.listChanged])
    try focus("photoGrid", after: 1)
    #expect(listener.messages() == [])
    sample.replicas.each { $0.isDraining = true }
    #expect(listener.messages() == [Self.listChanged])
    #expect(listener.read() == nil)
  }

  @Test func `a client of 2025-06-18 gets no event without data`() throws {
    let text = try #require(try sample.openStream(revision: "2025-06-18").read())
    #expect(!text.contains("data"))
    #expect(text.hasPrefix("retry: 2000\nid: "))
  }

  @Test(.inOneProcess("What a client subscribes to, and its stream, are known to one process."))
  func `resources are told to those who subscribe to them`() throws {
    let uri = "menud://sessions/demo"
    let listener = try sample.openStream("client")
    _ = listener.read()
    try rate()
    #expect(listener.messages() == [])
    try subscribe("client", uri)
    try subscribe("client", uri + "/menu")
    _ = listener.read()
    try rate()
    try rate("Four")
    #expect(listener.messages() == [Self.updated(uri), Self.updated(uri + "/menu")])
    try subscribe("client", uri, isOn: false)
    try rate()
    #expect(listener.messages() == [Self.updated(uri + "/menu")])
    let other = try sample.openStream("other")
    _ = other.read()
    try rate()
    #expect(other.messages() == [])
  }

  @Test func `diagnostics are told when they change`() throws {
    try subscribe("client", "menud://sessions/demo/diagnostics")
    let listener = try sample.openStream("client")
    _ = listener.read()
    try rate()
    #expect(listener.messages() == [])
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/paste:",
      #"{"validate":{"enabled":"state.nothing.at.all"}}"#)
    _ = listener.messages()
    try rate()
    #expect(listener.messages() == [])
  }

  @Test(.inOneProcess("What a client subscribes to, and its stream, are known to one process."))
  func `a stream that breaks goes on where it was`() throws {
    let uri = "menud://sessions/demo"
    try subscribe("client", uri)
    let first = try sample.openStream("client")
    let text = try #require(first.read())
    let id: String = try #require(Self.id(in: text))
    let unchanged = try sample.openStream("client", last: id)
    #expect(unchanged.messages() == [])
    try rate()
    let state = try sample.openStream("client", last: id)
    #expect(state.messages() == [Self.updated(uri)])
    try focus(nil)
    let both = try sample.openStream("client", last: id)
    #expect(both.messages() == [Self.listChanged, Self.updated(uri)])
    // The id of the last one tells all.
    try focus("photoGrid")
    try focus(nil)
    let told = try #require(try sample.openStream("client", last: id).read())
    let last: String = try #require(Self.id(in: told))
    let later = try sample.openStream("client", last: last)
    #expect(later.messages() == [])
  }

  @Test
  func `an id of another run tells what was subscribed to, and that anything may have changed`()
    throws
  {
    let uri = "menud://sessions/demo"
    let listener = try sample.openStream("client", last: "zz.0.0/3/run0-1-1")
    #expect(listener.messages() == Self.listsChanged + [Self.updated(uri)])
    try rate()
    #expect(listener.messages() == [Self.updated(uri)])
    for id in ["nonsense", "1/2", "a.b.c/1/1", ""] {
      pass(milliseconds: 1000)
      #expect(try sample.openStream("another", last: id).messages() == Self.listsChanged, "\(id)")
    }
  }

  @Test(.inOneProcess("What a client subscribes to, and its stream, are known to one process."))
  func `ids are of one stream, and a client has one stream`() throws {
    let first = try sample.openStream("client")
    let second = try sample.openStream("client")
    let other = try sample.openStream("other")
    let ids = [first, second, other].map { Self.id(in: $0.read() ?? "") }
    #expect(Set(ids.compactMap(\.self)).count == 3)
    #expect(first.read() == nil)
    try focus(nil)
    #expect(second.messages() == [Self.listChanged])
    #expect(other.messages() == [Self.listChanged])
  }

  @Test func `a quiet stream shows that it is alive, and the id that moved`() throws {
    let listener = try sample.openStream()
    _ = listener.read()
    sample.replicas.each { $0.agents.beat() }
    #expect(listener.read() == ":\n")
    try rate()
    #expect(listener.read() == "")
    sample.replicas.each { $0.agents.beat() }
    #expect(Self.ofOne(listener.read()) == "id: 1.0.1/1/run1-1-2\n\n")
  }

  // MARK: subscriptions/listen

  @Test func `a subscription is acknowledged first, and each message is tagged`() throws {
    let uri = "menud://sessions/demo/menu"
    let listener = try sample.openSubscription(
      #"{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["\#(uri)","x:y",7]}"#
    )
    let tag = #""_meta":{"io.modelcontextprotocol/subscriptionId":"l"}"#
    #expect(
      listener.read()
        == #"event: message\#ndata: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{\#(tag),"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["\#(uri)"]}}}\#n\#n"#
    )
    try focus(nil)
    #expect(
      listener.messages() == [
        #"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{\#(tag)}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{\#(tag),"uri":"\#(uri)"}}"#,
      ])
    sample.replicas.each { $0.agents.beat() }
    #expect(listener.read() == ":\n")
  }

  @Test func `nothing is told that was not asked for`() throws {
    for filter in ["{}", #"{"toolsListChanged":false}"#, #"{"resourceSubscriptions":[]}"#] {
      let listener = try sample.openSubscription(filter)
      #expect(listener.messages().first?.contains(#""notifications":{}"#) == true)
      try focus(nil)
      try focus("photoGrid")
      try rate()
      #expect(listener.messages() == [], "\(filter)")
    }
    let document = try sample.openSubscription(
      #"{"resourceSubscriptions":["menud://sessions/demo"]}"#)
    _ = document.read()
    try focus(nil)
    #expect(document.messages().count == 1)
  }

  @Test func `a filter that is none is refused`() throws {
    for filter in ["", #","notifications":7"#, #","notifications":{"resourceSubscriptions":7}"#] {
      let response = try sample.stateless("subscriptions/listen", filter)
      #expect(response.status == .badRequest)
      #expect(try response.errorCode == -32602)
    }
    let response = try sample.stateless(
      "subscriptions/listen", #","notifications":{}"#, to: "/mcp")
    #expect(response.status == .notFound)
  }

  @Test func `the end of the session or the server ends streams, a request by its result`() throws {
    let result =
      #"{"jsonrpc":"2.0","id":"l","result":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l","io.modelcontextprotocol/serverInfo":{"name":"menud","title":"menud","version":"0"}},"resultType":"complete"}}"#
    var listeners = [try sample.openStream(), try sample.openSubscription("{}")]
    for listener in listeners { _ = listener.read() }
    _ = try sample.send(.delete, "/sessions/demo")
    #expect(listeners[0].read() == nil)
    #expect(listeners[1].messages() == [result])
    #expect(listeners[1].read() == nil)
    _ = try sample.send(.post, "/sessions", #"{"id":"demo"}"#)
    listeners = [try sample.openStream(), try sample.openSubscription("{}")]
    for listener in listeners { _ = listener.read() }
    sample.replicas.each { $0.isDraining = true }
    #expect(listeners[0].read() == nil)
    #expect(listeners[1].messages() == [result])
    // One of several leaves it to another one.
    if Replicas.count == 1 {
      #expect(try sample.openSubscription("{}").messages().last == result)
    }
  }

  @Test func `a stream that is closed leaves nothing behind`() throws {
    let listener = try sample.openStream("client")
    listener.stream.close()
    try focus(nil)
    #expect(listener.read() == nil)
    for _ in 0..<3 { sample.replicas.each { $0.forgetIdle() } }
    let again = try sample.openStream("client")
    #expect(again.messages() == [])
  }
}
