@testable import MicroHTTP

/// A client that reads all that it is sent.
struct AgentReader {
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
