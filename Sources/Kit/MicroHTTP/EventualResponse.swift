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
