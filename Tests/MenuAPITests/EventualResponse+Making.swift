import MicroHTTP

extension EventualResponse {
  /// Calls the observer with the response, which is made on whatever thread would resume a connection.
  func whenMade(_ observer: @escaping @Sendable (Response) -> Void) {
    guard case .promise(let promise) = self else { return whenFulfilled(observer) }
    let waiting = ResponsePromise.Waiting(canMake: { false }) { response in
      if let response { observer(response) }
    }
    if let response = promise.response(orSuspend: {}, waiting) { observer(response) }
  }
}
