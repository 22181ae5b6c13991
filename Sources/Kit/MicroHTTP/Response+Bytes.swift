import CMicroHTTPD
import Glibc

extension Response {
  /// The whole message, for the cases where it does not go through the daemon: closing.
  ///
  /// - Parameters:
  ///   - common: The fields that every response has.
  ///   - isHead: True if it is the response to HEAD, which has no body.
  func bytes(at date: WallClock, with common: Headers = Headers(), isHead: Bool = false) -> [UInt8]
  {
    var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"
    head += "Date: \(date.httpDate)\r\nConnection: close\r\n"
    let hasBody = status != .noContent && status != .notModified
    if hasBody { head += "Content-Length: \(body.count)\r\n" }
    for (name, value) in headers.fields + common.fields { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8) + (hasBody && !isHead ? body : [])
  }
}

extension Connection {
  /// Sends the bytes and the end of the connection after them; answers whether that succeeded, as
  /// it never does over TLS.
  ///
  /// Nothing was sent of this response, so that the socket's buffer is empty and takes them whole.
  func sendLast(_ bytes: [UInt8]) -> Bool {
    guard !isEncrypted else { return false }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let sent = unsafe bytes.withUnsafeBytes { bytes in
      unsafe send(descriptor, bytes.baseAddress, bytes.count, flags)
    }
    return sent == bytes.count && shutdown(descriptor, Int32(SHUT_WR)) == 0
  }
}

/// A moment of the calendar.
struct WallClock {
  private let seconds: time_t

  static var now: Self { Self(seconds: time(nil)) }

  init(seconds: Int) {
    self.seconds = seconds
  }

  /// The moment as RFC 9110 (5.6.7) writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
  var httpDate: String {
    var (seconds, parts) = unsafe (seconds, tm())
    unsafe gmtime_r(&seconds, &parts)
    let day = unsafe Self.days[Int(parts.tm_wday)]
    let month = unsafe Self.months[Int(parts.tm_mon)]
    let date = unsafe "\(day), \(Self.padded(parts.tm_mday)) \(month) \(parts.tm_year + 1900)"
    let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.padded)
    return "\(date) \(clock.joined(separator: ":")) GMT"
  }

  private static func padded(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
