import Glibc

/// A connection to a server on this machine, with one request at a time.
package final class Connection {
  private let socket: Int32
  private var received: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  /// Connects, or is nil when nobody listens.
  package init?(port: Int) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let status = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, size)
      }
    }
    guard status == 0 else { return nil }
  }

  deinit { close(socket) }

  /// Sends the bytes of a request and waits for the answer; nil when there is none.
  package func answer(to request: [UInt8]) -> Answer? {
    received.removeAll(keepingCapacity: true)
    let sent = unsafe request.withUnsafeBytes {
      unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard sent == request.count, let end = receiveHead() else { return nil }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
    func field(_ name: String) -> String? {
      let line = lines.dropFirst().first { $0.lowercased().hasPrefix(name + ":") }
      return line.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    // What was not modified has no body, whatever length it would have.
    let size = status == 304 ? 0 : field("content-length").flatMap { Int($0) } ?? 0
    while received.count < end + 4 + size {
      guard receive() else { return nil }
    }
    return Answer(
      status: status, entityTag: field("etag") ?? "",
      body: Array(received[(end + 4)...].prefix(size)))
  }

  /// Receives until the empty line, and answers where it begins.
  private func receiveHead() -> Int? {
    while true {
      if let end = received.indices.dropLast(3).first(where: {
        received[$0...].starts(with: [0x0d, 0x0a, 0x0d, 0x0a])
      }) {
        return end
      }
      guard receive() else { return nil }
    }
  }

  private func receive() -> Bool {
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe recv(socket, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { return false }
    received += buffer[..<count]
    return true
  }
}
