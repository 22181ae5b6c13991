import Glibc

/// One GET request to a server, for health checks.
package enum Probe {
  /// A reason why there is no status.
  package enum Failure: Error, Equatable {
    /// The host is not a numeric address.
    case unusableHost(String)
    /// The connection was not accepted; the number is `errno`.
    case unreachable(Int32)
    /// No answer came in time, or the connection ended before it.
    case silence
    /// The answer is not an HTTP/1.1 response, or not TLS where that is expected.
    case malformedAnswer
  }

  /// Returns a server's answer to a GET for `path`: the status, and the message up to a length, by default 64 KiB.
  ///
  /// `patience` applies to connecting, to sending and to each wait for the answer; `host` is numeric. Over TLS
  /// any certificate is accepted.
  package static func answer(
    to path: String, host: String, port: UInt16, within patience: Duration,
    isEncrypted: Bool = false, fields: [(name: String, value: String)] = [],
    atMost length: Int = 65_536
  ) throws(Failure) -> Response {
    let descriptor = try connect(to: host, port: port, within: patience)
    defer { close(descriptor) }
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let more = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    let request = Array(
      "GET \(path) HTTP/1.1\r\nHost: \(name):\(port)\r\n\(more)Connection: close\r\n\r\n".utf8)
    guard isEncrypted else {
      let sent = unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
      guard sent == request.count else { throw .silence }
      return try response(atMost: length) { receive(descriptor) }
    }
    guard let client = EncryptedClient(descriptor: descriptor) else { throw .malformedAnswer }
    guard client.send(request) else { throw .silence }
    return try response(atMost: length) { client.receive(atMost: 4096) }
  }

  private static func connect(
    to host: String, port: UInt16, within patience: Duration
  ) throws(Failure) -> Int32 {
    guard let address = try? NumericAddress(host: host, port: port) else {
      throw .unusableHost(host)
    }
    let descriptor = socket(address.family, ListeningSocket.streamType | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .unreachable(errno) }
    wait(descriptor, patience)
    if let code = address.connect(descriptor) {
      close(descriptor)
      throw .unreachable(code)
    }
    return descriptor
  }

  /// Sets the timeouts of the socket.
  private static func wait(_ descriptor: Int32, _ patience: Duration) {
    let (seconds, attoseconds) = patience.components
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    let size = socklen_t(MemoryLayout.size(ofValue: time))
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
  }

  /// Parses the three digits after `HTTP/1.1 `, and the body up to the end of the connection.
  private static func response(
    atMost length: Int, receiving receive: () -> [UInt8]
  ) throws(Failure) -> Response {
    let version = Array("HTTP/1.1 ".utf8)
    var message: [UInt8] = []
    while message.count < length {
      let piece = receive()
      if piece.isEmpty { break }
      message += piece
    }
    guard message.count >= version.count + 3 else { throw .silence }
    let digits = String(decoding: message[version.count..<(version.count + 3)], as: UTF8.self)
    guard message.starts(with: version), let code = Int(digits) else { throw .malformedAnswer }
    let headEnd = Array("\r\n\r\n".utf8)
    let end = message.indices.first { message[$0...].starts(with: headEnd) }
    return Response(
      status: Status(rawValue: code), body: end.map { Array(message[($0 + 4)...]) } ?? [])
  }

  private static func receive(_ descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
  }
}
