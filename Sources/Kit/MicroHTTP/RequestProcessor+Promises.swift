import Locks
import Synchronization

// Promised responses.

extension RequestProcessor {
  func wait(
    for promise: ResponsePromise, closing: Bool, _ connection: Connection
  ) -> NextStep {
    connection.stage = .promised(promise, closing: closing)
    connection.promise.withLock { $0 = (promise, connection.headers) }
    // Checked after the connection publishes its promise: either this sees that the server is stopping, or the
    // stopping thread sees the promise.
    if isStopping.load(ordering: .sequentiallyConsistent) {
      breakPromise(promise, connection.headers)
    }
    return .wait(promise, closing: closing)
  }

  /// Sends the response of a fulfilled promise.
  func send(
    _ response: Response, promisedBy promise: ResponsePromise, closing: Bool,
    on connection: Connection
  ) -> NextStep {
    connection.stage = .answered
    withdraw(promise, connection)
    return begin(response, isHead: false, closing: closing, connection)
  }

  func withdraw(_ promise: ResponsePromise, _ connection: Connection) {
    waitingRequests.subtract(1, ordering: .relaxed)
    connection.promise.withLock { $0 = nil }
    promise.awaitResumption()
  }

  /// Fulfills overdue promises.
  func fulfillOverduePromises(now: UInt64) {
    let overdue = registry.promises { phase, since in
      phase == .waiting && deadlines.areExceeded(in: phase, since: since, now: now)
    }
    for (promise, headers) in overdue {
      promise.fulfill(with: refusal(.noAnswerInTime, headers))
    }
  }

  /// Breaks all pending and future promises; returns the number broken so far.
  func breakPromises() -> Int {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    for (promise, headers) in registry.promises(where: { _, _ in true }) {
      breakPromise(promise, headers)
    }
    return brokenPromises.load(ordering: .relaxed)
  }

  private func breakPromise(_ promise: ResponsePromise, _ headers: Headers) {
    if promise.fulfill(with: refusal(.noAnswerInTime, headers)) {
      brokenPromises.add(1, ordering: .relaxed)
    }
  }
}

// Streamed responses.

extension RequestProcessor {
  /// Sends a response. If it has a stream, takes that as the body, unless there are too many.
  func begin(
    _ response: Response, isHead: Bool, closing: Bool, _ connection: Connection
  ) -> NextStep {
    guard let stream = response.stream else {
      return send(response, closing: closing, connection)
    }
    guard stream.take() else { return refuse(.unsendableResponse, connection) }
    guard !isHead else {
      stream.close()
      enter(.response, connection)
      return .stream(stream, of: response, isHead: true)
    }
    guard
      registry.begin(
        stream, on: connection, limit: maximumStreams, perAddress: maximumStreamsPerAddress)
    else {
      stream.close()
      return send(
        refusal(.overloaded(.tooManyStreams), connection.headers), closing: closing, connection)
    }
    // Checked after the connection publishes its stream: either this sees that the server is stopping, or the
    // stopping thread sees the stream.
    guard !isStopping.load(ordering: .sequentiallyConsistent) else {
      registry.endStream(of: connection)
      stream.close()
      return send(refusal(.overloaded(.stopping), connection.headers), closing: closing, connection)
    }
    connection.stage = .streaming
    enter(.sendingStream, connection)
    requestsInFlight.subtract(1, ordering: .relaxed)
    return .stream(stream, of: response, isHead: false)
  }

  /// Handles the end of a stream, or a response that the daemon refused; the request is in flight again.
  func endStream(of connection: Connection) {
    guard case .streaming = connection.stage else { return }
    connection.stage = .answered
    registry.endStream(of: connection)
    requestsInFlight.add(1, ordering: .relaxed)
  }

  /// Ends all streams; called once no more can begin.
  func endStreams() {
    for stream in registry.streams { stream.end() }
  }
}
