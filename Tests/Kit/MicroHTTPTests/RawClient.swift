import Glibc

/// A client that sends bytes as they are and waits two minutes at most for whatever it expects.
///
/// `@unchecked Sendable`: one thread may send while another receives, which share the descriptor only.
final class RawClient: @unchecked Sendable {
  private let descriptor: Int32
  private var received: [UInt8] = []
  /// The place for the bytes that come next.
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// `window` is how many bytes the system takes for it that it has not read; the default, 0, is
  /// whatever the system likes. `source` is its own IPv4 address, by default whichever the system likes.
  init(
    port: UInt16, host: String = "127.0.0.1", from source: String? = nil, window: Int32 = 0
  ) throws {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICHOST
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let list = unsafe list else {
      throw Failure.address
    }
    defer { unsafe freeaddrinfo(list) }
    let address = unsafe list.pointee
    descriptor = unsafe socket(address.ai_family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    let size = socklen_t(MemoryLayout.size(ofValue: patience))
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    if window > 0 {
      var window = window
      let size = socklen_t(MemoryLayout.size(ofValue: window))
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, size)
    }
    if let source { try bind(to: source) }
    guard unsafe connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
      throw Failure.connection(errno)
    }
  }

  private func bind(to source: String) throws {
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    guard unsafe inet_pton(AF_INET, source, &own.sin_addr) == 1 else { throw Failure.address }
    let size = socklen_t(MemoryLayout.size(ofValue: own))
    let failure = unsafe withUnsafePointer(to: &own) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe Glibc.bind(descriptor, address, size)
      }
    }
    guard failure == 0 else { throw Failure.connection(errno) }
  }

  enum Failure: Error, Equatable {
    case address
    case connection(Int32)
    case silence
    case end
  }

  deinit {
    close(descriptor)
  }

  /// Sends all of it; answers how many bytes the other side took.
  @discardableResult
  func send(_ text: String) -> Int {
    send(Array(text.utf8))
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { rest in
        unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }

  /// Ends the sending half of the connection.
  func finishSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes the closing of this connection a reset, with whatever is still unsent.
  func resetOnClose() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout.size(ofValue: linger))
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
  }

  /// Everything up to the end of the connection, `Date` fields left out.
  func readToEnd() throws -> String {
    while try receive() {}
    defer { received = [] }
    return received[...].textWithoutDates
  }

  /// One response with its body, `Date` left out; `hasBody` is false for answers to HEAD.
  func readResponse(hasBody: Bool = true) throws -> String {
    let end = try headEnd()
    let head = String(decoding: received[..<end], as: UTF8.self)
    let length = hasBody ? head.contentLength : 0
    while received.count < end + length { if try !receive() { throw Failure.end } }
    defer { received.removeFirst(end + length) }
    return received[..<(end + length)].textWithoutDates
  }

  /// The next bytes, so many.
  func read(_ count: Int) throws -> String {
    while received.count < count { if try !receive() { throw Failure.end } }
    defer { received.removeFirst(count) }
    return String(decoding: received[..<count], as: UTF8.self)
  }

  /// Reads the head of a response, and returns the position behind it.
  private func headEnd() throws -> Int {
    while true {
      if let end = received[...].firstIndex(of: "\r\n\r\n") { return end + 4 }
      if try !receive() { throw Failure.end }
    }
  }

  /// Reads what there is; false at the end of the connection.
  private func receive() throws -> Bool {
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 || errno == ECONNRESET else { throw Failure.silence }
    received += buffer.prefix(max(0, count))
    return count > 0
  }
}

extension String {
  fileprivate var contentLength: Int {
    let prefix = "content-length: "
    let line = lines.first { $0.lowercased().hasPrefix(prefix) }
    return line.flatMap { Int($0.dropFirst(prefix.count)) } ?? 0
  }

  /// The pieces between line ends. CR and LF together are one `Character`.
  var lines: [Substring] {
    split(separator: "\r\n", omittingEmptySubsequences: false)
  }
}

extension ArraySlice<UInt8> {
  /// Returns the position of a text. The system searches for its first byte, since what tests read is long.
  fileprivate func firstIndex(of text: StaticString) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let (first, length) = (Int32(unsafe text.utf8Start.pointee), text.utf8CodeUnitCount)
      var place = 0
      while place + length <= bytes.count {
        guard let found = unsafe memchr(start + place, first, bytes.count - length + 1 - place)
        else { return nil }
        place = unsafe UnsafeRawPointer(found) - start
        if unsafe memcmp(found, text.utf8Start, length) == 0 { return startIndex + place }
        place += 1
      }
      return nil
    }
  }

  /// The text without the lines that begin with `Date: `.
  fileprivate var textWithoutDates: String {
    var (text, rest) = ("", self)
    while let line = rest.firstIndex(of: "\r\nDate: ") {
      text += String(decoding: rest[..<line], as: UTF8.self)
      let behind = rest[(line + 2)...]
      rest = behind.firstIndex(of: "\r\n").map { behind[$0...] } ?? []
    }
    return text + String(decoding: rest, as: UTF8.self)
  }
}
