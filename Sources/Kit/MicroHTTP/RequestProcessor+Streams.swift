import Synchronization

// Responses whose bodies come in pieces.

extension RequestProcessor {
  /// Takes the stream as the response's body, unless it is one too many.
  func begin(
    _ response: StreamedResponse, isHead: Bool, closing: Bool, _ connection: Connection
  ) -> NextStep {
    let stream = response.stream
    guard stream.take() else { return refuse(.unsendableResponse, connection) }
    guard !isHead else {
      stream.close()
      enter(.response, connection)
      return .stream(response, isHead: true)
    }
    guard
      registry.begin(
        stream, on: connection, limit: maximumStreams, perAddress: maximumStreamsPerAddress)
    else {
      stream.close()
      return send(refusal(.tooManyStreams), closing: closing, connection)
    }
    // Looked at after the connection shows its stream: either this sees that the server is about to
    // stop, or the thread that stops it sees the stream.
    guard !isStopping.load(ordering: .sequentiallyConsistent) else {
      registry.endStream(of: connection)
      stream.close()
      return send(refusal(.stopping), closing: closing, connection)
    }
    connection.stage = .streaming
    enter(.sendingStream, connection)
    requestsInFlight.subtract(1, ordering: .relaxed)
    return .stream(response, isHead: false)
  }

  /// The stream is over, or the daemon did not take the response; the request is in flight again.
  func endStream(of connection: Connection) {
    guard case .streaming = connection.stage else { return }
    connection.stage = .answered
    registry.endStream(of: connection)
    requestsInFlight.add(1, ordering: .relaxed)
  }

  /// Ends all streams; called when no more can begin.
  func endStreams() {
    for stream in registry.streams { stream.end() }
  }
}
