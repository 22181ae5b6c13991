/// A request as it is sent again and again.
///
/// A placeholder in its path or body is as long as what replaces it, but for a connection's number.
package struct Request: Sendable {
  /// Stands for the number of the connection, beginning with 1.
  package static let connectionPlaceholder = "CONNECTION"

  /// Stands for how often the connection sent all its requests, in four digits, counted from 0 again and again
  /// up to `turns`.
  package static let turnPlaceholder = "TURN"

  /// Stands for twelve digits that no other turn of the connection has, in this measurement or another one.
  package static let uniquePlaceholder = "UNIQUENUMBER"

  /// The number of turns that are told apart.
  package static let turns = 1000

  /// The digits that stand for a turn.
  package static func digits(ofTurn number: Int) -> String {
    let digits = "\(number % turns)"
    return String(repeating: "0", count: turnPlaceholder.count - digits.count) + digits
  }

  package let method: String
  package let path: String
  package let headers: [(name: String, value: String)]
  package let body: String?

  package static func get(_ path: String) -> Request {
    Request(method: "GET", path: path)
  }

  package static func delete(_ path: String) -> Request {
    Request(method: "DELETE", path: path)
  }

  package static func post(_ path: String, _ json: String) -> Request {
    Request("POST", path, json)
  }

  /// Changes the state of a session.
  package static func merge(_ json: String, into session: String) -> Request {
    Request("PATCH", "/sessions/\(session)/state", json, as: "application/merge-patch+json")
  }

  package init(
    _ method: String, _ path: String, _ json: String, as type: String = "application/json"
  ) {
    self.init(method: method, path: path, headers: [("Content-Type", type)], body: json)
  }

  private init(
    method: String, path: String, headers: [(name: String, value: String)] = [],
    body: String? = nil
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }

  package func adding(_ name: String, _ value: String) -> Request {
    Request(method: method, path: path, headers: headers + [(name, value)], body: body)
  }

  package func moved(to path: String) -> Request {
    Request(method: method, path: path, headers: headers, body: body)
  }

  /// The bytes of the request, as the first connection sends it in its first turn.
  package var bytes: [UInt8] { bytes(turn: 0) }

  /// The bytes of the request, as the first connection sends it in one of its turns.
  package func bytes(turn: Int) -> [UInt8] {
    func own(_ text: String) -> String { Self.fill(text, turn: turn) }
    var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if let body { head += "Content-Length: \(own(body).utf8.count)\r\n" }
    return Array((own(head) + "\r\n" + own(body ?? "")).utf8)
  }

  private static func fill(_ text: String, turn: Int) -> String {
    let unique = "\(turn)"
    let zeros = String(repeating: "0", count: uniquePlaceholder.count - unique.count)
    let values = [
      (connectionPlaceholder, "1"), (turnPlaceholder, digits(ofTurn: turn)),
      (uniquePlaceholder, zeros + unique),
    ]
    return values.reduce(text) { text, value in
      text.split(separator: value.0, omittingEmptySubsequences: false).joined(separator: value.1)
    }
  }
}

/// The parts of an answer that measurements need.
package struct Answer: Sendable {
  package let status: Int
  package let entityTag: String
  package let body: [UInt8]

  package var text: String { String(decoding: body, as: UTF8.self) }
}

/// An answer that is not as it must be.
package struct UnexpectedAnswer: Error, CustomStringConvertible {
  package let request: Request
  package let answer: Answer?

  package init(_ request: Request, _ answer: Answer?) {
    self.request = request
    self.answer = answer
  }

  package var description: String {
    let what = answer.map { "\($0.status): \($0.text.prefix(500))" } ?? "not at all"
    return "\(request.method) \(request.path) \(request.body ?? "") was answered \(what)"
  }
}
