import JSONText
import Locks
import MenuEngine
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Calls that wait until the application has done what they delivered.
struct AgentDeliveryTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try Self.declare(in: sample)
  }

  /// Declares a command whose work is the application's.
  private static func declare(in sample: SampleService) throws {
    let declared = try sample.send(
      .put, "/commands/export:", #"{"title":"Export","action":"export:"}"#)
    #expect(declared.status == .created)
    let handler = #"{"perform":[{"op":"deliver","value":"state.selection"}]}"#
    let registered = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/export:", handler)
    #expect(registered.status == .created)
  }

  private enum Failure: Error { case noStream }

  /// Calls the tool, and returns what its answer is streamed by.
  private func call(
    id: Int = 1, token: String? = "7", client: String? = "client", isStateless: Bool = false,
    of other: SampleService? = nil
  ) throws -> AgentReader {
    let progress = token.map { #""progressToken":\#($0)"# }
    let version =
      #""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#
    let meta = [progress, isStateless ? version : nil].compactMap(\.self).joined(separator: ",")
    let body =
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"export-","_meta":{\#(meta)}}}"#
    var headers: Headers = [
      "Content-Type": "application/json",
      "MCP-Protocol-Version": isStateless ? "2026-07-28" : "2025-11-25",
      "Mcp-Method": "tools/call", "Mcp-Name": "export-",
    ]
    if let client { headers.append("Mcp-Session-Id", client) }
    let request = try Request(
      .post, "/sessions/demo/mcp", headers: headers, body: Array(body.utf8))
    let found = Lock<Response?>(nil)
    (other ?? sample).replicas.answer(to: request).whenFulfilled { response in
      found.withLock { $0 = response }
    }
    let response = found.withLock(\.self)
    #expect(response?.headers["content-type"] == "text/event-stream")
    guard let stream = response?.stream else { throw Failure.noStream }
    return AgentReader(stream: stream)
  }

  private func settle(_ word: String, _ body: String, _ id: Int = 1) throws {
    let response = try sample.send(.post, "/sessions/demo/deliveries/\(id)/\(word)", body)
    #expect(response.status == .ok, "\(response.text)")
  }

  private func state(_ id: Int = 1) throws -> JSON? {
    try sample.send(.get, "/sessions/demo/deliveries/\(id)").value("/delivery/state")
  }

  private func progress(_ count: Int, _ message: String, token: String = "7") -> String {
    #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":\#(token),"progress":\#(count),"message":"\#(message)"}}"#
  }

  @Test func `a call tells its progress, and then its result`() throws {
    let reader = try call()
    #expect(reader.messages() == [progress(1, "Waiting for the application.")])
    #expect(reader.messages() == [])
    try settle("claim", #"{"by":"worker"}"#)
    #expect(reader.messages() == [progress(2, "'worker' works on it.")])
    try settle("reply", #"{"claim":1,"result":"Exported."}"#)
    let last = reader.messages()
    #expect(last.first == progress(3, "The application is done."))
    let response = try JSON(parsing: try #require(last.last))
    #expect(last.count == 2)
    #expect(response[JSONPointer(["id"])] == 1)
    #expect(response[JSONPointer(["result", "content", "0", "text"])] == "Exported.")
    #expect(response[JSONPointer(["result", "isError"])] == nil)
    #expect(response[JSONPointer(["result", "structuredContent", "result"])] == "Exported.")
    #expect(reader.read() == nil)
  }

  @Test func `without a token there is the result alone`() throws {
    let reader = try call(token: nil, isStateless: true)
    #expect(reader.messages() == [])
    try settle("claim", "{}")
    #expect(reader.messages() == [])
    try settle("reply", #"{"claim":1,"result":{"content":[]}}"#)
    let response = try JSON(parsing: try #require(reader.messages().last))
    #expect(response[JSONPointer(["result", "content"])] == [])
    #expect(response[JSONPointer(["result", "resultType"])] == "complete")
    #expect(reader.read() == nil)
  }

  @Test(arguments: ["null", "1.5", "true", "{}", "[7]"])
  func `a token that is no string and no integer is none`(token: String) throws {
    let reader = try call(token: token)
    #expect(reader.messages() == [])
    try settle("claim", "{}")
    #expect(reader.messages() == [])
    try settle("reply", #"{"claim":1}"#)
    #expect(reader.messages().count == 1)
  }

  @Test func `a failure is told to the model`() throws {
    let reader = try call(token: #""t""#)
    try settle("claim", "{}")
    try settle(
      "fail", #"{"claim":1,"problem":{"title":"The disk is full","detail":"Free some room."}}"#)
    let response = try JSON(parsing: try #require(reader.messages().last))
    #expect(response[JSONPointer(["result", "isError"])] == true)
    #expect(
      response[JSONPointer(["result", "content", "0", "text"])]
        == "'Export' failed. The disk is full. Free some room.")
  }

  @Test(.inOneProcess("A call is cancelled where it was made."))
  func `a cancellation of its client cancels what is delivered, without an answer`() throws {
    let reader = try call(id: 4)
    _ = reader.messages()
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#
    for headers in [[], [("Mcp-Session-Id", "other")]] {
      #expect(try sample.post(cancel, headers: headers).status == .accepted)
      #expect(try state() == "open")
    }
    let other = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"4"}}"#
    #expect(try sample.post(other, headers: [("Mcp-Session-Id", "client")]).status == .accepted)
    #expect(try state() == "open")
    #expect(try sample.post(cancel, headers: [("Mcp-Session-Id", "client")]).status == .accepted)
    #expect(try state() == "cancelled")
    #expect(reader.read() == nil)
    #expect(try sample.post(cancel, headers: [("Mcp-Session-Id", "client")]).status == .accepted)
  }

  @Test func `a stream that is closed cancels a request of 2026-07-28, and no other`() throws {
    let old = try call()
    _ = old.messages()
    old.stream.close()
    #expect(try state() == "open")
    let new = try call(isStateless: true)
    _ = new.messages()
    new.stream.close()
    #expect(try state(2) == "cancelled")
    #expect(try state() == "open")
    // It was done before its stream was closed.
    let done = try call(isStateless: true)
    try settle("claim", "{}", 3)
    try settle("reply", #"{"claim":1}"#, 3)
    _ = done.messages()
    done.stream.close()
    #expect(try state(3) == "replied")
  }

  @Test func `the call of a session that owes time is streamed later`() throws {
    let other = try SampleService(runLater: { job in
      job()
      return true
    })
    try Self.declare(in: other)
    other.replicas.each { $0.budget.charge("demo", 3_000_000, at: 0) }
    let reader = try call(of: other)
    #expect(reader.messages() == [progress(1, "Waiting for the application.")])
  }

  @Test func `another front end may cancel it, and close the session`() throws {
    let reader = try call()
    #expect(reader.messages() == [progress(1, "Waiting for the application.")])
    try settle("cancel", "")
    let response = try JSON(parsing: try #require(reader.messages().last))
    #expect(response[JSONPointer(["result", "isError"])] == true)
    let second = try call()
    _ = second.messages()
    _ = try sample.send(.delete, "/sessions/demo")
    #expect(second.messages().last?.contains("The session was closed") == true)
    #expect(second.read() == nil)
  }

  @Test func `a quiet call shows that it is alive, and ends when the server stops`() throws {
    let reader = try call()
    _ = reader.messages()
    sample.replicas.each { $0.agents.beat() }
    #expect(reader.read() == ":\n")
    sample.replicas.each { $0.isDraining = true }
    #expect(reader.messages().last?.contains(#""isError":true"#) == true)
    #expect(try state() == "open")
  }
}
