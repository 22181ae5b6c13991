import JSONText

/// A mutation of the messages that wait in a session (C6).
public enum MessageQueueMutation: Equatable, Sendable, Codable {
  /// Sends the first ones, by default all that wait now.
  case process(limit: Int? = nil)
  /// Takes the first ones out without sending them, by default all.
  case removeQueued(limit: Int? = nil)
}

extension MessageQueueMutation {
  /// The words for the kinds of mutations.
  enum Op: String, CaseIterable {
    case processMessages
    case removeQueuedMessages
  }

  /// The mutation with the members of a document, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    let limit = reader.member("limit", Read.count)
    switch op {
    case .processMessages: self = .process(limit: limit)
    case .removeQueuedMessages: self = .removeQueued(limit: limit)
    }
  }

  /// The mutation as a document.
  var json: JSON {
    var object = JSONObject()
    switch self {
    case .process(let limit):
      object["op"] = .string(Op.processMessages.rawValue)
      object["limit"] = limit.map { .int(Int64($0)) }
    case .removeQueued(let limit):
      object["op"] = .string(Op.removeQueuedMessages.rawValue)
      object["limit"] = limit.map { .int(Int64($0)) }
    }
    return .object(object)
  }
}

extension Session {
  mutating func change(
    by mutation: MessageQueueMutation, in catalog: Catalog, _ isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    switch mutation {
    case .process(let limit):
      var performer = Performer(after: inquiry(in: catalog, sender: nil, isExplaining, effort))
      let processed = try performer.processMessages(limit: limit, isWhole: true)
      self = performer.session
      var outcome = Outcome(changes: performer.changes, events: performer.events)
      outcome.processed = processed
      return outcome
    case .removeQueued(let limit):
      let removed = messageQueue.removeFirst(limit).count
      guard removed > 0 else { return Outcome() }
      return Outcome(changes: [.messageQueue(count: messageQueue.count, removed: removed)])
    }
  }
}
