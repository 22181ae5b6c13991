/// The result of a handler: a response, or the promise of one.
package enum EventualResponse: Sendable {
  /// The response, which is sent at once.
  case response(Response)
  /// The response comes later and from any thread; until then the server's own threads serve
  /// others.
  case promise(ResponsePromise)
}

extension EventualResponse {
  /// Calls the observer with the response, at once when it is there already.
  package func whenFulfilled(_ observer: @escaping @Sendable (Response) -> Void) {
    switch self {
    case .response(let response): observer(response)
    case .promise(let promise): promise.whenFulfilled(observer)
    }
  }
}
