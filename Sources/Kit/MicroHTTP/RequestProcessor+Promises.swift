import Locks
import Synchronization

// Responses that come later.

extension RequestProcessor {
  func wait(
    for promise: ResponsePromise, closing: Bool, _ connection: Connection
  ) -> NextStep {
    connection.stage = .promised(promise, closing: closing)
    connection.promise.withLock { $0 = promise }
    // Looked at after the connection shows its promise: either this sees that the server is about
    // to stop, or the thread that stops it sees the promise.
    if isStopping.load(ordering: .sequentiallyConsistent) { breakPromise(promise) }
    return .wait(promise, closing: closing)
  }

  /// The promise was found fulfilled.
  func send(
    _ response: Response, promisedBy promise: ResponsePromise, closing: Bool,
    on connection: Connection
  ) -> NextStep {
    connection.stage = .answered
    withdraw(promise, connection)
    guard let stream = response.stream else {
      return send(response, closing: closing, connection)
    }
    let streamed = StreamedResponse(
      status: response.status, headers: response.headers, stream: stream)
    return begin(streamed, isHead: false, closing: closing, connection)
  }

  func withdraw(_ promise: ResponsePromise, _ connection: Connection) {
    waitingRequests.subtract(1, ordering: .relaxed)
    connection.promise.withLock { $0 = nil }
    promise.awaitResumption()
  }

  /// Fulfills the promises of the connections whose deadline is over.
  func fulfillOverduePromises(now: UInt64) {
    let overdue = registry.promises { phase, since in
      phase == .waiting && deadlines.areExceeded(in: phase, since: since, now: now)
    }
    for promise in overdue { promise.fulfill(with: refusal(.noAnswerInTime)) }
  }

  /// From now on no connection waits for a promise; answers how many had to be broken so far.
  func breakPromises() -> Int {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    for promise in registry.promises(where: { _, _ in true }) { breakPromise(promise) }
    return brokenPromises.load(ordering: .relaxed)
  }

  private func breakPromise(_ promise: ResponsePromise) {
    if promise.fulfill(with: refusal(.noAnswerInTime)) {
      brokenPromises.add(1, ordering: .relaxed)
    }
  }
}
