import JSONText
import MenuAPI
import MicroHTTP

/// The present answers of a service, each asked for once by all mirrors that are compared with them.
final class PresentAnswers {
  private let service: Service
  /// The bodies and their parts, by the question.
  private var bodies: [Question: [UInt8]] = [:]
  private var parts: [Question: [String: [UInt8]]] = [:]

  private struct Question: Hashable {
    var target: String
    var body: String?
  }

  /// The answers of that service.
  init(of service: Service) { self.service = service }

  /// Forgets all answers, which a request to the service may have changed.
  func forget() { (bodies, parts) = ([:], [:]) }

  /// Returns the body of an answer.
  func bytes(
    of method: MicroHTTP.Method, _ target: String, _ body: String? = nil
  ) throws -> [UInt8] {
    let question = Question(target: target, body: body)
    if let known = bodies[question] { return known }
    let headers: Headers = body == nil ? [:] : ["Content-Type": "application/json"]
    let request = try Request(method, target, headers: headers, body: Array((body ?? "").utf8))
    let answer = service.respond(to: request).body
    bodies[question] = answer
    return answer
  }

  /// Returns the members of an answer, by their names.
  func members(of method: MicroHTTP.Method, _ target: String) throws -> [String: [UInt8]] {
    try parts(of: method, target, nil) { answer in
      (answer.object?.members ?? []).map { ($0.name, $0.value) }
    }
  }

  /// Returns the tools that agents list; null if they take too much.
  func tools() throws -> [UInt8] {
    let question = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    let answer = try parts(of: .post, "/sessions/s/mcp?tools=enabled", question) { answer in
      [("tools", answer["result"]?["tools"] ?? .null)]
    }
    return answer["tools"] ?? []
  }

  /// Returns the items of an answer, by their commands.
  func items(
    of method: MicroHTTP.Method, _ target: String, _ body: String
  ) throws -> [String: [UInt8]] {
    try parts(of: method, target, body) { answer in
      (answer["items"]?.items ?? []).map { ($0["command"]?.word ?? "", $0) }
    }
  }

  private func parts(
    of method: MicroHTTP.Method, _ target: String, _ body: String?,
    named: (JSON) -> [(String, JSON)]
  ) throws -> [String: [UInt8]] {
    let question = Question(target: target, body: body)
    if let known = parts[question] { return known }
    let answer = try JSON(parsing: bytes(of: method, target, body))
    let found = Dictionary(named(answer).map { ($0, $1.bytes) }) { first, _ in first }
    parts[question] = found
    return found
  }
}
