import MicroHTTP

extension Server {
  /// A server on a free port whose answers repeat the request.
  static func echo(
    _ adjust: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> Server {
    try start(adjust) { Response(headers: ["Content-Type": "text/plain"], body: $0.summary) }
  }

  /// A server on a free port with that handler.
  static func start(
    _ adjust: (inout ServerConfiguration) -> Void = { _ in },
    handler: @escaping @Sendable (Request) -> Response
  ) throws -> Server {
    try answering(adjust) { .response(handler($0)) }
  }

  /// A server on a free port with that handler, which may promise responses. It waits for minutes unless adjusted,
  /// since a busy machine may not give the tests a turn for seconds.
  static func answering(
    _ adjust: (inout ServerConfiguration) -> Void = { _ in },
    handler: @escaping @Sendable (Request) -> EventualResponse,
    isUrgent: @escaping @Sendable (Request) -> Bool = { _ in false }
  ) throws -> Server {
    var configuration = ServerConfiguration()
    configuration.port = 0
    let patience = Duration.seconds(120)
    (configuration.headerTimeout, configuration.bodyTimeout) = (patience, patience)
    (configuration.idleTimeout, configuration.answerTimeout) = (patience, patience)
    adjust(&configuration)
    return try Server(configuration, handler: handler, isUrgent: isUrgent)
  }

  /// Returns the answer to one message on a connection of its own, up to its end.
  func answer(to message: String) throws -> String {
    let client = try RawClient(port: port)
    client.send(message)
    return try client.readToEnd()
  }

  /// Returns true once no request is in flight; false after two minutes.
  func becomesQuiet() -> Bool {
    eventually { self.requestsInFlight == 0 }
  }
}

extension Request {
  /// Method, segments, query and body, as in `GET [a|b] x=1 (body)`.
  fileprivate var summary: [UInt8] {
    let query = query.items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let path = segments.joined(separator: "|")
    let text = "\(method.rawValue) [\(path)] \(query) (\(String(decoding: body, as: UTF8.self)))"
    return Array(text.utf8)
  }
}

/// The response of an echo server with that body, whole.
func ok(_ body: String, closing: Bool = false) -> String {
  let connection = closing ? "Connection: close\r\n" : ""
  return "HTTP/1.1 200 OK\r\n\(connection)Content-Type: text/plain\r\n"
    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

/// The plain refusal with that status line, whole.
func refusal(_ status: String) -> String {
  let reason = status.split(separator: " ").dropFirst().joined(separator: " ") + "\n"
  return "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    + "Content-Length: \(reason.utf8.count)\r\n\r\n\(reason)"
}

/// The refusal as it is sent past the library, which puts the length before the type.
func pastLibrary(_ refusal: String) -> String {
  var lines = refusal.lines
  lines.swapAt(2, 3)
  return lines.joined(separator: "\r\n")
}
