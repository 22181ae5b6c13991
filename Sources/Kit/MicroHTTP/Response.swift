import CMicroHTTPD
import Glibc

/// The response of a handler.
///
/// The server sets `Date`, `Content-Length` or `Transfer-Encoding`, and `Connection`. For HEAD the body is counted but
/// not sent, and a stream is closed unread, so handlers answer as for GET.
package struct Response: Sendable {
  package var status: Status
  package var headers: Headers
  /// The body. If there is a stream, the body in its place while there are too many; a refusal if that is empty.
  package var body: [UInt8]
  /// The body if it is streamed, after which the connection is closed; nil, the default, for `body` alone.
  package var stream: ResponseStream?

  /// The default is 200 without fields and body.
  package init(
    status: Status = .ok, headers: Headers = Headers(), body: [UInt8] = [],
    stream: ResponseStream? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.stream = stream
  }
}

extension Response {
  /// Returns the whole message, for sending without the daemon; it closes the connection.
  ///
  /// - Parameters:
  ///   - common: The fields of every response that has no field of the same name.
  ///   - isHead: True for a response to HEAD, without body.
  func bytes(at date: WallClock, with common: Headers = Headers(), isHead: Bool = false) -> [UInt8]
  {
    var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"
    head += "Date: \(date.httpDate)\r\nConnection: close\r\n"
    let hasBody = status != .noContent && status != .notModified
    if hasBody { head += "Content-Length: \(body.count)\r\n" }
    for (name, value) in headers.fields + common.fields(besides: headers) {
      head += "\(name): \(value)\r\n"
    }
    return Array((head + "\r\n").utf8) + (hasBody && !isHead ? body : [])
  }
}

extension Connection {
  /// Sends the bytes that fit the socket and, after the last one, the end of the connection; returns the number
  /// sent. Over TLS nothing is sent.
  func sendLast(_ bytes: [UInt8]) -> Int {
    guard !isEncrypted else { return 0 }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let sent = unsafe bytes.withUnsafeBytes { bytes in
      unsafe send(descriptor, bytes.baseAddress, bytes.count, flags)
    }
    if sent == bytes.count { shutdown(descriptor, Int32(SHUT_WR)) }
    return max(0, sent)
  }
}

/// A calendar time.
struct WallClock {
  private let seconds: time_t

  static var now: Self { Self(seconds: time(nil)) }

  init(seconds: Int) {
    self.seconds = seconds
  }

  /// The time in the format of RFC 9110 (5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
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

/// The result of a handler.
package enum EventualResponse: Sendable {
  /// A response, sent at once.
  case response(Response)
  /// A response that any thread provides later; the server's threads serve other requests meanwhile.
  case promise(ResponsePromise)
}

extension EventualResponse {
  /// Calls the observer with the response, at once if it is there.
  package func whenFulfilled(_ observer: @escaping @Sendable (Response) -> Void) {
    switch self {
    case .response(let response): observer(response)
    case .promise(let promise): promise.whenFulfilled(observer)
    }
  }

  /// Calls the observer with the response, for a caller that has no connection: the response is made on the thread that
  /// would resume one.
  package func whenMade(_ observer: @escaping @Sendable (Response) -> Void) {
    whenFulfilled(observer)
    guard case .promise(let promise) = self else { return }
    let suspension = ResponsePromise.Suspension(canMake: { false }, resume: { _ in })
    _ = promise.response(orSuspend: {}, suspension)
  }
}
