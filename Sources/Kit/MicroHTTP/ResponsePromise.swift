import Locks

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
