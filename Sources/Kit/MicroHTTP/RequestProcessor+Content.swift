import Synchronization

// The content of requests, and answers past the daemon.

extension RequestProcessor {
  /// The head was read; what follows it is awaited, unless it is refused before.
  func receive(
    _ request: Request, _ length: Framing.Length, on connection: Connection
  ) -> NextStep {
    switch length {
    case .counted(let count) where count > maximumBodySize:
      return refuseUnread(request, with: refusal(.contentTooLarge), connection)
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

  /// The most that is reserved for content before it has come, in bytes.
  private static let reservation = 1 << 20

  private func awaitContent(
    _ request: Request, isChunked: Bool, _ connection: Connection
  ) -> NextStep {
    connection.stage = .content(request, isChunked: isChunked)
    enter(.content, connection)
    return .read
  }

  /// A piece of the content was read.
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

  /// Returns the response in place of which no more content is kept; nil if so many bytes more are.
  private func refusal(
    of count: Int, more request: Request, _ isChunked: Bool, _ connection: Connection
  ) -> Response? {
    if let refused = connection.ending.load(ordering: .relaxed).refusal { return refusal(refused) }
    let size = connection.content.count + count
    guard size <= maximumBodySize else { return refusal(.contentTooLarge) }
    // Content whose length the head tells is counted already, as a whole.
    guard isChunked, size > ReceivedBodies.uncounted else { return nil }
    if !connection.isCounted, let response = admission(request) { return response }
    // What was not counted yet comes with the first piece that is.
    return countReceived(connection.isCounted ? count : size, connection)
  }

  /// Counts bytes that are about to be kept; others may be given up for them. Returns the response in place of which
  /// they are not kept; nil if there is room.
  private func countReceived(_ count: Int, _ connection: Connection) -> Response? {
    let (hasRoom, debtors) = receivedBodies.add(count, for: connection)
    connection.isCounted = hasRoom
    for debtor in debtors { debtor.stopReceiving() }
    return hasRoom ? nil : refusal(.overloaded(.tooMuchReceived))
  }

  /// Counts nothing of the connection's content any more.
  func uncount(_ connection: Connection) {
    guard connection.isCounted else { return }
    connection.isCounted = false
    receivedBodies.remove(connection)
  }

  /// Refuses a request of whose content nothing was read.
  private func refuseUnread(
    _ request: Request, with response: Response, _ connection: Connection
  ) -> NextStep {
    // A client that waits for 100 gets the answer in its stead; any other is already sending.
    !request.headers.has("expect") && !isEncrypted
      ? refuseContent(response, connection) : refuse(with: response, connection)
  }

  /// Refuses content while it is being sent, when the daemon takes no response: past it over the
  /// socket, or over TLS when the content ends.
  private func refuseContent(_ response: Response, _ connection: Connection) -> NextStep {
    connection.content = []
    uncount(connection)
    connection.stage = .refused(patience: 256 << 10, response: isEncrypted ? response : nil)
    enter(.content, connection)
    guard !isEncrypted else { return .read }
    let bytes = lastBytes(of: response, connection)
    return connection.sendLast(bytes) == bytes.count ? .read : .close
  }

  /// Refuses a head that the daemon could not read to its end, past the daemon, whose own answer would
  /// have two heads.
  ///
  /// Over TLS the connection ends without an answer.
  func refuseHead(_ reason: RequestRefusal, _ connection: Connection) {
    connection.stage = .answered
    _ = connection.sendLast(lastBytes(of: refusal(reason), connection))
    connection.shutDown()
  }

  /// Answers a request of which no more is read, past the daemon, which is about to close.
  func answerEnded(_ connection: Connection) {
    guard let refused = connection.ending.load(ordering: .relaxed).refusal else { return }
    _ = connection.sendLast(lastBytes(of: refusal(refused), connection))
  }

  /// Answers a request past the daemon, while its connection still waits, if its client ended its side meanwhile. The
  /// daemon would find the end before it asks for the response, close the connection, and drop the requests behind.
  func answerIfHalfClosed(_ response: Response, _ connection: Connection) {
    guard response.stream == nil, !connection.isEncrypted, connection.hasHungUp else { return }
    let bytes = lastBytes(of: response, connection)
    // What the socket may not take whole is left to the daemon. Once a part is sent, nobody else may answer.
    guard bytes.count <= ListeningSocket.sendBuffer else { return }
    let sent = connection.sendLast(bytes)
    connection.isAnsweredAhead = sent > 0
    if sent > 0, sent < bytes.count { connection.shutDown() }
  }

  private func lastBytes(of response: Response, _ connection: Connection) -> [UInt8] {
    response.bytes(at: WallClock.now, with: commonHeaders, isHead: connection.isHead)
  }
}
