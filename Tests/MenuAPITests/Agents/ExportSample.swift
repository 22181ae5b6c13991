import JSONText
import Locks
import MenuEngine
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// A session with a command whose work is the application's.
struct ExportSample {
  let sample: SampleService

  init(nanoseconds: @escaping @Sendable () -> Int = { 0 }) throws {
    sample = try SampleService(nanoseconds: nanoseconds)
    try Self.declare(in: sample)
  }

  /// Declares a command whose work is the application's.
  static func declare(in sample: SampleService) throws {
    let declared = try sample.send(
      .put, "/commands/export:", #"{"title":"Export","action":"export:"}"#)
    #expect(declared.status == .created)
    let handler = #"{"perform":[{"op":"deliver","value":"state.selection"}]}"#
    let registered = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/export:", handler)
    #expect(registered.status == .created)
  }

  /// The first message of progress of a delivery.
  static func waiting(for delivery: Int = 1) -> String {
    "Waiting for the application: 'menud://sessions/demo/deliveries/\(delivery)'."
  }

  private enum Failure: Error { case noStream }

  /// Calls the tool, and returns what its answer is streamed by.
  func call(
    id: Int = 1, token: String? = "7", client: String? = "client", isStateless: Bool = false,
    revision: String = "2025-11-25", key: String? = nil, of other: SampleService? = nil
  ) throws -> AgentReader {
    let request = try request(
      id: id, token: token, client: client, isStateless: isStateless, revision: revision, key: key)
    let found = Lock<Response?>(nil)
    (other ?? sample).replicas.answer(to: request).whenMade { response in
      found.withLock { $0 = response }
    }
    let response = found.withLock(\.self)
    #expect(response?.headers["content-type"] == "text/event-stream")
    guard let stream = response?.stream else { throw Failure.noStream }
    return AgentReader(stream: stream)
  }

  /// The call of the tool.
  func request(
    id: Int = 1, token: String? = "7", client: String? = "client", isStateless: Bool = false,
    revision: String = "2025-11-25", key: String? = nil
  ) throws -> Request {
    let progress = token.map { #""progressToken":\#($0)"# }
    let version =
      #""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#
    let meta = [progress, isStateless ? version : nil].compactMap(\.self).joined(separator: ",")
    let body =
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"export-","_meta":{\#(meta)}}}"#
    var headers: Headers = [
      "Content-Type": "application/json",
      "MCP-Protocol-Version": isStateless ? "2026-07-28" : revision,
      "Mcp-Method": "tools/call", "Mcp-Name": "export-",
    ]
    if let key { headers.append("Idempotency-Key", key) }
    if let client { headers.append("Mcp-Session-Id", client) }
    return try Request(.post, "/sessions/demo/mcp", headers: headers, body: Array(body.utf8))
  }

  func settle(_ word: String, _ body: String, _ id: Int = 1) throws {
    let response = try sample.send(.post, "/sessions/demo/deliveries/\(id)/\(word)", body)
    #expect(response.status == .ok, "\(response.text)")
  }

  func state(_ id: Int = 1) throws -> JSON? {
    try sample.send(.get, "/sessions/demo/deliveries/\(id)").value("/delivery/state")
  }

  func progress(_ count: Int, _ message: String, token: String = "7") -> String {
    #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":\#(token),"progress":\#(count),"message":"\#(message)"}}"#
  }
}
