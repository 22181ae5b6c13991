import JSONText
import Locks
import MenuEngine
import MicroHTTP
import Synchronization

/// The notifications for one listener, as Server-Sent Events (HTML, 9.2).
final class AgentStream: AgentSource {
  private let session: SessionID
  private let channel: AgentChannel
  private let listener: AgentListener
  /// The rights of the token (T3).
  private let rights: Rights
  private let clients: AgentClients
  private let mark: String
  private let state: Lock<State>
  private let stopped = Atomic(false)
  private let holding = Atomic(false)
  /// The minimum time between notifications of changes, in nanoseconds; each topic is named at most once.
  private static let pause = 1_000_000_000

  private struct State {
    /// The moment up to which changes were sent.
    var moment: EventID?
    /// The moment and the topics of the last sent id.
    var sent: (moment: EventID, topics: AgentTopics)?
    /// The followed tasks as they were last sent, by name.
    var tasks: [String: JSONObject] = [:]
    /// The number of ids so far.
    var count = 0
    /// The time at which changes were last sent, in nanoseconds; nil if never.
    var toldAt: Int?
    /// True if the client may have another list of tools, from before it listened.
    var owesTools = false
    /// True if a heartbeat is due.
    var isBeating = false
    var hasBegun = false
    var isAtEnd = false
  }

  static var fields: Headers {
    [
      "Content-Type": "text/event-stream", "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    ]
  }

  /// Creates the stream of a listener.
  ///
  /// - Parameter mark: A text unique to the stream.
  init(
    about session: SessionID, from channel: AgentChannel, to listener: AgentListener,
    allowing rights: Rights, clients: AgentClients, mark: String
  ) {
    self.rights = rights
    self.session = session
    self.channel = channel
    self.listener = listener
    self.clients = clients
    self.mark = mark
    let start = channel.watch(AgentTopic.lists)
    let toldAt = listener.client.flatMap { clients.lastTold(to: $0) }
    state = Lock(
      State(
        moment: listener.last?.moment ?? start, toldAt: toldAt,
        owesTools: listener.hasOtherTools))
  }

  var isAwaited: Bool { false }

  func beat() { state.withLock { $0.isBeating = true } }

  func cancel() { end() }

  func stop(_ reason: StopReason) { end() }

  /// Ends at the next wake-up.
  fileprivate func end() { stopped.store(true, ordering: .relaxed) }

  var isHolding: Bool { holding.load(ordering: .relaxed) }

  func next() -> ResponseStream.Piece {
    state.withLock { state in
      guard !state.isAtEnd else { return .end }
      let isStopped = stopped.load(ordering: .relaxed)
      let topics = topics
      var text = state.hasBegun ? [] : opening(topics, &state)
      // Changes during the pause are sent when it is over; the end of the stream sends them at once.
      let isHeld = !isStopped && state.toldAt.map { channel.now &- $0 < Self.pause } ?? false
      holding.store(isHeld, ordering: .relaxed)
      if !isHeld { text += news(topics, &state) }
      if channel.hasEnded || isStopped {
        state.isAtEnd = true
        text += ending
      } else if text.isEmpty, state.isBeating {
        text = heartbeat(topics, &state)
      }
      state.isBeating = false
      return text.isEmpty ? state.isAtEnd ? .end : .waiting : .bytes(text)
    }
  }

  /// Returns the events about changed topics.
  private func news(_ topics: AgentTopics, _ state: inout State) -> [UInt8] {
    var (changed, moment) = channel.changes(in: topics, since: state.moment)
    if state.owesTools, changed.first != .tools { changed.insert(.tools, at: 0) }
    state.owesTools = false
    var text: [UInt8] = []
    for topic in changed {
      // Only the last event advances the moment, so that a connection that breaks between two events loses none.
      if topic == changed.last { state.moment = moment ?? state.moment }
      text += block(
        topic.notification(about: session, in: listener.subscription), subscribed: topics, &state)
    }
    state.moment = moment ?? state.moment
    text += taskNews(&state)
    if !text.isEmpty { noteTold(&state) }
    return text
  }

  /// Returns the events about followed tasks that have changed; the first ones describe their present states.
  private func taskNews(_ state: inout State) -> [UInt8] {
    guard case .request(let reply, _, let tasks) = listener, !tasks.names.isEmpty,
      let session = channel.session
    else { return [] }
    var text: [UInt8] = []
    for (name, members) in tasks.members(in: session)
    where state.tasks[name].map(JSON.object) != .object(members) {
      state.tasks[name] = members
      var params = members
      params["_meta"] = [AgentTopic.subscriptionKey: reply.id]
      text += Self.block([
        "jsonrpc": "2.0", "method": "notifications/tasks", "params": .object(params),
      ])
    }
    return text
  }

  /// Records that changes are sent now; a client that reconnects within the pause gets the next ones after it.
  private func noteTold(_ state: inout State) {
    let now = channel.now
    state.toldAt = now
    if let client = listener.client { clients.note(toldAt: now, to: client) }
  }

  private var topics: AgentTopics {
    let topics: AgentTopics =
      switch listener {
      case .standalone(_, let client, let last, _):
        (clients.topics(of: client) ?? last?.topics ?? []).union(AgentTopic.lists)
      case .request(_, let topics, _): topics
      }
    return topics.filter { rights.contains($0.right) }
  }
}

extension AgentChannels {
  /// Returns the stream of a listener, registered until it is closed.
  func stream(
    from channel: AgentChannel, to listener: AgentListener, about session: SessionID,
    nonce: String, allowing rights: Rights, tokens: StreamTokens
  ) -> ResponseStream {
    let number = nextNumber()
    let source = AgentStream(
      about: session, from: channel, to: listener, allowing: rights, clients: clients,
      mark: "\(nonce)-\(number)")
    let stream = ResponseStream(
      next: { source.next() },
      whenClosed: { [weak self] in
        channel.remove(number)
        if let client = listener.client { self?.clients.end(stream: number, of: client) }
        self?.remove(number)
      })
    let wake: @Sendable () -> Void = { [weak stream] in stream?.wake() }
    channel.add(number, waking: wake)
    if let client = listener.client {
      clients.begin(
        stream: number, of: client, topics: listener.last?.topics ?? [],
        ending: {
          source.end()
          wake()
        })
    }
    add(source, as: number, tokens: tokens, waking: wake)
    return stream
  }
}

// MARK: The text

extension AgentStream {
  /// The time after which a client connects again, in milliseconds.
  private static let retry = "retry: 2000\n"

  /// Returns the first text of a stream: an id to resume from, or the topics that a request subscribes to.
  private func opening(_ topics: AgentTopics, _ state: inout State) -> [UInt8] {
    state.hasBegun = true
    switch listener {
    case .standalone(let revision, _, last: _, _):
      return Self.opening(id(topics, &state), in: revision)
    case .request(let reply, let topics, let tasks):
      var filter = JSONObject()
      if topics.contains(.tools) { filter["toolsListChanged"] = true }
      if topics.contains(.prompts) { filter["promptsListChanged"] = true }
      if topics.contains(.resources) { filter["resourcesListChanged"] = true }
      let uris = topics.inOrder.compactMap { $0.uri(in: session) }.map(JSON.string)
      if !uris.isEmpty { filter["resourceSubscriptions"] = .array(uris) }
      if !tasks.names.isEmpty {
        filter["taskIds"] = .array(tasks.names.map { .string($0.text) })
      }
      return block(
        [
          "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
          "params": [
            "_meta": [AgentTopic.subscriptionKey: reply.id], "notifications": .object(filter),
          ],
        ], subscribed: topics, &state)
    }
  }

  /// Returns the first text of a handshake client's stream.
  ///
  /// - Parameter id: The line with an id to resume from.
  static func opening(_ id: String, in revision: AgentRevision) -> [UInt8] {
    // Since 2025-11-25 clients expect an event without data first; older clients may take it for a message.
    let data = revision == .june2025 ? "" : "data:\n"
    return Array((retry + id + data + "\n").utf8)
  }

  /// The last text: the result of the request; empty for a stream without a request.
  private var ending: [UInt8] {
    guard case .request(let reply, _, _) = listener else { return [] }
    return Self.block(reply.message(["_meta": [AgentTopic.subscriptionKey: reply.id]]))
  }

  private func block(
    _ message: JSON, subscribed topics: AgentTopics, _ state: inout State
  ) -> [UInt8] {
    guard case .standalone = listener else { return Self.block(message) }
    return Array(id(topics, &state).utf8) + Self.block(message)
  }

  /// Returns a message as an event.
  static func block(_ message: JSON) -> [UInt8] {
    block(bytes: message.bytes)
  }

  /// Returns a written message as an event.
  static func block(bytes message: [UInt8]) -> [UInt8] {
    Array("event: message\ndata: ".utf8) + message + Array("\n\n".utf8)
  }

  /// Returns the line with the id of the next event; empty while there is no moment.
  private func id(_ topics: AgentTopics, _ state: inout State) -> String {
    guard let moment = state.moment else { return "" }
    state.count += 1
    state.sent = (moment, topics)
    return "id: \(AgentEventID(moment, topics, mark: "\(mark)-\(state.count)").text)\n"
  }

  /// Returns the heartbeat: the new id alone if it moved, which is not an event, else a comment.
  private func heartbeat(_ topics: AgentTopics, _ state: inout State) -> [UInt8] {
    if case .standalone = listener, let moment = state.moment,
      state.sent?.moment != moment || state.sent?.topics != topics
    {
      return Array((id(topics, &state) + "\n").utf8)
    }
    return Array(":\n".utf8)
  }
}

/// A listener to a session.
enum AgentListener: Sendable {
  /// A handshake client that opened an event stream, with the last event that it received. If `hasOtherTools`, it may
  /// have the list of tools for clients that do not listen.
  case standalone(AgentRevision, AgentClient, last: AgentEventID?, hasOtherTools: Bool)
  /// A request `subscriptions/listen`, with its topics and tasks.
  case request(AgentReply, AgentTopics, FollowedTasks)

  /// The client; nil if it has no state.
  var client: AgentClient? {
    switch self {
    case .standalone(_, let client, last: _, _): client
    case .request: nil
    }
  }

  /// The last event that it received.
  var last: AgentEventID? {
    switch self {
    case .standalone(_, _, let last, _): last
    case .request: nil
    }
  }

  /// True if its list of tools may differ from the one whose changes it is sent.
  var hasOtherTools: Bool {
    switch self {
    case .standalone(_, _, last: _, let hasOtherTools): hasOtherTools
    case .request: false
    }
  }

  /// The id of the request that the messages belong to; nil without one.
  var subscription: JSON? {
    switch self {
    case .standalone: nil
    case .request(let reply, _, _): reply.id
    }
  }
}
