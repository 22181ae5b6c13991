import Synchronization

// The content of requests, and answers sent directly over the socket.

extension RequestProcessor {
  /// Handles a complete head: waits for the content, or refuses the request.
  func receive(
    _ request: Request, _ length: Framing.Length, on connection: Connection
  ) -> NextStep {
    switch length {
    case .counted(let count) where count > maximumBodySize:
      return refuseUnread(request, with: refusal(.contentTooLarge, connection.head), connection)
    case .counted(let count):
      if count > ReceivedBodies.uncounted,
        let response = admission(request) ?? countReceived(count, connection)
      {
        return refuseUnread(request, with: response, connection)
      }
      connection.content.reserveCapacity(min(count, Self.reservation))
      return awaitContent(request, isChunked: false, connection)
    case .absent: return awaitContent(request, isChunked: false, connection)
    case .chunked: return awaitContent(request, isChunked: true, connection)
    }
  }

  /// The maximum capacity reserved for content in advance, in bytes.
  private static let reservation = 1 << 20

  private func awaitContent(
    _ request: Request, isChunked: Bool, _ connection: Connection
  ) -> NextStep {
    connection.stage = .content(request, isChunked: isChunked)
    enter(.content, connection)
    return .read
  }

  /// Handles a piece of the content.
  func receive(_ piece: UnsafeRawBufferPointer, on connection: Connection) -> NextStep {
    connection.bytesRead += piece.count
    noteActivity(of: connection)
    switch connection.stage {
    case .content(let request, let isChunked):
      if let response = refusal(of: piece.count, more: request, isChunked, connection) {
        return refuseContent(response, connection)
      }
      unsafe connection.content.append(contentsOf: piece)
      return .read
    case .refused(let patience, let response):
      connection.stage = .refused(patience: patience - piece.count, response: response)
      return patience > piece.count ? .read : .close
    case .idle, .head, .promised, .streaming, .answered:
      return .close
    }
  }

  /// Returns the response that ends the receiving of content; nil if `count` more bytes are accepted.
  private func refusal(
    of count: Int, more request: Request, _ isChunked: Bool, _ connection: Connection
  ) -> Response? {
    if let refused = connection.ending.load(ordering: .relaxed).refusal {
      return refusal(refused, connection.head)
    }
    let size = connection.content.count + count
    guard size <= maximumBodySize else { return refusal(.contentTooLarge, connection.head) }
    // Content with a known length is counted in full already.
    guard isChunked, size > ReceivedBodies.uncounted else { return nil }
    if !connection.isCounted, let response = admission(request) { return response }
    // The first counted piece includes the bytes not counted before.
    return countReceived(connection.isCounted ? count : size, connection)
  }

  /// Counts bytes about to be received, evicting others if necessary. Returns the refusal; nil if there is
  /// room.
  private func countReceived(_ count: Int, _ connection: Connection) -> Response? {
    let (hasRoom, debtors) = receivedBodies.add(count, for: connection)
    connection.isCounted = hasRoom
    for debtor in debtors { debtor.stopReceiving() }
    return hasRoom ? nil : refusal(.overloaded(.tooMuchReceived), connection.head)
  }

  /// Removes the connection's content from the count.
  func uncount(_ connection: Connection) {
    guard connection.isCounted else { return }
    connection.isCounted = false
    receivedBodies.remove(connection)
  }

  /// Refuses a request before its content is read.
  private func refuseUnread(
    _ request: Request, with response: Response, _ connection: Connection
  ) -> NextStep {
    // A client that waits for 100 gets the answer instead; others are already sending.
    !request.headers.has("expect") && !isEncrypted
      ? refuseContent(response, connection) : refuse(with: response, connection)
  }

  /// Refuses content while it is being sent, when the daemon takes no response: directly over the socket, or
  /// over TLS when the content ends.
  private func refuseContent(_ response: Response, _ connection: Connection) -> NextStep {
    connection.content = []
    uncount(connection)
    connection.stage = .refused(patience: 256 << 10, response: isEncrypted ? response : nil)
    enter(.content, connection)
    guard !isEncrypted else { return .read }
    let bytes = lastBytes(of: response, connection)
    return connection.sendLast(bytes) == bytes.count ? .read : .close
  }

  /// Refuses a head that the daemon could not parse, directly over the socket, since the daemon's own answer
  /// would have two heads.
  ///
  /// Over TLS the connection ends without an answer.
  func refuseHead(_ reason: RequestRefusal, _ connection: Connection) {
    connection.stage = .answered
    _ = connection.sendLast(lastBytes(of: refusal(reason, connection.head), connection))
    connection.shutDown()
  }

  /// Answers an incomplete request directly over the socket, which the daemon is about to close.
  func answerEnded(_ connection: Connection) {
    guard let refused = connection.ending.load(ordering: .relaxed).refusal else { return }
    _ = connection.sendLast(lastBytes(of: refusal(refused, connection.head), connection))
  }

  /// True if the client of a suspended connection has closed its half. The daemon would find the end before it asks for
  /// the response, close the connection, and drop pipelined requests.
  func mustAnswerDirectly(_ connection: Connection) -> Bool {
    !connection.isEncrypted && connection.hasHungUp
  }

  /// Answers directly over the socket, while the connection is suspended, if its client has closed its half.
  func answerIfHalfClosed(_ response: Response, _ connection: Connection) {
    guard response.stream == nil, mustAnswerDirectly(connection) else { return }
    let bytes = lastBytes(of: response, connection)
    // A response that may not fit the socket is left to the daemon: after a partial send no other answer is
    // possible.
    guard bytes.count <= ListeningSocket.sendBuffer else { return }
    let sent = connection.sendLast(bytes)
    connection.isAnsweredAhead = sent > 0
    if sent > 0, sent < bytes.count { connection.shutDown() }
  }

  private func lastBytes(of response: Response, _ connection: Connection) -> [UInt8] {
    response.bytes(at: WallClock.now, with: commonHeaders, isHead: connection.isHead)
  }
}
