import Glibc

/// One GET request to a server, answered with the status alone; for health checks.
package enum Probe {
  /// Why there is no status.
  package enum Failure: Error, Equatable {
    /// The host is no numeric address.
    case unusableHost(String)
    /// Nobody accepts the connection; the number is the `errno`.
    case unreachable(Int32)
    /// No answer came in time, or the connection ended before it.
    case silence
    /// What came is no HTTP/1.1 response, or no TLS where that is spoken.
    case malformedAnswer
  }

  /// The status with which a server answers a GET for `path`.
  ///
  /// Connecting, sending and each wait for the answer may take that time; `host` is numeric. Over
  /// TLS any certificate is believed, since the question is whether somebody answers, not who.
  package static func status(
    of path: String, host: String, port: UInt16, within patience: Duration,
    isEncrypted: Bool = false
  ) throws(Failure) -> Status {
    let descriptor = try connect(host, port, patience)
    defer { close(descriptor) }
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let request = Array(
      "GET \(path) HTTP/1.1\r\nHost: \(name):\(port)\r\nConnection: close\r\n\r\n".utf8)
    guard isEncrypted else {
      let sent = unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
      guard sent == request.count else { throw .silence }
      return try status { receive(descriptor) }
    }
    guard let client = EncryptedClient(descriptor: descriptor) else { throw .malformedAnswer }
    guard client.send(request) else { throw .silence }
    return try status { client.receive(atMost: 64) }
  }

  private static func connect(
    _ host: String, _ port: UInt16, _ patience: Duration
  ) throws(Failure) -> Int32 {
    guard let address = try? NumericAddress(host: host, port: port) else {
      throw .unusableHost(host)
    }
    let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .unreachable(errno) }
    wait(descriptor, patience)
    if let code = address.connect(descriptor) {
      close(descriptor)
      throw .unreachable(code)
    }
    return descriptor
  }

  /// Lets nothing on the socket take longer.
  private static func wait(_ descriptor: Int32, _ patience: Duration) {
    let (seconds, attoseconds) = patience.components
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    let size = socklen_t(MemoryLayout.size(ofValue: time))
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
  }

  /// The three digits after `HTTP/1.1 `.
  private static func status(receiving receive: () -> [UInt8]) throws(Failure) -> Status {
    let version = Array("HTTP/1.1 ".utf8)
    var line: [UInt8] = []
    while line.count < version.count + 3 {
      let piece = receive()
      guard !piece.isEmpty else { throw .silence }
      line += piece
    }
    let digits = String(decoding: line[version.count..<(version.count + 3)], as: UTF8.self)
    guard line.starts(with: version), let code = Int(digits) else { throw .malformedAnswer }
    return Status(rawValue: code)
  }

  private static func receive(_ descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
  }
}
