import Locks
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// A client that reads all that it is sent.
struct AgentReader {
  enum Failure: Error { case noStream }

  let stream: ResponseStream
  var headers = Headers()

  /// The text since the last time; nil once the stream is over.
  func read() -> String? {
    var bytes: [UInt8] = []
    while true {
      switch stream.piece(orSuspend: {}, resume: {}) {
      case .bytes(let more): bytes += more
      case .parts(let parts): bytes += parts.joined()
      case .waiting: return String(decoding: bytes, as: UTF8.self)
      case .end: return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// The messages since the last time.
  func messages() -> [String] {
    (read() ?? "").split(separator: "\n").filter { $0.hasPrefix("data: ") }.map {
      String($0.dropFirst(6))
    }
  }
}

/// A steady clock that tests set.
final class AgentClock: Sendable {
  private let nanoseconds = Lock(0)

  var now: Int { nanoseconds.withLock(\.self) }

  func pass(milliseconds: Int) { nanoseconds.withLock { $0 += milliseconds * 1_000_000 } }
}

extension SampleService {
  /// Creates a service on whose streams nothing is told but what changes: what else a client hears that begins to listen
  /// is in `ListedToolTests`.
  static func telling(by clock: AgentClock) throws -> SampleService {
    var limits = ServiceLimits()
    limits.agentTools = .enabled
    return try SampleService(limits: limits, nanoseconds: { clock.now })
  }

  /// Sends a request that is answered by a stream.
  func listener(to request: Request) throws -> AgentReader {
    guard case .response(let response) = replicas.answer(to: request),
      let stream = response.stream
    else { throw AgentReader.Failure.noStream }
    #expect(response.status == .ok)
    #expect(response.headers["content-type"] == "text/event-stream")
    return AgentReader(stream: stream, headers: response.headers)
  }

  /// Opens the event stream of a client.
  func openStream(
    _ client: String? = nil, query: String = "", revision: String = "2025-11-25",
    last: String? = nil
  ) throws -> AgentReader {
    var headers: Headers = ["MCP-Protocol-Version": revision]
    if let client { headers.append("Mcp-Session-Id", client) }
    if let last { headers.append("Last-Event-ID", last) }
    return try listener(to: Request(.get, "/sessions/demo/mcp" + query, headers: headers))
  }

  /// Sends `subscriptions/listen`.
  func openSubscription(_ filter: String) throws -> AgentReader {
    let body =
      #"{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{\#(Self.meta),"notifications":\#(filter)}}"#
    let headers: Headers = [
      "Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "subscriptions/listen",
    ]
    return try listener(
      to: Request(.post, "/sessions/demo/mcp", headers: headers, body: Array(body.utf8)))
  }
}
