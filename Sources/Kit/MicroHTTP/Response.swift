import CMicroHTTPD
import Glibc
import Locks

/// The response of a handler.
///
/// `Date`, `Content-Length` and `Connection` are the server's; a response does not set them. With
/// HEAD the body is not sent but counted, so a handler answers it as it would GET.
package struct Response: Sendable {
  package var status: Status
  package var headers: Headers
  package var body: [UInt8]
  /// The body of a promised response that comes in pieces; nil, the default, when `body` is all.
  package var stream: ResponseStream?

  /// By default 200 without fields and without body.
  package init(status: Status = .ok, headers: Headers = Headers(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

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
  /// Sends the bytes, as far as the socket has room, and the end of the connection after the last one; returns how many
  /// were sent. Over TLS it sends nothing.
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

/// A response whose body comes in pieces.
///
/// `Date`, `Transfer-Encoding` and `Connection` are the server's. The connection is closed after the
/// stream. With HEAD the stream is closed unread.
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

/// The result of a handler: a response, the promise of one, or one whose body comes in pieces.
package enum EventualResponse: Sendable {
  /// The response, which is sent at once.
  case response(Response)
  /// The response comes later and from any thread; until then the server's own threads serve
  /// others.
  case promise(ResponsePromise)
  /// Status and headers are sent at once, the body as it comes.
  case stream(StreamedResponse)
}

extension EventualResponse {
  /// Calls the observer with the response, at once when it is there already.
  ///
  /// Of a stream that is status, headers and the stream, with an empty body.
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

/// A response that comes later: made by a handler, fulfilled once by whichever thread has it.
///
/// The connection waits without a thread. The server fulfills a promise itself, as
/// `RequestRefusal.noAnswerInTime`, when nobody did so within `ServerConfiguration.answerTimeout`, or when
/// it stops and its grace is over. That the client is gone is not noticed before the response is
/// there, which then goes nowhere; `Request.isAbandoned` tells it to who waits for long.
package final class ResponsePromise: Sendable {
  private let state = Lock(State())

  private struct State: Sendable {
    var response: Response?
    /// Wake the connections that wait; called under the lock.
    var resumptions: [@Sendable (Response) -> Void] = []
    var observers: [@Sendable (Response) -> Void] = []
  }

  /// A promise that is open.
  package init() {}

  /// Gives the response; answers false, and does nothing, when there is one already.
  ///
  /// The observers are called first, on this thread. It may come before the handler has returned.
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

  /// Calls the observer when there is a response, before it is sent: on the thread that fulfills the
  /// promise, or at once when that has happened.
  package func whenFulfilled(_ observer: @escaping @Sendable (Response) -> Void) {
    let response = state.withLock { state in
      if state.response == nil { state.observers.append(observer) }
      return state.response
    }
    if let response { observer(response) }
  }
}

extension ResponsePromise {
  /// The response; when there is none yet, lets the connection wait by `suspend`, and wakes it by
  /// `resume` once there is, with the response.
  ///
  /// Both are called under the lock. Waking thus never comes before waiting, and once a response
  /// was given here, `resume` has returned.
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

  /// The response; nil until there is one.
  var response: Response? { state.withLock(\.response) }

  /// Returns when nobody is waking a connection any more.
  func awaitResumption() {
    state.withLock { _ in }
  }

  /// Every caller that finds a response wakes the connections, not only the one that gave it: that
  /// one may still be with the observers, while the server must have no connection waiting when it
  /// stops.
  private func resume() {
    state.withLock { state in
      guard let response = state.response else { return }
      for resume in state.resumptions { resume(response) }
      state.resumptions = []
    }
  }
}
