import CMicroHTTPD
import Glibc
import Locks

/// The response of a handler.
///
/// The server sets `Date`, `Content-Length` and `Connection`. For HEAD the body is counted but not sent, so
/// handlers answer as for GET.
package struct Response: Sendable {
  package var status: Status
  package var headers: Headers
  package var body: [UInt8]
  /// The body of a promised response that is streamed; nil, the default, for `body` alone.
  package var stream: ResponseStream?

  /// The default is 200 without fields and body.
  package init(status: Status = .ok, headers: Headers = Headers(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension Response {
  /// Returns the whole message, for sending without the daemon; it closes the connection.
  ///
  /// - Parameters:
  ///   - common: The fields of every response.
  ///   - isHead: True for a response to HEAD, without body.
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

/// A response whose body is streamed.
///
/// The server sets `Date`, `Transfer-Encoding` and `Connection`. The connection is closed after the stream. For
/// HEAD the stream is closed unread.
package struct StreamedResponse: Sendable {
  package var status: Status
  package var headers: Headers
  package let stream: ResponseStream

  /// The default status is 200.
  package init(status: Status = .ok, headers: Headers, stream: ResponseStream) {
    self.status = status
    self.headers = headers
    self.stream = stream
  }
}

/// The result of a handler.
package enum EventualResponse: Sendable {
  /// A response, sent at once.
  case response(Response)
  /// A response that any thread provides later; the server's threads serve other requests meanwhile.
  case promise(ResponsePromise)
  /// Status and headers sent at once, and a streamed body.
  case stream(StreamedResponse)
}

extension EventualResponse {
  /// Calls the observer with the response, at once if it is there.
  ///
  /// A stream is passed as status, headers and stream, with an empty body.
  package func whenFulfilled(_ observer: @escaping @Sendable (Response) -> Void) {
    switch self {
    case .response(let response): observer(response)
    case .promise(let promise): promise.whenFulfilled(observer)
    case .stream(let streamed):
      var response = Response(status: streamed.status, headers: streamed.headers)
      response.stream = streamed.stream
      observer(response)
    }
  }
}

/// A response that a handler provides later; any thread fulfills it, once.
///
/// The connection waits without a thread. The server fulfills a promise itself, as
/// `RequestRefusal.noAnswerInTime`, after `ServerConfiguration.answerTimeout`, or when it stops and its grace
/// period is over. A disconnected client is not noticed before the response, which is then dropped;
/// long-waiting handlers can check `Request.isAbandoned`.
package final class ResponsePromise: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    var response: Response?
    /// Resume the suspended connections; called under the lock.
    var resumptions: [@Sendable (Response) -> Void] = []
    var observers: [@Sendable (Response) -> Void] = []
  }

  package init() {}

  /// Provides the response. Returns false, without effect, if there is one already.
  ///
  /// Observers are called first, on this thread, possibly before the handler has returned.
  @discardableResult
  package func fulfill(with response: Response) -> Bool {
    let observers = state.withLock { state -> [@Sendable (Response) -> Void]? in
      guard state.response == nil else { return nil }
      state.response = response
      defer { state.observers = [] }
      return state.observers
    }
    for observe in observers ?? [] { observe(response) }
    resume()
    return observers != nil
  }

  /// Calls the observer with the response before it is sent: on the thread that fulfills the promise, or at
  /// once if it is fulfilled.
  package func whenFulfilled(_ observer: @escaping @Sendable (Response) -> Void) {
    let response = state.withLock { state in
      if state.response == nil { state.observers.append(observer) }
      return state.response
    }
    if let response { observer(response) }
  }
}

extension ResponsePromise {
  /// Returns the response. Without one, calls `suspend` for the connection, and `resume` with the response
  /// later.
  ///
  /// Both are called under the lock, so that resuming never precedes suspending, and once this returned a
  /// response, `resume` has returned.
  func response(
    orSuspend suspend: () -> Void, resume: @escaping @Sendable (Response) -> Void
  ) -> Response? {
    state.withLock { state in
      if state.response == nil {
        suspend()
        state.resumptions.append(resume)
      }
      return state.response
    }
  }

  /// The response; nil until fulfilled.
  var response: Response? { state.withLock(\.response) }

  /// Returns once no thread is resuming a connection.
  func awaitResumption() {
    state.withLock { _ in }
  }

  /// Every caller that finds a response resumes the connections, not only the one that provided it: that one
  /// may still be calling observers, and the server must not stop while connections are suspended.
  private func resume() {
    state.withLock { state in
      guard let response = state.response else { return }
      for resume in state.resumptions { resume(response) }
      state.resumptions = []
    }
  }
}
