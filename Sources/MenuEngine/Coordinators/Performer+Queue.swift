import JSONText

extension Performer {
  /// Puts a message behind those that wait already (C6); nobody is asked yet.
  mutating func enqueue(_ request: MessageRequest) throws(MutationFault) -> MessageOutcome {
    try session.check(request.from)
    try session.messageQueue.append(request.waiting)
    changes.append(.messageQueue(count: session.messageQueue.count, added: [request.waiting]))
    trace.note(.queued, .responder(request.from), about: request.message, answer: true)
    return MessageOutcome(reason: .queued, receiver: nil, answer: .null)
  }

  /// Sends the messages that wait now, in order, by default all of them (C6).
  ///
  /// Those that are queued meanwhile wait for the next time, and so does all of it when it is asked for
  /// again by one of the messages that are being processed.
  ///
  /// - Parameter isWhole: True if each message may have as many effects as a command; by default they
  ///   count together with those of the handler that has them processed.
  /// - Throws: `MutationFault.queuedMessage`, when one of them cannot be sent; then all wait still.
  mutating func processMessages(
    limit: Int?, isWhole: Bool = false
  ) throws(MutationFault) -> [ProcessedMessage] {
    let processed = try once(.processingMessages) { (performer) throws(MutationFault) in
      try performer.processWaiting(limit: limit, isWhole: isWhole)
    }
    return processed ?? []
  }

  private mutating func processWaiting(
    limit: Int?, isWhole: Bool
  ) throws(MutationFault) -> [ProcessedMessage] {
    let waiting = session.messageQueue.removeFirst(limit)
    guard !waiting.isEmpty else { return [] }
    changes.append(
      .messageQueue(count: session.messageQueue.count, removed: waiting.count))
    var processed: [ProcessedMessage] = []
    for (index, request) in waiting.enumerated() {
      if isWhole { effectCount = 0 }
      do throws(MutationFault) {
        processed.append(ProcessedMessage(request: request, outcome: try process(request)))
      } catch {
        throw .queuedMessage(index: index, request.message, from: request.from, error)
      }
    }
    return processed
  }

  /// Sends a message that has waited, with a trace of its own; who sent it may be gone by now.
  private mutating func process(_ request: MessageRequest) throws(MutationFault) -> MessageOutcome {
    try effort.check()
    var whole = Trace(isRecording: trace.isRecording)
    swap(&whole, &trace)
    var outcome: MessageOutcome
    if session.graph[request.from] == nil {
      trace.note(.senderGone, .responder(request.from), about: request.message, answer: true)
      outcome = MessageOutcome(reason: .senderGone, receiver: nil, answer: .null)
    } else {
      outcome = try deliver(request)
    }
    outcome.trace = trace
    whole.append(trace)
    trace = whole
    return outcome
  }
}
