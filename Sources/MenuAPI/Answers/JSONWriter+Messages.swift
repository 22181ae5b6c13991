import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes the members that say what became of a message (C2, C6, V7).
  mutating func members(_ outcome: MessageOutcome) {
    member("delivered", outcome.reason == .delivered)
    member("reason", outcome.reason.rawValue)
    member("receiver", outcome.receiver)
    member("answer", outcome.answer)
  }

  /// Writes the member with messages that have waited, and what became of each (C6).
  mutating func member(_ name: String, _ processed: [ProcessedMessage], isExplaining: Bool) {
    member(name)
    beginArray()
    for message in processed {
      beginObject()
      members(message.request)
      members(message.outcome)
      if isExplaining { member("trace", message.outcome.trace) }
      endObject()
    }
    endArray()
  }

  /// Writes the member with messages that wait, the next one first (C6).
  mutating func member(_ name: String, _ waiting: [MessageRequest]) {
    member(name)
    beginArray()
    for message in waiting {
      beginObject()
      members(message)
      endObject()
    }
    endArray()
  }

  private mutating func members(_ message: MessageRequest) {
    for case (let name, let value?) in message.members where name != "when" {
      member(name, value)
    }
    if let when = message.when { member("when", InternetTimestamp(milliseconds: when).text) }
  }
}
