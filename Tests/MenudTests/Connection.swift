import Glibc
import JSONText

/// One connection to a server on this machine, which waits two minutes at most for an answer.
final class Connection {
  let descriptor: Int32
  private var received: [UInt8] = []

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    let size = socklen_t(MemoryLayout.size(ofValue: patience))
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let failure = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard failure == 0 else { throw Failure.refused(errno) }
  }

  deinit { close(descriptor) }

  enum Failure: Error, Equatable {
    case refused(Int32)
    case silence
    case end
  }

  /// True if a part of an answer has come, and not all of it.
  var hasPartOfAnswer: Bool { !received.isEmpty }

  /// Sends bytes as they are.
  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a request with a JSON body, or none, and reads its answer.
  func ask(_ method: String, _ target: String, _ body: String? = nil) throws -> Answer {
    send(Self.request(method, target, body))
    return try answer()
  }

  /// A request as it is sent.
  static func request(_ method: String, _ target: String, _ body: String? = nil) -> String {
    let head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    guard let body else { return head + "\r\n" }
    return head + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      + body
  }

  /// Everything that has come, up to a text in it.
  func text(until end: String) throws -> String {
    while true {
      let text = String(decoding: received, as: UTF8.self)
      if let range = text.firstRange(of: end) {
        received = Array(text[range.upperBound...].utf8)
        return String(text[..<range.upperBound])
      }
      received += try receive()
    }
  }

  /// The next answer.
  func answer() throws -> Answer {
    while true {
      if let (answer, length) = Answer.first(in: received) {
        received.removeFirst(length)
        return answer
      }
      received += try receive()
    }
  }

  private func receive() throws -> ArraySlice<UInt8> {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw errno == ECONNRESET ? Failure.end : Failure.silence }
    guard count > 0 else { throw Failure.end }
    return buffer[..<count]
  }
}

/// The answer of a server.
struct Answer {
  let status: Int
  /// The fields, their names in small letters.
  let fields: [String: String]
  let body: [UInt8]

  /// The body as JSON; null when it is none.
  var json: JSON { (try? JSON(parsing: body)) ?? .null }

  /// The value in the body at a JSON Pointer.
  subscript(pointer: String) -> JSON? {
    (try? JSONPointer(parsing: pointer)).flatMap { json.value(at: $0) }
  }

  /// The answer that these bytes begin with, and its length; nil when some of it is missing.
  static func first(in bytes: [UInt8]) -> (Answer, length: Int)? {
    guard let end = headEnd(bytes) else { return nil }
    let lines = String(decoding: bytes[..<(end - 4)], as: UTF8.self).split(separator: "\r\n")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    let length = end + (fields["content-length"].flatMap { Int($0) } ?? 0)
    guard bytes.count >= length else { return nil }
    let status = Int(lines[0].split(separator: " ")[1]) ?? 0
    let answer = Answer(status: status, fields: fields, body: Array(bytes[end..<length]))
    return (answer, length)
  }

  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    // Byte by byte, since a debug build takes long for a search.
    var place = 3
    while place < bytes.count {
      let isLineEnd = bytes[place] == 10 && bytes[place - 1] == 13
      if isLineEnd, bytes[place - 2] == 10, bytes[place - 3] == 13 { return place + 1 }
      place += 1
    }
    return nil
  }
}
