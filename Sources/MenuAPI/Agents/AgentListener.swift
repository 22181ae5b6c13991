import JSONText

/// Somebody who listens to a session.
enum AgentListener: Sendable {
  /// A client that began with a handshake, and opened an event stream; with the last event that it knows.
  case standalone(AgentRevision, AgentClient, last: AgentEventID?)
  /// A request `subscriptions/listen`, and the topics that it asks for.
  case request(AgentReply, AgentTopics)

  /// The client; nil if it has no state.
  var client: AgentClient? {
    switch self {
    case .standalone(_, let client, last: _): client
    case .request: nil
    }
  }

  /// The last event that it knows.
  var last: AgentEventID? {
    switch self {
    case .standalone(_, _, let last): last
    case .request: nil
    }
  }

  /// The id of the request that messages belong to.
  var subscription: JSON? {
    switch self {
    case .standalone: nil
    case .request(let reply, _): reply.id
    }
  }
}
