import MenuEngine
import MicroHTTP

/// A request that waits for a change of a session, once what it did is durable.
struct Wait: Sendable {
  /// The session whose changes wake it.
  let session: SessionID
  /// The number of seconds that it waits at most.
  let seconds: Int
  /// The request. If its client has hung up, it waits for nothing any more.
  let request: Request
  /// Returns the answer if it is time for that, else nil. When the patience is over, it returns one in any case.
  let answer: @Sendable (Waiting) -> Response?

  /// The patience of a request.
  enum Patience: Sendable {
    /// It may wait.
    case possible
    /// It has waited long enough.
    case over
    /// It may not wait.
    case none
  }
}

extension Call {
  /// The number of seconds that the client prefers to wait, if it does; at most as many as a request may.
  var preferredWait: Int? {
    WaitPreference(request.headers).map { min($0.seconds, service.limits.longestWait) }
  }

  /// True if the request has waited, and is answered anew.
  var isAgain: Bool { waiting.isAgain }

  /// Lets the request wait for a change of a session, and be answered anew then, if the client prefers that.
  func waitIfPreferred(for session: SessionID) {
    guard case .possible = waiting.patience, let seconds = preferredWait else { return }
    let (service, request) = (service, request)
    waiting.wait = Wait(
      session: session, seconds: seconds, request: request,
      answer: { again in
        let response = service.respond(to: request, again)
        return again.wait == nil ? response : nil
      })
  }

  /// The response with a field that says that the preference was heeded, if it was.
  func heedingPreference(_ response: Response) -> Response {
    guard let seconds = preferredWait else { return response }
    if case .none = waiting.patience { return response }
    var response = response
    response.headers.append("Preference-Applied", "wait=\(seconds)")
    return response
  }
}
