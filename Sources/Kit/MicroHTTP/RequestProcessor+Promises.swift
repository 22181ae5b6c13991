import Locks
import Synchronization

// Promised responses.

extension RequestProcessor {
  func wait(
    for promise: ResponsePromise, closing: Bool, _ connection: Connection
  ) -> NextStep {
    connection.stage = .promised(promise, closing: closing)
    connection.promise.withLock { $0 = (promise, connection.head) }
    // Checked after the connection publishes its promise: either this sees that the server is stopping, or the
    // stopping thread sees the promise.
    if isStopping.load(ordering: .sequentiallyConsistent) {
      breakPromise(promise, connection.head)
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
    for (promise, head) in overdue {
      promise.fulfill(with: refusal(.noAnswerInTime, head))
    }
  }

  /// Breaks all pending and future promises; returns the number broken so far.
  func breakPromises() -> Int {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    for (promise, head) in registry.promises(where: { _, _ in true }) {
      breakPromise(promise, head)
    }
    return brokenPromises.load(ordering: .relaxed)
  }

  private func breakPromise(_ promise: ResponsePromise, _ head: MessageHead) {
    if promise.fulfill(with: refusal(.noAnswerInTime, head)) {
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
      return send(
        insteadOf: stream, of: response, .tooManyStreams, closing: closing, connection)
    }
    // Checked after the connection publishes its stream: either this sees that the server is stopping, or the
    // stopping thread sees the stream.
    guard !isStopping.load(ordering: .sequentiallyConsistent) else {
      registry.endStream(of: connection)
      return send(insteadOf: stream, of: response, .stopping, closing: closing, connection)
    }
    connection.stage = .streaming
    enter(.sendingStream, connection)
    requestsInFlight.subtract(1, ordering: .relaxed)
    return .stream(stream, of: response, isHead: false)
  }

  /// Sends the body of a response with a stream, or a refusal if that is empty.
  private func send(
    insteadOf stream: ResponseStream, of response: Response, _ overload: Overload, closing: Bool,
    _ connection: Connection
  ) -> NextStep {
    stream.close()
    var sent = response
    sent.stream = nil
    if sent.body.isEmpty { sent = refusal(.overloaded(overload), connection.head) }
    return send(sent, closing: closing, connection)
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
