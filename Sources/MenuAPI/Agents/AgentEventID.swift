import JSONText
import MenuEngine

/// The id of an event on an agent's stream: a moment of the session, the topics that the client subscribes to, and
/// a mark that no other event has.
struct AgentEventID: Sendable {
  let moment: EventID
  let topics: AgentTopics
  let mark: String

  /// An id.
  init(_ moment: EventID, _ topics: AgentTopics, mark: String) {
    self.moment = moment
    self.topics = topics
    self.mark = mark
  }

  /// The id that a client sends back; nil for what is none.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let moment = EventID(parts[0]), let topics = Int(parts[1])
    else { return nil }
    self.moment = moment
    self.topics = AgentTopics(rawValue: topics).intersection(.resources)
    mark = String(parts[2])
  }

  /// An id in the place of one that is not known: anything may have changed since.
  static var unknown: AgentEventID? {
    EventID("-1.0.0").map { AgentEventID($0, [], mark: "") }
  }

  /// The id as an event has it.
  var text: String { "\(moment.text)/\(topics.rawValue)/\(mark)" }
}
