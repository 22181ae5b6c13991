import Locks
import MenuStore
import MicroHTTP

/// A client of a session's event stream, by the name assigned in the handshake.
///
/// The name is scoped to the token, and valid as long as the session. It identifies the client's subscriptions, its
/// calls, and one stream, because each message is sent on one stream only.
struct AgentClient: Hashable, Sendable {
  /// The number of the session's incarnation.
  let opening: Int
  /// The name; nil if the client sends none.
  let name: String?
  /// The digest of the token; nil where none is required.
  private let token: [UInt8]?

  /// Creates the client that sends a request.
  ///
  /// - Throws: 400 if the name is not 1 to 128 visible ASCII characters.
  init(_ call: Call, of opening: Incarnation) throws(Problem) {
    try self.init(
      named: call.request.headers["mcp-session-id"], of: opening.number, token: call.token)
  }

  /// Creates the client of a name and a token, in the incarnation of that number.
  init(named name: String?, of opening: Int, token: String? = nil) throws(Problem) {
    (self.opening, self.name) = (opening, name)
    self.token = token.map { SHA256.digest(of: Array($0.utf8)) }
    guard let name else { return }
    guard (1...128).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw Problem(
        .malformedRequest, "\(quoted(name)) is no 'Mcp-Session-Id' that was given here.")
    }
  }
}

/// The subscriptions of clients, and the closures that end their streams. The least recently used ones are
/// evicted.
final class AgentClients: Sendable {
  fileprivate struct Entry {
    var topics: AgentTopics = []
    var lastUse = 0
    /// The time at which changes were last sent, in nanoseconds; nil if never.
    var toldAt: Int?
    /// True once its session is closed, so that nothing is kept after its stream.
    var isOfClosed = false
    /// The number of the stream, and the closure that ends it.
    var stream: (number: Int, end: @Sendable () -> Void)?
  }

  fileprivate struct Contents {
    var entries: [AgentClient: Entry] = [:]
    var uses = 0
  }

  private let contents = Lock(Contents())
  private let maximumCount: Int

  /// - Parameter maximumCount: The number of clients that are kept; the default is 4,096.
  init(maximumCount: Int = 4096) { self.maximumCount = maximumCount }

  var count: Int { contents.withLock(\.entries.count) }

  /// Returns the topics that a client subscribes to; nil if the client is unknown.
  func topics(of client: AgentClient) -> AgentTopics? {
    contents.withLock { $0.entries[client]?.topics }
  }

  /// Returns the time at which changes were last sent to a client, in nanoseconds; nil if the client is
  /// unknown.
  func lastTold(to client: AgentClient) -> Int? {
    contents.withLock { $0.entries[client]?.toldAt }
  }

  /// Records that changes are sent to a named client, so that its next stream observes the pause too.
  func note(toldAt time: Int, to client: AgentClient) {
    guard client.name != nil else { return }
    contents.withLock { $0.entries[client]?.toldAt = time }
  }

  /// True if a client has an open stream.
  func isListening(_ client: AgentClient) -> Bool {
    contents.withLock { $0.entries[client]?.stream != nil }
  }

  func change(_ client: AgentClient, by change: (inout AgentTopics) -> Void) {
    contents.withLock { contents in
      var entry = contents.entries[client] ?? Entry()
      change(&entry.topics)
      contents.keep(entry, of: client, atMost: maximumCount)
    }
  }

  /// Records the stream of a named client, and ends its previous one.
  func begin(
    stream number: Int, of client: AgentClient, topics: AgentTopics,
    ending end: @escaping @Sendable () -> Void
  ) {
    guard client.name != nil else { return }
    let earlier = contents.withLock { contents in
      var entry = contents.entries[client] ?? Entry(topics: topics)
      let earlier = entry.stream?.end
      entry.stream = (number, end)
      contents.keep(entry, of: client, atMost: maximumCount)
      return earlier
    }
    earlier?()
  }

  /// Drops the clients of a closed session; those with a stream are dropped when that ends.
  func forget(_ opening: Incarnation) {
    contents.withLock { contents in
      for (client, entry) in contents.entries where client.opening == opening.number {
        contents.entries[client] = entry.stream == nil ? nil : entry
        contents.entries[client]?.isOfClosed = true
      }
    }
  }

  func end(stream number: Int, of client: AgentClient) {
    contents.withLock { contents in
      guard contents.entries[client]?.stream?.number == number else { return }
      contents.entries[client]?.stream = nil
      guard let entry = contents.entries[client],
        entry.isOfClosed || entry.topics.isEmpty && entry.toldAt == nil
      else { return }
      contents.entries[client] = nil
    }
  }
}

extension AgentClients.Contents {
  fileprivate mutating func keep(
    _ entry: AgentClients.Entry, of client: AgentClient, atMost most: Int
  ) {
    uses += 1
    entries[client] = entry
    entries[client]?.lastUse = uses
    guard entries.count > most else { return }
    // Evict a quarter at once, so that the search is rare.
    let times = entries.values.map(\.lastUse).sorted()
    let middle = times[times.count / 4]
    entries = entries.filter { $0.value.lastUse > middle || $0.value.stream != nil }
  }
}
