import Glibc
import Locks
import MicroHTTP

/// A handler that promises every response, and the promises that are open.
final class Promises: Sendable {
  private let open = Lock<[(path: String, promise: ResponsePromise)]>([])

  /// Promises a response, and keeps the promise until somebody takes it.
  func answer(_ request: Request) -> EventualResponse {
    let promise = ResponsePromise()
    open.withLock { $0.append((request.path, promise)) }
    return .promise(promise)
  }

  /// The promises given so far, with the paths of their requests, once there are so many; fewer
  /// after two minutes.
  func take(_ count: Int) -> [(path: String, promise: ResponsePromise)] {
    _ = eventually { open.withLock { $0.count } >= count }
    return open.withLock { open in
      defer { open = [] }
      return open
    }
  }

  /// True if there are promises that nobody took.
  var isAsked: Bool { open.withLock { !$0.isEmpty } }

  /// Fulfills each of so many promises with the path of its request.
  func fulfill(_ count: Int) {
    for (path, promise) in take(count) { promise.fulfill(with: Response(text: path)) }
  }
}

extension Response {
  /// 200 with that text and no fields.
  init(text: String) {
    self.init(body: Array(text.utf8))
  }
}

/// The 200 without fields that has this body, whole.
func plain(_ body: String, closing: Bool = false) -> String {
  "HTTP/1.1 200 OK\r\n\(closing ? "Connection: close\r\n" : "")"
    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}
