import JSONText
import Locks
import MenuEngine
import MicroHTTP
import Synchronization

/// The notifications that one listener is sent, as Server-Sent Events (HTML, 9.2).
final class AgentStream: AgentSource {
  private let session: SessionID
  private let channel: AgentChannel
  private let listener: AgentListener
  private let clients: AgentClients
  private let mark: String
  private let state: Lock<State>
  private let stopped = Atomic(false)
  private let holding = Atomic(false)
  /// The nanoseconds between changes that are told, each at most once.
  private static let pause = 1_000_000_000

  private struct State {
    /// The moment up to which the listener was told.
    var moment: EventID?
    /// The moment and the topics of the last id that was sent.
    var sent: (moment: EventID, topics: AgentTopics)?
    /// The number of events so far.
    var count = 0
    /// The time at which changes were told last, in nanoseconds; nil if none were.
    var toldAt: Int?
    /// True if it is to show that it is alive.
    var isBeating = false
    var hasBegun = false
    var isAtEnd = false
  }

  /// The fields of the response.
  static var fields: Headers {
    [
      "Content-Type": "text/event-stream", "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    ]
  }

  /// The stream of a listener.
  ///
  /// - Parameter mark: A word that no other stream has.
  init(
    about session: SessionID, from channel: AgentChannel, to listener: AgentListener,
    clients: AgentClients, mark: String
  ) {
    self.session = session
    self.channel = channel
    self.listener = listener
    self.clients = clients
    self.mark = mark
    let start = channel.watch(.tools)
    let toldAt = listener.client.flatMap { clients.lastTold(to: $0) }
    state = Lock(State(moment: listener.last?.moment ?? start, toldAt: toldAt))
  }

  var isAwaited: Bool { false }

  func beat() { state.withLock { $0.isBeating = true } }

  func cancel() { stop() }

  func stop() { stopped.store(true, ordering: .relaxed) }

  var isHolding: Bool { holding.load(ordering: .relaxed) }

  func next() -> ResponseStream.Piece {
    state.withLock { state in
      guard !state.isAtEnd else { return .end }
      let isStopped = stopped.load(ordering: .relaxed)
      let topics = topics
      var text = state.hasBegun ? [] : opening(topics, &state)
      // What changes meanwhile is told when the pause is over; the end of a stream tells it at once.
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

  /// The text that tells what changed.
  private func news(_ topics: AgentTopics, _ state: inout State) -> [UInt8] {
    let (changed, moment) = channel.changes(in: topics, since: state.moment)
    var text: [UInt8] = []
    for topic in changed {
      // The last one alone moves on, so that a connection that breaks between two loses none.
      if topic == changed.last { state.moment = moment ?? state.moment }
      text += block(
        topic.notification(about: session, in: listener.subscription), subscribed: topics, &state)
    }
    state.moment = moment ?? state.moment
    if !changed.isEmpty { noteTold(&state) }
    return text
  }

  /// Notes that changes are told now; a client that comes back within the pause gets the next ones when that is over.
  private func noteTold(_ state: inout State) {
    let now = channel.now
    state.toldAt = now
    if let client = listener.client { clients.note(toldAt: now, to: client) }
  }

  private var topics: AgentTopics {
    switch listener {
    case .standalone(_, let client, let last):
      (clients.topics(of: client) ?? last?.topics ?? []).union(.tools)
    case .request(_, let topics): topics
    }
  }
}

extension AgentChannels {
  /// Returns the stream of a listener, and keeps it until it is closed.
  func stream(
    from channel: AgentChannel, to listener: AgentListener, about session: SessionID,
    nonce: String, tokens: [TokenDigest]
  ) -> ResponseStream {
    let number = nextNumber()
    let source = AgentStream(
      about: session, from: channel, to: listener, clients: clients, mark: "\(nonce)-\(number)")
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
          source.stop()
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

  /// The text that a stream begins with: an id to go on from, or what a request subscribed to.
  private func opening(_ topics: AgentTopics, _ state: inout State) -> [UInt8] {
    state.hasBegun = true
    switch listener {
    case .standalone(let revision, _, last: _):
      return Self.opening(id(topics, &state), in: revision)
    case .request(let reply, let topics):
      var filter = JSONObject()
      if topics.contains(.tools) { filter["toolsListChanged"] = true }
      let uris = SessionResource.allCases.filter { topics.contains($0.topic) }.map {
        JSON.string($0.uri(in: session))
      }
      if !uris.isEmpty { filter["resourceSubscriptions"] = .array(uris) }
      return block(
        [
          "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
          "params": [
            "_meta": [AgentTopics.subscriptionKey: reply.id], "notifications": .object(filter),
          ],
        ], subscribed: topics, &state)
    }
  }

  /// The text that a stream of a client that began with a handshake begins with.
  ///
  /// - Parameter id: The line with an id to go on from.
  static func opening(_ id: String, in revision: AgentRevision) -> [UInt8] {
    // Since 2025-11-25 an event without data is expected first; older clients may take it for a message.
    let data = revision == .june2025 ? "" : "data:\n"
    return Array((retry + id + data + "\n").utf8)
  }

  /// The last text: the result of the request, if it was one.
  private var ending: [UInt8] {
    guard case .request(let reply, _) = listener else { return [] }
    return Self.block(reply.message(["_meta": [AgentTopics.subscriptionKey: reply.id]]))
  }

  private func block(
    _ message: JSON, subscribed topics: AgentTopics, _ state: inout State
  ) -> [UInt8] {
    guard case .standalone = listener else { return Self.block(message) }
    return Array(id(topics, &state).utf8) + Self.block(message)
  }

  /// A message as an event.
  static func block(_ message: JSON) -> [UInt8] {
    Array("event: message\ndata: ".utf8) + message.bytes + Array("\n\n".utf8)
  }

  /// The line with the id of the next event; empty as long as there is no moment.
  private func id(_ topics: AgentTopics, _ state: inout State) -> String {
    guard let moment = state.moment else { return "" }
    state.count += 1
    state.sent = (moment, topics)
    return "id: \(AgentEventID(moment, topics, mark: "\(mark)-\(state.count)").text)\n"
  }

  /// The text that tells that the connection is alive: the id alone if it moved, which is no event, else a comment.
  private func heartbeat(_ topics: AgentTopics, _ state: inout State) -> [UInt8] {
    if case .standalone = listener, let moment = state.moment,
      state.sent?.moment != moment || state.sent?.topics != topics
    {
      return Array((id(topics, &state) + "\n").utf8)
    }
    return Array(":\n".utf8)
  }
}

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

/// The parts of a session that agents are notified of.
struct AgentTopics: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// The list of tools.
  static let tools = AgentTopics(rawValue: 1)
  /// The session's document.
  static let document = AgentTopics(rawValue: 2)
  /// The main menu with all items.
  static let menu = AgentTopics(rawValue: 4)
  static let diagnostics = AgentTopics(rawValue: 8)
  static let deliveries = AgentTopics(rawValue: 16)

  /// All topics, in the order of their notifications.
  static let each: [AgentTopics] = [.tools, .document, .menu, .diagnostics, .deliveries]
  /// Those that are resources.
  static let resources: AgentTopics = [.document, .menu, .diagnostics, .deliveries]
}

extension AgentTopics {
  /// The message that one of them changed.
  ///
  /// - Parameter subscription: The id of the request that asked for it; nil if it was none.
  func notification(about session: SessionID, in subscription: JSON?) -> JSON {
    var params = JSONObject()
    if let subscription { params["_meta"] = [Self.subscriptionKey: subscription] }
    if let resource = SessionResource(self) { params["uri"] = .string(resource.uri(in: session)) }
    let method = self == .tools ? "tools/list_changed" : "resources/updated"
    var message: JSONObject = [
      "jsonrpc": "2.0", "method": .string("notifications/\(method)"),
    ]
    if !params.isEmpty { message["params"] = .object(params) }
    return .object(message)
  }

  /// The name of the member of `_meta` that tells a subscription.
  static let subscriptionKey = "io.modelcontextprotocol/subscriptionId"
}
