import Locks

/// A response that a handler provides later; any thread fulfills it, once.
///
/// The connection waits without a thread. The server fulfills a promise itself, as
/// `RequestRefusal.noAnswerInTime`, after `ServerConfiguration.answerTimeout`, or when it stops and its grace
/// period is over. A disconnected client is not noticed before the response, which is then dropped, or not made;
/// long-waiting handlers can check `Request.isAbandoned`.
package final class ResponsePromise: Sendable {
  private let state = Lock(State())

  /// Makes a response.
  package typealias Maker = @Sendable () -> EventualResponse

  private struct State: Sendable {
    var response: Response?
    /// Makes the response, once a connection's thread takes it.
    var maker: Maker?
    var suspensions: [Suspension] = []
    var observers: [@Sendable (Response) -> Void] = []
    /// The promises that are fulfilled as this one is.
    var followers: [ResponsePromise] = []
  }

  /// A suspended connection.
  struct Suspension: Sendable {
    /// True if the connection's thread can make the response; false if the client closed its half.
    let canMake: @Sendable () -> Bool
    /// Resumes the connection, with the response if it is made; called under the lock.
    let resume: @Sendable (Response?) -> Void
  }

  package init() {}

  /// Provides the response. Returns false, without effect, if there is one already.
  ///
  /// Observers are called first, on this thread, possibly before the handler has returned.
  @discardableResult
  package func fulfill(with response: Response) -> Bool {
    let settled = state.withLock { state -> State? in
      guard state.response == nil else { return nil }
      (state.response, state.maker) = (response, nil)
      defer { (state.observers, state.followers) = ([], []) }
      return state
    }
    for observe in settled?.observers ?? [] { observe(response) }
    for follower in settled?.followers ?? [] { follower.fulfill(with: response) }
    resume()
    return settled != nil
  }

  /// Has the response made on the thread of the connection, which is resumed for it, so that threads which fulfill many
  /// promises do not make the responses one after the other.
  ///
  /// If the handler has not returned yet, the response is made when it has. Without effect if there is a response
  /// already.
  ///
  /// - Parameter run: Makes the response if the connection's thread cannot send it any more; returns false if it will
  ///   not. The default is this thread.
  package func fulfill(
    by maker: @escaping Maker,
    orOn run: Worker.Runner? = nil
  ) {
    let (follower, isMadeHere) = state.withLock { state -> (ResponsePromise?, Bool) in
      guard state.response == nil else { return (nil, false) }
      if let follower = state.followers.first { return (follower, false) }
      guard state.suspensions.isEmpty || state.suspensions.contains(where: { $0.canMake() }) else {
        return (nil, true)
      }
      state.maker = maker
      for suspension in state.suspensions { suspension.resume(nil) }
      state.suspensions = []
      return (nil, false)
    }
    if let follower { hand(maker, to: follower, orOn: run) }
    guard isMadeHere else { return }
    let make: @Sendable () -> Void = { [self] in fulfill(as: maker()) }
    if run?(make) != true { make() }
  }

  /// Fulfills the promise as another response is.
  package func fulfill(as response: EventualResponse) {
    switch response {
    case .response(let response): fulfill(with: response)
    case .promise(let other): other.lead(self)
    }
  }

  /// Fulfills a follower as this promise is fulfilled.
  private func lead(_ follower: ResponsePromise) {
    let (response, maker) = state.withLock { state -> (Response?, Maker?) in
      if state.response == nil, state.maker == nil { state.followers.append(follower) }
      defer { state.maker = nil }
      return (state.response, state.maker)
    }
    if let response { follower.fulfill(with: response) }
    if let maker { hand(maker, to: follower) }
  }

  /// Has the response made for a follower, which has a connection, and fulfills this promise with it too.
  private func hand(
    _ maker: @escaping Maker, to follower: ResponsePromise,
    orOn run: Worker.Runner? = nil
  ) {
    follower.whenFulfilled { [self] response in fulfill(with: response) }
    follower.fulfill(by: maker, orOn: run)
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
  /// Returns the response, which is made here if this is the thread to make it. Without one, calls `suspend` for the
  /// connection, and resumes it later.
  ///
  /// Both are called under the lock, so that resuming never precedes suspending, and once this returned a
  /// response, resuming has returned.
  func response(orSuspend suspend: () -> Void, _ suspension: Suspension) -> Response? {
    while true {
      let (response, maker) = state.withLock { state -> (Response?, Maker?) in
        if state.response == nil, state.maker == nil {
          suspend()
          state.suspensions.append(suspension)
        }
        defer { state.maker = nil }
        return (state.response, state.maker)
      }
      guard let maker else { return response }
      fulfill(as: maker())
    }
  }

  /// Drops a maker that no thread took; returns true if there was one, so that the promise has no response yet.
  func dropMaker() -> Bool {
    state.withLock { state in
      defer { state.maker = nil }
      return state.maker != nil
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
      for suspension in state.suspensions { suspension.resume(response) }
      state.suspensions = []
    }
  }
}
