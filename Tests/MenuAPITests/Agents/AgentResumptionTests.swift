import JSONText
import MenuStore
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Calls whose streams break, and go on as others.
@Suite(.inOneProcess("A call goes on where it was made."))
struct AgentResumptionTests {
  let export: ExportSample

  init() throws { export = try ExportSample() }

  /// Opens the event stream of a client after an event.
  private func response(
    after event: String, client: String? = "client", revision: String = "2025-11-25"
  ) throws -> Response? {
    var headers: Headers = ["MCP-Protocol-Version": revision, "Last-Event-ID": event]
    if let client { headers.append("Mcp-Session-Id", client) }
    let request = try Request(.get, "/sessions/demo/mcp", headers: headers)
    guard case .response(let response) = export.sample.service.answer(to: request),
      response.stream != nil
    else { return nil }
    return response
  }

  private func resume(after event: String, revision: String = "2025-11-25") throws -> AgentReader {
    let response = try #require(try response(after: event, revision: revision))
    #expect(response.headers["content-type"] == "text/event-stream")
    return AgentReader(stream: try #require(response.stream))
  }

  /// The ids in a text.
  private func ids(in text: String?) -> [String] {
    (text ?? "").split(separator: "\n").filter { $0.hasPrefix("id: ") }.map {
      String($0.dropFirst(4))
    }
  }

  private func result(of reader: AgentReader) throws -> JSON? {
    let messages = reader.messages()
    #expect(messages.count == 1)
    return try JSON(parsing: try #require(messages.last))[JSONPointer(["result"])]
  }

  @Test func `the stream of a handshake's client begins with an id, and each event has one`() throws
  {
    let text = try #require(try export.call().read())
    let ids = ids(in: text)
    #expect(ids.count == 2)
    #expect(Set(ids).count == 2)
    #expect(
      text
        == "retry: 2000\nid: \(ids[0])\ndata:\n\nid: \(ids[1])\nevent: message\ndata: "
        + export.progress(1, ExportSample.waiting()) + "\n\n")
    let other = try #require(try export.call(client: "other").read())
    #expect(Set(ids + self.ids(in: other)).count == 4)
  }

  @Test func `a client of 2025-06-18 gets no event without data`() throws {
    let text = try #require(try export.call(token: nil, revision: "2025-06-18").read())
    #expect(text == "retry: 2000\nid: \(ids(in: text)[0])\n\n")
  }

  @Test func `since 2026-07-28 there are no ids`() throws {
    let text = try #require(try export.call(isStateless: true).read())
    #expect(text.hasPrefix("event: message\ndata: "))
    #expect(ids(in: text) == [])
  }

  @Test(arguments: ["2025-06-18", "2025-11-25"])
  func `a call goes on where its stream broke`(revision: String) throws {
    let first = try export.call(revision: revision)
    let id = try #require(ids(in: first.read()).last)
    first.stream.close()
    try export.settle("claim", #"{"by":"worker"}"#)
    let second = try resume(after: id, revision: revision)
    let text = try #require(second.read())
    #expect(text.hasPrefix("retry: 2000\nid: "))
    #expect(text.contains(export.progress(2, "'worker' works on it.")))
    #expect(!text.contains(export.progress(1, ExportSample.waiting())))
    #expect(!ids(in: text).contains(id))
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    let last = second.messages()
    #expect(last.first == export.progress(3, "The application is done."))
    let response = try JSON(parsing: try #require(last.last))
    #expect(response[JSONPointer(["id"])] == 1)
    #expect(response[JSONPointer(["result", "content", "0", "text"])] == "Exported.")
    #expect(second.read() == nil)
  }

  @Test func `a result that was lost is sent again, and the newest progress`() throws {
    let first = try export.call()
    let opening = try #require(ids(in: first.read()).first)
    try export.settle("claim", "{}")
    _ = first.read()
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    let told = ids(in: first.read())
    #expect(first.read() == nil)
    first.stream.close()
    let all = try resume(after: opening).messages()
    #expect(all.count == 2)
    // It is the first one that the client gets for sure.
    #expect(
      all.first
        == export.progress(
          3, "The application is done: 'menud://sessions/demo/deliveries/1'."))
    let rest = try resume(after: told[0])
    #expect(try result(of: rest)?[JSONPointer(["content", "0", "text"])] == "Exported.")
    #expect(rest.read() == nil)
  }

  @Test func `the first progress that a client gets names the resource, also after a stream broke`()
    throws
  {
    let first = try export.call()
    let ids = ids(in: first.read())
    try export.settle("claim", #"{"by":"worker"}"#)
    _ = first.read()
    first.stream.close()
    // It knows the beginning of the stream alone.
    let second = try resume(after: ids[0])
    let uri = "'menud://sessions/demo/deliveries/1'"
    #expect(second.messages() == [export.progress(2, "'worker' works on it: \(uri).")])
    try export.settle("reply", #"{"claim":1}"#)
    #expect(second.messages().first == export.progress(3, "The application is done."))
  }

  @Test func `a new stream ends the one before`() throws {
    let first = try export.call()
    let id = try #require(ids(in: first.read()).last)
    let second = try resume(after: id)
    #expect(first.read() == nil)
    #expect(second.messages() == [])
    first.stream.close()
    try export.settle("claim", "{}")
    #expect(second.messages() == [export.progress(2, "The application works on it.")])
  }

  @Test func `a call that is resumed shows that it is alive, and ends when the server stops`()
    throws
  {
    let first = try export.call()
    let id = try #require(ids(in: first.read()).last)
    first.stream.close()
    let second = try resume(after: id)
    _ = second.read()
    export.sample.service.agents.beat()
    #expect(second.read() == ":\n")
    export.sample.service.isDraining = true
    #expect(try result(of: second)?[JSONPointer(["isError"])] == true)
    #expect(second.read() == nil)
  }

  @Test func `a call without a stream is cancelled by its client`() throws {
    let first = try export.call(id: 4)
    let id = try #require(ids(in: first.read()).last)
    first.stream.close()
    #expect(try export.state() == "open")
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#
    _ = try export.sample.post(cancel, headers: [("Mcp-Session-Id", "client")])
    #expect(try export.state() == "cancelled")
    #expect(try response(after: id) == nil)
  }

  @Test func `calls of others and forgotten ones are not resumed`() throws {
    let first = try export.call()
    let id = try #require(ids(in: first.read()).last)
    for client in ["other", nil] { #expect(try response(after: id, client: client) == nil) }
    let refused = try export.sample.send(
      .get, "/sessions/demo/mcp", headers: [("Last-Event-ID", "call/none/1/2")])
    #expect(refused.status == .badRequest)
    #expect(
      try refused.value("/detail")
        == "The call that 'Last-Event-ID' names is not known any more. What it handed to the application goes on, and can be asked for."
    )
    for _ in 0..<9 { export.sample.service.forgetIdle() }
    first.stream.close()
    for _ in 0..<5 { export.sample.service.forgetIdle() }
    let again = try resume(after: id)
    again.stream.close()
    for _ in 0..<6 { export.sample.service.forgetIdle() }
    #expect(try response(after: id) == nil)
    #expect(export.sample.service.agents.calls.count == 0)
    #expect(try export.state() == "open")
  }

  @Test func `a call whose result is not kept any more says so`() throws {
    let first = try export.call()
    let id = try #require(ids(in: first.read()).last)
    first.stream.close()
    try export.settle("claim", "{}")
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    #expect(export.sample.service.store.tendDeliveries(at: 0, settledBefore: .max) == nil)
    let second = try resume(after: id)
    #expect(try result(of: second)?[JSONPointer(["isError"])] == true)
    #expect(second.read() == nil)
  }

  @Test func `the calls whose streams closed first are evicted`() throws {
    let readers = try (0..<300).map { try export.call(id: $0, token: nil) }
    let last = readers.map { ids(in: $0.read()).last ?? "" }
    for reader in readers.dropFirst() { reader.stream.close() }
    #expect(export.sample.service.agents.calls.count == 257)
    #expect(try response(after: last[1]) == nil)
    for id in [last[0], last[299]] { #expect(try response(after: id) != nil) }
  }

  @Test(arguments: ["", "call/a/1", "call/a/x/1", "call/a/1/x", "work/a/1/2", "call/a/1/2/3"])
  func `what is no id of a call is none`(text: String) {
    #expect(AgentCallEventID(text) == nil)
  }
}
